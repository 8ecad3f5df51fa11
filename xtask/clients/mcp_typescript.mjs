// The official MCP package for TypeScript against /mcp and through the bridge.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";

const packages = createRequire(`${process.env.CLIENTS_NODE_PACKAGES}/x.js`);
const load = (name) => import(pathToFileURL(packages.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load("client/index.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
const { StdioClientTransport } = await load("client/stdio.js");

const {
  CLIENTS_PROGRAM: program,
  CLIENTS_URL: home,
  CLIENTS_KEY: agent,
  CLIENTS_READER_KEY: reader,
  CLIENTS_CLOSED_KEY: closed,
} = process.env;
const wrong = `${agent.slice(0, -9)}AAAAAAAAA`;

const TOOLS = [
  "memory_case", "memory_context", "memory_correct", "memory_recall",
  "memory_reflect", "memory_retain", "memory_status", "memory_writeback",
];
// Each way has something of its own to remember, since what it remembers is corrected.
const SUBJECTS = { http: "Harborlight", bridge: "Lanternfish" };
const factOf = (way) => `Releases of ${SUBJECTS[way]} go out on Tuesdays.`;
const questionOf = (way) => `On which day do releases of ${SUBJECTS[way]} go out?`;

const ways = {
  http: (key, url) =>
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  bridge: (key, url) =>
    new StdioClientTransport({ command: program, args: ["mcp", "--url", url], env: { TESTIMONY_KEY: key } }),
};

const say = (...words) => console.log(" ", ...words);

async function connected(way, key, url = home) {
  const client = new Client({ name: "client", version: "1.0.0" });
  await client.connect(ways[way](key, url));
  return client;
}

const call = (client, name, args, options) =>
  client.callTool({ name, arguments: args }, undefined, options);

async function talks(way) {
  const [FACT, QUESTION] = [factOf(way), questionOf(way)];
  const client = await connected(way, agent);
  assert.equal(client.getServerVersion().name, "testimony");
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), TOOLS);
  assert.ok(!(await call(client, "memory_retain", { content: FACT })).isError);
  const found = await call(client, "memory_recall", { query: QUESTION });
  assert.equal(found.structuredContent.results[0].content, FACT);
  const raw = await call(client, "memory_recall", { query: QUESTION, response_format: "full" });
  assert.ok(raw.structuredContent.results[0].why_recalled);
  const packet = await call(client, "memory_context", { user_message: QUESTION });
  assert.ok(packet.content[0].text.includes(FACT));
  for (const [name, args] of [
    ["memory_reflect", { query: QUESTION }],
    ["memory_case", { memory_id: found.structuredContent.results[0].id }],
    ["memory_writeback", { observed_facts: ["The quay of Harborlight is lit at night."] }],
    ["memory_correct", { memory_id: found.structuredContent.results[0].id, content: FACT.replace("Tuesdays", "Fridays") }],
    ["memory_correct", { memory_id: "none" }],
    ["memory_recall", { query: QUESTION, diagnostics_only: true }],
    ["memory_recall", { query: QUESTION, max_response_bytes: 1024 }],
    ["memory_status", {}],
  ]) {
    // What comes is held against the schema that the tool gave of it.
    const result = await call(client, name, args);
    assert.equal(Boolean(result.isError), args.memory_id === "none", `${name}: ${JSON.stringify(result)}`);
  }
  await assert.rejects(call(client, "memory_sing", {}), /no such tool/);
  const given = new AbortController();
  const dropped = call(client, "memory_reflect", { query: QUESTION }, { signal: given.signal });
  given.abort("no longer wanted");
  await assert.rejects(dropped);
  assert.ok(!(await call(client, "memory_status", {})).isError);
  await client.close();
  say(way, "initialise, list, call, cancel");
}

async function refuses(way) {
  const client = await connected(way, reader);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), ["memory_recall", "memory_status"]);
  await assert.rejects(call(client, "memory_retain", { content: factOf(way) }), /memory\.write/);
  await client.close();
  await assert.rejects(connected(way, wrong), /key|credential/i);
  await assert.rejects(connected(way, closed), /mcp\.tools/);
  say(way, "missing capability, wrong key");
}

async function served(listen, more = []) {
  const words = ["serve", "--data", "again", "--log", "error", "--listen", listen, ...more];
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = line.split(" ").find((word) => word.startsWith("http://"));
    return { child, url };
  }
}

const ended = ({ child }) =>
  new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill();
  });

async function survives(way) {
  const first = await served("127.0.0.1:0");
  const words = ["key", "create", "--json", "--data", "again", "--container", "workspace", "--agent", "again"];
  const { key } = JSON.parse(spawnSync(program, words, { encoding: "utf8" }).stdout);
  const client = await connected(way, key, first.url);
  await call(client, "memory_status", {});
  await ended(first);
  const second = await served(new URL(first.url).host);
  assert.ok(!(await call(client, "memory_status", {})).isError);
  await client.close();
  await ended(second);
  say(way, "reconnect");
}

/** A model that says nothing, and tells when it is asked and when it is left. */
async function mute() {
  const model = { asked: () => {}, left: () => {} };
  const server = createServer((request) => {
    request.resume();
    request.socket.once("close", () => model.left());
    model.asked();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(model, { server, port: server.address().port });
}

/** A call that waits for a model is taken back: the model is left, and the conversation goes on. */
async function takesBack(way) {
  const model = await mute();
  const slow = `synthesis = "slow"\n[models.slow]\nurl = "http://127.0.0.1:${model.port}/v1"\nmodel = "mute"\n`;
  writeFileSync("settings.toml", slow);
  const server = await served("127.0.0.1:0", ["--config", "settings.toml"]);
  const words = ["key", "create", "--json", "--data", "again", "--container", "workspace", "--agent", "user"];
  const { key } = JSON.parse(spawnSync(program, [...words, "--class", "user_statement"], { encoding: "utf8" }).stdout);
  const client = await connected(way, key, server.url);
  await call(client, "memory_retain", { content: factOf(way) });
  const asked = new Promise((resolve) => { model.asked = resolve; });
  const left = new Promise((resolve) => { model.left = resolve; });
  const given = new AbortController();
  const dropped = call(client, "memory_reflect", { query: questionOf(way) }, { signal: given.signal });
  const refused = assert.rejects(dropped);
  await asked;
  given.abort("no longer wanted");
  await Promise.all([refused, left]);
  assert.ok(!(await call(client, "memory_status", {})).isError);
  await client.close();
  await ended(server);
  model.server.close();
  say(way, "a call taken back");
}

for (const way of Object.keys(ways)) {
  await talks(way);
  await refuses(way);
  await survives(way);
  await takesBack(way);
}
process.exit(0);
