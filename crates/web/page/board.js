// The board: the picture that the engine drew, sites that can be clicked, touched or reached by arrow keys, and what is laid
// over them: legal ends, the last move, heat and arrows of a search.

import { h } from "./dom.js";

/** @typedef {import("./engine.js").Board} BoardPicture @typedef {import("./engine.js").LegalMove} LegalMove */
/** @typedef {import("./engine.js").Position} Position */

/** @typedef {[number, number, number, number]} Box left, top, right, bottom */

const SVG = "http://www.w3.org/2000/svg";

/** How far sites of a picture are apart, as it is drawn, and on the screen from near. */
const SITE = 48;
const NEAR = 44;

/** @param {string} name @param {Record<string, string | number>} attributes @returns {SVGElement} */
function svg(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

export class BoardView {
  /**
   * @param {BoardPicture} picture
   * @param {{choose: (move: LegalMove) => void, several: (moves: LegalMove[], x: number, y: number) => void}} answers
   */
  constructor(picture, answers) {
    this.picture = picture;
    this.answers = answers;
    /** @type {LegalMove[]} */
    this.moves = [];
    /** @type {number | null} */
    this.from = null;
    /** @type {Set<number>} sites with something that can be dragged away */
    this.goes = new Set();
    this.cursor = 0;
    this.near = false;
    this.element = h("div.board", { tabindex: "0", role: "application", "aria-label": "Board: arrow keys move, Enter chooses, Escape lets go" });
    this.element.innerHTML = picture.svg;
    this.root = /** @type {SVGSVGElement} */ (this.element.querySelector("svg"));
    const { width, height } = this.root.viewBox.baseVal;
    /** @type {Box} */
    this.whole = [0, 0, width, height];
    this.frame();
    this.pieces = this.layer("pieces");
    this.lights = this.layer("lights");
    this.thoughts = this.layer("thoughts");
    this.targets = this.layer("targets");
    /** @type {Map<string, Set<number>>} which sites have which class */
    this.marked = new Map();
    this.spots = picture.sites.map((site, index) => {
      const target = svg("circle", { cx: site.x, cy: site.y, r: site.r, class: "target", "data-site": index });
      const name = svg("title", {});
      name.textContent = site.label;
      target.append(name);
      this.targets.append(target);
      return target;
    });
    this.targets.addEventListener("click", (event) => {
      const site = /** @type {Element} */ (event.target).getAttribute("data-site");
      if (site !== null) this.click(Number(site), event.clientX, event.clientY);
    });
    this.drags();
    // How much room there is is known only on the page, and changes with it.
    let wide = 0;
    new ResizeObserver(() => {
      if (this.element.clientWidth === wide) return;
      wide = this.element.clientWidth;
      this.frame();
    }).observe(this.element);
    this.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.element.addEventListener("focus", () => this.light());
  }

  /** A piece can be dragged to where it goes, too. */
  drags() {
    /** @type {{from: number, x: number, y: number} | null} */
    let held = null;
    const at = (/** @type {Element | null} */ element) => (element && this.targets.contains(element) ? element.getAttribute("data-site") : null);
    this.targets.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      const site = at(/** @type {Element} */ (event.target));
      held = site !== null && event.button === 0 && this.goes.has(Number(site)) ? { from: Number(site), x: event.clientX, y: event.clientY } : null;
    });
    this.element.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!held || this.from === held.from || Math.hypot(event.clientX - held.x, event.clientY - held.y) < 8) return;
      this.from = held.from;
      this.light();
    });
    // A finger that begins at such a piece moves it, and elsewhere the page. (`touch-action` is not heeded inside of pictures.)
    this.element.addEventListener("touchmove", (/** @type {TouchEvent} */ event) => { if (held && event.cancelable) event.preventDefault(); }, { passive: false });
    const ended = (/** @type {PointerEvent} */ event) => {
      const from = held?.from;
      held = null;
      if (from === undefined || this.from !== from) return;
      const site = event.type === "pointerup" ? at(document.elementFromPoint(event.clientX, event.clientY)) : null;
      // Whoever did not get away from where he began has clicked, and the click is still to come.
      this.from = null;
      if (site === String(from)) return this.light();
      const chosen = this.moves.filter((move) => move.from === from && String(move.to) === site);
      if (chosen.length) return this.made(chosen, Number(site), event.clientX, event.clientY);
      this.light();
    };
    this.element.addEventListener("pointerup", ended);
    this.element.addEventListener("pointercancel", ended);
  }

  /** @param {string} name */
  layer(name) {
    const layer = svg("g", { class: name });
    this.root.append(layer);
    return layer;
  }

  /** Shows a position; `moves` are those that a person may make now. @param {Position} position @param {LegalMove[]} moves */
  show(position, moves) {
    this.pieces.innerHTML = position.pieces;
    this.last = position.last;
    this.moves = moves.filter((move) => move.to !== null || move.from !== null);
    this.goes = new Set(this.moves.filter(({ from, to }) => from !== null && to !== null && to !== from).map(({ from }) => Number(from)));
    this.from = null;
    if (this.near) this.frame();
    this.light();
  }

  /** Turns the board by half a turn. */
  flip() {
    this.element.classList.toggle("flipped");
  }

  /** Shows what is around the pieces, or all of the board again: some boards are large, and most of them stays empty. */
  zoom() {
    this.near = !this.near;
    this.frame();
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = this.element;
    this.element.scrollTo((scrollWidth - clientWidth) / 2, (scrollHeight - clientHeight) / 2);
  }

  frame() {
    const [left, top, right, bottom] = (this.near && this.closeUp()) || this.whole;
    const [width, height] = [right - left, bottom - top];
    this.root.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    const fits = () => Math.min(this.element.clientWidth / width, (innerHeight - 184) / height);
    // A board that is very long in one way, or too large to be seen from near, is scrolled along; whole, its sites would be too small to hit.
    const scale = this.near && fits() * SITE < NEAR ? NEAR / SITE : Math.max(width / height, height / width) > 4 ? Math.max(0.55, Math.min(1, fits())) : 0;
    this.element.classList.toggle("long", scale > 0);
    this.root.style.width = scale ? `${Math.round(width * scale)}px` : "";
    this.root.style.height = scale ? `${Math.round(height * scale)}px` : "";
  }

  /** What is around the pieces and the ends of moves. Hands and dice belong to it, unless they are so far away that all would be small again. @returns {Box | null} */
  closeUp() {
    const { sites } = this.picture;
    const around = (/** @type {{x: number, y: number, r: number}} */ { x, y, r }) => /** @type {Box} */ ([x - r, y - r, x + r, y + r]);
    const beside = sites.filter((site) => site.hand);
    const onBoard = (/** @type {Box} */ box) => !beside.some(({ x, y }) => box[0] < x && x < box[2] && box[1] < y && y < box[3]);
    const pieces = [...this.pieces.children].map((piece) => {
      const { x, y, width, height } = /** @type {SVGGraphicsElement} */ (piece).getBBox();
      return /** @type {Box} */ ([x, y, x + width, y + height]);
    });
    const ends = this.moves.length < 60 ? this.moves.flatMap((move) => [move.from, move.to]).filter((site) => site !== null) : [];
    const close = [...pieces, ...ends.map((site) => around(sites[site]))].filter(onBoard);
    if (!close.length) return null;
    const [board, all] = [hull(close), hull([...close, ...beside.map(around)])];
    const area = (/** @type {Box} */ box) => (box[2] - box[0]) * (box[3] - box[1]);
    const [left, top, right, bottom] = area(all) < 2 * area(board) ? all : board;
    const [, , width, height] = this.whole;
    return [Math.max(0, left - SITE), Math.max(0, top - SITE), Math.min(width, right + SITE), Math.min(height, bottom + SITE)];
  }

  /** Where moves begin: at their start, or at their end where they have no start. @param {LegalMove} move */
  beginning(move) {
    return move.from ?? move.to;
  }

  /** @param {number} site @param {number} [x] @param {number} [y] */
  click(site, x, y) {
    if (this.from !== null) {
      const chosen = this.moves.filter((move) => move.from === this.from && move.to === site);
      if (chosen.length) return this.made(chosen, site, x, y);
    }
    const begun = this.moves.filter((move) => this.beginning(move) === site);
    const whole = begun.filter((move) => move.from === null || move.to === null || move.from === move.to);
    if (begun.length && whole.length === begun.length) return this.made(whole, site, x, y);
    // A move that can be made from one place only need not be begun there.
    const ending = this.moves.filter((move) => move.to === site);
    if (!begun.length && ending.length) {
      if (this.from === null) return this.made(ending, site, x, y);
    }
    this.from = begun.length && this.from !== site ? site : null;
    this.light();
  }

  /** @param {LegalMove[]} moves @param {number} site @param {number} [x] @param {number} [y] */
  made(moves, site, x, y) {
    this.from = null;
    // Nobody is asked which of two dice that show the same he means.
    const different = moves.filter((move) => !move.twin);
    if (different.length === 1) return this.answers.choose(different[0]);
    const at = this.screen(site);
    this.answers.several(different.length ? different : moves, x ?? at.x, y ?? at.y);
    this.light();
  }

  /** Where a site is on the screen. @param {number} site */
  screen(site) {
    const { x, y } = this.picture.sites[site];
    const matrix = this.root.getScreenCTM();
    const point = new DOMPoint(x, y);
    return matrix ? point.matrixTransform(matrix) : point;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const turned = this.element.classList.contains("flipped") ? -1 : 1;
    if (way) this.cursor = this.nearest(this.cursor, turned * way[0], turned * way[1]);
    else if (event.key === "Enter" || event.key === " ") this.click(this.cursor);
    else if (event.key === "Escape") this.from = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.light();
    if (way && this.element.classList.contains("long")) this.spots[this.cursor].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** The site next to one in a direction: near, and not far aside. @param {number} site @param {number} dx @param {number} dy */
  nearest(site, dx, dy) {
    const { x, y } = this.picture.sites[site];
    let best = site;
    let least = Infinity;
    this.picture.sites.forEach((other, index) => {
      const along = (other.x - x) * dx + (other.y - y) * dy;
      const aside = Math.abs((other.x - x) * dy) + Math.abs((other.y - y) * dx);
      if (along > 1e-6 && along >= aside * 0.5 && along + 2 * aside < least) {
        least = along + 2 * aside;
        best = index;
      }
    });
    return best;
  }

  /** Lights what can be clicked. */
  light() {
    const starts = new Set();
    const ends = new Set();
    for (const move of this.moves) {
      if (this.from === null) starts.add(this.beginning(move));
      else if (move.from === this.from) ends.add(move.to);
    }
    const held = this.from === null ? [] : [this.from];
    const last = [this.last?.from, this.last?.to].filter((site) => site !== null && site !== undefined);
    this.mark("start", starts);
    this.mark("end", ends);
    this.mark("held", new Set(held));
    this.mark("cursor", new Set([this.cursor]));
    this.mark("last", new Set(last));
  }

  /** Gives a class to these sites alone; most of a large board stays as it is. @param {string} name @param {Set<number>} sites */
  mark(name, sites) {
    const before = this.marked.get(name) ?? new Set();
    for (const site of before) if (!sites.has(site)) this.spots[site]?.classList.remove(name);
    for (const site of sites) if (!before.has(site)) this.spots[site]?.classList.add(name);
    this.marked.set(name, sites);
  }

  /**
   * Lays a view of the moves over the board, by their weights: what a search tried, or what a policy prefers.
   * @param {{from: number | null, to: number | null, weight: number}[]} moves @param {"search" | "policy"} whose
   */
  think(moves, whose) {
    this.thoughts.replaceChildren();
    this.thoughts.setAttribute("class", `thoughts ${whose}`);
    const most = Math.max(1e-9, ...moves.map((move) => move.weight));
    for (const move of moves.slice(0, 24).reverse()) {
      const share = move.weight / most;
      const to = move.to !== null ? this.picture.sites[move.to] : null;
      const from = move.from !== null && move.from !== move.to ? this.picture.sites[move.from] : null;
      if (!to || share < 0.02) continue;
      // From a hand all arrows would begin at one place. What stands on a site, and how many, is seen through a spot.
      if (from && !from.hand) this.thoughts.append(arrow(from, to, share, { opacity: (0.15 + 0.75 * share).toFixed(2) }));
      else this.thoughts.append(svg("circle", { cx: to.x, cy: to.y, r: to.r * (0.25 + 0.5 * Math.sqrt(share)), class: "heat", opacity: (0.15 + 0.4 * share).toFixed(2) }));
    }
  }
}

/** What encloses all of these. @param {Box[]} boxes @returns {Box} */
function hull(boxes) {
  const side = (/** @type {0 | 1 | 2 | 3} */ k, /** @type {(...all: number[]) => number} */ most) => boxes.map((box) => box[k]).reduce((a, b) => most(a, b));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}

/** @param {{x: number, y: number, r: number}} from @param {{x: number, y: number, r: number}} to @param {number} share @param {Record<string, string>} strength */
function arrow(from, to, share, strength) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const width = to.r * (0.1 + 0.22 * share);
  const head = Math.min(length * 0.5, width * 2.6);
  const [ex, ey] = [to.x - ux * to.r * 0.15, to.y - uy * to.r * 0.15];
  const [bx, by] = [ex - ux * head, ey - uy * head];
  const side = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ by) => `${(x - uy * by).toFixed(3)},${(y + ux * by).toFixed(3)}`;
  const points = [side(from.x, from.y, width / 2), side(bx, by, width / 2), side(bx, by, width * 1.2), `${ex.toFixed(3)},${ey.toFixed(3)}`,
    side(bx, by, -width * 1.2), side(bx, by, -width / 2), side(from.x, from.y, -width / 2)];
  return svg("polygon", { points: points.join(" "), class: "arrow", ...strength });
}
