// SPDX-License-Identifier: Apache-2.0
// What pages can do beyond being read: sort and filter tables, choose dark or light, open what a
// link leads to, walk from one open goal to the next. Everything is on the page already.
"use strict";
(() => {
  const root = document.documentElement;
  const stored = (value) => { // a page from a disk may have no storage
    try {
      if (value !== undefined) localStorage.setItem("cadenza-theme", value);
      return localStorage.getItem("cadenza-theme");
    } catch { return null; }
  };
  const chosen = stored();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  root.classList.add("js"); // with a script, long tables begin with their first rows
  const FIRST_ROWS = 200; // as in report.css

  // ---- dark and light ----
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  let themeButton;
  const nameTheme = () => { themeButton.textContent = isDark() ? "Light" : "Dark"; };
  const toggleTheme = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    stored(root.dataset.theme);
    nameTheme();
  };
  const addThemeButton = () => {
    themeButton = document.createElement("button");
    themeButton.type = "button";
    themeButton.className = "theme";
    themeButton.setAttribute("aria-label", "Switch between dark and light");
    nameTheme();
    themeButton.addEventListener("click", toggleTheme);
    document.querySelector(".top").append(themeButton);
  };

  // ---- sorting ----
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.v ?? cell.textContent.trim();
    const number = Number(text);
    return text !== "" && !Number.isNaN(number) ? number : text.toLowerCase();
  };
  const compare = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0)
    : typeof a === "number" ? -1 : 1;
  const sortBy = (table, heading, column) => {
    const numbers = heading.classList.contains("n");
    const before = heading.getAttribute("aria-sort");
    const down = before ? before === "ascending" : numbers;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => [valueOf(row, column), row]);
    rows.sort((a, b) => (down ? -1 : 1) * compare(a[0], b[0]));
    body.append(...rows.map((pair) => pair[1]));
  };
  const makeSortable = (table) => {
    Array.from(table.tHead.rows[0].cells).forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sortBy(table, heading, column));
      heading.append(button);
    });
  };

  // ---- filtering ----
  const makeFilter = (table) => {
    const rows = Array.from(table.tBodies[0].rows);
    if (rows.length < 6) return;
    const label = document.createElement("label");
    const input = document.createElement("input");
    const count = document.createElement("span");
    let texts = null;
    label.className = "filter";
    input.type = "search";
    input.placeholder = "words that rows contain";
    count.setAttribute("aria-live", "polite");
    label.append("Filter", input, count);
    input.addEventListener("input", () => {
      texts ??= rows.map((row) => row.textContent.toLowerCase());
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, i) => {
        row.hidden = !words.every((word) => texts[i].includes(word));
        shown += !row.hidden;
      });
      count.textContent = words.length ? `${shown} of ${rows.length}` : "";
    });
    table.parentElement.before(label);
  };

  // ---- long tables ----
  const addShowAll = (table) => {
    const count = table.tBodies[0].rows.length;
    if (count <= FIRST_ROWS) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "all";
    button.textContent = `Show all ${count} rows`;
    button.addEventListener("click", () => {
      table.classList.add("whole");
      button.remove();
    });
    table.parentElement.after(button);
  };

  // ---- links into what is folded ----
  const openTarget = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView({block: "center"});
  };

  // ---- keys ----
  let current = -1;
  const step = (by) => {
    const lines = Array.from(document.querySelectorAll(".line.open, .line.part"))
      .filter((line) => line.tagName === "DETAILS");
    if (!lines.length) return;
    current = (current + by + lines.length + (current < 0 && by < 0 ? 1 : 0)) % lines.length;
    const line = lines[current];
    line.open = true;
    line.scrollIntoView({block: "center"});
    line.querySelector("summary").focus({preventScroll: true});
  };
  const keys = {
    "/": () => document.querySelector(".filter input")?.focus(),
    n: () => step(1),
    p: () => step(-1),
    d: toggleTheme,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  addEventListener("hashchange", openTarget);
  document.addEventListener("DOMContentLoaded", () => {
    addThemeButton();
    for (const table of document.querySelectorAll("table.sortable")) {
      makeSortable(table);
      addShowAll(table);
    }
    for (const table of document.querySelectorAll("table[data-filter]")) makeFilter(table);
    openTarget();
  });
})();
