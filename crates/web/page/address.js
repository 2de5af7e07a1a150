// The address of the page says which view is open, which game with which options, and the moves so far, so that it can be
// sent to somebody, reloaded, and walked through with the browser's own buttons. Rules given as text stay in this browser.

/** @typedef {import("./engine.js").Spec} Spec @typedef {import("./engine.js").Line} Line */
/** @typedef {{view: string, spec: Spec | null, line: Line, ply: number | null, rest?: string[]}} Address */

const SEPARATOR = "~";
const TOGETHER = "+";

/** @param {string} hash @returns {Address} */
export function read(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view, ...rest] = path.split("/");
  const given = new URLSearchParams(query);
  const name = decodeURIComponent(rest.join("/"));
  if (view !== "play" && view !== "edit") return { view: view || "games", spec: null, line: [], ply: null, rest: rest.map(decodeURIComponent) };
  const options = given.getAll("option");
  const spec = name.startsWith("text:") ? stored(name.slice(5), options) : name ? { game: name, options } : null;
  const moves = given.get("moves");
  const line = moves ? moves.split(SEPARATOR).map((ply) => ply.split(TOGETHER).map(decodeURIComponent)) : [];
  const ply = given.get("ply");
  return { view, spec, line, ply: ply === null ? null : Number(ply) };
}

/** @param {Address} address */
export function write({ view, spec, line, ply }) {
  if (!spec) return `#/${view === "games" ? "" : view}`;
  const name = spec.game ?? `text:${store(spec)}`;
  const parts = (spec.options ?? []).map((option) => `option=${encodeURIComponent(option)}`);
  if (line.length) {
    const texts = line.map((joint) => joint.map((text) => encodeURIComponent(text).replace(/~/g, "%7E").replace(/\+/g, "%2B")).join(TOGETHER));
    parts.push(`moves=${texts.map((text) => text.replace(/%/g, "%25").replace(/\+/g, "%2B")).join(SEPARATOR)}`);
  }
  if (ply !== null && ply !== line.length) parts.push(`ply=${ply}`);
  const path = name.split("/").map(encodeURIComponent).join("/");
  return `#/${view}/${path}${parts.length ? `?${parts.join("&")}` : ""}`;
}

/** Keeps rules given as text in this browser and gives them a name. @param {Spec} spec */
function store(spec) {
  const text = spec.text ?? "";
  let hash = 5381;
  for (let i = 0; i < text.length; i++) hash = ((hash * 33) ^ text.charCodeAt(i)) >>> 0;
  const key = hash.toString(36);
  try {
    sessionStorage.setItem(`rules:${key}`, JSON.stringify({ text, language: spec.language }));
  } catch { /* A full store only means that a reload forgets the text. */ }
  return key;
}

/** @param {string} key @param {string[]} options @returns {Spec | null} */
function stored(key, options) {
  const found = sessionStorage.getItem(`rules:${key}`);
  return found ? { ...JSON.parse(found), options } : null;
}
