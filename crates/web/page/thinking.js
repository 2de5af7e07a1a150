// What a search thinks, several times a second: chances, moves with their evidence, the expected line, the course of the game.

import { count, fill, h, percent } from "./dom.js";

/** @typedef {import("./engine.js").Report} Report */

const SVG = "http://www.w3.org/2000/svg";

export class ThinkingPanel {
  /** @param {import("./match.js").Match} match @param {import("./board.js").BoardView | null} board */
  constructor(match, board) {
    this.match = match;
    this.board = board;
    this.chances = h("div.chances", { role: "img", "aria-label": "Chances" });
    this.rows = h("tbody", {});
    this.facts = h("p.facts", {});
    this.why = h("p.why", {});
    this.curve = document.createElementNS(SVG, "svg");
    this.curve.setAttribute("class", "curve");
    this.curve.setAttribute("viewBox", "0 0 300 60");
    this.curve.setAttribute("preserveAspectRatio", "none");
    this.over = h("input", { type: "checkbox", checked: true, onchange: () => this.draw() });
    /** @type {Report | null} */
    this.now = null;
    const buttons = h("div.bar", {},
      h("button", { onclick: () => match.analyse(), title: "Think about this position for a minute" }, "Analyse"),
      h("button", { onclick: () => match.stop() }, "Stop"),
      h("button", { onclick: () => match.moveNow(), title: "Play the best move found so far (m)" }, "Move now"),
      h("label", {}, this.over, "on the board"));
    this.element = h("details.thinking", { open: true }, h("summary", {}, "Thinking"), this.chances, buttons,
      h("table", {}, h("thead", {}, h("tr", {}, ["move", "simulations", "expects", "95%"].map((name) => h("th", {}, name)))), this.rows),
      this.why, this.facts, this.curve);
  }

  /** @param {Report | null} report */
  report(report) {
    if (report) this.now = report;
    else this.facts.textContent = "…";
    this.draw();
  }

  /** The position changed: what was thought of another one leaves the board. */
  update() {
    this.board?.think([]);
    this.drawCurve();
  }

  draw() {
    const report = this.now;
    if (!report) return;
    this.drawChances(report.values);
    fill(this.rows, report.moves.slice(0, 8).map((move) => h("tr", { class: move.text === report.best ? "best" : "" },
      h("td", {}, move.text), h("td", {}, count(move.visits)), h("td", {}, move.proven ?? percent(move.value)), h("td", {}, `${percent(move.low)} – ${percent(move.high)}`))));
    this.why.textContent = report.why;
    this.facts.textContent = [`${count(report.simulations)} simulations`, `${count(report.perSecond)} a second`, `${count(report.nodes)} positions kept`,
      report.line.length ? `expects ${report.line.slice(0, 8).join("  ")}` : "", report.agent].filter(Boolean).join(" · ");
    this.board?.think(this.over.checked && !report.done ? report.moves : this.match.thinking || !this.over.checked ? [] : report.moves);
    this.drawCurve();
  }

  /** @param {number[]} values */
  drawChances(values) {
    const sum = values.reduce((a, b) => a + b, 0) || 1;
    fill(this.chances, values.map((value, seat) =>
      h(`span.p${seat + 1}`, { style: { flexGrow: String(Math.max(0.001, value / sum)) }, title: this.match.table.seats[seat] ?? `P${seat + 1}` },
        value / sum > 0.12 ? percent(value / sum) : "")));
  }

  /** Each seat's chances over the game. */
  drawCurve() {
    const { expected, line } = this.match;
    this.curve.replaceChildren();
    const seats = Math.max(0, ...expected.map((values) => values?.length ?? 0));
    const width = Math.max(8, line.length, expected.length);
    for (let seat = 0; seat < seats; seat++) {
      const points = expected.flatMap((values, ply) => (values ? [`${((ply / width) * 300).toFixed(1)},${(58 - 56 * values[seat]).toFixed(1)}`] : []));
      const path = document.createElementNS(SVG, "polyline");
      path.setAttribute("points", points.join(" "));
      path.setAttribute("class", `p${seat + 1}`);
      this.curve.append(path);
    }
  }
}
