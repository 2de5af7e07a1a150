// Small helpers for building the page: elements from a description, notices, waiting.

/**
 * An element: `h("button.primary", {onclick: f}, "Play")`. Attributes with the value `null`, `undefined` or `false`
 * are left out; functions become listeners; `dataset` and `style` take objects; `class` adds to the classes of the name.
 * @param {string} tag a name with classes, `div.card.wide`
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number | null | undefined | false | (Node | string | null)[])} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.replace(/^on/, ""), value);
    else if (key === "dataset" || key === "style") Object.assign(element[key], value);
    else if (key === "class") element.classList.add(...value.split(" ").filter(Boolean));
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Element} element @param {any[]} children */
export function append(element, children) {
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** Replaces all that an element holds. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** A text in which what stands in backquotes is set as code. @param {string} text @returns {(Node | string)[]} */
export const worded = (text) => text.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));

/** @param {string} selector @returns {any} */
export const at = (selector) => document.querySelector(selector);

let fading = 0;

/** Says something for a few seconds. @param {string} text @param {"info" | "error"} [kind] */
export function notify(text, kind = "info") {
  const notice = at("#notice");
  notice.textContent = text;
  notice.className = `shown ${kind}`;
  clearTimeout(fading);
  fading = window.setTimeout(() => (notice.className = ""), kind === "error" ? 9000 : 4000);
}

/** Runs something that may fail and says so where it does and somebody still wants to know. @template T @param {Promise<T>} work @param {() => boolean} [wanted] @returns {Promise<T | undefined>} */
export async function attempt(work, wanted = () => true) {
  try {
    return await work;
  } catch (error) {
    if (wanted()) notify(error instanceof Error ? error.message : String(error), "error");
    return undefined;
  }
}

/** Calls `f` when calls have paused for so many milliseconds. @param {number | (() => number)} ms @param {(...args: any[]) => void} f */
export function settled(ms, f) {
  let timer = 0;
  return (/** @type {any[]} */ ...args) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => f(...args), typeof ms === "number" ? ms : ms());
  };
}

/** A number with thin separators, short when it is large. @param {number} n */
export function count(n) {
  if (n >= 1e7) return `${(n / 1e6).toFixed(0)} M`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} M`;
  return Math.round(n).toLocaleString("en");
}

/** @param {number} share */
export const percent = (share) => `${(100 * share).toFixed(1)}%`;
