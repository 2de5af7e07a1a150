// What the page asks of an engine. Two engines answer alike: the program's server, and the same program as
// WebAssembly in a worker where there is no server.

/**
 * @typedef {{name: string, title: string, about: string, players: number, board: string, kind: string}} GameEntry
 * @typedef {{game?: string, text?: string, language?: "lud" | "kif", options?: string[]}} Spec what to open: a name, or rules as text
 * @typedef {{category: string, items: string[], chosen: string}} OptionMenu
 * @typedef {{x: number, y: number, r: number, label: string, hand?: boolean}} Site in the coordinates of the picture
 * @typedef {{svg: string, sites: Site[]}} Board
 * @typedef {{id: string, name: string, spec: Spec, about: string, players: number, seats: string[], tokens: string[], hidden: boolean, board: Board | null,
 *   options: OptionMenu[], text: string | null, language: string}} Table
 * @typedef {{player: number, text: string, from: number | null, to: number | null, kind: string, twin: boolean}} LegalMove
 * @typedef {{ply: number, drawn: string[], over: boolean, chance: boolean, players: number[], payoffs: number[] | null, pieces: string, show: string,
 *   last: {from: number | null, to: number | null} | null, moves: LegalMove[], seen: Line | null, name: number | null, notes: string[], result: string}} Position
 * @typedef {string[][]} Line the moves so far: for every ply one text for each player who moved
 * @typedef {{text: string, from: number | null, to: number | null, visits: number, value: number, bound: boolean, low: number | null, high: number | null, proven: string | null}} MoveReport
 * @typedef {{simulations: number, perSecond: number, seconds: number, values: number[], moves: MoveReport[], line: string[], nodes: number, depth: number,
 *   agent: string, why: string, prefers: {text: string, to: number | null, from: number | null, share: number}[], done: boolean, best: string | null}} Report
 * @typedef {{seconds?: number, simulations?: number}} Budget
 * @typedef {{line: number, column: number, length: number, severity: string, message: string, help: string | null, start: number, end: number}} Finding
 * @typedef {{stop: () => void, done: Promise<Report>}} Thinking
 * @typedef {{version: string, agent: string, agents: string[], threads: number, library: boolean, experiments?: boolean}} About
 * @typedef {{table: string, spec: Spec, line: Line, player: number, agent: string, budget: Budget}} Question
 */

export class EngineError extends Error {
  /** @param {string} message @param {number} status @param {boolean} [closed] whether a game was closed to make room for others */
  constructor(message, status, closed = false) {
    super(message);
    this.status = status;
    this.closed = closed;
  }
}

/** What both engines offer; each has its own way to ask. */
class Engine {
  /** The position asked for last. @type {{table: string, line: Line, name: number | null} | null} */
  last = null;

  /** @param {string} what @param {any} [asked] @returns {Promise<any>} */
  async ask(what, asked) { throw new EngineError(`nobody answers ${what} ${asked}`, 0); }

  /** @returns {Promise<About>} */
  about() { return this.ask("about"); }

  /** @returns {Promise<GameEntry[]>} */
  games() { return this.ask("games"); }

  /** What the tables are that were opened, by their first names. @type {Map<string, {spec: Spec, id: string}>} */
  tables = new Map();

  /** @param {Spec} spec @returns {Promise<Table>} */
  async open(spec) {
    const table = await this.ask("open", spec);
    this.tables.set(table.id, { spec, id: table.id });
    return table;
  }

  /** Asks something about a table; one that was closed to make room for others, or by a server that was started anew, is opened again. @param {string} what @param {any} asked @returns {Promise<any>} */
  async atTable(what, asked) {
    const known = this.tables.get(asked.table);
    const now = () => this.ask(what, { ...asked, table: known?.id ?? asked.table });
    try {
      return await now();
    } catch (error) {
      if (!known || !(error instanceof EngineError && error.closed)) throw error;
      known.id = (await this.ask("open", known.spec)).id;
      return now();
    }
  }

  /** The position that a game begins with, small. @param {Spec} spec @returns {Promise<{svg: string | null}>} */
  picture(spec) { return this.ask("picture", spec); }

  /**
   * A position, for somebody who was told so many of the moves before; where `draw` says so, chance decides what it is its turn to decide,
   * and the position is the one after that. Of a line that goes on from the position asked for last only the rest is sent.
   * @param {string} table @param {Line} line @param {number | null} viewer @param {number} [told] @param {boolean} [draw] @returns {Promise<Position>}
   */
  async position(table, line, viewer, told = 0, draw = false) {
    const { last } = this;
    const goesOn = last?.table === table && last.name !== null && last.line.every((joint, ply) => joint === line[ply]);
    let position = last && goesOn && await this.atTable("position", { table, after: last.name, line: line.slice(last.line.length), viewer, told, draw });
    // Where another page went another way meanwhile, the name says nothing any more.
    if (!position || position.forgotten) position = await this.atTable("position", { table, line, viewer, told, draw });
    this.last = { table, line: afterwards(line, position), name: position.name };
    return position;
  }

  /** @param {Spec} spec @returns {Promise<{findings: Finding[], ok: boolean}>} */
  check(spec) { return this.ask("check", spec); }

  /** @param {string} name @returns {Promise<{name: string, text: string}[]>} */
  ludeme(name) { return this.ask("ludeme", { name }); }

  /** A record of moves as text, ours or Ludii's. @param {string} text @returns {Promise<{spec: Spec, line: Line}>} */
  read(text) { return this.ask("record/read", { text }); }

  /** @param {string} table @param {Line} line @param {"ludex" | "ludii"} format @returns {Promise<{text: string}>} */
  write(table, line, format) { return this.atTable("record/write", { table, line, format }); }
}

/** The moves that lead to a position which was asked for by some of them. @param {Line} line @param {Position} position @returns {Line} */
export const afterwards = (line, { drawn }) => (drawn.length ? [...line, ...drawn.map((outcome) => [outcome])] : line);

/** The program's own server. */
export class ServerEngine extends Engine {
  /** @param {string} what @param {any} [asked] @returns {Promise<any>} */
  async ask(what, asked) {
    const init = asked === undefined ? {} : {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(asked),
    };
    let answer;
    try {
      answer = await fetch(`api/${what}`, init);
    } catch {
      throw new EngineError("The server does not answer; is `ludex serve` still running?", 0);
    }
    const value = await answer.json().catch(() => ({ error: answer.statusText }));
    if (!answer.ok) throw new EngineError(value.error ?? answer.statusText, answer.status, value.closed);
    return value;
  }

  /** Stores of experiments: the list, one of them, its matches, one match. @param {string} what @param {Record<string, any>} [asked] @returns {Promise<any>} */
  experiments(what = "", asked = {}) {
    const query = new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, String(value)]));
    return this.ask(`experiments${what && `/${what}`}?${query}`);
  }

  /**
   * Thinks about a player's move; reports arrive several times a second. `stop` ends it with what was found.
   * @param {Question} question
   * @param {(report: Report) => void} onReport
   * @returns {Thinking}
   */
  think(question, onReport) {
    /** @type {EventSource | null} */
    let events = null;
    let thought = "";
    let stopped = false;
    const done = (async () => {
      thought = (await this.atTable("think", question)).id;
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

/** The same program as WebAssembly, in workers of this browser: one answers, one thinks. */
export class WorkerEngine extends Engine {
  constructor() {
    super();
    const module = compile();
    this.desk = new Hand(module);
    this.thinker = new Hand(module);
  }

  /** @param {string} what @param {any} [asked] @returns {Promise<any>} */
  ask(what, asked = {}) { return this.desk.ask({ what, asked, seed: seed() }); }

  /** @param {Question} question @param {(report: Report) => void} onReport @returns {Thinking} */
  think(question, onReport) {
    const { spec, ...asked } = question;
    /** @type {Report | null} */
    let last = null;
    let stopped = false;
    /** @type {(report: Report) => void} */
    let finish = () => {};
    // A search holds its worker until it is over: to stop it is to end the worker and keep what it found.
    const end = () => {
      if (!last) return;
      this.thinker.restart();
      finish({ ...last, done: true });
    };
    const told = (/** @type {Report} */ report) => {
      last = report;
      onReport(report);
      if (stopped) end();
    };
    const found = this.thinker.ask({ what: "think", asked: { ...asked, table: "" }, spec, seed: seed() }, told);
    const early = new Promise((resolve) => (finish = resolve));
    const done = Promise.race([found.then((report) => { if (!stopped) onReport(report); return report; }), early]);
    const stop = () => { stopped = true; end(); };
    return { stop, done: done.then((report) => { if (stopped) onReport(report); return report; }) };
  }
}

const seed = () => Math.floor(Math.random() * 2 ** 40);

/** @returns {Promise<WebAssembly.Module>} */
async function compile() {
  const answer = await fetch("engine.wasm");
  if (!answer.ok) throw new EngineError("engine.wasm is missing beside this page", answer.status);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** A worker that answers one question after another. */
class Hand {
  /** @param {Promise<WebAssembly.Module>} module */
  constructor(module) {
    this.module = module;
    this.next = 1;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, told?: (report: any) => void}>} */
    this.waiting = new Map();
    this.begin();
  }

  begin() {
    const worker = new Worker("worker.js", { type: "module" });
    this.worker = worker;
    this.module.then((module) => worker.postMessage({ module }), (error) => this.fail(String(error)));
    worker.onmessage = ({ data }) => {
      const asker = this.waiting.get(data.id);
      if (!asker) return;
      if (data.report) return asker.told?.(data.report);
      this.waiting.delete(data.id);
      if (data.error === undefined) asker.resolve(data.answer);
      else asker.reject(new EngineError(data.error, 500, data.closed));
    };
    worker.onerror = (event) => this.fail(event.message);
  }

  /** @param {string} message */
  fail(message) {
    for (const asker of this.waiting.values()) asker.reject(new EngineError(message, 500));
    this.waiting.clear();
  }

  /** Ends whatever it does; those who wait get no answer. */
  restart() {
    this.worker?.terminate();
    this.waiting.clear();
    this.begin();
  }

  /** @param {any} question @param {(report: any) => void} [told] @returns {Promise<any>} */
  ask(question, told) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, told });
      this.worker?.postMessage({ id, question });
    });
  }
}

/** The engine that this page was given. @returns {ServerEngine | WorkerEngine} */
export function engine() {
  const given = document.querySelector('meta[name="engine"]')?.getAttribute("content");
  return given === "worker" ? new WorkerEngine() : new ServerEngine();
}
