// All games: search as you type, open a file or paste rules.

import { pack, write } from "./address.js";
import { attempt, fill, h, settled } from "./dom.js";
import { languageOf } from "./editor.js";

/** @typedef {import("./engine.js").GameEntry} GameEntry */

const MOST = 200;

/** @param {import("./main.js").House} house @returns {Promise<import("./main.js").View>} */
export async function gamesView(house) {
  let games = await house.engine.games();
  const list = h("ul.games", { "aria-label": "Games" });
  const tally = h("p.tally", { role: "status" });
  const more = h("p.more", {});
  const near = pictures(house);
  const show = () => {
    // A number of players is one thing to look for.
    const words = (search.value.toLowerCase().match(/\b\d+ players?\b|\S+/g) ?? []).map((word) => (/^\d+ /.test(word) ? ` ${word}` : word));
    const found = games.filter((game) => words.every((word) => haystack(game).includes(word)));
    // Whoever types a name means that game before others that mention it.
    const named = (/** @type {GameEntry} */ game) => Number(!`${game.name} ${game.title}`.toLowerCase().includes(words.join(" ")));
    found.sort((a, b) => named(a) - named(b));
    fill(list);
    const add = () => {
      const shown = list.children.length;
      const cards = found.slice(shown, shown + MOST).map(card);
      list.append(...cards);
      cards.forEach((one) => near.observe(one.querySelector("[data-picture]")));
      const left = found.length - list.children.length;
      fill(more, left > 0 && h("button", { onclick: add }, `Show more (${left})`));
    };
    add();
    tally.textContent = `${found.length} ${found.length === 1 ? "game" : "games"}`;
  };
  const search = h("input", {
    type: "search", placeholder: "Search: hex, chess, 3 players, mancala …", "aria-label": "Search games",
    oninput: settled(60, show),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const first = list.querySelector("a");
      if (event.key === "Enter" && first) first.click();
      if (event.key === "ArrowDown" && first) { first.focus(); event.preventDefault(); }
    },
  });
  list.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => walk(list, event, search));
  const file = h("input", { type: "file", accept: ".lud,.kif,.trl,.trial,.txt", hidden: true, onchange: () => file.files[0] && open(house, file.files[0]) });
  show();
  // Of a library only names are known until its descriptions are read, some seconds after the start.
  let waiting = 0;
  const askAgain = (/** @type {number} */ tries) => {
    if (tries === 0 || isRead(games)) return;
    waiting = window.setTimeout(async () => {
      games = await house.engine.games().catch(() => games);
      // Whoever walks through the list stays where he is.
      if (waiting < 0) return;
      if (isRead(games) && !list.contains(document.activeElement)) show();
      askAgain(tries - 1);
    }, 1500);
  };
  askAgain(60);
  // Rules are pasted anywhere here, and files may be dropped on the page.
  const pasted = (/** @type {ClipboardEvent} */ event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const language = languageOf(text);
    if (!language) return;
    event.preventDefault();
    edit(house, text, language);
  };
  document.addEventListener("paste", pasted);
  const dropped = (/** @type {DragEvent} */ event) => {
    const [given] = event.dataTransfer?.files ?? [];
    event.preventDefault();
    if (given) open(house, given);
  };
  const leave = () => {
    document.removeEventListener("paste", pasted);
    clearTimeout(waiting);
    waiting = -1;
    near.disconnect();
  };
  const element = h("section.library", { ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(), ondrop: dropped },
    h("div.bar", {}, search, h("button", { onclick: () => file.click() }, "Open a file"), h("a.button", { href: "#/edit" }, "Write or paste rules"), file),
    tally, list, more);
  return { element, title: "Games", shown: () => search.focus({ preventScroll: true }), leave };
}

/** Whether the descriptions of a library were read, if there is one. @param {GameEntry[]} games */
function isRead(games) {
  const kept = games.filter(({ name }) => name.startsWith("library/"));
  return !kept.length || kept.some(({ players }) => players > 0);
}

/** Pictures of games, drawn by the engine when they come into view, and kept. @type {Map<string, Promise<string>>} */
const kept = new Map();

/** @param {import("./main.js").House} house */
function pictures(house) {
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      const name = /** @type {HTMLElement} */ (target).dataset.picture ?? "";
      const known = kept.get(name) ?? house.engine.picture({ game: name, options: [] }).then(({ svg }) => svg ?? "", () => "");
      kept.set(name, known);
      known.then((svg) => { target.innerHTML = svg; target.classList.toggle("none", !svg); });
    }
  }, { rootMargin: "120px" });
  return near;
}

/** @param {GameEntry} game */
const haystack = (game) => `${game.name} ${game.title} ${game.about} ${game.board} ${game.kind} ${game.players} players`.toLowerCase();

/** @param {GameEntry} game */
function card(game) {
  const facts = [game.players ? `${game.players} ${game.players === 1 ? "player" : "players"}` : "", game.board, game.kind].filter(Boolean);
  return h("li", {}, h("a", { href: write({ view: "play", spec: { game: game.name, options: [] }, line: [], ply: null }), "data-game": game.name },
    h("span.picture", { "data-picture": game.name, "aria-hidden": "true" }),
    h("span.words", {}, h("strong", {}, game.title), h("span.about", {}, game.about), h("span.facts", {}, facts.join(" · ")))));
}

/** Arrow keys walk through the list. @param {HTMLElement} list @param {KeyboardEvent} event @param {HTMLElement} above */
function walk(list, event, above) {
  const links = [...list.querySelectorAll("a")];
  const now = links.indexOf(/** @type {any} */ (document.activeElement));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || now < 0) return;
  event.preventDefault();
  (links[now + step] ?? (step < 0 ? above : links[now])).focus();
}

/** A file of rules goes to the board, a record to where it ends. @param {import("./main.js").House} house @param {File} file */
async function open(house, file) {
  const text = await file.text();
  if (/\.(lud|kif)$/.test(file.name)) return edit(house, text, file.name.endsWith(".kif") ? "kif" : "lud");
  const record = await attempt(house.engine.read(text));
  if (record) house.go(write({ view: "play", spec: await pack(record.spec), line: record.line, ply: null }));
}

/** @param {import("./main.js").House} house @param {string} text @param {"lud" | "kif"} language */
async function edit(house, text, language) {
  house.go(write({ view: "edit", spec: await pack({ text, language, options: [] }), line: [], ply: null }));
}
