// Whole random games, clicked through the page. LUDEX_GAMES says how many games are drawn (0: all), LUDEX_SEED which.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { close, everybody, open, random, visit } from "./house.mjs";

after(close);

const PLIES = Number(process.env.LUDEX_PLIES ?? 60);

test("random games are clicked through without a fault", async () => {
  const { page, faults, done } = await visit();
  const all = (await page.evaluate(async () => (await fetch("api/games")).json())).map((game) => game.name);
  const draw = random(Number(process.env.LUDEX_SEED ?? 1));
  const wanted = Number(process.env.LUDEX_GAMES ?? 30) || all.length;
  const chosen = [];
  while (chosen.length < Math.min(wanted, all.length)) {
    const name = all[draw(all.length)];
    if (!chosen.includes(name)) chosen.push(name);
  }
  const failed = [];
  for (const game of chosen) {
    try {
      await play(page, game, draw);
      assert.deepEqual(faults.splice(0), []);
    } catch (error) {
      failed.push(`${game}: ${error.message.split("\n")[0]}`);
      faults.length = 0;
    }
  }
  console.log(`${chosen.length - failed.length} of ${chosen.length} games`);
  assert.deepEqual(failed, []);
  await done();
});

async function play(page, game, draw) {
  await page.evaluate(() => (location.hash = "#/"));
  await page.waitForSelector(".games a");
  await open(page, game);
  await everybody(page);
  for (let ply = 0; ply < PLIES; ply++) {
    const before = await settled(page);
    if (before.over) return;
    const choice = await page.evaluate(([seed]) => {
      // What can be clicked now: targets of the board, or buttons of moves.
      const starts = [...document.querySelectorAll(".target.start")].map((one) => one.dataset.site);
      const texts = [...document.querySelectorAll(".texts button")];
      if (starts.length) return { site: starts[seed % starts.length] };
      return texts.length ? { text: texts[seed % texts.length].dataset.move } : null;
    }, [draw(1 << 30)]);
    assert.ok(choice, `nothing to click after ${ply} plies: ${before.status}`);
    if (choice.text !== undefined) await page.locator(".texts button").filter({ hasText: choice.text }).first().evaluate((one) => one.click());
    else await click(page, choice.site, draw);
    // Where several move at once, the others are asked before the game goes on.
    await page.waitForFunction(({ address, status }) => location.hash !== address || document.querySelector(".status").textContent !== status, before);
  }
}

/** Clicks a start, then an end if there is one to choose, then a line of the menu if there is one. */
async function click(page, site, draw) {
  const at = (where) => page.locator(`.target[data-site="${where}"]`).dispatchEvent("click");
  await at(site);
  const ends = await page.locator(".target.end").evaluateAll((all) => all.map((one) => one.dataset.site));
  if (ends.length) await at(ends[draw(ends.length)]);
  const menu = await page.locator(".menu:not([hidden]) button[role=menuitem]").count();
  if (menu) await page.locator(".menu button[role=menuitem]").nth(draw(menu)).evaluate((one) => one.click());
}

/** Waits until a person is to move or the game is over. */
async function settled(page) {
  await page.waitForFunction(() => {
    const status = document.querySelector(".status").textContent;
    return /your turn|wins|tie|share|over/.test(status);
  });
  return page.evaluate(() => {
    const status = document.querySelector(".status").textContent;
    return { status, over: !/your turn/.test(status), address: location.hash };
  });
}
