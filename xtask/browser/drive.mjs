// The console as people use it, from the first run on. Ends with status 1 when anything is not as it should be.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ask, browse, firstRun, PASSWORD, recall, retain, serve, signIn, watched } from "./testimony.mjs";

const [, , program, chromium] = process.argv;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const complaints = [];
let served, browser, page;

/** What stands on every page for whoever does not see it, or has no mouse, or a small screen. */
async function fits(where, at = page) {
  for (const scheme of ["light", "dark"]) {
    await at.emulateMedia({ colorScheme: scheme });
    await at.evaluate(AXE);
    const found = await at.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    for (const violation of found.violations) {
      if (!["serious", "critical"].includes(violation.impact)) continue;
      const places = violation.nodes.slice(0, 3).map((node) => `${node.target} (${node.any[0]?.message ?? node.failureSummary})`);
      complaints.push(`${where}, ${scheme}: ${violation.id}: ${places.join("; ")}`);
    }
  }
  await at.emulateMedia({ colorScheme: "light" });
  for (const width of [390, 1280]) {
    await at.setViewportSize({ width, height: 900 });
    const over = await at.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (over > 0) complaints.push(`${where}: ${over} px too wide at ${width}`);
  }
}

const steps = {
  async "the first person is named by the link of the server, once"() {
    await page.goto(served.url);
    assert.match(page.url(), /\/welcome$/);
    await page.goto(`${served.url}/welcome?token=wrong`);
    await page.getByLabel("Name").fill("mallory");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("alert").waitFor();
    await fits("first run");
    await firstRun(page, served);
    await page.goto(served.link);
    assert.match(page.url(), /\/memories/, "whoever is in is not asked for a name again");
    await fits("memories, empty");
  },

  async "whoever signs out is out, and comes in again with the password only"() {
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").waitFor();
    await signIn(page, served, "mara", "not the password at all");
    await page.getByRole("alert").waitFor();
    await fits("sign in");
    await signIn(page, served);
    await page.waitForURL("**/memories");
  },

  async "a key is made, shown once, and verified"() {
    await page.goto(`${served.url}/connections/new`);
    await fits("new key");
    await page.getByLabel("Name", { exact: true }).fill("scout");
    await page.getByLabel("Agent", { exact: true }).fill("scout");
    await page.getByLabel("Containers, with commas between, or a prefix such as user-*").fill("workspace");
    await page.getByLabel("Whose word it is").selectOption("agent_observation");
    await page.getByRole("button", { name: "Make the key" }).click();
    served.scout = (await page.locator(".once code").textContent()).trim();
    assert.match(served.scout, /^tst_/);
    await page.getByText("a recall was answered").waitFor();
    await fits("key, shown");
    await page.getByRole("link", { name: "To the key" }).click();
    served.scoutPage = page.url();
    assert.ok(!(await page.content()).includes(served.scout), "a key is shown once");
    await fits("key");
  },

  async "what an agent says waits, is approved by keyboard, and is then recalled"() {
    const said = await retain(served, served.scout, { content: "The staging database of Harborlight runs on port 6543." });
    assert.equal(said.body.memories[0].lifecycle_state, "pending");
    const question = "On which port does the staging database of Harborlight run?";
    assert.equal((await recall(served, served.keys.agent_key, question)).body.total, 0);
    await page.goto(`${served.url}/review`);
    await page.getByRole("heading", { name: "Low support" }).waitFor();
    await fits("review");
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.getByText("Approved.").waitFor();
    const known = await recall(served, served.keys.agent_key, question);
    assert.equal(known.body.results[0]?.content, "The staging database of Harborlight runs on port 6543.");
    served.fact = known.body.results[0].id;
  },

  async "a decision is taken back, and made again"() {
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Taken back.").waitFor();
    const row = page.locator("article.case").first();
    await row.getByLabel("Reason").fill("seen in the configuration");
    await row.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("Approved.").waitFor();
    await page.goto(`${served.url}/review?state=closed`);
    await page.getByText("seen in the configuration").waitFor();
    await fits("review, decided");
  },

  async "a contradiction stands side by side, and is resolved"() {
    await retain(served, served.keys.agent_key, { content: "The staging database of Harborlight runs on port 5432." });
    await page.goto(`${served.url}/review?kind=conflict`);
    const marked = page.locator(".pair mark");
    await marked.first().waitFor();
    assert.deepEqual(await marked.allTextContents(), ["5432.", "6543."]);
    await fits("review, contradiction");
    await page.getByRole("button", { name: "What came holds" }).click();
    await page.getByText("Approved.").waitFor();
    const known = await recall(served, served.keys.agent_key, "On which port does the staging database of Harborlight run?");
    assert.deepEqual(known.body.results.map((row) => row.content), ["The staging database of Harborlight runs on port 5432."]);
    served.fact = known.body.results[0].id;
  },

  async "memories are browsed, filtered, and asked for as an agent"() {
    await page.goto(`${served.url}/memories`);
    assert.equal(await page.locator("article.row").count(), 2);
    await page.keyboard.press("/");
    await page.keyboard.type("Harborlight");
    await page.keyboard.press("Enter");
    await page.waitForURL("**q=Harborlight**");
    assert.equal(await page.locator("article.row").count(), 2);
    await page.goto(`${served.url}/memories?state=superseded`);
    assert.equal(await page.locator("article.row").count(), 1);
    await fits("memories");
    await page.goto(`${served.url}/memories?view=recall`);
    await fits("recall, nothing asked");
    await page.locator("select[name=key_id]").selectOption({ label: "scout · scout" });
    await page.getByLabel("Question").fill("On which port does the staging database of Harborlight run?");
    await page.getByRole("button", { name: "Recall" }).click();
    await page.getByRole("heading", { name: "What it gets" }).waitFor();
    await page.getByText("port 5432").first().waitFor();
    await fits("recall");
    await page.getByRole("link", { name: "Why?" }).first().click();
    await page.locator(".outcome").waitFor();
    await fits("why");
  },

  async "a case can be linked to, questioned, and set right"() {
    const other = await browser.newContext({ reducedMotion: "reduce" });
    const linked = watched(await other.newPage(), served, complaints);
    await linked.goto(`${served.url}/memories?view=courtroom&case=${served.fact}`);
    assert.match(linked.url(), /\/login\?next=/);
    await signIn(linked, served);
    await linked.waitForURL(`**case=${served.fact}`);
    await linked.getByText("Final verdict").waitFor();
    await linked.locator("figure.timeline svg").waitFor();
    await fits("case", linked);
    await linked.getByLabel("Question").fill("Who said so?");
    await linked.getByRole("button", { name: "Ask" }).click();
    await linked.locator("blockquote.answer").waitFor();
    await linked.getByText("Say something else in its place").click();
    await linked.getByLabel("What holds instead").fill("The staging database of Harborlight runs on port 7001.");
    await linked.getByLabel("Why").first().fill("it moved");
    await linked.getByRole("button", { name: "Correct" }).click();
    await linked.getByText("Corrected.").waitFor();
    await other.close();
  },

  async "rows of one origin are decided together"() {
    for (const content of ["Somebody left the gate of the east yard open.", "Gulls have nested above the paint shed again."]) {
      const said = await retain(served, served.scout, { content });
      assert.equal(said.body.memories[0].lifecycle_state, "pending");
    }
    await page.goto(`${served.url}/review?kind=pending`);
    await page.getByRole("link", { name: "and 1 alike" }).click();
    await page.getByText("All 2 at once").waitFor();
    await fits("review, a group");
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Approve all" }).click();
    await page.getByText("Decided for the whole group.").waitFor();
    await page.goto(`${served.url}/review?kind=pending`);
    await page.getByText("Nothing waits").waitFor();
  },

  async "a row is merged into another, and one takes the place of another"() {
    const ways = [
      ["Deliveries for the sail loft come by the river gate.", "Lorries with sailcloth are let in at the quay.", "Says the same: merge", "Merged."],
      ["The oldest apprentice locks the boathouse in the evening.", "Whoever leaves last hangs the lantern up.", "Take its place: supersede", "Superseded."],
    ];
    for (const [known, coming, button, told] of ways) {
      const target = (await retain(served, served.keys.agent_key, { content: known })).body.memories[0].id;
      await retain(served, served.keys.agent_key, { content: coming, review_required: true });
      await page.goto(`${served.url}/review?kind=requested`);
      const card = page.locator("article.case", { hasText: coming });
      await card.getByText("Merge or supersede").click();
      await card.getByLabel("Id of the other memory").fill(target);
      await card.getByRole("button", { name: button }).click();
      await page.getByText(told).waitFor();
      if (told === "Superseded.") {
        const found = await ask(served, served.keys.operator_key, `/api/v1/admin/memories/${target}`, undefined, "GET");
        assert.equal(found.body.memory.state, "superseded");
      }
    }
  },

  async "a queue is worked through with keys alone, from one thing to the next"() {
    for (const room of ["lamp store", "rope store", "paint store"])
      await retain(served, served.keys.agent_key, { content: `The ${room} of the yard is locked at nine.`, review_required: true });
    await retain(served, served.keys.agent_key, { content: "The ferry to Vela leaves from quay 2." });
    await retain(served, served.keys.agent_key, { content: "The ferry to Vela leaves from quay 5." });
    await page.goto(`${served.url}/review`);
    const heads = await page.locator("header.kind h2").allTextContents();
    assert.deepEqual(heads.slice(0, 2), ["Contradictions 1", "Requested 3"]);
    assert.match(await page.locator("nav.views a").first().textContent(), /^All [4-9]/);
    await fits("review, all kinds");
    const comesTo = (words) => page.locator("article.case.here", { hasText: words }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await comesTo("lamp store");
    await page.keyboard.press("a");
    await comesTo("rope store");
    assert.ok(await page.getByText("Approved.").isVisible());
    await page.keyboard.press("u");
    await page.getByText("Taken back.").waitFor();
    assert.equal(await page.locator("header.kind h2").first().textContent(), "Requested 3");
    for (const next of ["lamp store", "rope store", "paint store"]) {
      if (next === "lamp store") await page.keyboard.press("j");
      else await page.keyboard.press("a");
      await comesTo(next);
    }
    await page.keyboard.press("x");
    await page.getByText("Rejected.").waitFor();
  },

  async "shortcuts of one key can be switched off, and on again"() {
    await page.goto(`${served.url}/account`);
    const choice = page.getByLabel("Shortcuts of single keys, in this browser");
    const lead = async () => {
      await page.getByRole("heading", { name: "Shortcuts" }).click();
      await page.keyboard.press("g");
      await page.keyboard.press("r");
    };
    await choice.uncheck();
    await fits("account, shortcuts off");
    await page.reload();
    assert.equal(await choice.isChecked(), false, "the browser keeps it");
    await lead();
    await page.keyboard.press("?");
    await page.waitForTimeout(300);
    assert.match(page.url(), /\/account$/);
    await choice.check();
    await lead();
    await page.waitForURL("**/review*");
  },

  async "a key is rotated and revoked, and refused from then on"() {
    await page.goto(served.scoutPage);
    await page.getByLabel("Hours that the old secret stays good").fill("0");
    await page.getByRole("button", { name: "Give it a new secret" }).click();
    const renewed = (await page.locator(".once code").textContent()).trim();
    assert.equal((await recall(served, served.scout, "Is it there?")).status, 401);
    assert.equal((await recall(served, renewed, "Is it there?")).status, 200);
    await page.goto(`${served.url}/connections`);
    await page.locator("#verify input[name=key]").fill(served.scout);
    await page.getByRole("button", { name: "Verify" }).click();
    await page.locator(".checks").getByText("failed").waitFor();
    await fits("connections");
    await page.goto(served.scoutPage);
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked.").waitFor();
    assert.equal((await recall(served, renewed, "Is it there?")).status, 401);
  },

  async "a connector token is exchanged once"() {
    await page.goto(`${served.url}/connections/new?kind=connector`);
    await page.getByLabel("Name", { exact: true }).fill("laptop");
    await page.getByRole("button", { name: "Make the token" }).click();
    const token = (await page.locator(".once code").first().textContent()).trim();
    await fits("token, shown");
    const exchange = () => fetch(`${served.url}/mcp/connect/${token}`, {
      method: "POST", headers: { "content-type": "application/json" }, body: '{"client":"cursor"}',
    });
    const first = await exchange();
    assert.equal(first.status, 200);
    const { key } = await first.json();
    assert.equal((await recall(served, key, "Is it there?")).status, 200);
    assert.equal((await exchange()).status, 404);
  },

  async "activity, trail and operations tell what happened"() {
    await page.goto(`${served.url}/activity`);
    assert.equal(await page.locator("figure.chart").count(), 6);
    await fits("activity");
    await page.goto(`${served.url}/activity/audit`);
    await page.getByRole("button", { name: "Follow the chain" }).click();
    await page.getByText("The chain holds").waitFor();
    await fits("trail");
    await page.goto(`${served.url}/operations`);
    await fits("operations");
    await page.getByRole("button", { name: "Back up now" }).click();
    await page.getByText("was made and verified").waitFor();
    await page.getByRole("button", { name: "Examine everything" }).click();
    await page.getByText("Everything is sound").waitFor();
  },

  async "what is erased is gone, and not before that is said twice"() {
    const secret = await retain(served, served.keys.agent_key, { content: "Olaf keeps a spare key under the third stone." });
    const id = secret.body.memories[0].id;
    await page.goto(`${served.url}/operations/erase`);
    await fits("erase");
    await page.locator("input[name=which]").fill(id);
    await page.getByRole("button", { name: "What would go?" }).click();
    await page.getByText("1 memories.").waitFor();
    await fits("erase, dry run");
    await page.getByLabel("Type “erase” to go on").fill("erase");
    await page.getByRole("button", { name: "Erase for good" }).click();
    await page.getByText("It is gone").waitFor();
    const left = await ask(served, served.keys.operator_key, `/api/v1/admin/memories/${id}/history`, undefined, "GET");
    assert.ok(!JSON.stringify(left.body).includes("third stone"));
  },

  async "a reviewer sees what a reviewer may, also without a script"() {
    await page.goto(`${served.url}/people`);
    await page.getByLabel("Name", { exact: true }).fill("olaf");
    await page.getByLabel("First password").fill(PASSWORD);
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await page.getByText("Named.").waitFor();
    await fits("people");
    await page.goto(`${served.url}/account`);
    await fits("account");
    const asked = await retain(served, served.keys.agent_key, { content: "The kiln in the east wing is fired on Thursdays.", review_required: true });
    assert.equal(asked.body.memories[0].lifecycle_state, "pending");
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const reading = watched(await plain.newPage(), served, complaints);
    await reading.goto(`${served.url}/review`);
    await signIn(reading, served, "olaf");
    await reading.locator("p.said", { hasText: "The kiln in the east wing" }).waitFor();
    assert.equal(await reading.getByRole("link", { name: "Operations" }).count(), 0);
    await reading.locator("article.case").filter({ hasText: "kiln" }).getByRole("button", { name: "Approve", exact: true }).click();
    await reading.getByText("Approved.").waitFor();
    await reading.goto(`${served.url}/memories?q=When+is+the+kiln+in+the+east+wing+fired%3F`);
    await reading.getByText("The kiln in the east wing is fired on Thursdays.").first().waitFor();
    assert.equal((await reading.goto(`${served.url}/operations`)).status(), 404);
    await plain.close();
  },

  async "what is stored does nothing to a page, and is read to its end"() {
    const harm = `<img src=x onerror=document.title='owned'><script>document.title='owned'</script><svg onload=document.title='owned'> \u202Epay \u2066now\u200F `;
    const end = " That is the end of the log of the barge.";
    const middle = `${"x".repeat(3000)} ${"The barge took on rope at the quay. ".repeat(1500)}`;
    const content = harm + middle.slice(0, 50_000 - harm.length - end.length) + end;
    assert.equal(content.length, 50_000);
    const kept = await retain(served, served.keys.agent_key, { content, auto_extract: false, review_required: true });
    const row = kept.body.memories[0];
    const views = ["/memories?state=pending", `/memories?view=courtroom&case=${row.id}`, `/memories?view=recall&q=barge+rope+quay`, "/review"];
    for (const view of views) {
      await page.goto(served.url + view);
      assert.notEqual(await page.title(), "owned", view);
      assert.equal(await page.locator("main img, main script, p.said svg").count(), 0, view);
      await fits(`hostile text at ${view}`);
      const rest = page.locator("details.rest", { hasText: /All 50\u202f000 characters/ }).first();
      if ((await rest.count()) === 0) {
        assert.match(view, /recall|courtroom/, `it stands at ${view}`);
        continue;
      }
      await page.setViewportSize({ width: 390, height: 900 });
      await rest.locator("summary").click();
      const whole = rest.locator("p.said");
      assert.ok((await whole.textContent()).endsWith(end), view);
      assert.ok((await whole.textContent()).includes("<script>document.title='owned'</script>"), view);
      assert.deepEqual([...new Set(await whole.locator(".unseen").allTextContents())], ["U+202E", "U+2066", "U+200F"]);
      await fits(`hostile text, whole, at ${view}`);
      assert.notEqual(await page.title(), "owned", view);
    }
  },

  async "every page is read, and the queue worked through, without a script"() {
    const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 900 } });
    const reading = watched(await plain.newPage(), served, complaints);
    await reading.goto(`${served.url}/memories`);
    await signIn(reading, served);
    const asked = "q=Where+is+the+ferry%3F";
    for (const [view, heading] of [
      ["/memories", "Memories"], [`/memories?view=recall&${asked}`, "What it gets"],
      [`/memories?view=why&case=${served.fact}&${asked}`, "Why"], [`/memories?view=courtroom&case=${served.fact}`, "Final verdict"],
      ["/review", "Review"], ["/review?state=closed", "Review"], ["/connections", "Connections"], ["/connections/new", "New key"],
      ["/activity", "Activity"], ["/activity/audit", "The trail"], ["/operations", "Operations"], ["/operations/erase", "Erase"],
      ["/people", "People"], ["/account", "mara"],
    ]) {
      assert.equal((await reading.goto(served.url + view)).status(), 200, view);
      await reading.getByText(heading).first().waitFor();
    }
    for (const content of ["The chart room has a new lock.", "The bell of the pier was polished."])
      await retain(served, served.keys.agent_key, { content, review_required: true });
    await reading.goto(`${served.url}/review?kind=requested`);
    await reading.getByRole("link", { name: /alike/ }).first().click();
    const group = reading.url();
    const card = () => reading.locator("article.case", { hasText: "chart room" });
    await card().getByLabel("Reason").fill("seen");
    await card().getByRole("button", { name: "Reject", exact: true }).click();
    await reading.getByText("Rejected.").waitFor();
    await reading.getByRole("button", { name: "Undo" }).first().click();
    await reading.getByText("Taken back.").waitFor();
    await reading.goto(group);
    await card().getByText("Edit, then approve").click();
    await card().getByLabel("As one statement").fill("The chart room has a new brass lock.");
    await card().getByRole("button", { name: "Approve in these words" }).click();
    await reading.getByText("Approved.").waitFor();
    await reading.goto(`${served.url}/memories`);
    await reading.getByRole("searchbox").first().fill("brass lock");
    await reading.keyboard.press("Enter");
    await reading.getByText("The chart room has a new brass lock.").first().waitFor();
    await reading.getByRole("button", { name: "Sign out" }).click();
    await reading.getByText("You are signed out.").waitFor();
    await plain.close();
  },

  async "a page that is not there says so"() {
    assert.equal((await page.goto(`${served.url}/memories?view=courtroom&case=mem_0`)).status(), 404);
    await fits("nothing here");
  },
};

let passed = 0;
try {
  served = await serve(program);
  browser = await browse(chromium);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  page = watched(await context.newPage(), served, complaints);
  for (const [name, step] of Object.entries(steps)) {
    await step();
    passed += 1;
    console.log(`  ${name}`);
  }
} catch (error) {
  const at = Object.keys(steps)[passed] ?? "start";
  complaints.push(`${at}: ${error.stack ?? error}\n    at ${page?.url()}`);
  if (page && process.env.TESTIMONY_PICTURE) await page.screenshot({ path: process.env.TESTIMONY_PICTURE, fullPage: true });
} finally {
  await browser?.close();
  await served?.stop();
}
for (const complaint of new Set(complaints)) console.error(complaint);
console.log(`browser: ${passed} of ${Object.keys(steps).length} steps, ${new Set(complaints).size} complaints`);
process.exitCode = complaints.length > 0 ? 1 : 0;
