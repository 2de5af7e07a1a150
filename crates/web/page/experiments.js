// Stores of experiments: progress, tables, and every stored match on the board.

import { write } from "./address.js";
import { attempt, fill, h } from "./dom.js";

/** @param {import("./main.js").House} house @returns {Promise<import("./main.js").View>} */
export async function experimentsView(house) {
  const stores = await house.engine.experiments();
  const shown = h("div.store", {});
  let open = "";
  const refresh = async () => {
    if (!open) return;
    const store = await attempt(house.engine.experiment(open));
    if (store) fill(shown, contents(store));
  };
  const timer = setInterval(() => { if (!document.hidden) refresh(); }, 3000);
  const list = h("ul.stores", {}, stores.map((store) => h("li", {}, h("button", { onclick: () => { open = store.name; refresh(); } }, store.name))));
  const element = h("section.experiments", {}, stores.length ? list : h("p.empty", {}, "No stores in this folder."), shown);
  return { element, title: "Experiments", leave: () => clearInterval(timer) };
}

/** @param {any} store */
function contents(store) {
  const table = h("div.report", {});
  table.innerHTML = store.html;
  return [
    h("p", {}, `${store.done} of ${store.planned} matches`, h("progress", { value: store.done, max: Math.max(1, store.planned) })),
    table,
    h("h2", {}, "Matches"),
    h("ul.matches", {}, store.matches.map((/** @type {any} */ match) => h("li", {}, match.line
      ? h("a", { href: write({ view: "play", spec: match.spec, line: match.line, ply: 0 }) }, match.title)
      : match.title))),
  ];
}
