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

/** Asks the server as the page does. */
export function ask(page, path, body) {
  return page.evaluate(async ([path, body]) => {
    const init = body === null ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`api/${path}`, init);
    return { status: answer.status, value: await answer.json().catch(() => null) };
  }, [path, body ?? null]);
}

/** Opens a game by its address, at the start or after some moves. */
export async function open(page, game, line = []) {
  const path = game.split("/").map(encodeURIComponent).join("/");
  const moves = line.map((joint) => joint.map(encodeURIComponent).map(encodeURIComponent).join("%2B")).join("~");
  await page.evaluate((hash) => {
    document.querySelector(".play")?.setAttribute("data-left", "");
    location.hash = hash;
  }, `#/play/${path}${moves && `?moves=${moves}`}`);
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
