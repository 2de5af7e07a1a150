// Screenshots of the page for the documents: `node pictures.mjs FOLDER`.

import { close, open, visit } from "./house.mjs";

const GAMES = ["hex", "chess", "go", "kalah", "nine-mens-morris", "backgammon", "shogi", "havannah", "tablut", "yavalath", "reversi", "english-draughts"];
const folder = process.argv[2] ?? ".";
const { page } = await visit({ viewport: { width: 1280, height: 860 } });
await page.screenshot({ path: `${folder}/games.png` });
for (const game of GAMES) {
  await open(page, game);
  await page.waitForTimeout(700);
  await page.screenshot({ path: `${folder}/${game}.png` });
}
await close();
