// Screenshots of the page for the documents: `LUDEX_LINK=… LUDEX_CHROMIUM=… node pictures.mjs FOLDER [GAME …]`; stacks need a server with a library.

import { ask, close, open, random, visit } from "./house.mjs";

// A square board, hexagons, a triangle, a morris, a mancala, Chess, Go, stacks, hands, dice; and how many moves at random show them.
const GAMES = { reversi: 24, hex: 20, y: 18, "nine-mens-morris": 14, kalah: 6, chess: 12, go: 60, "library/board/war/leaping/diagonal/Lasca.lud": 40, shogi: 40, ludo: 60, backgammon: 24 };
const folder = process.argv[2] ?? ".";
const { page } = await visit({ viewport: { width: 1180, height: 820 } });
const below = random(11);

/** Moves at random from the start, ended where a player is to move. */
async function somewhere(game, plies) {
  const table = (await ask(page, "open", { game, options: [] })).value.id;
  const line = [];
  for (;;) {
    const { value } = await ask(page, "position", { table, line, viewer: null, draw: true });
    line.push(...value.drawn.map((outcome) => [outcome]));
    if (value.over || line.length >= plies) return line;
    line.push([value.moves[below(value.moves.length)].text]);
  }
}

const only = process.argv.slice(3);
for (const [game, plies] of Object.entries(GAMES).filter(([game]) => !only.length || only.includes(game))) {
  const line = await somewhere(game, plies);
  await open(page, game, line);
  await page.locator("button", { hasText: "Analyse" }).click();
  await page.waitForSelector(".thinking tbody tr");
  await page.waitForTimeout(3000);
  await page.locator("button", { hasText: "Stop" }).click();
  await page.waitForTimeout(500);
  const name = game.split("/").pop().replace(".lud", "").toLowerCase();
  await page.screenshot({ path: `${folder}/${name}.png` });
}
await close();
