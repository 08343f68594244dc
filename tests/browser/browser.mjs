// SPDX-License-Identifier: Apache-2.0
// Chromium without a window, and lines "ok NAME" as the other tests print them.
// MODULES is where tests/browser/install.sh has put the modules.
import {createRequire} from "node:module";
import {existsSync} from "node:fs";

const require = createRequire(process.env.MODULES + "/");
const {chromium} = require("playwright-core");
export const axePath = require.resolve("axe-core/axe.min.js");

export const launch = () => chromium.launch({
  executablePath: ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync),
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"],
});

export const equals = (name, expected, actual) => {
  const same = JSON.stringify(expected) === JSON.stringify(actual);
  console.log(same ? `ok ${name}` : `not ok ${name}\n    expected ${JSON.stringify(expected)}, ` +
    `got ${JSON.stringify(actual)}`);
};
