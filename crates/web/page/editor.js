// The editor: rules beside the board, faults underlined as you type, the reference of a ludeme where the mouse or cursor is, and
// one key that compiles and plays. The game so far is replayed under the changed rules as far as it goes.

import { write } from "./address.js";
import { BoardView } from "./board.js";
import { attempt, fill, h, settled } from "./dom.js";

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
    this.preview = h("div.preview", {});
    const later = settled(250, () => this.check());
    this.area.addEventListener("input", () => { this.draw([]); later(); });
    this.area.addEventListener("scroll", () => this.follow());
    this.area.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    const look = settled(200, () => this.look());
    this.area.addEventListener("keyup", look);
    this.area.addEventListener("click", look);
    const kind = h("select", { "aria-label": "Language", onchange: () => { this.language = kind.value; this.check(); } },
      [["lud", "Ludemes (.lud)"], ["kif", "GDL (.kif)"]].map(([value, name]) => h("option", { value, selected: value === language }, name)));
    this.element = h("section.edit", {},
      h("div.bar", {}, h("button.primary", { onclick: () => this.play(), title: "Compile and play (Ctrl+Enter)" }, "Play (Ctrl+Enter)"), kind,
        h("button", { onclick: () => this.save() }, "Save as a file")),
      h("div.code", {}, this.marks, this.area), h("div.beside", {}, this.findings, this.preview, this.help));
    this.draw([]);
  }

  spec() {
    return { text: this.area.value, language: this.language, options: this.options };
  }

  async check() {
    const asked = ++this.asked;
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
        position = await this.house.engine.position(table.id, line, null);
      } catch (error) {
        if (!line.length) return;
        line = line.slice(0, -1);
      }
    }
    if (asked !== this.asked) return;
    this.reached = line;
    if (!table.board) return fill(this.preview, h("pre.show", {}, position.show));
    const board = new BoardView(table.board, { choose: () => {}, several: () => {} });
    board.show(position, []);
    fill(this.preview, board.element);
  }

  play() {
    this.house.go(write({ view: "play", spec: this.spec(), line: this.reached ?? [], ply: null }));
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
    if (this.language !== "lud") return;
    const { value, selectionStart } = this.area;
    const before = /[A-Za-z]*$/.exec(value.slice(0, selectionStart))?.[0] ?? "";
    const after = /^[A-Za-z]*/.exec(value.slice(selectionStart))?.[0] ?? "";
    const word = before + after;
    if (word.length < 2 || word === this.word) return;
    this.word = word;
    const found = await attempt(this.house.engine.ludeme(word));
    fill(this.help, (found ?? []).map((entry) => `${entry.text}\n\n`).join(""));
  }
}
