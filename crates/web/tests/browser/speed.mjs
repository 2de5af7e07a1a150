// How fast the engine is in a browser beside the native program, on one thread:
// `LUDEX_CHROMIUM=… LUDEX_BIN=target/release/ludex node speed.mjs FOLDER`, FOLDER being what `ludex web-build` wrote.
// The best of several short runs counts: a machine is never quiet all the time.

import { execFileSync } from "node:child_process";
import { close, launch, serveFolder } from "./house.mjs";

const GAMES = ["breakthrough", "nogo", "knightthrough", "domineering", "breakthrough.lud", "hex", "reversi"];
const RUNS = 8;

const server = await serveFolder(process.argv[2] ?? ".");
const page = await (await launch()).newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.waitForSelector(".games a");
await page.evaluate(async () => { window.hand = new (await import("/engine.js")).WorkerEngine().desk; });

/** @param {string[]} more */
function native(game, more) {
  if (!process.env.LUDEX_BIN) return [];
  const text = execFileSync(process.env.LUDEX_BIN, ["bench", game, "--json", ...more], { encoding: "utf8" });
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

const shown = (game, what, here, there) =>
  console.log(`${game.padEnd(18)} ${what}: ${(here / 1e6).toFixed(2)} M in the browser`, there ? `${(there / 1e6).toFixed(2)} M native, ${((100 * here) / there).toFixed(0)}%` : "");

for (const game of GAMES) {
  const ask = () => page.evaluate((game) => window.hand.ask({ what: "bench", spec: { game, options: [] }, seconds: 0.4 }), game);
  let best = 0;
  for (let run = 0; run < RUNS; run++) best = Math.max(best, (await ask()).plies_per_s);
  const [there] = native(game, ["--seconds", "1"]);
  shown(game, "plies a second", best, there?.plies_per_s);
}
let best = 0;
const asked = { line: [], player: 0, agent: "uct", budget: { simulations: 100_000 } };
for (let run = 0; run < RUNS; run++) {
  const found = await page.evaluate((asked) => window.hand.ask({ what: "think", spec: { game: "breakthrough", options: [] }, asked }), asked);
  best = Math.max(best, found.perSecond);
}
const [there] = native("breakthrough", ["--agent", "uct", "--simulations", "100000"]);
shown("breakthrough", "UCT simulations a second", best, there?.simulations_per_s ?? there?.playouts_per_s);
await close();
server.close();
