// A game under way: the board, who plays, the moves so far, and what a search thinks.

import { pack, write } from "./address.js";
import { BoardView } from "./board.js";
import { at, attempt, fill, h, notify } from "./dom.js";
import { Match } from "./match.js";
import { address as current, note } from "./main.js";
import { seatAsBefore, seatsPanel } from "./seats.js";
import { ThinkingPanel } from "./thinking.js";

/** @typedef {import("./engine.js").LegalMove} LegalMove */

/** At most so many moves of a game are listed. */
const LISTED = 400;

/** @param {import("./main.js").House} house @param {import("./address.js").Address} address @returns {Promise<import("./main.js").View>} */
export async function playView(house, address) {
  if (!address.spec) throw new Error("This address names no game.");
  const table = await house.engine.open(await pack(address.spec));
  const match = new Match(house, table, address.line, address.ply);
  seatAsBefore(match);
  const view = new PlayView(house, match);
  await match.refresh();
  return { element: view.element, title: table.name, shown: () => view.focus(), leave: () => view.leave() };
}

/** A match of an experiment: its moves, who sat where, and what they expected. @param {import("./main.js").House} house @param {import("./address.js").Address} address @returns {Promise<import("./main.js").View>} */
export async function matchView(house, address) {
  const [name = "", cell = "", number = ""] = address.rest ?? [];
  const kept = await /** @type {any} */ (house.engine).experiments("match", { name, cell, number });
  const table = await house.engine.open(await pack(kept.spec));
  const match = new Match(house, table, kept.line, null);
  match.paused = true;
  match.seats.forEach((seat, index) => Object.assign(seat, { human: false, agent: house.about.agent, played: kept.seats[index] }));
  match.expected = kept.expected;
  const view = new PlayView(house, match, { kept: true });
  view.element.querySelector(".table").prepend(h("p.notes", {}, h("a", { href: `#/store/${encodeURIComponent(name)}` }, kept.title), ": ", kept.seats.join(" – "), kept.forfeit ? ` (${kept.forfeit})` : ""));
  await match.refresh();
  return { element: view.element, title: `${table.name}: ${kept.title}`, shown: () => view.focus(), leave: () => view.leave() };
}

class PlayView {
  /** @param {import("./main.js").House} house @param {Match} match @param {{kept?: boolean}} [how] a match that was kept has an address of its own */
  constructor(house, match, { kept = false } = {}) {
    this.house = house;
    this.kept = kept;
    this.match = match;
    const { table } = match;
    this.board = table.board
      ? new BoardView(table.board, { choose: (move) => this.choose(move), several: (moves, x, y) => this.menu(moves, x, y) })
      : null;
    this.status = h("p.status", { role: "status", "aria-live": "polite", tabindex: "-1" });
    this.notes = h("p.notes", {});
    this.show = h("pre.show", {});
    this.texts = h("div.texts", { "aria-label": "Legal moves" });
    this.filter = h("input", { type: "search", placeholder: "Type a move", "aria-label": "Type a move", oninput: () => this.listMoves(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") this.texts.querySelector("button")?.click(); } });
    this.history = h("ol.history", { "aria-label": "Moves so far" });
    /** @type {string[]} what is listed there */
    this.listed = [];
    /** @type {Element | null} the move that led here */
    this.now = null;
    this.thinking = new ThinkingPanel(match, this.board);
    this.popup = h("div.menu", { role: "menu", hidden: true, onkeydown: (/** @type {KeyboardEvent} */ event) => this.walkMenu(event) });
    this.scrolling = 0;
    this.choices = h("details.moves", { open: !this.board, ontoggle: () => this.listMoves() }, h("summary", {}, "Moves to choose from"), this.filter, this.texts);
    // Without a board the list is what is played on.
    this.element = h("section.play", {},
      h("div.table", {}, this.status, this.board?.element ?? this.show, this.notes, this.controls(), !this.board && this.choices),
      h("aside", {},
        seatsPanel(house, match),
        this.thinking.element,
        this.board && this.choices,
        h("details", { open: true }, h("summary", {}, "Moves so far"), this.history),
        this.more(table)),
      this.popup);
    this.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.keys = (/** @type {KeyboardEvent} */ event) => { if (event.target === document.body) this.key(event); };
    document.addEventListener("keydown", this.keys);
    this.elsewhere = (/** @type {PointerEvent} */ event) => { if (!this.popup.contains(/** @type {Node} */ (event.target))) this.popup.hidden = true; };
    document.addEventListener("pointerdown", this.elsewhere);
    match.changed = () => this.update();
    match.reported = (report) => this.thinking.report(report);
  }

  leave() {
    document.removeEventListener("keydown", this.keys);
    document.removeEventListener("pointerdown", this.elsewhere);
    this.match.leave();
  }

  controls() {
    const { match } = this;
    const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => any} */ act) =>
      h("button", { title, "aria-label": title, onclick: act }, text);
    this.pause = button("❚❚", "Pause or go on (p)", () => match.pause());
    this.pass = h("span.passes", {});
    return h("div.controls", {},
      button("|◀", "To the start (Home)", () => match.jump(0)),
      button("◀", "One move back (←)", () => match.jump(match.ply - 1)),
      button("▶", "One move on (→)", () => match.jump(match.ply + 1)),
      button("▶|", "To the last move (End)", () => match.jump(match.line.length)),
      button("↶", "Take back (u)", () => match.undo()),
      button("↷", "Play again what was taken back (r)", () => match.redo()),
      this.pause,
      button("New", "A new game (n)", () => match.restart()),
      this.board && button("⇅", "Turn the board (f)", () => this.board?.flip()),
      this.board && button("⌕", "Look closer at the pieces, or at all again (z)", () => this.board?.zoom()),
      this.pass);
  }

  /** Options, rules, records. @param {import("./engine.js").Table} table */
  more(table) {
    const options = table.options.map((menu) =>
      h("label", {}, menu.category, h("select", { onchange: (/** @type {Event} */ event) => this.option(menu.category, /** @type {any} */ (event.target).value) },
        menu.items.map((item) => h("option", { value: item, selected: item === menu.chosen }, item || "as chosen below")))));
    return h("details", {}, h("summary", {}, "Rules, options, record"),
      table.about && h("p", {}, table.about), options.length ? h("div.options", {}, options) : null,
      h("div.bar", {},
        table.text && h("button", { onclick: () => this.edit() }, "Edit the rules"),
        h("button", { onclick: () => this.copy() }, "Copy link"),
        h("button", { onclick: () => this.download("ludex") }, "Save record"),
        h("button", { onclick: () => this.download("ludii"), title: "A trial file that Ludii opens" }, "Save as Ludii trial"),
        this.board && h("button", { onclick: () => this.picture() }, "Save picture")));
  }

  /** @param {string} category @param {string} item */
  option(category, item) {
    const { spec } = this.match.table;
    const others = (spec.options ?? []).filter((option) => !option.startsWith(`${category}/`));
    this.house.go(write({ view: "play", spec: { ...spec, options: item ? [...others, `${category}/${item}`] : others }, line: [], ply: null }));
  }

  /** The rules beside the board, and the game so far with them. */
  async edit() {
    const { table, line, ply } = this.match;
    const spec = await pack({ text: table.text ?? "", language: /** @type {any} */ (table.language), options: table.spec.options });
    this.house.go(write({ view: "edit", spec, line: line.slice(0, ply), ply: null }));
  }

  async copy() {
    // Browsers lend their clipboard to pages of this machine and to encrypted ones only.
    if (!navigator.clipboard) return notify(current());
    await attempt(navigator.clipboard.writeText(current()).then(() => notify("The link is copied.")));
  }

  /** @param {"ludex" | "ludii"} format */
  async download(format) {
    const { match } = this;
    const record = await attempt(this.house.engine.write(match.table.id, match.line, format));
    if (record) save(`${match.table.name}.${format === "ludii" ? "trl" : "trial"}`, record.text, "text/plain");
  }

  picture() {
    const copy = /** @type {Element} */ (this.board?.root.cloneNode(true));
    copy.querySelectorAll(".targets, .thoughts").forEach((layer) => layer.remove());
    save(`${this.match.table.name}.svg`, new XMLSerializer().serializeToString(copy), "image/svg+xml");
  }

  /** @param {LegalMove} move */
  choose(move) {
    const held = this.holdsFocus();
    this.popup.hidden = true;
    this.filter.value = "";
    attempt(this.match.choose(move));
    if (held) this.focus();
  }

  /** Whether the keyboard is at a button of a move; those go away with the moves. */
  holdsFocus() {
    return [this.pass, this.texts, this.popup].some((place) => place.contains(document.activeElement));
  }

  /** The keyboard goes on at the board, or in the list where there is none. */
  focus() {
    (this.board?.element ?? this.texts.querySelector("button") ?? this.status).focus({ preventScroll: true });
  }

  /** Moves that share their ends. @param {LegalMove[]} moves @param {number} x @param {number} y */
  menu(moves, x, y) {
    const items = moves.map((move) => h("button", { role: "menuitem", onclick: () => this.choose(move) }, move.text));
    fill(this.popup, items, h("button.cancel", { onclick: () => this.letGo() }, "Cancel"));
    this.popup.hidden = false;
    const room = this.popup.getBoundingClientRect();
    this.popup.style.left = `${Math.max(4, Math.min(x, innerWidth - room.width - 8))}px`;
    this.popup.style.top = `${Math.max(4, Math.min(y, innerHeight - room.height - 8))}px`;
    items[0].focus();
  }

  /** Arrow keys walk through the menu, and none of its keys but Escape is for the board. @param {KeyboardEvent} event */
  walkMenu(event) {
    if (event.key === "Escape") return;
    event.stopPropagation();
    const items = [...this.popup.children];
    const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
  }

  /** Closes the menu. */
  letGo() {
    this.popup.hidden = true;
    this.focus();
  }

  update() {
    const { match } = this;
    const held = this.holdsFocus();
    const { position } = match;
    if (!position) return;
    // What stands in it are moves of another position.
    this.popup.hidden = true;
    const mine = match.mine();
    this.board?.show(position, mine);
    this.show.textContent = position.show;
    this.status.textContent = match.status();
    this.element.dataset.ply = String(match.ply);
    this.element.dataset.turn = position.over ? "over" : mine.length ? "mine" : "others";
    this.notes.textContent = position.notes.join("   ");
    const placeless = this.board ? mine.filter((move) => move.from === null && move.to === null) : [];
    fill(this.pass, placeless.slice(0, 12).map((move) => h("button.primary", { onclick: () => this.choose(move) }, move.text)));
    this.pause.textContent = match.paused ? "Go on" : "❚❚";
    this.pause.classList.toggle("primary", match.paused);
    this.listMoves();
    this.listHistory();
    this.thinking.update();
    if (held) this.focus();
    if (!this.kept) note(() => write({ view: "play", spec: match.table.spec, line: match.line, ply: match.ply }));
  }

  /** The texts of the moves, where they are looked at. */
  listMoves() {
    if (!this.choices.open) return fill(this.texts);
    const wanted = this.filter.value.toLowerCase();
    const moves = this.match.mine().filter((move) => move.text.toLowerCase().includes(wanted));
    const most = 300;
    fill(this.texts, moves.slice(0, most).map((move) => h("button", { onclick: () => this.choose(move), "data-move": move.text }, move.text)),
      moves.length > most && h("p", {}, `… and ${moves.length - most} more; type to find one`),
      this.match.position?.chance && this.match.paused && h("p.empty", {}, "Chance decides what comes next, when the game goes on."));
  }

  /** The moves around here: games of thousands of moves are played too. What is listed already stays. */
  listHistory() {
    const { match, history } = this;
    const first = Math.max(0, Math.floor((2 * match.ply) / LISTED - 1) * (LISTED / 2));
    if (first !== history.start - 1) {
      history.replaceChildren();
      this.listed = [];
    }
    history.start = first + 1;
    const texts = match.told(first, first + LISTED);
    // Compared with what we wrote, not with the elements: asking those for their texts took longer than all else.
    const { listed } = this;
    let same = 0;
    while (same < listed.length && listed[same] === texts[same]) same++;
    while (history.children.length > same) history.lastChild.remove();
    this.listed = texts;
    history.append(...texts.slice(same).map((text, at) => h("li", {}, h("button", { onclick: () => match.jump(first + same + at + 1) }, text))));
    this.now?.classList.remove("now");
    const now = this.now = history.children[match.ply - first - 1];
    if (!now) return;
    now.classList.add("now");
    cancelAnimationFrame(this.scrolling);
    this.scrolling = requestAnimationFrame(() => {
      if (!history.checkVisibility()) return;
      // Not `scrollIntoView`: that would move the whole page.
      const { scrollTop, clientHeight } = history;
      const above = now.offsetTop - history.offsetTop;
      if (above < scrollTop || above + now.offsetHeight > scrollTop + clientHeight) history.scrollTop = above - clientHeight / 2;
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (/INPUT|SELECT|TEXTAREA/.test(/** @type {Element} */ (event.target).tagName)) return;
    const { match } = this;
    /** @type {Record<string, () => any>} */
    const acts = {
      ArrowLeft: () => match.jump(match.ply - 1), ArrowRight: () => match.jump(match.ply + 1), Home: () => match.jump(0), End: () => match.jump(match.line.length),
      u: () => match.undo(), r: () => match.redo(), p: () => match.pause(), n: () => match.restart(), f: () => this.board?.flip(), z: () => this.board?.zoom(),
      m: () => match.moveNow(), Escape: () => this.letGo(),
    };
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/** @param {string} name @param {string} text @param {string} type */
function save(name, text, type) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
