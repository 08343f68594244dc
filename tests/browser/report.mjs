// SPDX-License-Identifier: Apache-2.0
// report.mjs REPORT: uses a report as a reader does, in Chromium: opens, sorts, filters, follows a
// goal to its line and its test, switches colours; without a message on the console, without an
// access to a network, and without a violation by axe-core in light and in dark.
import {readdirSync, readFileSync} from "node:fs";
import {axePath, equals, launch} from "./browser.mjs";

const report = process.argv[2];
const address = (name) => `file://${report}/${name}`;
const browser = await launch();
const messages = [];

const watch = (page) => {
  page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => messages.push(error.message));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) messages.push(`request of ${request.url()}`);
  });
  return page;
};

// ---- tables ----
const page = watch(await browser.newPage({viewport: {width: 1280, height: 900}}));
await page.goto(address("index.html"));
equals("the overview opens", true, (await page.locator("h1").textContent()).length > 0);
const column = (n) => page.locator(`#main table.sortable[data-filter] tbody tr:visible td:nth-child(${n})`).allTextContents();
const names = await column(1);
equals("a table has rows", true, names.length > 5);
await page.locator("table[data-filter] th button").first().click();
equals("sorting by name", [...names].sort((a, b) => a.toLowerCase() < b.toLowerCase() ? -1 : 1), await column(1));
equals("is announced", "ascending", await page.locator("table[data-filter] th").first().getAttribute("aria-sort"));
await page.keyboard.press("Enter");
equals("and the other way by the keyboard", [...names].sort((a, b) => a.toLowerCase() > b.toLowerCase() ? -1 : 1), await column(1));
await page.keyboard.press("/");
await page.keyboard.type(names[0]);
equals("a filter, reached by a key", [names[0]], await column(1));
equals("says how many rows match", `1 of ${names.length}`, (await page.locator(".filter span").first().textContent()));
await page.keyboard.press("Escape");

// ---- goal, line, test ----
await page.goto(address("goals.html"));
await page.locator("section.goals table a[href*='#g']").first().click();
await page.waitForFunction(() => document.querySelector(".goal:target"));
equals("a goal leads to its line", true, await page.locator(".goal:target").isVisible());
equals("which is open", true, await page.evaluate(() => document.querySelector(".goal:target").closest("details").open));
await page.keyboard.press("n");
equals("a key leads to an open goal", "SUMMARY", await page.evaluate(() => document.activeElement.tagName));
const source = readdirSync(report).filter((name) => name.startsWith("file-"))
  .find((name) => readFileSync(`${report}/${name}`, "utf8").includes("Independence pair"));
await page.goto(address(source));
const decision = page.locator("details.line", {has: page.locator("table.mcdc tbody tr")}).first();
equals("a decision is folded", false, await decision.locator("table.mcdc").first().isVisible());
await decision.locator("summary").first().click();
equals("and opens", true, await decision.locator("table.mcdc").first().isVisible());
await decision.locator("table.mcdc a").first().click();
await page.waitForFunction(() => document.querySelector("details.test:target"));
equals("a vector leads to its test", true, await page.locator("details.test:target table.tree").first().isVisible());
await page.goBack();

// ---- colours ----
const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = await background();
await page.getByRole("button", {name: /dark and light/}).click();
equals("a button switches to dark", true, await background() !== light);
await page.goto(address("index.html"));
equals("other pages follow", true, await background() !== light);
await page.keyboard.press("d");
equals("a key switches back", light, await background());
await page.close();

// ---- without a script, in print ----
const plain = await browser.newContext({javaScriptEnabled: false});
const still = watch(await plain.newPage());
await still.goto(address("index.html"));
equals("everything can be read without a script", names.length,
  await still.locator("table.sortable[data-filter] tbody tr").count());
await plain.close();

// ---- accessibility ----
const axe = readFileSync(axePath, "utf8");
const task = readdirSync(report).find((name) => name.startsWith("task-"));
for (const colorScheme of ["light", "dark"]) {
  const context = await browser.newContext({colorScheme, viewport: {width: 1280, height: 900}});
  for (const name of ["index.html", "functions.html", "goals.html", "tests.html", "alarms.html",
                      "search.html", "run.html", source, task]) {
    const checked = watch(await context.newPage());
    await checked.goto(address(name));
    await checked.evaluate(() => document.querySelectorAll("details").forEach((d, i) => { d.open = i < 30; }));
    await checked.evaluate(axe);
    const found = await checked.evaluate(() => axe.run({ preload: false }));
    equals(`axe-core on ${name.replace(/-\d+-.*/, "")}, ${colorScheme}`, [],
      found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 2).map((n) => n.html).join(" ")}`));
    await checked.close();
  }
  await context.close();
}
equals("no message on the console, no network", [], messages);
await browser.close();
