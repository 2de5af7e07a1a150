// What a search thinks, several times a second: chances, moves with their evidence, the expected line, the course of the game.

import { count, fill, h, percent, worded } from "./dom.js";

/** @typedef {import("./engine.js").Report} Report */

const SVG = "http://www.w3.org/2000/svg";

export class ThinkingPanel {
  /** @param {import("./match.js").Match} match @param {import("./board.js").BoardView | null} board */
  constructor(match, board) {
    this.match = match;
    this.board = board;
    this.chances = h("div.chances", { role: "img", "aria-label": "Chances" });
    this.rows = h("tbody", {});
    this.before = h("p.before", {});
    this.facts = h("p.facts", {});
    this.why = h("p.why", {});
    this.learned = h("p.why", {});
    this.curve = document.createElementNS(SVG, "svg");
    this.curve.setAttribute("class", "curve");
    this.curve.setAttribute("viewBox", "0 0 300 60");
    this.curve.setAttribute("preserveAspectRatio", "none");
    this.over = h("select", { "aria-label": "What the board shows", title: "What is drawn on the board", onchange: () => this.draw() },
      [["moves", "simulations"], ["prefers", "playout policy"], ["", "nothing"]].map(([value, name]) => h("option", { value }, name)));
    /** @type {Report | null} */
    this.now = null;
    /** @type {import("./engine.js").Position | null} */
    this.shown = null;
    /** How many moves led to the position that was thought about. */
    this.ply = 0;
    const buttons = h("div.bar", {},
      h("button", { onclick: () => match.analyse(), title: "Think about this position for a minute" }, "Analyse"),
      h("button", { onclick: () => match.stop(), title: "End the search; nothing is played" }, "Stop"),
      h("button", { onclick: () => match.moveNow(), title: "Play the best move found so far (m)" }, "Move now"),
      board && h("label", {}, "Board shows", this.over));
    this.element = h("details.thinking", { open: true }, h("summary", {}, "Thinking"), this.before, this.chances, buttons,
      h("table", {}, this.head = h("thead", {}, h("tr", {}, ["move", "", "expects", "95%"].map((name) => h("th", {}, name)))), this.rows),
      this.why, this.learned, this.facts, this.curve);
  }

  /** @param {Report | null} report */
  report(report) {
    if (report) [this.now, this.ply] = [report, this.match.ply];
    else this.facts.textContent = "…";
    this.draw();
    this.tellWhen();
  }

  /** The position changed: what was thought of another one leaves the board. It stays to be read, and says of what it is, while the game goes on from there. */
  update() {
    const { position, ply, line } = this.match;
    if (position !== this.shown) this.board?.think([], "search");
    this.shown = position;
    if (ply < this.ply || (ply > this.ply && ply < line.length)) this.forget();
    this.tellWhen();
    this.drawCurve();
  }

  /** Before which move what is shown was thought, if not of the position on the board. */
  tellWhen() {
    const { ply, match } = this;
    const old = this.now !== null && ply < match.ply;
    this.element.classList.toggle("old", old);
    this.before.textContent = old ? `Thought before ${ply + 1}. ${match.told(ply, ply + 1).join()}:` : "";
  }

  forget() {
    this.now = null;
    for (const part of [this.chances, this.rows, this.why, this.learned, this.facts]) part.replaceChildren();
    this.chances.setAttribute("aria-label", "Chances");
  }

  draw() {
    const report = this.now;
    if (!report) return;
    this.drawChances(report.values);
    // Whoever looks ahead counts positions, and draws nothing that could have an interval.
    const counted = report.depth ? "positions" : "simulations";
    /** @type {Element} */ (this.head.querySelector("th:nth-child(2)")).textContent = counted;
    const interval = (/** @type {import("./engine.js").MoveReport} */ { low, high, proven }) =>
      proven ?? (low === null || high === null ? "" : `${percent(low).replace("%", "")}–${percent(high)}`);
    this.element.classList.toggle("bare", report.moves.every((move) => interval(move) === ""));
    fill(this.rows, report.moves.slice(0, 8).map((move) => h("tr", { class: move.text === report.best ? "best" : "" },
      h("td", {}, move.text), h("td", {}, count(move.visits)), h("td", {}, `${move.bound ? "≤ " : ""}${percent(move.value)}`), h("td", {}, interval(move)))));
    fill(this.why, report.why && h("strong", {}, "Why this move? "), worded(report.why));
    const facts = [`${count(report.simulations)} ${counted}`, `${count(report.perSecond)} a second`, report.depth ? `${report.depth} deep` : `${count(report.nodes)} positions kept`,
      report.line.length ? `expects ${report.line.slice(0, 8).join("  ")}` : "", report.agent];
    fill(this.facts, worded(facts.filter(Boolean).join(" · ")));
    this.drawBoard(report);
    this.drawCurve();
  }

  /** What the search tried, or what its playouts have come to prefer. @param {Report} report */
  drawBoard(report) {
    this.learned.textContent = "";
    // How many positions lie below a move says nothing about the move.
    const tried = report.depth ? report.moves.filter((move) => move.text === report.best) : report.moves;
    if (this.over.value === "moves") return this.board?.think(tried.map((move) => ({ ...move, weight: move.visits })), "search");
    if (this.over.value !== "prefers") return this.board?.think([], "search");
    const [first] = report.prefers;
    fill(this.learned, worded(first
      ? `The playouts have learned to prefer ${report.prefers.slice(0, 3).map((move) => `${move.text} (${percent(move.share)})`).join(", ")}.`
      : "The playouts of this agent learn nothing; those of `uct + ppa` or `uct + mast` do."));
    this.board?.think(report.prefers.map((move) => ({ ...move, weight: move.share })), "policy");
  }

  /** @param {number[]} values */
  drawChances(values) {
    const sum = values.reduce((a, b) => a + b, 0) || 1;
    this.chances.setAttribute("aria-label", `Chances: ${values.map((value, seat) => `${this.match.seatName(seat)} ${percent(value)}`).join(", ")}`);
    fill(this.chances, values.map((value, seat) =>
      h(`span.p${seat + 1}`, { style: { flexGrow: String(Math.max(0.001, value / sum)) }, title: `${this.match.seatName(seat)}: ${percent(value)}` },
        value / sum > 0.12 ? percent(value) : "")));
  }

  /** Each seat's chances over the game. */
  drawCurve() {
    const { expected, line } = this.match;
    this.curve.replaceChildren();
    const known = expected.filter((values) => values);
    const seats = known.length > 1 ? Math.max(...known.map((values) => values.length)) : 0;
    const width = Math.max(8, line.length, expected.length);
    this.curve.toggleAttribute("hidden", seats === 0);
    if (seats) this.curve.append(stroke("half", [[0, 30], [300, 30]]), stroke("here", [[(this.match.ply / width) * 300, 0], [(this.match.ply / width) * 300, 60]]));
    for (let seat = 0; seat < seats; seat++) {
      this.curve.append(stroke(`p${seat + 1}`, expected.flatMap((values, ply) => (values ? [[(ply / width) * 300, 58 - 56 * values[seat]]] : []))));
    }
  }
}

/** @param {string} name @param {number[][]} points */
function stroke(name, points) {
  const path = document.createElementNS(SVG, "polyline");
  path.setAttribute("points", points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
  path.setAttribute("class", name);
  return path;
}
