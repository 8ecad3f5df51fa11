// A server of its own, a browser of its own, and the few words in which both are asked.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export const PASSWORD = "seven lamps along the quay";

/** Starts a server on a folder of its own, and reads from its greeting where it listens. */
export async function serve(program) {
  const folder = mkdtempSync(join(tmpdir(), "testimony-browser-"));
  const child = spawn(program, ["serve", "--listen", "127.0.0.1:0", "--log", "error", "--data", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((found, failed) => {
    let said = "";
    child.on("exit", (status) => failed(new Error(`the server ended with ${status}: ${said}`)));
    child.stdout.on("data", (piece) => {
      said += piece;
      const address = /listens at (\S+)/.exec(said);
      if (address && said.includes("console")) found(address[1]);
    });
  });
  const read = (name) => readFileSync(join(folder, name), "utf8");
  return {
    url,
    link: read("console-link.txt").trim(),
    keys: JSON.parse(read("first-keys.json")),
    async stop() {
      child.removeAllListeners("exit");
      const ended = new Promise((done) => child.on("exit", done));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const browse = (program) => chromium.launch({ executablePath: program, args: FLAGS });

/** Asks a route with a key. */
export async function ask(served, key, path, body, method = "POST") {
  const answer = await fetch(served.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

export const retain = (served, key, body, container = "workspace") =>
  ask(served, key, `/api/v2/containers/${container}/retain`, body);
export const recall = (served, key, query, policy = "strict", container = "workspace") =>
  ask(served, key, `/api/v2/containers/${container}/recall`, { query, trust_policy: policy });

/** A page on which nothing may go wrong unseen: no error of a script, no breach of the policy, no request elsewhere. */
export function watched(page, served, complaints) {
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    const expected = /status of (401|403|404|409|422|429)/.test(message.text());
    if (message.type() === "error" && !expected) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(served.url) && !request.url().startsWith("data:")) complaints.push(`it asked ${request.url()}`);
  });
  page.setDefaultTimeout(15_000);
  return page;
}

export async function firstRun(page, served, name = "mara") {
  await page.goto(served.link);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL("**/memories*");
}

export async function signIn(page, served, name = "mara", password = PASSWORD) {
  if (!page.url().includes("/login")) await page.goto(`${served.url}/login`);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
