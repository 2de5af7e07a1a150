// The editor: rules beside the board, faults underlined as you type, the reference of a ludeme where the mouse or cursor is, and
// one key that compiles and plays. The game so far is replayed under the changed rules as far as it goes.

import { pack, write } from "./address.js";
import { BoardView } from "./board.js";
import { attempt, fill, h, settled } from "./dom.js";
import { afterwards } from "./engine.js";
import { note, settleAddress } from "./main.js";

const EXAMPLE = `(game "My game"
    (players 2)
    (equipment {
        (board (square 3))
        (piece "Disc" Each)
    })
    (rules
        (play (move Add (to (sites Empty))))
        (end (if (is Line 3) (result Mover Win)))
    )
)
`;

/** In which language rules are written, as far as that shows. @param {string} text @returns {"lud" | "kif" | null} */
export function languageOf(text) {
  if (/\(\s*(game|match|define)\b/.test(text)) return "lud";
  return /\(\s*(<=|role\b)/.test(text) ? "kif" : null;
}

/** @param {import("./main.js").House} house @param {import("./address.js").Address} address @returns {Promise<import("./main.js").View>} */
export async function editView(house, address) {
  const given = address.spec;
  let text = given?.text ?? EXAMPLE;
  if (given?.game) text = (await house.engine.open(given)).text ?? EXAMPLE;
  const editor = new Editor(house, text, given?.language ?? "lud", given?.options ?? [], address.line);
  editor.check();
  return { element: editor.element, title: "Editor" };
}

class Editor {
  /** @param {import("./main.js").House} house @param {string} text @param {"lud" | "kif"} language @param {string[]} options @param {string[][]} line */
  constructor(house, text, language, options, line) {
    this.house = house;
    this.language = language;
    this.options = options;
    this.line = line;
    this.asked = 0;
    this.marks = h("pre.marks", { "aria-hidden": "true" });
    this.area = h("textarea", { spellcheck: false, "aria-label": "Rules", autocapitalize: "off", autocomplete: "off" });
    this.area.value = text;
    this.findings = h("ul.findings", { role: "status", "aria-live": "polite" });
    this.help = h("pre.ludeme", { "aria-label": "Reference" });
    this.tip = h("pre.tip", { role: "tooltip", hidden: true });
    this.preview = h("div.preview", {});
    const later = settled(250, () => this.check());
    this.area.addEventListener("input", (/** @type {InputEvent} */ event) => {
      // What was brought here from elsewhere may be in the other language.
      if (/^insertFrom/.test(event.inputType)) this.language = kind.value = languageOf(this.area.value) ?? this.language;
      this.draw([]);
      later();
    });
    this.area.addEventListener("scroll", () => this.follow());
    this.area.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    const look = settled(200, () => this.look());
    this.area.addEventListener("keyup", look);
    this.area.addEventListener("click", look);
    const hover = settled(250, (/** @type {MouseEvent} */ event) => this.hover(event));
    this.area.addEventListener("mousemove", (/** @type {MouseEvent} */ event) => { this.tip.hidden = true; hover(event); });
    this.area.addEventListener("mouseleave", () => { this.tip.hidden = true; hover(null); });
    const kind = h("select", { "aria-label": "Language", onchange: () => { this.language = kind.value; this.check(); } },
      [["lud", "Ludemes (.lud)"], ["kif", "GDL (.kif)"]].map(([value, name]) => h("option", { value, selected: value === language }, name)));
    this.element = h("section.edit", {},
      h("div.bar", {}, h("button.primary", { onclick: () => this.play(), title: "Compile and play (Ctrl+Enter)" }, "Play (Ctrl+Enter)"), kind,
        h("button", { onclick: () => this.save() }, "Save as a file")),
      h("div.code", {}, this.marks, this.area, this.tip), h("div.beside", {}, this.findings, this.preview, this.help));
    this.draw([]);
  }

  spec() {
    return { text: this.area.value, language: this.language, options: this.options };
  }

  async check() {
    const asked = ++this.asked;
    // Whoever plays and comes back, or loads the page anew, finds what was written.
    const spec = await pack(this.spec());
    if (asked !== this.asked) return;
    note(() => write({ view: "edit", spec, line: this.line, ply: null }));
    const answer = await attempt(this.house.engine.check(this.spec()));
    if (!answer || asked !== this.asked) return;
    this.draw(answer.findings);
    fill(this.findings, answer.findings.map((finding) => h(`li.${finding.severity}`, {},
      h("button", { onclick: () => this.select(finding) }, `line ${finding.line}`), ` ${finding.message}`, finding.help && h("em", {}, ` ${finding.help}`))),
      answer.findings.length === 0 && h("li.ok", {}, "These rules compile."));
    if (answer.ok) await this.show(asked);
  }

  /** The start position, or the game so far as far as it goes under these rules. @param {number} asked */
  async show(asked) {
    const table = await attempt(this.house.engine.open(this.spec()));
    if (!table || asked !== this.asked) return;
    let line = this.line;
    let position;
    while (!position) {
      try {
        position = await this.house.engine.position(table.id, line, null, 0, true);
      } catch (error) {
        if (!line.length) return;
        line = line.slice(0, -1);
      }
    }
    if (asked !== this.asked) return;
    if (position.drawn.length) this.line = line = afterwards(line, position);
    this.reached = line;
    if (!table.board) return fill(this.preview, h("pre.show", {}, position.show));
    const on = (/** @type {string} */ text) => { this.line = [...line, [text]]; this.show(++this.asked); };
    // What is tried here is the game so far; where several move at once it needs the table.
    const moves = position.players.length === 1 ? position.moves : [];
    const others = h("div.controls", {});
    const offer = (/** @type {import("./engine.js").LegalMove[]} */ some) => fill(others, some.slice(0, 20).map(({ text }) => h("button", { onclick: () => on(text) }, text)));
    const board = new BoardView(table.board, { choose: (move) => on(move.text), several: offer });
    board.show(position, moves);
    offer(moves.filter((move) => move.from === null && move.to === null));
    const back = h("button", { onclick: () => { this.line = line.slice(0, -1); this.show(++this.asked); }, disabled: !line.length, title: "One move back" }, "◀");
    const said = position.over ? position.result : line.length ? `after ${line.map((joint) => joint.join(" + ")).slice(-3).join("  ")}` : "the start";
    fill(this.preview, h("div.bar", {}, back, said), board.element, others);
  }

  async play() {
    const spec = await pack(this.spec());
    settleAddress();
    this.house.go(write({ view: "play", spec, line: this.reached ?? [], ply: null }));
  }

  save() {
    const link = h("a", { href: URL.createObjectURL(new Blob([this.area.value], { type: "text/plain" })), download: `game.${this.language}` });
    link.click();
  }

  /** @param {import("./engine.js").Finding} finding */
  select(finding) {
    this.area.focus();
    this.area.setSelectionRange(finding.start, finding.end);
  }

  /** The text again behind the text, with faults underlined. @param {import("./engine.js").Finding[]} findings */
  draw(findings) {
    const text = this.area.value;
    const parts = [];
    let done = 0;
    for (const finding of [...findings].sort((a, b) => a.start - b.start)) {
      if (finding.start < done) continue;
      const end = Math.max(finding.end, finding.start + 1);
      parts.push(text.slice(done, finding.start), h(`mark.${finding.severity}`, {}, text.slice(finding.start, end) || " "));
      done = end;
    }
    fill(this.marks, ...parts, `${text.slice(done)}\n`);
    this.follow();
  }

  follow() {
    this.marks.scrollTop = this.area.scrollTop;
    this.marks.scrollLeft = this.area.scrollLeft;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.play();
    }
  }

  /** The reference of the ludeme at the cursor. */
  async look() {
    const word = this.wordAt(this.area.selectionStart);
    if (word === this.word) return;
    this.word = word;
    const text = await this.reference(word);
    if (text) fill(this.help, text);
  }

  /** The reference of the ludeme under the mouse, beside it. @param {MouseEvent | null} event */
  async hover(event) {
    const place = event && this.under(event);
    const text = place === null ? "" : await this.reference(this.wordAt(place));
    if (!event || !text || !this.element.isConnected) return;
    this.tip.textContent = text;
    this.tip.hidden = false;
    const room = this.tip.getBoundingClientRect();
    this.tip.style.left = `${Math.max(4, Math.min(event.clientX, innerWidth - room.width - 8))}px`;
    const below = event.clientY + 18;
    this.tip.style.top = `${below + room.height < innerHeight ? below : Math.max(4, event.clientY - room.height - 12)}px`;
  }

  /** The place in the text under the mouse; all letters are as wide as each other. @param {MouseEvent} event @returns {number | null} */
  under(event) {
    const style = getComputedStyle(this.area);
    const box = this.area.getBoundingClientRect();
    const pen = document.createElement("canvas").getContext("2d");
    if (!pen) return null;
    pen.font = style.font;
    const column = Math.floor((event.clientX - box.left - parseFloat(style.paddingLeft) + this.area.scrollLeft) / pen.measureText("m").width);
    const row = Math.floor((event.clientY - box.top - parseFloat(style.paddingTop) + this.area.scrollTop) / parseFloat(style.lineHeight));
    const lines = this.area.value.split("\n");
    if (row < 0 || row >= lines.length || column < 0) return null;
    // A tab reaches to the next of its stops.
    let [at, shown] = [0, 0];
    while (at < lines[row].length && shown < column) shown += lines[row][at++] === "\t" ? 4 - (shown % 4) : 1;
    if (column >= shown + 1) return null;
    return lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0) + at;
  }

  /** @param {number} place */
  wordAt(place) {
    const { value } = this.area;
    const before = /[A-Za-z]*$/.exec(value.slice(0, place))?.[0] ?? "";
    const after = /^[A-Za-z]*/.exec(value.slice(place))?.[0] ?? "";
    return before + after;
  }

  /** What is known of a word. @param {string} word */
  async reference(word) {
    if (this.language !== "lud" || word.length < 2) return "";
    const found = await attempt(this.house.engine.ludeme(word));
    return (found ?? []).map((entry) => entry.text).join("\n\n");
  }
}
