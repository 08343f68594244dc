// SPDX-License-Identifier: Apache-2.0
// speed.mjs REPORT SECONDS: how long pages take until they react, and sorting and filtering the
// largest tables. Each the best of three. Exit code 1 if one takes longer than SECONDS.
import {readdirSync} from "node:fs";
import {launch} from "./browser.mjs";

const [report, limit] = [process.argv[2], Number(process.argv[3])];
const browser = await launch();
let missed = false;

// Both in milliseconds: on the clock, and of the page's main thread on a processor. The limit is for
// the latter, so that other work on the machine does not count.
const tell = (name, times) => {
  const best = times.reduce((a, b) => a.busy < b.busy ? a : b);
  missed ||= best.busy > 1000 * limit;
  console.log(`${name.padEnd(34)} ${(best.busy / 1000).toFixed(2)} s  (${(best.clock / 1000)
    .toFixed(2)} s on the clock)${best.busy > 1000 * limit ? "  missed" : ""}`);
};

const measure = async (page, act) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", {timeDomain: "threadTicks"});
  const busy = async () => (await session.send("Performance.getMetrics")).metrics
    .find((metric) => metric.name === "TaskDuration").value * 1000;
  const [begin, before] = [performance.now(), await busy()];
  await act();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const result = {clock: performance.now() - begin, busy: await busy() - before};
  await session.detach();
  return result;
};

const source = readdirSync(report).find((name) => name.startsWith("file-"));
const task = readdirSync(report).find((name) => name.startsWith("task-"));
for (const name of ["index.html", "functions.html", "goals.html", "tests.html", "alarms.html",
                    "search.html", "run.html", source, task]) {
  const opened = [], sorted = [], filtered = [];
  for (let i = 0; i < 3; i++) {
    const page = await browser.newPage({viewport: {width: 1280, height: 900}});
    opened.push(await measure(page, () => page.goto(`file://${report}/${name}`, {waitUntil: "domcontentloaded"})));
    if (await page.locator("table.sortable th button").count())
      sorted.push(await measure(page, () => page.locator("table.sortable th button").first().evaluate((b) => b.click())));
    if (await page.locator(".filter input:visible").count())
      filtered.push(await measure(page, () => page.locator(".filter input:visible").first().fill("7")));
    await page.close();
  }
  tell(`open ${name}`, opened);
  if (sorted.length) tell(`  sort`, sorted);
  if (filtered.length) tell(`  filter`, filtered);
}
await browser.close();
process.exit(missed ? 1 : 0);
