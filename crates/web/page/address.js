// The address of the page says which view is open, which game with which options, and the moves so far, so that it can be
// sent to somebody, reloaded, and walked through with the browser's own buttons. Rules given as text are in it too, packed.

/** @typedef {import("./engine.js").Spec} Spec @typedef {import("./engine.js").Line} Line */
/** @typedef {{view: string, spec: Spec | null, line: Line, ply: number | null, rest?: string[]}} Address */

const SEPARATOR = "~";
const TOGETHER = "+";

/** Names of packed rules begin so: `rules.lud:…`. */
const PACKED = /^rules\.(lud|kif):(.*)$/;

/** No rules are longer; a short address could hold far more. */
const MOST_RULES = 2_000_000;

/** @param {string} hash @returns {Promise<Address>} */
export async function read(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view, ...rest] = path.split("/");
  const given = new URLSearchParams(query);
  const name = decodeURIComponent(rest.join("/"));
  if (view !== "play" && view !== "edit") return { view: view || "games", spec: null, line: [], ply: null, rest: rest.map(decodeURIComponent) };
  const options = given.getAll("option");
  const [, language, rules] = PACKED.exec(name) ?? [];
  const spec = rules !== undefined ? { text: await unpack(rules), language: /** @type {any} */ (language), options } : name ? { game: name, options } : null;
  const moves = given.get("moves");
  const line = moves ? moves.split(SEPARATOR).map((ply) => ply.split(TOGETHER).map(decodeURIComponent)) : [];
  const ply = given.get("ply");
  return { view, spec, line, ply: ply === null ? null : Number(ply) };
}

/** @param {Address} address */
export function write({ view, spec, line, ply }) {
  if (!spec) return `#/${view === "games" ? "" : view}`;
  const name = spec.game ?? `rules.${spec.language ?? "lud"}:${packed.get(spec.text ?? "")}`;
  const parts = (spec.options ?? []).map((option) => `option=${encodeURIComponent(option)}`);
  if (line.length) {
    const texts = line.map((joint) => joint.map((text) => encodeURIComponent(text).replace(/~/g, "%7E").replace(/\+/g, "%2B")).join(TOGETHER));
    parts.push(`moves=${texts.map((text) => text.replace(/%/g, "%25").replace(/\+/g, "%2B")).join(SEPARATOR)}`);
  }
  if (ply !== null && ply !== line.length) parts.push(`ply=${ply}`);
  const path = name.split("/").map(encodeURIComponent).join("/");
  return `#/${view}/${path}${parts.length ? `?${parts.join("&")}` : ""}`;
}

/** What texts of rules become in an address. @type {Map<string, string>} */
const packed = new Map();

/** Rules are packed before an address is written with them. @template {Spec} S @param {S} spec @returns {Promise<S>} */
export async function pack(spec) {
  const text = spec.text;
  if (text === undefined || packed.has(text)) return spec;
  const bytes = await through(new Blob([text]), new CompressionStream("deflate-raw"), Infinity);
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  // Of the rules as they are being written only the last are asked for.
  if (packed.size > 20) packed.clear();
  packed.set(text, btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, ""));
  return spec;
}

/** @param {string} name */
async function unpack(name) {
  try {
    const bytes = Uint8Array.from(atob(name.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await through(new Blob([bytes]), new DecompressionStream("deflate-raw"), MOST_RULES));
    packed.set(text, name);
    return text;
  } catch {
    throw new Error("The rules in this address cannot be read; it may have been cut off.");
  }
}

/** @param {Blob} from @param {CompressionStream | DecompressionStream} way @param {number} most */
async function through(from, way, most) {
  const parts = [];
  let size = 0;
  const reader = from.stream().pipeThrough(way).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > most) throw new Error("too long");
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
