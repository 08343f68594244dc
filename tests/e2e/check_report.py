# SPDX-License-Identifier: Apache-2.0
# check_report.py RUN [--hostile WORD]: is RUN/report a sound HTML report that says what
# RUN/summary.json says? Prints "ok NAME" and "not ok NAME".
#   structure  tags are balanced, ids unique, links lead somewhere, nothing comes from a network
#   numbers    every number that names its place in summary.json, and those of the tables
#   --hostile  texts of the run contain markup; WORD of it is on the pages as text only
import json, os, re, sys
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "input", "line", "rect", "path"}
ALLOWED = {"html", "head", "meta", "title", "link", "script", "body", "a", "header", "span", "nav", "ul",
           "li", "main", "h1", "h2", "h3", "p", "footer", "code", "kbd", "div", "table", "caption",
           "thead", "tbody", "tr", "th", "td", "i", "b", "dl", "dt", "dd", "details", "summary", "section",
           "ol", "pre", "strong", "figure", "figcaption", "svg", "text", "line", "rect", "path"}


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.stack, self.problems, self.ids, self.links = [], [], set(), []
        self.numbers, self.rows, self.row, self.cell, self.number = [], [], None, None, None
        self.feed(text)
        self.close()
        if self.stack:
            self.problems.append(f"not closed: {self.stack}")

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in VOID and not (tag in ("line", "rect", "path")):
            self.stack.append(tag)
        if tag not in ALLOWED:
            self.problems.append(f"element {tag}")
        for name, value in attributes:
            if name.startswith("on"):
                self.problems.append(f"attribute {name}")
            if name in ("href", "src"):
                self.links.append(value)
        if "id" in given:
            if given["id"] in self.ids:
                self.problems.append(f"id {given['id']} twice")
            self.ids.add(given["id"])
        if tag == "tr":
            self.row = (given, [])
            self.rows.append(self.row)
        if tag in ("td", "th") and self.row:
            self.cell = []
            self.row[1].append(self.cell)
        if "data-n" in given:
            self.number = (given["data-n"], [])
            self.numbers.append(self.number)

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.stack or self.stack.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()}")
        if tag in ("td", "th"):
            self.cell = None
        if tag == "span":
            self.number = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)
        if self.number:
            self.number[1].append(data)


def tell(name, problems):
    print(("not ok " if problems else "ok ") + name)
    for problem in problems[:8]:
        print(f"    {problem}")


def look_up(tree, key):
    for step in re.findall(r"[^.\[\]]+", key):
        tree = tree[int(step)] if isinstance(tree, list) else tree[step]
    return tree


def ratio(counts, what):
    return f"{counts[what + '_covered']}/{counts[what]}" if counts[what] else "–"


def goal_cells(c):
    return [ratio(c, "branches"), str(c["branches_infeasible"]), str(c["branches_infeasible_assuming"]),
            str(c["branches_justified"]), str(c["branches_undetermined"]), ratio(c, "conditions")]


run = sys.argv[1]
report = os.path.join(run, "report")
summary = json.load(open(os.path.join(run, "summary.json"), encoding="utf-8", errors="replace"))
texts = {name: open(os.path.join(report, name), "rb").read() for name in os.listdir(report)}
pages, problems = {}, []
for name, data in sorted(texts.items()):
    if name.endswith(".html"):
        try:
            pages[name] = Page(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            problems.append(f"{name}: {error}")
            continue
        odd = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", data.decode("utf-8"))
        if odd:
            problems.append(f"{name}: character {odd.group()!r}")
        problems += [f"{name}: {problem}" for problem in pages[name].problems]
tell("every page is sound", problems)
tell("there are pages", [] if len(pages) >= 9 else [str(sorted(pages))])

problems = []
for name, page in pages.items():
    for link in page.links:
        target, _, fragment = link.partition("#")
        target = target or name
        if link == "data:,":
            continue
        if target not in texts:
            problems.append(f"{name}: {link} leads nowhere")
        elif fragment and target in pages and fragment not in pages[target].ids:
            problems.append(f"{name}: {link} has no such place")
tell("every link leads somewhere, and stays in the folder", problems)

problems, seen = [], set()
for name, page in pages.items():
    for key, text in page.numbers:
        seen.add(key)
        if str(look_up(summary, key)) != "".join(text):
            problems.append(f"{name}: {key} is {''.join(text)}, {look_up(summary, key)} in summary.json")
for key, value in summary["totals"].items():
    if key not in ("tests", "lines") and f"totals.{key}" not in seen:
        problems.append(f"totals.{key} is on no page")
for group in ("open", "assuming"):
    problems += [f"{group}.{key} is on no page" for key, value in summary[group].items()
                 if value and f"{group}.{key}" not in seen]
tell("numbers are those of summary.json", problems)

problems, count = [], 0
for given, cells in pages["tests.html"].rows:
    if "data-task" not in given:
        continue
    c = summary["tasks"][int(given["data-task"])]
    got = ["".join(cell) for cell in cells]
    want = [c["function"], ratio(c, "branches"), ratio(c, "conditions"), ratio(c, "lines"), str(c["tests"]),
            str(c["alarms"] + c["bugs"]), str(c["runs"]), str(c["queries"])]
    count += 1
    if "--hostile" not in sys.argv and got[:1] + got[3:10] != want:
        problems.append(f"{got}, wanted {want}")
    elif got[3:10] != want[1:]:
        problems.append(f"{got}, wanted {want}")
if count != len(summary["tasks"]):
    problems.append(f"{count} rows for {len(summary['tasks'])} tasks")
tell("the table of tasks", problems)

problems = []
for given, cells in pages["index.html"].rows:
    path = os.path.join(run, given.get("data-part", "?"), "summary.json")
    if "data-part" not in given or not os.path.exists(path):
        continue
    c = json.load(open(path, encoding="utf-8", errors="replace"))["totals"]
    got = ["".join(cell) for cell in cells]
    want = goal_cells(c) + [ratio(c, "lines"), str(c["tests"]), str(c["alarms"] + c["bugs"])]
    if got[2:8] + got[9:] != want:
        problems.append(f"{given['data-part']}: {got}, wanted {want}")
tell("the table of files", problems)

sums = {"all": 0, "covered": 0, "open": 0}
with_file = len(summary["tasks"]) and len({task["file"] for task in summary["tasks"]}) > 1
for given, cells in pages["functions.html"].rows:
    if given.get("class") != "in":
        continue
    got = ["".join(cell) for cell in cells]
    at = next(i for i, cell in enumerate(got) if re.fullmatch(r"\d+/\d+|–", cell))
    if got[at] != "–":
        covered, every = map(int, got[at].split("/"))
        sums["covered"] += covered
        sums["all"] += every
        sums["open"] += int(got[at + 4])
totals = summary["totals"]
want = {"all": totals["branches"], "covered": totals["branches_covered"], "open": totals["branches_undetermined"]}
tell("functions add up to the totals", [] if sums == want else [f"{sums}, wanted {want}"])

if "--hostile" in sys.argv:
    word = sys.argv[sys.argv.index("--hostile") + 1].encode()
    everything = b"".join(data for name, data in texts.items() if name.endswith(".html"))
    tell("hostile text is shown", [] if b"&lt;" + word in everything else [f"&lt;{word} is missing"])
    tell("and never as markup", [] if b"<" + word not in everything else [f"<{word}"])
