// Screenshots of the page for the documents: `LUDEX_LINK=… LUDEX_CHROMIUM=… node pictures.mjs FOLDER`.

import { close, open, visit } from "./house.mjs";

// A square board, hexagons, triangles, a morris, a mancala, Chess, Go, stacks, hands, dice; and moves that show them.
const GAMES = ["reversi", "hex", "y", "nine-mens-morris", "kalah", "chess", "go", "ludo", "shogi", "backgammon"];
const folder = process.argv[2] ?? ".";
const { page } = await visit({ viewport: { width: 1180, height: 820 } });
for (const game of GAMES) {
  await page.evaluate(() => (location.hash = "#/"));
  await page.waitForSelector(".games a");
  await open(page, game);
  await page.locator("button", { hasText: "Analyse" }).click();
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `${folder}/${game}.png` });
}
await close();
