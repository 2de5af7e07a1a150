// The page without a server, from a folder that `ludex web-build` wrote: LUDEX_SITE=FOLDER.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { close, everybody, launch, open, serveFolder } from "./house.mjs";

const SITE = process.env.LUDEX_SITE;
const options = { skip: SITE ? false : "LUDEX_SITE names no folder" };

let server;
before(async () => { server = await serveFolder(SITE ?? "."); });
after(async () => { await close(); server.close(); });

async function visitSite() {
  const context = await (await launch()).newContext({ viewport: { width: 1200, height: 850 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error") faults.push(message.text()); });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForSelector(".games a");
  return { page, faults, done: () => context.close() };
}

test("without a server: choose, play against the machine, watch it think, stop it", options, async () => {
  const { page, faults, done } = await visitSite();
  await page.fill("input[type=search]", "tic");
  await page.click('a[data-game="tic-tac-toe"]');
  await page.waitForSelector(".target.start");
  await page.locator(".target.start").nth(4).click();
  await page.waitForFunction(() => document.querySelectorAll(".pieces .piece").length === 2);
  await open(page, "breakthrough.lud");
  await page.click("text=Analyse");
  await page.waitForSelector(".thoughts .arrow");
  const first = await page.textContent(".thinking .facts");
  await page.waitForFunction((before) => document.querySelector(".thinking .facts").textContent !== before, first);
  await page.click("text=Stop");
  await page.waitForFunction(() => /scored|worth/.test(document.querySelector(".thinking .why").textContent));
  // The engine that was stopped thinks again.
  await page.locator(".target.start").first().click();
  await page.locator(".target.end").first().click();
  await page.waitForFunction(() => document.querySelector(".play").dataset.ply === "2");
  assert.deepEqual(faults, []);
  await done();
});

test("without a server: rules are checked as they are written, and played", options, async () => {
  const { page, faults, done } = await visitSite();
  await page.click("text=Editor");
  await page.waitForSelector(".findings .ok");
  const text = await page.inputValue("textarea");
  await page.fill("textarea", text.replace("(is Line 3)", "(is Lime 3)"));
  await page.waitForSelector("mark.error");
  await page.fill("textarea", text.replace("(square 3)", "(square 4)"));
  await page.waitForSelector(".findings .ok");
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => document.querySelectorAll(".target.start").length === 16);
  assert.deepEqual(faults, []);
  await done();
});

test("without a server: dice, hands and games without a board", options, async () => {
  const { page, faults, done } = await visitSite();
  for (const game of ["backgammon", "shogi", "7-wonders", "connect4.kif", "kalah"]) {
    await open(page, game);
    await everybody(page);
    await page.waitForFunction(() => document.querySelector(".play").dataset.turn === "mine");
    const ply = await page.evaluate(() => document.querySelector(".play").dataset.ply);
    await page.locator("summary", { hasText: "Moves to choose from" }).evaluate((one) => (one.parentElement.open = true));
    // Where several move at once, one after another.
    const now = () => page.textContent(".status");
    do {
      const before = await now();
      await page.locator(".texts button").first().click();
      await page.waitForFunction(([ply, before]) => document.querySelector(".play").dataset.ply !== ply || document.querySelector(".status").textContent !== before, [ply, before]);
    } while ((await page.getAttribute(".play", "data-ply")) === ply);
  }
  assert.deepEqual(faults, []);
  await done();
});

test("without a server: at most 3 MB compressed, all files together", options, () => {
  const size = (name) => gzipSync(readFileSync(join(SITE, name)), { level: 9 }).length;
  const all = readdirSync(SITE).reduce((sum, name) => sum + size(name), 0);
  console.log(`all files: ${all} bytes compressed, engine.wasm ${size("engine.wasm")} of them`);
  assert.ok(all <= 3_000_000, `${all} bytes`);
});
