// The page: which view the address names, and what all views share.

import { read, write } from "./address.js";
import { at, attempt, fill, h, settled } from "./dom.js";
import { engine as givenEngine } from "./engine.js";
import { gamesView } from "./games.js";
import { matchView, playView } from "./play.js";
import { editView } from "./editor.js";
import { experimentsView, storeView } from "./experiments.js";

/** @typedef {{element: HTMLElement, title: string, shown?: () => void, leave?: () => void}} View */
/** @typedef {{engine: import("./engine.js").ServerEngine | import("./engine.js").WorkerEngine, about: import("./engine.js").About, go: (hash: string) => void}} House */

const VIEWS = { games: gamesView, play: playView, edit: editView, experiments: experimentsView, store: storeView, match: matchView };

/** Which link of the head a view belongs to. @type {Record<string, string>} */
const UNDER = { play: "games", store: "experiments", match: "experiments" };

/** @type {View | null} */
let open = null;
let asked = "";
/** The address as it was when a view was opened or last changed it: if it is another by now, somebody wants another view. */
let here = "";

/** @param {House} house */
async function show(house) {
  const hash = location.hash;
  // A view that keeps its own address up to date is not opened anew by it.
  if (hash === asked && open) return;
  asked = here = hash;
  pending = null;
  open?.leave?.();
  let refused = "";
  let name = "";
  const made = read(hash).then((address) => {
    name = address.view;
    return (VIEWS[/** @type {keyof typeof VIEWS} */ (name)] ?? gamesView)(house, address);
  });
  const view = await made.catch((error) => void (refused = error instanceof Error ? error.message : String(error)));
  if (location.hash !== hash && location.hash !== asked) return;
  open = view ?? null;
  fill(at("#main"), view ? view.element : h("section.refused", {}, h("p", { role: "alert" }, refused), h("p.empty", {}, h("a", { href: "#/" }, "All games"))));
  // A view begins at its top, however far down the list was that led to it.
  window.scrollTo(0, 0);
  view?.shown?.();
  at("#title").textContent = view?.title ?? "Ludex";
  document.title = view ? `${view.title} · Ludex` : "Ludex";
  for (const link of at("#nav").querySelectorAll("a")) {
    if (link.dataset.view === (UNDER[name] ?? name)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Browsers refuse addresses that change too often, and long ones take them long. */
const settle = settled(() => 120 + here.length / 20, () => settleAddress());

/** Writes the address that is about to be. */
export function settleAddress() {
  if (!pending) return;
  const hash = pending();
  pending = null;
  if (location.hash !== here) return;
  history.replaceState(null, "", hash);
  asked = here = location.hash;
}

/** What the address is about to be. @type {(() => string) | null} */
let pending = null;

/** Changes the address without opening a view anew; long games have long addresses, which are written when there is time. @param {() => string} hash */
export function note(hash) {
  pending = hash;
  settle();
}

/** The address as it is about to be. */
export const address = () => `${location.href.split("#")[0]}${pending ? pending() : asked}`;

function theme() {
  const kept = localStorage.getItem("theme");
  if (kept) document.documentElement.dataset.theme = kept;
  at("#theme").addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("theme", document.documentElement.dataset.theme);
  });
}

async function start() {
  theme();
  const engine = givenEngine();
  const about = await attempt(engine.about());
  if (!about) return fill(at("#main"), h("p.empty", {}, "The engine does not answer. Start it with ", h("code", {}, "ludex serve"), " and load this page anew."));
  const house = { engine, about, go: (/** @type {string} */ hash) => (location.hash = hash) };
  const link = (/** @type {string} */ view, /** @type {string} */ text) =>
    h("a", { href: write({ view, spec: null, line: [], ply: null }), dataset: { view } }, text);
  fill(at("#nav"), link("games", "Games"), link("edit", "Editor"), about.experiments && link("experiments", "Experiments"));
  window.addEventListener("hashchange", () => show(house));
  await show(house);
}

start();
