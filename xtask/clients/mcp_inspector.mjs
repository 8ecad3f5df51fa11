// The command line of the MCP inspector against /mcp and through the bridge.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";

const { CLIENTS_PROGRAM: program, CLIENTS_URL: url, CLIENTS_KEY: key } = process.env;
const inspector = `${process.env.CLIENTS_NODE_PACKAGES}/@modelcontextprotocol/inspector-cli/build/index.js`;

function inspected(target, words) {
  const run = spawnSync(process.execPath, [inspector, ...target, ...words], {
    encoding: "utf8",
    timeout: 30_000,
    // It looks for its own description from here.
    cwd: dirname(inspector),
    env: { ...process.env, TESTIMONY_KEY: key },
  });
  return { ...run, said: run.status === 0 ? JSON.parse(run.stdout) : null };
}

const bearer = (key) => ["--transport", "http", "--header", `Authorization: Bearer ${key}`];
const http = (words) => inspected([`${url}/mcp`], [...words, ...bearer(key)]);
const bridge = (words) => inspected([program, "mcp", "--url", url], words);

for (const [way, ask] of Object.entries({ http, bridge })) {
  const listed = ask(["--method", "tools/list"]);
  assert.equal(listed.said?.tools.length, 8, `${way}: ${listed.stderr}`);
  const called = ask(["--method", "tools/call", "--tool-name", "memory_status"]);
  assert.equal(called.said?.structuredContent.status, "ok", `${way}: ${called.stderr}`);
  const recalled = ask(["--method", "tools/call", "--tool-name", "memory_recall", "--tool-arg", "query=anything"]);
  assert.equal(recalled.said?.isError, false, `${way}: ${recalled.stderr}`);
  console.log(" ", way, "list, call");
}
const wrong = inspected([`${url}/mcp`], ["--method", "tools/list", ...bearer("tst_agent_none")]);
assert.notEqual(wrong.status, 0);
console.log(" ", "http wrong key");
