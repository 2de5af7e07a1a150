// A match as the page keeps it: the moves so far, where in them we are, who sits where. The engine is asked for every
// position by the moves that lead to it, so that taking back, jumping and going another way are the same thing.

import { attempt } from "./dom.js";
import { afterwards } from "./engine.js";

/** @typedef {import("./engine.js").LegalMove} LegalMove @typedef {import("./engine.js").Report} Report */
/** @typedef {{human: boolean, agent: string, budget: import("./engine.js").Budget}} Seat */

export class Match {
  /** @param {import("./main.js").House} house @param {import("./engine.js").Table} table @param {string[][]} line @param {number | null} ply */
  constructor(house, table, line, ply) {
    this.engine = house.engine;
    this.table = table;
    this.line = line;
    this.ply = Math.min(ply ?? line.length, line.length);
    /** @type {Seat[]} */
    this.seats = Array.from({ length: Math.max(1, table.players) }, (_, index) => ({
      human: index === 0, agent: house.about.agent, budget: { seconds: 1 },
    }));
    /** @type {import("./engine.js").Position | null} */
    this.position = null;
    /** @type {Map<number, string>} what those who have chosen in this turn will play */
    this.chosen = new Map();
    // A game opened by a link is looked at first.
    this.paused = line.length > 0;
    /** @type {import("./engine.js").Thinking | null} */
    this.thinking = null;
    /** @type {(number[] | null)[]} what searches expected, by ply */
    this.expected = [];
    /** @type {string[][]} what whoever looks learned of the moves so far, where that is not all */
    this.seen = [];
    /** @type {number | null} */
    this.told_to = null;
    /** Whether what the search finds is played when it ends. */
    this.plays = true;
    /** @type {string[][]} the longest line that was taken back or left behind, as long as the moves so far begin it */
    this.taken = [];
    /** @type {number[]} how many plies of it there were each time when some were taken back */
    this.stops = [];
    this.changed = () => {};
    /** @type {(report: Report | null) => void} */
    this.reported = () => {};
    this.turn = 0;
    /** @type {number | undefined} the person who looked last, of several */
    this.looking = undefined;
  }

  /** Who looks at the board where something is hidden: the only person at it, of several the one who chooses now; whoever only watches sees all. */
  viewer() {
    if (!this.table.hidden) return null;
    const humans = this.seats.flatMap((seat, index) => (seat.human ? [index] : []));
    if (humans.length > 1) this.looking = this.chooser() ?? this.looking ?? humans[0];
    return humans.length > 1 ? this.looking : humans[0] ?? null;
  }

  /** The person who chooses now: where several move at once, one after another. @returns {number | undefined} */
  chooser() {
    const { position } = this;
    return position?.players.find((player) => this.seats[player]?.human && !this.chosen.has(player));
  }

  /** Asks for the position anew and lets whoever is to move go on. */
  async refresh() {
    const turn = ++this.turn;
    this.thinking?.stop();
    this.thinking = null;
    this.chosen.clear();
    if (await this.look(turn)) await this.goOn(turn);
  }

  /** Asks for the position as whoever looks at it now sees it. @param {number} turn @returns {Promise<boolean>} whether it is shown */
  async look(turn) {
    const viewer = this.viewer();
    const told = viewer === this.told_to ? Math.min(this.seen.length, this.ply) : 0;
    const before = this.line.slice(0, this.ply);
    const draws = this.ply === this.line.length && !this.paused;
    const position = await attempt(this.engine.position(this.table.id, before, viewer, told, draws));
    if (turn !== this.turn) return false;
    if (position) this.position = position;
    if (position?.drawn.length) {
      this.line = afterwards(before, position);
      this.ply = this.line.length;
    }
    if (viewer !== this.told_to) [this.seen, this.told_to] = [[], viewer];
    if (position?.seen) this.seen.splice(told, position.seen.length, ...position.seen);
    // Who looks is known only when it is known who chooses.
    if (position && this.viewer() !== viewer) return this.look(turn);
    this.changed();
    return !!position;
  }

  /** Agents move by themselves, as chance does, unless the game is paused or we look at an earlier position. */
  async goOn(turn) {
    const { position } = this;
    if (!position || position.over || this.paused || this.ply < this.line.length) return;
    if (position.chance) return this.refresh();
    const agents = position.players.filter((player) => !this.seats[player]?.human);
    for (const player of agents) {
      this.plays = true;
      const report = await this.think(player, turn);
      if (turn !== this.turn) return;
      // Whoever cannot think, for a line that means nothing say, does not move; somebody has to see to it.
      if (!report || !this.plays) {
        this.paused = true;
        return this.changed();
      }
      if (report.best) this.chosen.set(player, report.best);
    }
    await this.complete(turn);
  }

  /** @param {number} player @param {number} turn @returns {Promise<Report | undefined>} */
  async think(player, turn) {
    const { agent, budget } = this.seats[player];
    const question = { table: this.table.id, spec: this.table.spec, line: this.line.slice(0, this.ply), player, agent, budget };
    // What somebody else thinks would tell what only he can see, or what he is about to do at the same time as a person.
    const atOnce = !this.seats[player].human && !!this.position?.players.some((one) => this.seats[one]?.human);
    const secret = atOnce || (this.viewer() !== null && this.viewer() !== player);
    if (!secret) this.reported(null);
    this.thinking = this.engine.think(question, (report) => {
      if (turn !== this.turn || secret) return;
      this.expected[this.ply] = report.values;
      this.reported(report);
    });
    // What became of a search for another position, or another game, is no news here.
    const report = await attempt(this.thinking.done, () => turn === this.turn);
    if (turn === this.turn) this.thinking = null;
    return report;
  }

  /** Thinks about a move without making it, unless somebody says so meanwhile. */
  async analyse() {
    const players = this.position?.players ?? [];
    const player = players.find((one) => this.seats[one].human) ?? players[0];
    if (player === undefined || this.thinking) return;
    const turn = this.turn;
    const kept = this.seats[player];
    this.seats[player] = { ...kept, budget: { seconds: 60 } };
    this.plays = false;
    const thought = this.think(player, turn);
    this.seats[player] = kept;
    const report = await thought;
    if (turn !== this.turn) return;
    if (report?.best && this.plays) await this.choose({ player, text: report.best });
    else this.changed();
  }

  /** The search ends, and nothing is played. */
  stop() {
    this.plays = false;
    this.thinking?.stop();
  }

  /** The search ends and its best move so far is played. */
  moveNow() {
    this.plays = true;
    this.thinking?.stop();
  }

  /** What a person may choose now. @returns {LegalMove[]} */
  mine() {
    const player = this.chooser();
    return this.position?.moves.filter((move) => move.player === player) ?? [];
  }

  /** @param {{player: number, text: string}} move */
  async choose(move) {
    this.chosen.set(move.player, move.text);
    this.paused = false;
    await this.complete(this.turn);
  }

  /** Plays when all who move have chosen. @param {number} turn */
  async complete(turn) {
    const { position } = this;
    if (!position || turn !== this.turn) return;
    if (position.players.every((player) => this.chosen.has(player))) {
      await this.add(position.players.map((player) => /** @type {string} */ (this.chosen.get(player))));
    } else if (this.table.hidden) {
      await this.look(turn);
    } else {
      this.changed();
    }
  }

  /** @param {string[]} joint */
  async add(joint) {
    if (this.ply < this.line.length) this.leaveBehind();
    this.line = [...this.line.slice(0, this.ply), joint];
    this.ply = this.line.length;
    this.expected.length = this.ply;
    this.seen.splice(this.ply - 1);
    await this.refresh();
  }

  /** @param {number} ply */
  async jump(ply) {
    this.ply = Math.max(0, Math.min(ply, this.line.length));
    if (this.ply < this.line.length) this.paused = true;
    await this.refresh();
  }

  /** Takes back to the last position in which a person chose. */
  async undo() {
    let ply = this.ply - 1;
    while (ply > 0) {
      const before = await attempt(this.engine.position(this.table.id, this.line.slice(0, ply), this.viewer()));
      if (!before || before.players.some((player) => this.seats[player]?.human)) break;
      ply -= 1;
    }
    this.ply = Math.max(0, ply);
    if (this.ply < this.line.length) this.leaveBehind();
    this.line = this.line.slice(0, this.ply);
    this.paused = !this.seats.some((seat) => seat.human);
    await this.refresh();
  }

  /** Whether the moves so far are the first of those that were taken back. */
  beginsTaken() {
    return this.line.every((joint, ply) => joint.join() === this.taken[ply]?.join());
  }

  /** Keeps all moves, some of which are about to be dropped. */
  leaveBehind() {
    if (!this.beginsTaken()) [this.taken, this.stops] = [this.line, []];
    this.stops.push(this.line.length);
  }

  /** Plays again what was taken back, as far as the last time took it. */
  async redo() {
    if (!this.beginsTaken()) return;
    let end = this.stops.pop();
    while (end !== undefined && end <= this.line.length) end = this.stops.pop();
    if (end === undefined) return;
    this.line = this.taken.slice(0, end);
    this.ply = end;
    await this.refresh();
  }

  async restart() {
    if (this.line.length) this.leaveBehind();
    this.line = [];
    this.ply = 0;
    this.expected = [];
    this.seen = [];
    this.paused = false;
    await this.refresh();
  }

  async pause() {
    this.paused = !this.paused;
    if (!this.paused && this.ply < this.line.length) {
      this.leaveBehind();
      this.line = this.line.slice(0, this.ply);
    }
    await this.refresh();
  }

  leave() {
    this.turn++;
    this.thinking?.stop();
  }

  /** The moves from one ply on as whoever looks knows them. @param {number} first @param {number} end */
  told(first, end) {
    const known = this.position?.seen;
    return this.line.slice(first, end).map((joint, at) => (known ? this.seen[first + at] ?? ["…"] : joint).map(readable).join(" + "));
  }

  /** @param {number} player */
  seatName(player) {
    return this.table.seats[player] ?? `P${player + 1}`;
  }

  /** One line on what happens now. */
  status() {
    const { position } = this;
    if (!position) return "";
    if (position.over) return position.result;
    const paused = this.paused && this.ply === this.line.length ? " (paused)" : "";
    if (position.chance) return `Chance decides${paused}`;
    const seat = (/** @type {number} */ player) => this.seatName(player);
    const waiting = position.players.filter((player) => !this.chosen.has(player));
    const names = waiting.map(seat).join(" and ");
    const chooser = this.chooser();
    if (chooser !== undefined && position.players.length > 1) return `All move at once: ${seat(chooser)} chooses`;
    if (chooser !== undefined) return `${names} to move: your turn`;
    return this.paused ? `${names} to move (paused)` : `${names} ${waiting.length > 1 ? "think" : "thinks"} …`;
  }
}

/** A move as people read it: what the rules draw may be told by the seed alone that it comes from. @param {string} text */
const readable = (text) => (/^numbers from \d+$/.test(text) ? "drawn by chance" : text);
