// The page as a person uses it: by mouse, by keyboard, on a phone, with wrong rules.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ask, close, everybody, open, visit } from "./house.mjs";

after(close);

test("three clicks from the list to the first move", async () => {
  const { page, faults, done } = await visit();
  await page.fill("input[type=search]", "tic");
  await page.click('a[data-game="tic-tac-toe"]');
  await page.waitForSelector(".target.start");
  await page.locator(".target.start").nth(4).click();
  // The agent answers: two pieces on the board.
  await page.waitForFunction(() => document.querySelectorAll(".pieces .piece").length === 2);
  assert.match(page.url(), /moves=/);
  assert.deepEqual(faults, []);
  await done();
});

test("what the page lights is what the engine calls legal", async () => {
  const { page, faults, done } = await visit();
  for (const game of ["hex", "breakthrough.lud", "chess", "nine-mens-morris"]) {
    await open(page, game);
    await everybody(page);
    const table = (await ask(page, "open", { game, options: [] })).value;
    const position = (await ask(page, "position", { table: table.id, line: [], viewer: null })).value;
    const starts = new Set(position.moves.map((move) => move.from ?? move.to));
    await page.waitForFunction((count) => document.querySelectorAll(".target.start").length === count, starts.size);
    const lit = await page.locator(".target.start").evaluateAll((all) => all.map((one) => Number(one.dataset.site)));
    assert.deepEqual(new Set(lit), starts, game);
  }
  assert.deepEqual(faults, []);
  await done();
});

test("keyboard alone: find, open, move, take back", async () => {
  const { page, faults, done } = await visit();
  await page.keyboard.type("tic-tac");
  await page.waitForFunction(() => document.querySelector(".games a")?.dataset.game === "tic-tac-toe");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".board");
  await page.focus(".board");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".pieces .piece").length === 2);
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelectorAll(".pieces .piece").length === 0);
  assert.deepEqual(faults, []);
  await done();
});

test("a search is seen thinking", async () => {
  const { page, faults, done } = await visit();
  await open(page, "breakthrough.lud");
  await page.click("text=Analyse");
  await page.waitForSelector(".thinking tbody tr");
  await page.waitForSelector(".thoughts .arrow");
  const first = await page.textContent(".thinking .facts");
  await page.waitForFunction((before) => document.querySelector(".thinking .facts").textContent !== before, first);
  await page.click("text=Stop");
  await page.waitForFunction(() => /scored/.test(document.querySelector(".thinking .why").textContent));
  assert.deepEqual(faults, []);
  await done();
});

test("faults are underlined, and mended rules play", async () => {
  const { page, faults, done } = await visit();
  await page.click("text=Editor");
  await page.waitForSelector(".findings .ok");
  const text = await page.inputValue("textarea");
  await page.fill("textarea", text.replace("(is Line 3)", "(is Lime 3)"));
  await page.waitForSelector("mark.error");
  assert.match(await page.textContent(".findings"), /line 9/);
  await page.fill("textarea", text.replace("(square 3)", "(square 4)"));
  await page.waitForSelector(".findings .ok");
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => document.querySelectorAll(".target.start").length === 16);
  assert.deepEqual(faults, []);
  await done();
});

test("nothing is wider than a phone, in light and in dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, faults, done } = await visit({ viewport: { width: 360, height: 720 }, colorScheme, hasTouch: true });
    for (const hash of ["#/", "#/play/hex", "#/play/chess", "#/edit"]) {
      await page.evaluate((hash) => (location.hash = hash), hash);
      await page.waitForTimeout(400);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 360, `${hash} is ${wide} wide`);
    }
    assert.deepEqual(faults, []);
    await done();
  }
});

test("a link opens the same position again", async () => {
  const { page, faults, done } = await visit();
  await open(page, "hex");
  await everybody(page);
  for (const site of [60, 48, 61]) {
    await page.locator(`.target[data-site="${site}"]`).click();
    await page.waitForFunction((s) => document.querySelector(`.target[data-site="${s}"]`).classList.contains("last"), site);
  }
  const [address, pieces] = [page.url(), await page.locator(".pieces .piece").count()];
  await page.goto("about:blank");
  await page.goto(address);
  await page.waitForFunction((count) => document.querySelectorAll(".pieces .piece").length === count, pieces);
  assert.equal(page.url(), address);
  assert.deepEqual(faults, []);
  await done();
});

test("another site and a stranger are turned away", async () => {
  const { page, context, done } = await visit();
  const origin = new URL(page.url()).origin;
  const request = context.request;
  const foreign = await request.post(`${origin}/api/open`, { headers: { origin: "http://evil.example" }, data: { game: "hex" } });
  assert.equal(foreign.status(), 403);
  const named = await request.get(`${origin}/api/games`, { headers: { host: "evil.example" } });
  assert.equal(named.status(), 421);
  await context.clearCookies();
  assert.equal((await request.get(`${origin}/api/games`)).status(), 401);
  await done();
});
