// Random games clicked through the page, for 40 plies at most or as LUDEX_PLIES says, and for two minutes each or LUDEX_SECONDS: some games never
// end by random moves. LUDEX_GAMES says how many games are drawn (0: all, in order, from LUDEX_FROM on), LUDEX_SEED which. A click must show
// within 15 seconds, or LUDEX_PATIENCE where the machine is busy with something else.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ask, close, everybody, open, random, visit } from "./house.mjs";

after(close);

const PLIES = Number(process.env.LUDEX_PLIES ?? 40);
const SECONDS = Number(process.env.LUDEX_SECONDS ?? 120);
const PATIENCE = Number(process.env.LUDEX_PATIENCE ?? 15);

test("random games are clicked through without a fault", async () => {
  let house = await visit();
  const all = (await house.page.evaluate(async () => (await fetch("api/games")).json())).map((game) => game.name);
  const draw = random(Number(process.env.LUDEX_SEED ?? 1));
  const wanted = Number(process.env.LUDEX_GAMES ?? 30);
  const chosen = wanted ? new Set() : new Set(all.slice(Number(process.env.LUDEX_FROM ?? 0)));
  while (chosen.size < Math.min(wanted, all.length)) chosen.add(all[draw(all.length)]);
  const failed = [];
  let [done, whole, refused] = [0, 0, 0];
  for (const game of chosen) {
    try {
      // What the engine refuses, with a sentence, is no game that the page could play.
      const opened = await ask(house.page, "open", { game, options: [] });
      if (opened.status === 422 && opened.value.error) {
        refused++;
        house.faults.splice(0);
        continue;
      }
      whole += Number(await play(house.page, game, draw(1 << 30)));
      assert.deepEqual(house.faults.splice(0), []);
    } catch (error) {
      failed.push(`${game}: ${error.message.split("\n")[0]}`);
      console.log(failed.at(-1));
      await house.done();
      house = await visit();
    }
    if (++done % 10 === 0) console.log(`${done} of ${chosen.size} games, ${failed.length} failed`);
  }
  console.log(`${chosen.size - failed.length - refused} of ${chosen.size - refused} games without a fault, ${whole} to their end; ${refused} more are refused`);
  assert.deepEqual(failed, []);
  await house.done();
});

/** Whether the game came to its end. */
async function play(page, game, seed) {
  await page.evaluate(() => (location.hash = "#/"));
  await page.waitForSelector(".games a");
  await open(page, game);
  await everybody(page);
  const work = page.evaluate(clickThrough, { seed, plies: PLIES, seconds: SECONDS, patience: PATIENCE });
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("the page hangs")), 1000 * (SECONDS + 4 * PATIENCE)).unref());
  const found = await Promise.race([work, late]);
  assert.ok(!found.fault, found.fault);
  return found.over;
}

/** Runs in the page: clicks what can be clicked until the game is over, as fast as the page shows positions. */
async function clickThrough({ seed, plies, seconds, patience }) {
  let state = seed || 1;
  const below = (n) => {
    state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0;
    return state % n;
  };
  const one = (list) => list[below(list.length)];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const view = document.querySelector(".play");
  const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
  const until = async (holds) => { while (!holds()) await pause(); };
  const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: 5, clientY: 5 }));
  const now = () => `${view.dataset.ply} ${document.querySelector(".status").textContent}`;
  const end = performance.now() + 1000 * seconds;
  while (Number(view.dataset.ply) < plies && performance.now() < end) {
    const waiting = performance.now();
    await until(() => ["mine", "over"].includes(view.dataset.turn) || performance.now() - waiting > 1000 * patience);
    if (!["mine", "over"].includes(view.dataset.turn)) return { fault: `nobody is to move after ${now()}` };
    if (view.dataset.turn === "over") return { over: true };
    const before = now();
    const targets = all(".target.start");
    const texts = all(".texts button");
    const passes = all(".passes button");
    // Now and then what has no place on the board.
    if (targets.length && !(passes.length && below(4) === 0)) {
      click(one(targets));
      const ends = all(".target.end");
      if (ends.length) click(one(ends));
      const menu = all(".menu:not([hidden]) button[role=menuitem]");
      if (menu.length) click(one(menu));
    } else if (texts.length) click(one(texts));
    else if (passes.length) click(one(passes));
    else return { fault: `nothing to click after ${before}` };
    const begun = performance.now();
    await until(() => now() !== before || performance.now() - begun > 1000 * patience);
    if (now() === before) return { fault: `a click did nothing after ${before}` };
  }
  return { over: false };
}
