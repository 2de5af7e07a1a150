// What the page asks of an engine. Two engines answer alike: the program's server, and the same program as
// WebAssembly in a worker where there is no server.

/**
 * @typedef {{name: string, title: string, about: string, players: number, board: string, kind: string}} GameEntry
 * @typedef {{game?: string, text?: string, language?: "lud" | "kif", options?: string[]}} Spec what to open: a name, or rules as text
 * @typedef {{category: string, items: string[], chosen: string}} OptionMenu
 * @typedef {{x: number, y: number, r: number, label: string}} Site in the coordinates of the picture
 * @typedef {{svg: string, sites: Site[]}} Board
 * @typedef {{id: string, name: string, spec: Spec, about: string, players: number, seats: string[], hidden: boolean, board: Board | null,
 *   options: OptionMenu[], text: string | null, language: string}} Table
 * @typedef {{player: number, text: string, from: number | null, to: number | null, kind: string}} LegalMove
 * @typedef {{ply: number, over: boolean, chance: boolean, players: number[], payoffs: number[] | null, pieces: string, show: string,
 *   last: {from: number | null, to: number | null} | null, moves: LegalMove[], notes: string[], result: string}} Position
 * @typedef {string[][]} Line the moves so far: for every ply one text for each player who moved
 * @typedef {{text: string, from: number | null, to: number | null, visits: number, value: number, low: number, high: number, proven: string | null}} MoveReport
 * @typedef {{simulations: number, perSecond: number, seconds: number, values: number[], moves: MoveReport[], line: string[], nodes: number,
 *   agent: string, why: string, prefers: {to: number | null, from: number | null, share: number}[], done: boolean, best: string | null}} Report
 * @typedef {{seconds?: number, simulations?: number}} Budget
 * @typedef {{line: number, column: number, length: number, severity: string, message: string, help: string | null, start: number, end: number}} Finding
 * @typedef {{stop: () => void, done: Promise<Report>}} Thinking
 */

export class EngineError extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The program's own server. */
export class ServerEngine {
  /** @param {string} path @param {any} [body] @returns {Promise<any>} */
  async ask(path, body) {
    const init = body === undefined ? {} : {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    let answer;
    try {
      answer = await fetch(`api/${path}`, init);
    } catch {
      throw new EngineError("The server does not answer; is `ludex serve` still running?", 0);
    }
    const value = await answer.json().catch(() => ({ error: answer.statusText }));
    if (!answer.ok) throw new EngineError(value.error ?? answer.statusText, answer.status);
    return value;
  }

  /** @returns {Promise<{version: string, agent: string, agents: string[], threads: number, library: boolean, experiments: boolean}>} */
  about() { return this.ask("about"); }

  /** @returns {Promise<GameEntry[]>} */
  games() { return this.ask("games"); }

  /** @param {Spec} spec @returns {Promise<Table>} */
  open(spec) { return this.ask("open", spec); }

  /** @param {string} table @param {Line} line @param {number | null} viewer @returns {Promise<Position>} */
  position(table, line, viewer) { return this.ask("position", { table, line, viewer }); }

  /** An outcome of chance, drawn. @param {string} table @param {Line} line @returns {Promise<{outcome: string}>} */
  chance(table, line) { return this.ask("chance", { table, line }); }

  /** @param {Spec} spec @returns {Promise<{findings: Finding[], ok: boolean}>} */
  check(spec) { return this.ask("check", spec); }

  /** @param {string} name @returns {Promise<{name: string, text: string}[]>} */
  ludeme(name) { return this.ask(`ludeme?name=${encodeURIComponent(name)}`); }

  /** A record of moves as text, ours or the reference's. @param {string} text @returns {Promise<{spec: Spec, line: Line}>} */
  read(text) { return this.ask("record/read", { text }); }

  /** @param {string} table @param {Line} line @returns {Promise<{text: string}>} */
  write(table, line) { return this.ask("record/write", { table, line }); }

  /** @returns {Promise<any[]>} */
  experiments() { return this.ask("experiments"); }

  /**
   * Thinks about a player's move; reports arrive several times a second. `stop` ends it with what was found.
   * @param {{table: string, line: Line, player: number, agent: string, budget: Budget}} question
   * @param {(report: Report) => void} onReport
   * @returns {Thinking}
   */
  think(question, onReport) {
    /** @type {EventSource | null} */
    let events = null;
    let thought = "";
    let stopped = false;
    const done = (async () => {
      thought = (await this.ask("think", question)).id;
      if (stopped) this.ask("stop", { id: thought }).catch(() => {});
      return await new Promise((resolve, reject) => {
        events = new EventSource(`api/events?id=${thought}`);
        events.addEventListener("report", (event) => {
          const report = JSON.parse(/** @type {MessageEvent} */ (event).data);
          onReport(report);
          if (report.done) {
            events?.close();
            resolve(report);
          }
        });
        events.addEventListener("fault", (event) => {
          events?.close();
          reject(new EngineError(JSON.parse(/** @type {MessageEvent} */ (event).data).error, 500));
        });
        events.onerror = () => {
          if (events?.readyState === EventSource.CLOSED) reject(new EngineError("The search was lost.", 0));
        };
      });
    })();
    const stop = () => {
      stopped = true;
      if (thought) this.ask("stop", { id: thought }).catch(() => {});
    };
    return { stop, done };
  }
}
