// How fast the engine is as WebAssembly beside the native program, on one thread:
// `LUDEX_CHROMIUM=… LUDEX_BIN=target/release/ludex node speed.mjs FOLDER`, FOLDER being what `ludex web-build` wrote. Without LUDEX_CHROMIUM it
// runs in Node, whose compiler is the browser's, and counts processor time, as the native program does: for machines that are busy.
// The best of several short runs counts: a machine is never quiet all the time.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { close, launch, serveFolder } from "./house.mjs";

const GAMES = ["breakthrough", "nogo", "knightthrough", "domineering", "breakthrough.lud", "hex", "reversi"];
const RUNS = 8;
const FOLDER = process.argv[2] ?? ".";

/** The engine in a browser's worker. */
async function inBrowser() {
  const server = await serveFolder(FOLDER);
  const page = await (await launch()).newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForSelector(".games a");
  await page.evaluate(async () => { window.hand = new (await import("/engine.js")).WorkerEngine().desk; });
  return {
    ask: (question) => page.evaluate((question) => window.hand.ask(question), question),
    end: async () => { await close(); server.close(); },
  };
}

/** The engine in this process; its clock is the processor's. */
async function here() {
  const now = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
  const { instance } = await WebAssembly.instantiate(readFileSync(join(FOLDER, "engine.wasm")), { ludex: { now, told: () => {} } });
  const { room, ask, free, memory } = instance.exports;
  const speak = (question) => {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const at = room(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const answer = BigInt.asUintN(64, ask(at, bytes.length));
    const [place, length] = [Number(answer >> 32n), Number(answer & 0xffffffffn)];
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, place, length));
    free(place, length);
    return JSON.parse(text).answer;
  };
  return { ask: speak, end: () => {} };
}

/** @param {string[]} more */
function native(game, more) {
  if (!process.env.LUDEX_BIN) return [];
  const text = execFileSync(process.env.LUDEX_BIN, ["bench", game, "--json", ...more], { encoding: "utf8" });
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

const shown = (game, what, here, there) =>
  console.log(`${game.padEnd(18)} ${what}: ${(here / 1e6).toFixed(2)} M as WebAssembly`, there ? `${(there / 1e6).toFixed(2)} M native, ${((100 * here) / there).toFixed(0)}%` : "");

const engine = await (process.env.LUDEX_CHROMIUM ? inBrowser() : here());
for (const game of GAMES) {
  let best = 0;
  for (let run = 0; run < RUNS; run++) best = Math.max(best, (await engine.ask({ what: "bench", spec: { game, options: [] }, seconds: 0.4 })).plies_per_s);
  const [there] = native(game, ["--seconds", "1"]);
  shown(game, "plies a second", best, there?.plies_per_s);
}
let best = 0;
const asked = { line: [], player: 0, agent: "uct", budget: { simulations: 100_000 } };
for (let run = 0; run < RUNS; run++) {
  const found = await engine.ask({ what: "think", spec: { game: "breakthrough", options: [] }, asked });
  best = Math.max(best, found.perSecond);
}
const [there] = native("breakthrough", ["--agent", "uct", "--simulations", "100000"]);
shown("breakthrough", "UCT simulations a second", best, there?.simulations_per_s ?? there?.playouts_per_s);
await engine.end();
