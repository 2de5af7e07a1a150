// What all browser tests share: a browser, a page that was let in, and complaints of the page as failures.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { chromium } from "playwright-core";

const LINK = process.env.LUDEX_LINK;
const CHROMIUM = process.env.LUDEX_CHROMIUM;

let browser;

export async function launch() {
  browser ??= await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  return browser;
}

export async function close() {
  await browser?.close();
}

/** A page with a cookie; `faults` collects everything it complains of. */
export async function visit(options = {}) {
  const context = await (await launch()).newContext({ viewport: { width: 1200, height: 850 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(1000 * Number(process.env.LUDEX_PATIENCE ?? 20));
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error") faults.push(message.text()); });
  await page.goto(LINK);
  assert.ok(!page.url().includes("token"), "the token leaves the address");
  await page.waitForSelector(".games a");
  return { page, faults, context, done: () => context.close() };
}

/** A page whose requests nobody watches, which takes longer than making them; it runs functions and nothing else. */
export async function unwatched() {
  const session = await (await launch()).newBrowserCDPSession();
  const { browserContextId } = await session.send("Target.createBrowserContext");
  const { targetId } = await session.send("Target.createTarget", { url: "about:blank", browserContextId, width: 500, height: 400 });
  const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
  const faults = [];
  const waiting = new Map();
  session.on("Target.receivedMessageFromTarget", ({ sessionId: from, message }) => {
    if (from !== sessionId) return;
    const { id, result, error, method, params } = JSON.parse(message);
    if (id) {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      return error ? reject(new Error(error.message)) : resolve(result);
    }
    if (method === "Runtime.exceptionThrown") faults.push(told(params.exceptionDetails));
    if (method === "Runtime.consoleAPICalled" && params.type === "error") faults.push(params.args.map((arg) => arg.description ?? arg.value).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error") faults.push(params.entry.text);
  });
  let last = 0;
  const send = (method, params = {}) => new Promise((resolve, reject) => {
    const id = ++last;
    waiting.set(id, { resolve, reject });
    session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) }).catch(reject);
  });
  const told = ({ exception, text }) => exception?.description ?? text;
  const evaluate = async (work, given) => {
    const expression = `(${work})(${JSON.stringify(given)})`;
    const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(told(exceptionDetails));
    return result.value;
  };
  await send("Runtime.enable");
  await send("Log.enable");
  await send("Page.navigate", { url: LINK });
  const there = () => evaluate(() => document.querySelector(".games a") !== null).catch(() => false);
  while (!(await there())) await new Promise((resolve) => setTimeout(resolve, 50));
  const done = async () => {
    await session.send("Target.disposeBrowserContext", { browserContextId });
    await session.detach();
  };
  return { page: { evaluate }, faults, done };
}

/** Asks the server as the page does. */
export function ask(page, path, body) {
  return page.evaluate(async ([path, body]) => {
    const init = body === null ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`api/${path}`, init);
    return { status: answer.status, value: await answer.json().catch(() => null) };
  }, [path, body ?? null]);
}

/** The address of a game, at the start or after some moves. */
export function address(game, line = []) {
  const path = game.split("/").map(encodeURIComponent).join("/");
  const moves = line.map((joint) => joint.map(encodeURIComponent).map(encodeURIComponent).join("%2B")).join("~");
  return `#/play/${path}${moves && `?moves=${moves}`}`;
}

/** Opens a game by its address, at the start or after some moves. */
export const open = (page, game, line = []) => shown(page, address(game, line));

/** Opens a game by its rules. */
export async function openRules(page, text, language = "lud") {
  await shown(page, await page.evaluate(async (spec) => {
    const { pack, write } = await import("./address.js");
    return write({ view: "play", spec: await pack(spec), line: [], ply: null });
  }, { text, language, options: [] }));
}

async function shown(page, hash) {
  await page.evaluate((hash) => {
    document.querySelector(".play")?.setAttribute("data-left", "");
    location.hash = hash;
  }, hash);
  // What waits for an element holds it, and with it all of a view that was left.
  await (await page.waitForSelector(".play:not([data-left]) .status:not(:empty)")).dispose();
}

/** Makes every seat a person. */
export async function everybody(page) {
  for (const seat of await page.locator(".seat select:first-of-type").all()) {
    if ((await seat.inputValue()) !== "human") await seat.selectOption("human");
  }
}

const KINDS = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", wasm: "application/wasm" };

/** Any server of static files will do for a page without a server; this is one. */
export async function serveFolder(folder) {
  const server = createServer((request, answer) => {
    const name = normalize(new URL(request.url, "http://x").pathname).replace(/^\/+/, "") || "index.html";
    const file = join(folder, name);
    if (!existsSync(file)) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": KINDS[name.split(".").pop()] ?? "text/plain" }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** A small generator, so that a failing game can be played again. */
export function random(seed) {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13; state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5; state >>>= 0;
    return state % below;
  };
}
