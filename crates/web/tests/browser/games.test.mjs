// Whole random games clicked through the page: a game that does not come to its end is a failure. LUDEX_GAMES says how many games are drawn
// (0: all, in order), LUDEX_SEED which, LUDEX_UNDER how their names begin. A game may take ten minutes, or LUDEX_SECONDS; a click must show
// within 15 seconds, or LUDEX_PATIENCE where the machine is busy with something else. LUDEX_RESULTS names a file that gets a line for
// every game; games that have a line there are not played again unless they failed, so that a long run can be ended and gone on with.
// LUDEX_AT_ONCE pages play at once: most of the time a page waits for the server, or the server for a page.

import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import { address, ask, close, random, unwatched } from "./house.mjs";

after(close);

const SECONDS = Number(process.env.LUDEX_SECONDS ?? 600);
const PATIENCE = Number(process.env.LUDEX_PATIENCE ?? 15);
const RESULTS = process.env.LUDEX_RESULTS;
const AT_ONCE = Number(process.env.LUDEX_AT_ONCE ?? 1);

/** What became of each game: its name, `over`, `refused` or `failed`, and what there is to say about it. @type {Map<string, {outcome: string, said: string}>} */
const results = new Map();

function became(game, outcome, said) {
  results.set(game, { outcome, said });
  if (RESULTS) appendFileSync(RESULTS, `${JSON.stringify({ game, outcome, said })}\n`);
  if (outcome === "failed") console.log(`${game}: ${said}`);
}

test("whole random games are clicked through without a fault", async () => {
  if (RESULTS && existsSync(RESULTS)) {
    for (const line of readFileSync(RESULTS, "utf8").split("\n").filter(Boolean)) {
      const { game, outcome, said } = JSON.parse(line);
      results.set(game, { outcome, said });
    }
  }
  const house = await unwatched();
  const every = (await house.page.evaluate(async () => (await fetch("api/games")).json())).map((game) => game.name);
  await house.done();
  const all = every.filter((game) => game.startsWith(process.env.LUDEX_UNDER ?? ""));
  const draw = random(Number(process.env.LUDEX_SEED ?? 1));
  const wanted = Number(process.env.LUDEX_GAMES ?? 30);
  const chosen = new Set(wanted ? [] : all);
  while (chosen.size < Math.min(wanted, all.length)) chosen.add(all[draw(all.length)]);
  const seeded = [...chosen].map((game) => ({ game, seed: draw(1 << 30) }));
  const of = (outcome) => seeded.filter(({ game }) => results.get(game)?.outcome === outcome);
  // What failed before comes last.
  const left = [...of(undefined), ...of("failed")];
  await Promise.all(Array.from({ length: AT_ONCE }, () => playAll(left, chosen.size)));
  console.log(`${of("over").length} of ${chosen.size - of("refused").length} games played to their end; ${of("refused").length} more are refused`);
  assert.deepEqual(of("failed").map(({ game }) => `${game}: ${results.get(game)?.said}`), []);
});

/** Plays what is left, one game after another, in a page of its own. @param {{game: string, seed: number}[]} left @param {number} size */
async function playAll(left, size) {
  let house = await unwatched();
  for (let next = left.shift(); next; next = left.shift()) {
    const { game, seed } = next;
    try {
      // What the engine refuses, with a sentence, is no game that the page could play.
      const opened = await ask(house.page, "open", { game, options: [] });
      if (opened.status === 422 && opened.value.error) {
        house.faults.splice(0);
        became(game, "refused", opened.value.error.split("\n")[0]);
        continue;
      }
      const plies = await play(house.page, game, seed);
      assert.deepEqual(house.faults.splice(0), []);
      became(game, "over", `${plies} plies`);
    } catch (error) {
      became(game, "failed", error.message.split("\n")[0]);
      await house.done();
      house = await unwatched();
    }
    if (results.size % 10 === 0) console.log(`${results.size} of ${size} games`);
  }
  await house.done();
}

/** Plays a game to its end and says how many plies it had. */
async function play(page, game, seed) {
  const work = page.evaluate(clickThrough, { hash: address(game), seed, seconds: SECONDS, patience: PATIENCE });
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("the page hangs")), 1000 * (SECONDS + 4 * PATIENCE)).unref());
  const found = await Promise.race([work, late]);
  assert.ok(!found.fault, found.fault);
  return found.plies;
}

/** Runs in the page: opens a game, makes every seat a person, and clicks what can be clicked until the game is over, as fast as the page shows positions. */
async function clickThrough({ hash, seed, seconds, patience }) {
  let state = seed || 1;
  const below = (n) => {
    state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0;
    return state % n;
  };
  const one = (list) => list[below(list.length)];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
  const until = async (holds) => { while (!holds()) await pause(); };
  const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: 5, clientY: 5 }));
  const left = document.querySelector(".play");
  location.hash = hash;
  const opening = performance.now();
  await until(() => ![null, left].includes(document.querySelector(".play")) || performance.now() - opening > 1000 * patience);
  const view = document.querySelector(".play");
  if (!view || view === left) return { fault: "the game is not shown" };
  for (const seat of all(".seat select:first-of-type")) {
    seat.value = "human";
    seat.dispatchEvent(new Event("change"));
  }
  const now = () => `${view.dataset.ply} ${document.querySelector(".status").textContent}`;
  const end = performance.now() + 1000 * seconds;
  // All of it is there to be clicked but is not painted: that would take longer than all the rest.
  view.style.contentVisibility = "hidden";
  if (!document.querySelector(".board")) document.querySelector("details.moves").open = true;
  while (performance.now() < end) {
    const waiting = performance.now();
    await until(() => ["mine", "over"].includes(view.dataset.turn) || performance.now() - waiting > 1000 * patience);
    if (!["mine", "over"].includes(view.dataset.turn)) return { fault: `nobody is to move after ${now()}` };
    if (view.dataset.turn === "over") return { plies: Number(view.dataset.ply) };
    const before = now();
    const targets = all(".target.start");
    const passes = all(".passes button");
    // More moves without a place than there are buttons are in the list.
    if (!targets.length && !passes.length) document.querySelector("details.moves").open = true;
    if (!targets.length && !passes.length) await until(() => all(".texts button").length || performance.now() - waiting > 1000 * patience);
    const texts = all(".texts button");
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
  return { fault: `not over after ${view.dataset.ply} plies, ${seconds} seconds` };
}
