// Stores of experiments: which there are in the folder that the page was given.

import { h } from "./dom.js";

/** @param {import("./main.js").House} house @returns {Promise<import("./main.js").View>} */
export async function experimentsView(house) {
  const stores = await house.engine.experiments();
  const list = h("ul.stores", {}, stores.map((store) => h("li", {}, store.name)));
  const hint = h("p.empty", {}, stores.length ? "`ludex report FILE` prints the tables of a store." : "No stores in this folder.");
  return { element: h("section.experiments", {}, list, hint), title: "Experiments" };
}
