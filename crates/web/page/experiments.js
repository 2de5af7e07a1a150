// Stores of experiments: how far they are, while they run; their tables and plots; and every match, opened on the board.

import { attempt, count, fill, h, percent } from "./dom.js";

/** @typedef {{name: string, title?: string, finished?: number, planned?: number, live?: boolean, fault?: string}} StoreLine */

/** How often a page asks how far experiments are. */
const EVERY = 2000;

/** @param {import("./main.js").House} house @returns {any} */
const ask = (house) => (/** @type {string} */ what, /** @type {any} */ asked) => /** @type {any} */ (house.engine).experiments(what, asked);

/** @param {import("./main.js").House} house @returns {Promise<import("./main.js").View>} */
export async function experimentsView(house) {
  const list = h("ul.stores", {});
  const pace = new Pace();
  const show = (/** @type {StoreLine[]} */ stores) => fill(list, stores.map((store) => h("li", {}, card(store, pace))),
    stores.length === 0 && h("li.empty", {}, "No stores in this folder yet; `ludex run FILE.toml` writes one."));
  show(await ask(house)());
  const timer = setInterval(async () => { const stores = await ask(house)().catch(() => null); if (stores) show(stores); }, EVERY);
  return { element: h("section.experiments", {}, list), title: "Experiments", leave: () => clearInterval(timer) };
}

/** @param {StoreLine} store @param {Pace} pace */
function card(store, pace) {
  if (store.fault) return h("div.store.faulty", {}, h("strong", {}, store.name), h("span", {}, store.fault));
  const share = store.planned ? Math.min(1, (store.finished ?? 0) / store.planned) : 0;
  return h("a.store", { href: `#/store/${encodeURIComponent(store.name)}`, class: store.live ? "live" : "" },
    h("strong", {}, store.title || store.name), h("span.facts", {}, store.name), bar(share),
    h("span.facts", {}, `${count(store.finished ?? 0)} of ${count(store.planned ?? 0)} matches`, store.live ? ` · ${pace.words(store)}` : ""));
}

/** @param {number} share */
const bar = (share) => h("span.progress", { role: "progressbar", "aria-valuenow": String(Math.round(100 * share)), "aria-valuemin": "0", "aria-valuemax": "100" },
  h("span", { style: { width: percent(share) } }));

/** How fast stores grow, from what was seen of them. */
class Pace {
  constructor() {
    /** @type {Map<string, {at: number, finished: number}>} */
    this.first = new Map();
  }

  /** @param {StoreLine} store */
  words(store) {
    const now = { at: Date.now(), finished: store.finished ?? 0 };
    const first = this.first.get(store.name) ?? now;
    this.first.set(store.name, first);
    const [seconds, more] = [(now.at - first.at) / 1000, now.finished - first.finished];
    if (seconds < 3 || more === 0) return "running";
    const left = ((store.planned ?? 0) - now.finished) * (seconds / more);
    return `running, ${(more / seconds).toPrecision(2)} matches a second, about ${time(left)} left`;
  }
}

/** @param {number} seconds */
const time = (seconds) => seconds < 90 ? `${Math.round(seconds)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;

/** One store. @param {import("./main.js").House} house @param {import("./address.js").Address} address @returns {Promise<import("./main.js").View>} */
export async function storeView(house, address) {
  const name = address.rest?.[0] ?? "";
  const [head, report, cells, pace] = [h("div.store", {}), h("div.report", {}), h("div.cells", {}), new Pace()];
  /** @type {Map<number, Matches>} */
  const panels = new Map();
  let seen = -1;
  const show = (/** @type {any} */ store) => {
    fill(head, h("strong", {}, store.title || name), h("span.facts", {}, name), bar(store.planned ? store.finished / store.planned : 0),
      h("span.facts", {}, `${count(store.finished)} of ${count(store.planned)} matches`, store.live ? ` · ${pace.words(store)}` : ""));
    if (store.finished === seen) return;
    seen = store.finished;
    // Tables and plots are written by the program, with every text in them escaped.
    report.innerHTML = store.report;
    for (const cell of store.cells) {
      let panel = panels.get(cell.id);
      if (!panel) {
        panel = new Matches(house, name, cell);
        panels.set(cell.id, panel);
        cells.append(panel.element);
      }
      panel.update(cell);
    }
  };
  const first = await ask(house)("store", { name });
  show(first);
  const timer = setInterval(async () => {
    const [line] = (await ask(house)().catch(() => [])).filter((/** @type {StoreLine} */ store) => store.name === name);
    if (line && (line.live || line.finished !== seen)) { const store = await attempt(ask(house)("store", { name })); if (store) show(store); }
  }, EVERY);
  const element = h("section.experiments", {}, h("a", { href: "#/experiments" }, "All experiments"), head, report, h("h2", {}, "Matches"), cells);
  return { element, title: first.title || name, leave: () => clearInterval(timer) };
}

/** The matches of a cell, listed when asked for, and as they come. */
class Matches {
  /** @param {import("./main.js").House} house @param {string} name @param {any} cell */
  constructor(house, name, cell) {
    [this.house, this.name, this.cell] = [house, name, cell];
    [this.list, this.more, this.played] = [h("ol.matches", {}), h("div.bar", {}), h("span.facts", {})];
    /** How many pages of the list were asked for. */
    this.pages = 0;
    this.element = h("details", {}, h("summary", {}, `${cell.game}: ${cell.names.join(" vs ")}, ${cell.budget} `, this.played), this.list, this.more);
    this.element.addEventListener("toggle", () => { if (this.element.open && this.pages === 0) this.load(1); });
  }

  /** @param {any} cell */
  update(cell) {
    this.played.textContent = `${count(cell.finished)} of ${count(cell.planned)} matches`;
    const grew = cell.finished !== this.cell.finished;
    this.cell = cell;
    if (grew && this.pages > 0) this.load(this.pages);
  }

  /** Matches may be finished in any order, so what is shown is asked for anew. @param {number} pages */
  async load(pages) {
    this.pages = pages;
    /** @type {any[]} */
    const all = [];
    let left = 0;
    for (let page = 0; page < pages; page++) {
      const found = await attempt(ask(this.house)("matches", { name: this.name, cell: this.cell.id, from: all.length }));
      if (!found) return;
      all.push(...found.matches);
      left = found.all - all.length;
    }
    fill(this.list, all.map((one) => h("li", {}, matchLink(this.name, this.cell, one))));
    fill(this.more, left > 0 && h("button", { onclick: () => this.load(this.pages + 1) }, `More (${count(left)})`));
  }
}

/** @param {string} name @param {any} cell @param {any} one */
function matchLink(name, cell, one) {
  const seats = one.seating.map((/** @type {number} */ entrant) => cell.names[entrant] ?? "?");
  const points = cell.names.map((/** @type {string} */ who, /** @type {number} */ at) => `${who} ${one.points[at]}`).join(", ");
  return h("a", { href: `#/match/${encodeURIComponent(name)}/${cell.id}/${one.number}` }, `${one.number}. `, seats.join(" – "),
    h("span.facts", {}, ` ${points}, ${one.plies} plies${one.forfeit ? `, ${one.forfeit}` : ""}`));
}
