// The page: which view the address names, and what all views share.

import { read, write } from "./address.js";
import { at, attempt, fill, h } from "./dom.js";
import { ServerEngine } from "./engine.js";
import { gamesView } from "./games.js";
import { playView } from "./play.js";
import { editView } from "./editor.js";
import { experimentsView } from "./experiments.js";

/** @typedef {{element: HTMLElement, title: string, shown?: () => void, leave?: () => void}} View */
/** @typedef {{engine: ServerEngine, about: Awaited<ReturnType<ServerEngine["about"]>>, go: (hash: string) => void}} House */

const VIEWS = { games: gamesView, play: playView, edit: editView, experiments: experimentsView };

/** @type {View | null} */
let open = null;
let asked = "";

/** @param {House} house */
async function show(house) {
  const hash = location.hash;
  // A view that keeps its own address up to date is not opened anew by it.
  if (hash === asked && open) return;
  asked = hash;
  const address = read(hash);
  const make = VIEWS[/** @type {keyof typeof VIEWS} */ (address.view)] ?? gamesView;
  open?.leave?.();
  const view = await attempt(make(house, address));
  if (location.hash !== hash && location.hash !== asked) return;
  open = view ?? null;
  fill(at("#main"), view ? view.element : h("p.empty", {}, "Nothing to show here. ", h("a", { href: "#/" }, "All games")));
  view?.shown?.();
  at("#title").textContent = view?.title ?? "Ludex";
  document.title = view ? `${view.title} · Ludex` : "Ludex";
  for (const link of at("#nav").querySelectorAll("a")) {
    if (link.dataset.view === address.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Changes the address without opening a view anew. @param {string} hash */
export function note(hash) {
  asked = hash;
  history.replaceState(null, "", hash);
}

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
  const engine = new ServerEngine();
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
