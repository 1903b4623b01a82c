#!/usr/bin/env python3
"""Opens the page of `airlite-run --view` in a headless Chromium, clicks in it, and checks what it shows.

usage: page_test.py BIN PROGRAM.mlir     exit 77 where there is no Chromium
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import browser as browsers

RECORD = re.compile(r'(<script type="application/json" id="record">)(.*?)(</script>)', re.S)
ROOT = Path(__file__).resolve().parents[2]
EVENTS = 200_000
# A frame of 60 Hz has 16 ms; this machine may have other work, so that the bound is a loose one.
MOST_MILLISECONDS = 60


def check(is_right, *what):
    if not is_right:
        raise AssertionError(" ".join(map(str, what)))


class Page:
    def __init__(self, browser, record):
        self.browser, self.record, self.run = browser, record, record["runs"][0]

    def text(self, selector):
        return self.browser.value(f"document.querySelector({json.dumps(selector)})?.textContent ?? null")

    def number(self, selector):
        return self.browser.value(f"document.querySelectorAll({json.dumps(selector)}).length")

    def is_shown(self, selector):
        return self.browser.value(f"document.querySelector({json.dumps(selector)}).checkVisibility()")

    def open_tab(self, name):
        self.browser.click(f"#tab-{name}")
        shown = [view for view in ("summary", "array", "timeline", "memory") if self.is_shown(f"#{view}")]
        check(shown == [name], f"tab {name} shows", shown)

    # -- Views ------------------------------------------------------------------------------------------

    def summary(self):
        self.open_tab("summary")
        check(f"{self.run['cycles']:,}" in self.text(".figures"), "cycles are not in", self.text(".figures"))
        check("%" in self.text("#verdict"), "verdict:", self.text("#verdict"))
        check(self.number("#bounds tbody tr") == 6, "bounds")
        check(self.number("#cores tbody tr") == len(self.run["statistics"]["cores"]), "cores")
        check(self.number("#roofline circle") == 1, "the roofline has no point")
        self.browser.click("#hot tbody tr")
        line = self.text("#hot .link").split()[1]
        check(self.text("#marked-line") == f"line {line}", "the hottest line is not marked")
        self.browser.click("#cores tbody tr")
        check("core tile" in self.text("#details-title"), self.text("#details-title"))

    def array(self):
        self.open_tab("array")
        device = self.record["device"]
        check(self.number(".tile") == device["columns"] * len(device["rows"]), "tiles")
        core = self.run["statistics"]["cores"][0]
        tile = f"{core['column']},{core['row']}"
        self.browser.click(f'.tile[data-tile="{tile}"] rect.body')
        check(self.text("#details-title") == f"({tile}) core tile", self.text("#details-title"))
        check(self.number(".tile.chosen") == 1, "no tile is chosen")
        check(f"{core['bundles']:,} instructions" in self.text("#details"), self.text("#details"))
        flows = self.run["resources"]["flows"]
        check(self.number(".flow") == len(flows), "flows")
        for number, flow in enumerate(flows):
            self.flow(number, flow)
        self.browser.value('document.querySelector(\'.tile[data-tile="0,1"]\').focus()')
        self.browser.key("Enter")
        check(self.text("#details-title") == "(0,1) memory tile", "by keyboard:", self.text("#details-title"))

    def flow(self, number, flow):
        """Hovering over its source names it and its words; a click shows its route."""
        x, y = self.browser.place(f'.flow[data-flow="{number}"] circle')
        self.browser.hover(at=(x, y))
        tip = self.text("#tip")
        check(self.is_shown("#tip") and tip.startswith(f"{flow['name']}: ") and " words" in tip, f"hover on flow {number}:", tip)
        self.browser.click(at=(x, y))
        check(self.text("#details-title") == flow["name"], "click on a flow:", self.text("#details-title"))
        ports = self.browser.value("[...document.querySelectorAll('#details td.number')].map((e) => e.textContent)")
        wanted = [f"({hop['from'][0]},{hop['from'][1]}) {hop['port']}" for hop in flow["route"]]
        check(ports[::2] == wanted, "route:", ports)
        words = {(one["column"], one["row"], one["master"]): one["words"] for one in self.run["statistics"]["streams"]}
        for hop in flow["route"]:
            check(f"{words.get((*hop['from'], hop['port']), 0):,}" in self.text("#details"), "words of", hop)

    def memory(self):
        self.open_tab("memory")
        use = next(one for one in self.run["resources"]["tiles"] if one.get("buffers") and one["kind"] == "core")
        column, row = use["tile"]
        self.browser.click(f'#memory [data-tile="{column},{row}"] td')
        for buffer in use["buffers"]:
            check(buffer["name"] in self.text("#details"), buffer["name"], "is not in", self.text("#details"))
        check(self.number("#details table:last-of-type tr") >= len(use["buffers"]), "buffers")

    # -- Timeline ---------------------------------------------------------------------------------------

    def range(self):
        return [int(number.replace(",", "")) for number in re.findall(r"[\d,]+", self.text("#range"))]

    def canvas(self):
        return self.browser.value("(() => { const b = document.querySelector('#chart canvas').getBoundingClientRect();"
                                  " return [b.x, b.y, b.width, b.height]; })()")

    def painted(self):
        """Colours of the pixels of the chart, right of the names."""
        return self.browser.value(
            "(() => { const c = document.querySelector('#chart canvas'), d = c.getContext('2d').getImageData(130, 24, c.width - 130, c.height - 24).data;"
            " const seen = new Set(); for (let i = 0; i < d.length; i += 4) if (d[i + 3] === 255) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return seen.size; })()")

    def timeline(self):
        self.open_tab("timeline")
        self.browser.frame()
        cycles = self.run["cycles"]
        check(self.range() == [0, cycles], "range:", self.range())
        check(self.painted() >= 3, "the chart is empty")
        self.browser.click("#zoom-in")
        begin, end = self.range()
        check(abs((end - begin) - cycles / 2) <= 2, "zoom in:", begin, end)
        x, y, width, height = self.canvas()
        self.browser.wheel((x + width - 2, y + height / 2), -400, control=True)
        check(self.range()[1] - self.range()[0] < (end - begin) / 2, "the wheel does not zoom:", self.range())
        before = self.range()
        self.browser.drag((x + width - 50, y + 60), (x + width - 250, y + 60))
        check(self.range()[0] > before[0], "dragging does not move:", before, self.range())
        self.browser.click("#zoom-fit")
        check(self.range() == [0, cycles], "fit:", self.range())
        self.bar()
        self.keys()
        self.rows()

    def longest(self, kind):
        """The longest bar of a core or channel that has a source line: row, begin, end, its line."""
        tracks = [track for track in self.run["tracks"] if track["kind"] != "lock"]
        found = []
        for row, track in enumerate(tracks[:20]):
            at = 0
            for number, length in enumerate(track["lengths"]):
                place = track["origins"][track["from"][number]][1]
                if track["kind"] == kind and place >= 0 and number not in dict(track["mixed"]):
                    found.append((length, row, at, track, place))
                at += length
        return max(found, key=lambda one: one[0])

    def bar(self):
        """A click on a bar says what it is, and marks its source line."""
        for kind in ("core", "channel"):
            length, row, begin, track, place = self.longest(kind)
            x, y, width, _ = self.canvas()
            at = (x + 128 + (begin + length / 2) / self.run["cycles"] * (width - 128), y + 22 + row * 18 + 9)
            self.browser.hover(at=at)
            check(f"{length:,} cycles" in self.text("#tip"), "hover on a bar:", self.text("#tip"))
            self.browser.click("#tab-timeline")
            self.browser.value("document.querySelector('.code .row.marked')?.classList.remove('marked')")
            self.browser.click(at=at)
            tile = track["tile"]
            check(self.text("#details-title").startswith(f"({tile[0]},{tile[1]})"), self.text("#details-title"))
            check(f"{length:,} cycles" in self.text("#details"), self.text("#details"))
            file, line, _ = self.run["places"][place]
            check(self.text("#marked-line") == f"line {line}", "the bar marks", self.text("#marked-line"), "and not", line)
            text = self.record["sources"][self.run["files"][file]].split("\n")[line - 1]
            check(text in self.text(".code .row.marked"), "marked is", self.text(".code .row.marked"))
            self.browser.value("document.querySelector('.code .row.marked').classList.remove('marked')")
            self.browser.click("#details .source-link")
            check(text in self.text(".code .row.marked"), "the link of the bar marks nothing")

    def keys(self):
        self.browser.value("document.querySelector('#chart canvas').focus()")
        self.browser.key("+")
        check(self.range()[1] - self.range()[0] < 0.6 * self.run["cycles"], "plus does not zoom")
        before = self.range()
        self.browser.key("ArrowRight")
        check(self.range()[0] > before[0], "right does not move")
        self.browser.key("Home")
        self.browser.key("ArrowDown")
        title = self.text("#details-title")
        self.browser.key(".")
        first = self.text("#details")
        self.browser.key(".")
        check(self.text("#details") != first, "full stop does not step: ", title, first)
        self.browser.key(",")
        check(self.text("#details") == first, "comma does not step back")

    def rows(self):
        tile = self.run["statistics"]["cores"][0]
        name = f"({tile['column']},{tile['row']})"
        self.browser.click("#row-filter")
        self.browser.type(name)
        self.browser.click("#show-lock")
        wanted = sum(1 for track in self.run["tracks"] if track.get("tile") == [tile["column"], tile["row"]])
        shown = int(self.browser.value("document.querySelector('#chart canvas').dataset.rows"))
        check(shown == wanted > 2, shown, "rows and not", wanted)
        check(self.painted() >= 3, "the rows of one tile are empty")

    def themes(self):
        back = "getComputedStyle(document.body).backgroundColor"
        before = self.browser.value(back)
        self.browser.click("#theme")
        check(self.browser.value(back) != before, "the theme does not change")

    def all(self):
        check(self.browser.value("performance.getEntriesByType('resource').length") == 0, "the page loads something")
        for view in (self.summary, self.array, self.memory, self.timeline, self.themes):
            view()
        # 1280 x 800: nothing is wider than the window.
        check(self.browser.value("document.documentElement.scrollWidth") <= 1280, "the page is too wide")
        check(not self.browser.errors, self.browser.errors)


def many_events(record):
    """The same run with as many events as long ones have: 64 rows of equal shares."""
    run = record["runs"][0]
    core = next(track for track in run["tracks"] if track["kind"] == "core")
    each, tracks = EVENTS // 64 + 1, []
    for number in range(64):
        lengths = [1 + (i * 7 + number) % 5 for i in range(each)]
        tracks.append({**core, "tile": [number % 4, 2 + number // 4 % 4], "lengths": lengths,
                       "states": [1 + i % 3 for i in range(each)], "from": [0] * each, "mixed": [], "exact": []})
    run["tracks"], run["cycles"] = tracks, max(sum(track["lengths"]) for track in tracks)
    check(sum(len(track["lengths"]) for track in tracks) >= EVENTS, "events")
    return record


def check_speed(browser, page, folder):
    record = many_events(json.loads(RECORD.search(page).group(2)))
    path = folder / "many.html"
    path.write_text(RECORD.sub(lambda found: found.group(1) + json.dumps(record).replace("<", "\\u003c") + found.group(3), page))
    browser.open(f"{path.as_uri()}#timeline")
    times = []
    for step in range(24):
        browser.click("#zoom-in" if step % 4 < 2 else "#zoom-out")
        times.append(float(browser.value("document.querySelector('#chart canvas').dataset.paint")))
    middle = sorted(times)[len(times) // 2]
    print(f"a frame of {EVENTS:,} events takes {middle} ms to paint, the slowest {max(times)} ms")
    check(middle <= MOST_MILLISECONDS, "painting takes too long:", times)
    check(not browser.errors, browser.errors)


def page_of(bin_folder, folder, arguments, may_fail=False):
    """The path of the page of a run, and its record."""
    path = folder / "other.html"
    path.unlink(missing_ok=True)
    done = subprocess.run([f"{bin_folder}/airlite-run", "--on=sim", "--view", path, *arguments], capture_output=True, text=True)
    check(done.returncode == (1 if may_fail else 0), done.stderr)
    return path, json.loads(RECORD.search(path.read_text()).group(2))


def check_cut(browser, bin_folder, folder, program):
    """A run that does not finish is shown, and says so."""
    path, record = page_of(bin_folder, folder, [program, "--cycles=4000"], may_fail=True)
    browser.open(path.as_uri())
    page = Page(browser, record)
    check(record["runs"][0]["outcome"] == "out of cycles", record["runs"][0]["outcome"])
    check("did not finish" in page.text("#verdict"), page.text("#verdict"))
    check("not done after 4000 cycles" in page.text("#details"), page.text("#details"))
    page.open_tab("timeline")
    check(page.range() == [0, 4000], page.range())


def check_runs(browser, bin_folder, folder):
    """Of several runs one is chosen; each has its own cycles."""
    path, record = page_of(bin_folder, folder, [ROOT / "examples/npu/attention_small.mlir"])
    browser.open(path.as_uri())
    page = Page(browser, record)
    check(len(record["runs"]) > 1 and page.is_shown("#run-choice"), "no choice of runs")
    for number, run in enumerate(record["runs"]):
        browser.value(f"(() => {{ const e = document.querySelector('#run'); e.value = '{number}'; e.dispatchEvent(new Event('change')); }})()")
        check(f"{run['cycles']:,}" in page.text(".figure b"), "run", number, page.text(".figures"))
        check(f"run {number + 1} of {len(record['runs'])}" in page.text("#subtitle"), page.text("#subtitle"))


def check_files(browser, bin_folder, folder, program):
    """Files without a report have routes without names, and no buffers: the page says what gives them."""
    subprocess.run([f"{bin_folder}/airlite-compile", program, "--target=npu1", "-o", folder / "design"], check=True)
    path, record = page_of(bin_folder, folder, [folder / "design"])
    browser.open(path.as_uri())
    page = Page(browser, record)
    for view in ("array", "memory"):
        page.open_tab(view)
        check("--report=resources" in page.text(f"#{view}"), page.text(f"#{view}"))
    page.open_tab("array")
    named = json.loads(RECORD.search((folder / "out.html").read_text()).group(2))["runs"][0]["resources"]["flows"]
    ways = lambda flows: sorted(json.dumps([flow["source"], sorted(map(json.dumps, flow["destinations"])), flow.get("packet_ids"), flow["route"]])
                                for flow in flows)
    found = record["runs"][0]["resources"]["flows"]
    check(ways(found) == ways(named), "the routes of the image are not those of the design")
    page.flow(0, found[0])


def main(bin_folder, program):
    if not browsers.program():
        print("skipped: there is no Chromium (scripts/install-deps.sh browser)")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "out.html"
        subprocess.run([f"{bin_folder}/airlite-run", "--on=sim", program, "--init=random:1", "--view", path], check=True)
        page = path.read_text()
        outside = set(re.findall(r"https?://[\w./]+", RECORD.sub("", page))) - {"http://www.w3.org/2000/svg"}
        check(not outside, "the page names", outside)
        with browsers.Browser() as browser:
            browser.open(path.as_uri())
            Page(browser, json.loads(RECORD.search(page).group(2))).all()
            check_speed(browser, page, folder)
            check_cut(browser, bin_folder, folder, program)
            check_runs(browser, bin_folder, folder)
            check_files(browser, bin_folder, folder, program)
            check(not browser.errors, browser.errors)
    print("the page shows the run")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
