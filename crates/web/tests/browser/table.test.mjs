// What happens at a table besides moves by clicks: dragging, dice, agents that cannot think, games that were closed meanwhile.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ask, close, everybody, open, openRules, visit } from "./house.mjs";

after(close);

const at = (page, ply) => page.waitForFunction((ply) => document.querySelector(".play").dataset.ply === String(ply), ply);

test("a piece is dragged to where it goes, and stays where it cannot go", async () => {
  const { page, faults, done } = await visit();
  await open(page, "chess");
  await everybody(page);
  const middle = async (site) => { const { x, y, width, height } = await page.locator(`.target[data-site="${site}"]`).boundingBox(); return [x + width / 2, y + height / 2]; };
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 4 });
    const lit = await page.locator(".target.end").count();
    await page.mouse.up();
    return lit;
  };
  // The king's pawn has two moves, three squares ahead is none of them.
  assert.equal(await drag(12, 36), 2);
  assert.equal(await page.getAttribute(".play", "data-ply"), "0");
  assert.equal(await page.locator(".target.held").count(), 0);
  assert.equal(await drag(12, 28), 2);
  await at(page, 1);
  // A hand that shakes while it clicks has clicked.
  await page.mouse.move(...(await middle(52)));
  await page.mouse.down();
  await page.mouse.move((await middle(52))[0] + 10, (await middle(52))[1] + 3, { steps: 3 });
  await page.mouse.up();
  assert.equal(await page.locator(".target.end").count(), 2);
  await page.locator('.target[data-site="36"]').click();
  await at(page, 2);
  assert.deepEqual(faults, []);
  await done();
});

test("dice are thrown with the move before them, and stay as they fell", async () => {
  const { page, faults, done } = await visit();
  const asked = [];
  page.on("request", (request) => { if (request.url().endsWith("/position")) asked.push(JSON.parse(request.postData())); });
  await open(page, "backgammon");
  await everybody(page);
  await page.waitForFunction(() => document.querySelector(".play").dataset.turn === "mine");
  const thrown = await page.locator(".history li").allTextContents();
  assert.ok(thrown.length === 1 && /dice/.test(thrown[0]), thrown.join());
  // Back to before the throw: nothing is thrown while somebody looks at what was.
  await page.locator("h1").click();
  await page.keyboard.press("Home");
  await at(page, 0);
  assert.equal(await page.textContent(".status"), "Chance decides");
  await page.keyboard.press("End");
  await at(page, 1);
  assert.deepEqual(await page.locator(".history li").allTextContents(), thrown);
  const before = asked.length;
  await page.evaluate(() => document.querySelector("details.moves").open = true);
  await page.locator(".texts button").first().click();
  await page.waitForFunction(() => document.querySelector(".play").dataset.ply !== "1" && document.querySelector(".play").dataset.turn === "mine");
  assert.equal(asked.length - before, 1, "one question for a move and what chance makes of it");
  assert.deepEqual(faults, []);
  await done();
});

test("an agent that cannot think says why, and the game waits", async () => {
  const { page, done } = await visit();
  await open(page, "hex");
  await page.fill('.seat[data-seat="1"] .agent', "no-such-agent");
  await page.locator('.seat[data-seat="1"] .agent').blur();
  await page.locator('.target[data-site="60"]').click();
  await page.waitForFunction(() => /no-such-agent/.test(document.querySelector("#notice").textContent));
  await page.waitForFunction(() => /paused/.test(document.querySelector(".status").textContent));
  await page.fill('.seat[data-seat="1"] .agent', "random");
  await page.locator('.seat[data-seat="1"] .agent').blur();
  await page.locator("button", { hasText: "Go on" }).click();
  await at(page, 2);
  await done();
});

test("what becomes of a search is said where it was asked for, and nowhere else", async () => {
  const { page, faults, done } = await visit();
  for (const [game, leaves] of [["hex", false], ["breakthrough.lud", true]]) {
    const said = `it came to nothing: ${leaves}`;
    const asked = new Promise((resolve) => page.route("**/api/events?*", resolve, { times: 1 }));
    await open(page, game);
    await page.click("text=Analyse");
    const route = await asked;
    if (leaves) await open(page, "tic-tac-toe");
    await route.fulfill({ contentType: "text/event-stream", body: `event: fault\ndata: ${JSON.stringify({ error: said })}\n\n` });
    const told = page.waitForFunction((said) => document.querySelector("#notice").textContent === said, said, { timeout: leaves ? 700 : undefined });
    assert.equal(await told.then(() => true, () => false), !leaves);
  }
  assert.deepEqual(faults, []);
  await done();
});

test("a game that was closed to make room is opened again when somebody goes on with it", async () => {
  const { page, faults, done } = await visit();
  await open(page, "hex");
  await everybody(page);
  await page.locator('.target[data-site="60"]').click();
  await at(page, 1);
  const rules = (n) => `(game "G${n}" (players 2) (equipment {(board (square 3)) (piece "Disc" Each)}) (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))`;
  for (let n = 0; n < 50; n++) assert.equal((await ask(page, "open", { text: rules(n), options: [] })).status, 200);
  await page.locator('.target[data-site="61"]').click();
  await at(page, 2);
  assert.equal(await page.locator(".pieces .piece").count(), 2);
  for (let n = 0; n < 50; n++) assert.equal((await ask(page, "open", { text: rules(n), options: [] })).status, 200);
  await page.click("text=Analyse");
  await page.waitForSelector(".thinking tbody tr");
  await page.click("text=Stop");
  // The browser itself remarks that a question was refused.
  assert.deepEqual(faults.filter((fault) => !/410/.test(fault)), []);
  await done();
});

test("what a new game or another way leaves behind can be had again", async () => {
  const { page, faults, done } = await visit();
  await open(page, "tic-tac-toe");
  await everybody(page);
  for (const [ply, site] of [0, 4, 8].entries()) {
    await page.locator(`.target[data-site="${site}"]`).click();
    await at(page, ply + 1);
  }
  await page.locator("h1").click();
  await page.keyboard.press("n");
  await at(page, 0);
  await page.keyboard.press("r");
  await at(page, 3);
  // To go on from an earlier position drops what came after it.
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.locator("button", { hasText: "Go on" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 0);
  await page.keyboard.press("r");
  await at(page, 3);
  assert.deepEqual(faults, []);
  await done();
});

test("every seat shows what its pieces look like, and every seat's chances are told", async () => {
  const { page, faults, done } = await visit();
  await open(page, "ludo");
  const marks = await page.locator(".seat .mark svg .piece").evaluateAll((all) => all.map((one) => one.outerHTML));
  assert.equal(new Set(marks).size, 4);
  await page.waitForFunction(() => ["mine", "others"].includes(document.querySelector(".play").dataset.turn));
  await page.click("text=Analyse");
  await page.waitForFunction(() => /P4 \d/.test(document.querySelector(".chances").getAttribute("aria-label")));
  await page.click("text=Stop");
  assert.deepEqual(faults, []);
  await done();
});

test("what was taken back step by step is played again step by step", async () => {
  const { page, faults, done } = await visit();
  await open(page, "tic-tac-toe");
  await everybody(page);
  const press = async (key, ply) => { await page.keyboard.press(key); await at(page, ply); };
  for (const [ply, site] of [0, 4, 8, 2].entries()) {
    await page.locator(`.target[data-site="${site}"]`).click();
    await at(page, ply + 1);
  }
  await page.locator("h1").click();
  for (const [key, ply] of [["u", 3], ["u", 2], ["r", 3], ["r", 4], ["u", 3], ["u", 2]]) await press(key, ply);
  // A move that is the same again leaves the rest to be had, another one does not.
  await page.locator('.target[data-site="8"]').click();
  await at(page, 3);
  await press("r", 4);
  await press("u", 3);
  await page.locator('.target[data-site="6"]').click();
  await at(page, 4);
  await page.keyboard.press("r");
  await page.waitForTimeout(300);
  assert.equal(await page.getAttribute(".play", "data-ply"), "4");
  assert.deepEqual(faults, []);
  await done();
});

test("nobody is shown what an agent is about to choose at the same time as he", async () => {
  const { page, faults, done } = await visit();
  const legal = ["rock", "paper", "scissors"].map((hand) => `(<= (legal ?p ${hand}) (role ?p))`).join("");
  const goal = (points, beats) => `(<= (goal ?p ${points}) (true (chose ?p ?m)) (true (chose ?q ?n)) (beats ${beats}))`;
  await openRules(page, `(role a) (role b) (init start) ${legal} (beats rock scissors) (beats scissors paper) (beats paper rock)
    (<= (next (chose ?p ?m)) (does ?p ?m)) (<= terminal (true (chose a ?m))) ${goal(100, "?m ?n")} ${goal(0, "?n ?m")}
    (<= (goal ?p 50) (true (chose ?p ?m)) (true (chose ?q ?m)) (role ?p) (role ?q) (distinct ?p ?q))`, "kif");
  await page.waitForTimeout(2000);
  assert.equal(await page.locator(".thinking tbody tr").count(), 0);
  await page.locator(".texts button").first().click();
  await page.waitForFunction(() => document.querySelector(".play").dataset.turn === "over");
  assert.deepEqual(faults, []);
  await done();
});

test("what was thought of an earlier position says so, and goes when the game does not go on from there", async () => {
  const { page, faults, done } = await visit();
  await open(page, "hex");
  await page.locator('.target[data-site="60"]').click();
  await at(page, 2);
  await page.waitForFunction(() => /^Thought before 2\. /.test(document.querySelector(".thinking .before").textContent));
  assert.ok(await page.locator(".thinking tbody tr").count());
  await page.keyboard.press("u");
  await at(page, 0);
  assert.equal(await page.locator(".thinking tbody tr").count(), 0);
  assert.equal(await page.textContent(".thinking .before"), "");
  assert.deepEqual(faults, []);
  await done();
});

test("a game opened from far down the list is seen from its top", async () => {
  const { page, faults, done } = await visit({ viewport: { width: 360, height: 720 } });
  await page.locator("a[data-game]").nth(30).click();
  await page.waitForSelector(".play .status:not(:empty)");
  assert.equal(await page.evaluate(() => scrollY), 0);
  assert.deepEqual(faults, []);
  await done();
});

test("the menu of moves that share their ends is walked by keys, and closes when somebody does something else", async () => {
  const { page, faults, done } = await visit();
  await openRules(page, `(game "Two" (players 2) (equipment {(board (square 3)) (piece "Disc" Each) (piece "Cross" Each)})
    (rules (play (or (move Add (piece (id "Disc" Mover)) (to (sites Empty))) (move Add (piece (id "Cross" Mover)) (to (sites Empty))))) (end (if (is Line 3) (result Mover Win)))))`);
  await everybody(page);
  const target = (site) => page.locator(`.target[data-site="${site}"]`);
  const hidden = (state) => page.waitForFunction((state) => document.querySelector(".menu").hidden === state, state);
  await target(4).click();
  await hidden(false);
  const at = () => page.evaluate(() => [...document.querySelector(".menu").children].indexOf(document.activeElement));
  assert.equal(await at(), 0);
  for (const [key, item] of [["ArrowDown", 1], ["ArrowLeft", 0], ["ArrowUp", 2], ["ArrowDown", 0]]) {
    await page.keyboard.press(key);
    assert.equal(await at(), item, key);
  }
  assert.equal(await page.getAttribute(".play", "data-ply"), "0");
  await page.locator(".status").click();
  await hidden(true);
  await target(4).click();
  await hidden(false);
  await page.keyboard.press("Escape");
  await hidden(true);
  await target(4).click();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".play").dataset.ply === "1");
  await hidden(true);
  assert.deepEqual(faults, []);
  await done();
});

test("who plays stays the same when the page is loaded anew or an option is another", async () => {
  const { page, faults, done } = await visit();
  await open(page, "hex");
  const kind = (seat) => page.locator(`.seat[data-seat="${seat}"] select`).first();
  await kind(1).selectOption("human");
  await kind(0).selectOption("agent");
  await page.fill('.seat[data-seat="0"] .agent', "random");
  await page.locator('.seat[data-seat="0"] .agent').blur();
  const seated = async () => [await kind(0).inputValue(), await kind(1).inputValue(), await page.inputValue('.seat[data-seat="0"] .agent')];
  const expected = ["agent", "human", "random"];
  await page.reload();
  await page.waitForSelector(".play .seat");
  assert.deepEqual(await seated(), expected);
  await page.locator("summary", { hasText: "Rules, options, record" }).click();
  await page.locator(".options select").first().selectOption("7x7");
  await page.waitForFunction(() => document.querySelectorAll(".target").length === 49);
  assert.deepEqual(await seated(), expected);
  assert.deepEqual(faults, []);
  await done();
});

test("fingers: two taps move, a drag moves, and where nothing is to be dragged the page scrolls", async () => {
  const { page, context, faults, done } = await visit({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await open(page, "chess");
  await everybody(page);
  const middle = async (site) => { const { x, y, width, height } = await page.locator(`.target[data-site="${site}"]`).boundingBox(); return { x: x + width / 2, y: y + height / 2 }; };
  const tap = async (site) => { const { x, y } = await middle(site); await page.touchscreen.tap(x, y); };
  const fingers = await context.newCDPSession(page);
  const touch = (type, touchPoints) => fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  const slide = async (from, to) => {
    await touch("touchStart", [from]);
    for (let step = 1; step <= 8; step++) await touch("touchMove", [{ x: from.x + ((to.x - from.x) * step) / 8, y: from.y + ((to.y - from.y) * step) / 8 }]);
    await touch("touchEnd", []);
  };
  await tap(12);
  assert.equal(await page.locator(".target.end").count(), 2);
  await tap(28);
  await at(page, 1);
  await slide(await middle(52), await middle(36));
  await at(page, 2);
  assert.equal(await page.evaluate(() => scrollY), 0, "a piece is dragged, not the page");
  const { x, y } = await middle(33);
  await slide({ x, y }, { x, y: y - 150 });
  await page.waitForFunction(() => scrollY > 50);
  assert.equal(await page.getAttribute(".play", "data-ply"), "2");
  assert.deepEqual(faults, []);
  await done();
});

test("a long board is as large as there is room for, and scrolled along where there is too little", async () => {
  const { page, faults, done } = await visit();
  const long = (columns, rows) => `(game "Long" (players 2) (equipment {(board (rectangle ${rows} ${columns})) (piece "Disc" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))`;
  for (const [columns, rows] of [[2, 14], [14, 2]]) {
    await openRules(page, long(columns, rows));
    for (const [width, least] of [[1200, 36], [360, 22], [1200, 36]]) {
      await page.setViewportSize({ width, height: 850 });
      await page.waitForFunction((least) => document.querySelector(".play .target").getBoundingClientRect().width >= least, least);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    }
  }
  assert.deepEqual(faults, []);
  await done();
});

test("rules are pasted into the list or the editor, in whichever language, and files are dropped", async () => {
  const { page, context, faults, done } = await visit();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const paste = async (text) => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await page.keyboard.press("Control+V");
  };
  const kif = "(role a) (init (at 0)) (legal a go) (<= (next (at 1)) (does a go)) (<= terminal (true (at 1))) (goal a 100)";
  const lud = (side) => `(game "Mine" (players 2) (equipment {(board (square ${side})) (piece "Disc" Each)}) (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))`;
  await paste(lud(5));
  await page.waitForFunction(() => document.querySelectorAll(".preview .target").length === 25);
  await page.focus("textarea");
  await page.keyboard.press("Control+A");
  await paste(kif);
  await page.waitForFunction(() => document.querySelector(".edit select").value === "kif" && document.querySelector(".findings .ok"));
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".play .texts button");
  // Words that are looked for are no rules.
  await page.evaluate(() => (location.hash = "#/"));
  await page.waitForSelector(".games a");
  await paste("hex");
  assert.equal(await page.inputValue("input[type=search]"), "hex");
  await page.evaluate((text) => {
    const given = new DataTransfer();
    given.items.add(new File([text], "mine.lud"));
    document.querySelector(".library").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: given }));
  }, lud(4));
  await page.waitForFunction(() => document.querySelectorAll(".preview .target").length === 16);
  assert.deepEqual(faults, []);
  await done();
});
