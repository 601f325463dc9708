"""The page of `voda compare --report` in headless Chromium: report_test.py VODA_PROGRAM DIRECTORY_FOR_SCREENSHOTS.

Nothing here depends on how fast the machine is; the time to open a report is printed, not checked.
"""

import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

VODA, SHOTS = sys.argv[1], pathlib.Path(sys.argv[2])
POLICIES = ["fifo", "elastic_tiresias", "afs_l"]
VIEWS = [("light", 1280), ("dark", 1280), ("light", 360), ("dark", 360)]
HOSTILE = [
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror=window.hacked=2>",
    "\"'`${window.hacked=3}`&lt;b&gt;",
    "line\u2028para\u2029end",
    "\u202egnihton\u2066\u05d0\u05d1",
    "__proto__",
    "javascript:window.hacked=4",
    "x" * 20000,
]


def run(*arguments):
    return subprocess.run([VODA, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


class Watched:
    """A page and everything that it says, asks for or reports."""

    def __init__(self, browser, scheme="light", width=1280, **context):
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **context)
        self.page = self.context.new_page()
        self.said, self.asked = [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append("dialog " + dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, path):
        self.page.goto(path.as_uri())
        return self.page


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(tempfile.mkdtemp(prefix="voda-browser-"))
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        SHOTS.mkdir(parents=True, exist_ok=True)
        program = shutil.which("chromium")
        if program is None:
            raise RuntimeError("no chromium; expected the Debian package that ./dev test installs")
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        cls.browser = playwright.chromium.launch(executable_path=program)
        cls.addClassCleanup(cls.browser.close)
        cls.trace = cls.directory / "trace.csv"
        run("generate", "--jobs", 300, "--gpus", 64, "--load", 1.2, "--out", cls.trace)
        cls.report = cls.directory / "report.html"
        cls.run_arguments = [cls.trace, "--cluster", "8x8", "--placer", "steady", "--resize-cost", "stall:30"]
        policies = [word for policy in POLICIES for word in ("--policy", policy)]
        run("compare", *cls.run_arguments, *policies, "--report", cls.report)
        cls.hostile = cls.directory / "hostile.html"
        trace = cls.directory / "<img src=x onerror=alert(1)>.csv"
        with trace.open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "submitted", "requested_gpus", "work_s", "user"])
            rows.writerows([name, at, 1, 10, name[:50]] for at, name in enumerate(HOSTILE))
        run("compare", trace, "--cluster", "1x2", "--policy", "fifo", "--policy", "srjf", "--report", cls.hostile)

    def watched(self, *arguments, **options):
        result = Watched(self.browser, *arguments, **options)
        self.addCleanup(result.context.close)
        return result

    def assert_quiet(self, watched, path):
        self.assertEqual(watched.said, [])
        self.assertEqual(watched.asked, [path.as_uri()])

    def open_first_job(self, page):
        page.locator("#jobs").scroll_into_view_if_needed()
        page.locator("#job-list .pick").first.click()
        page.locator("#job-chart svg").wait_for()

    def test_is_quiet_and_drawn_in_every_view(self):
        for scheme, width in VIEWS:
            with self.subTest(scheme=scheme, width=width):
                watched = self.watched(scheme, width)
                page = watched.open(self.report)
                self.assertEqual(page.locator("#jct-chart .curve").count(), len(POLICIES))
                self.assertEqual(page.locator("#held-chart .area").count(), len(POLICIES))
                page.locator("#allocations").scroll_into_view_if_needed()
                page.locator("#gantt-state", has_text="rows 1 to").wait_for()
                self.open_first_job(page)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                page.screenshot(path=SHOTS / f"{scheme}-{width}.png", full_page=True)
                self.assert_quiet(watched, self.report)
        times = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
        print(f"read and drawn after {times:.0f} ms ({self.report.stat().st_size} bytes)")

    def test_follows_the_colour_scheme(self):
        colours = set()
        for scheme in ("light", "dark"):
            page = self.watched(scheme).open(self.report)
            page.locator("#allocations").scroll_into_view_if_needed()
            page.locator("#gantt-state", has_text="rows 1 to").wait_for()
            corner = "Array.from(document.getElementById('gantt-canvas').getContext('2d').getImageData(0, 0, 1, 1).data).join()"
            colours.add((page.evaluate("getComputedStyle(document.body).backgroundColor"), page.evaluate(corner)))
        self.assertEqual(colours, {("rgb(246, 247, 249)", "255,255,255,255"), ("rgb(14, 19, 24)", "22,29,37,255")})

    def test_hostile_names_run_nothing(self):
        watched = self.watched()
        page = watched.open(self.hostile)
        page.locator("#jobs").scroll_into_view_if_needed()
        elements = page.evaluate("document.querySelectorAll('script, img, iframe').length")
        for name in HOSTILE:
            with self.subTest(name=name[:40]):
                page.fill("#job-search", name)
                page.locator("#job-list .pick").first.click()
                self.assertEqual(page.locator("#job-heading").text_content(), "Job " + name)
                for summary in page.locator("#job summary").all():
                    summary.click()
        page.select_option("#gantt-rows", "arrival")
        page.locator("#gantt-canvas").hover()
        self.assertIsNone(page.evaluate("window.hacked ?? null"))
        self.assertEqual(page.evaluate("document.querySelectorAll('script, img, iframe').length"), elements)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 1280)
        self.assert_quiet(watched, self.hostile)

    def test_no_other_script_may_run(self):
        page = self.watched().open(self.report)
        page.evaluate("""() => {
          const script = document.createElement('script');
          script.textContent = 'window.hacked = 1';
          document.body.append(script);
          document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.hacked = 2">');
        }""")
        page.wait_for_function("performance.now() > 0")
        self.assertIsNone(page.evaluate("window.hacked ?? null"))

    def test_jobs_and_allocations_are_those_of_the_result_files(self):
        page = self.watched().open(self.report)
        for position, policy in enumerate(POLICIES):
            out = self.directory / policy
            run("simulate", *self.run_arguments, "--policy", policy, "--out", out)
            tick, names, outcomes = page.evaluate("""(policy) => {
              const report = openReport();
              const {jct, waited, resizes, migrations} = report.outcomes(policy);
              const outcomes = report.names().map((_, i) => [jct[i], waited[i], resizes[i], migrations[i]]);
              return [report.tick_s, report.names(), outcomes];
            }""", position)
            with (out / "jobs.csv").open() as file:
                expected = {row["id"]: row for row in csv.DictReader(file)}
            self.assertEqual(len(names), len(expected))
            for name, (jct, waited, resizes, migrations) in zip(names, outcomes):
                row = expected[name]
                self.assertAlmostEqual(jct * tick, float(row["jct_s"]), delta=1.01 * tick)  # both ends are rounded down
                self.assertAlmostEqual(waited * tick, float(row["waited_s"]), delta=1.01 * tick)
                self.assertEqual([resizes, migrations], [int(row["resizes"]), int(row["migrations"])])
            self.check_histories(page, position, out, tick)

    def check_histories(self, page, position, out, tick):
        found = page.evaluate("""(policy) => {
          const report = openReport();
          const histories = report.histories(policy);
          return report.names().map((name, job) => {
            const changes = [];
            for (let i = histories.first[job]; i < histories.first[job + 1]; ++i) {
              const nodes = histories.nodesOf(i).map(([node, gpus]) => [report.nodes[node], gpus]);
              changes.push([histories.at[i], histories.gpus[i], nodes]);
            }
            return [name, changes];
          });
        }""", position)
        expected = {}
        with (out / "allocations.csv").open() as file:
            for row in csv.DictReader(file):
                expected.setdefault(row["id"], []).append((float(row["time"]), int(row["gpus"])))
        held = {}
        with (out / "placements.csv").open() as file:
            for row in csv.DictReader(file):
                held.setdefault(row["id"], []).append((float(row["time"]), row["node"], int(row["gpus"])))
        for name, changes in found:
            sizes = [gpus for at, (_, gpus, _) in enumerate(changes) if at == 0 or gpus != changes[at - 1][1]]
            self.assertEqual(sizes, [gpus for _, gpus in expected[name]])
            on_nodes, rest = {}, held[name]
            for at, gpus, nodes in changes:
                self.assertTrue(rest and -1e-6 <= rest[0][0] - at * tick < 1.01 * tick, (name, rest[:1], at * tick))
                time = rest[0][0]
                while rest and rest[0][0] <= time:
                    on_nodes[rest[0][1]], rest = rest[0][2], rest[1:]
                self.assertEqual(dict(nodes), {node: count for node, count in on_nodes.items() if count > 0})
                self.assertEqual(gpus, sum(count for _, count in nodes))

    def test_numbers_read_well(self):
        page = self.watched().open(self.report)
        texts = page.evaluate("""() => [
          roundedText(0), roundedText(100), roundedText(120), roundedText(9.5), roundedText(0.126), roundedText(12345.6),
          durationText(0), durationText(0.0015), durationText(59.94), durationText(3600), durationText(11520), durationText(86399.9),
          percentText(1), percentText(0.0001), percentText(0.1234), instantText(90000, 3600), instantText(5400, 60), shortName('x'.repeat(50), 20)]""")
        self.assertEqual(texts, [
            "0", "100", "120", "9.5", "0.13", "12,346", "0 s", "1.5 ms", "59.9 s", "1 h", "3 h 12 min", "24 h",
            "100 %", "< 0.1 %", "12.3 %", "1 d 1 h", "01:30", "x" * 12 + "…" + "x" * 7])

    def test_allocations_answer_to_keys_and_pointer(self):
        watched = self.watched()
        page = watched.open(self.report)
        page.locator("#allocations").scroll_into_view_if_needed()
        state = page.locator("#gantt-state")
        state.filter(has_text="rows 1 to").wait_for()
        whole = state.text_content()
        page.focus("#gantt-canvas")
        page.keyboard.press("+")
        state.filter(has_not_text=whole).wait_for()
        page.keyboard.press("0")
        page.locator("#gantt-state", has_text=whole).wait_for()
        page.select_option("#gantt-rows", "arrival")
        page.locator("#gantt-state", has_text="of 300.").wait_for()
        box = page.locator("#gantt-canvas").bounding_box()
        page.mouse.click(box["x"] + 1, box["y"] + 23)  # the first job, in the first row
        self.assertEqual(page.locator("#job-heading").text_content(), "Job 000")
        self.assert_quiet(watched, self.report)

    def test_tables_are_sorted_by_their_headers(self):
        page = self.watched().open(self.report)
        table = page.locator("#comparison table")
        table.get_by_role("button", name="mean JCT").click()
        values = [float(cell) for cell in table.locator("tbody td:nth-child(3)").evaluate_all("cells => cells.map(cell => cell.dataset.value)")]
        self.assertEqual(values, sorted(values))
        self.assertEqual(table.locator("[aria-sort=ascending]").count(), 1)

    def test_damaged_reports_say_so(self):
        text = self.report.read_text(encoding="utf-8")
        at = text.index('id="data-histories-0">') + len('id="data-histories-0">')
        damages = {
            "json": text.replace('"policies":[', '"policies":[[', 1),
            "base64": text[:at] + "!" + text[at + 1:],
            "short": text[:at] + "/////" + text[text.index("</script>", at):],
            "lost": text.replace('id="data-report"', 'id="data-nothing"'),
        }
        for name, damaged in damages.items():
            with self.subTest(name):
                path = self.directory / f"damaged-{name}.html"
                path.write_text(damaged, encoding="utf-8")
                page = self.watched().open(path)
                page.locator("#allocations").scroll_into_view_if_needed(timeout=5000) if name in ("base64", "short") else None
                if name in ("base64", "short"):
                    page.select_option("#gantt-policy", "0")
                page.locator("#failure", has_text="damaged").wait_for()
                self.assertTrue(page.locator("#comparison table").is_visible())

    def test_tables_do_without_script(self):
        page = self.watched(java_script_enabled=False).open(self.report)
        self.assertTrue(page.locator("#comparison table").is_visible())
        self.assertTrue(page.locator("noscript p").is_visible())
        self.assertFalse(page.locator("#allocations").is_visible())

    def test_prints_light_on_paper(self):
        watched = self.watched("dark")
        page = watched.open(self.report)
        document = page.pdf(path=SHOTS / "print.pdf", format="A4")
        self.assertTrue(document.startswith(b"%PDF"))
        page.emulate_media(media="print", color_scheme="dark")
        self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assert_quiet(watched, self.report)

    def test_is_accessible(self):
        for scheme, width in VIEWS:
            with self.subTest(scheme=scheme, width=width):
                page = self.watched(scheme, width).open(self.report)
                self.open_first_job(page)
                for summary in page.locator("summary").all():
                    summary.click()
                violations = Axe().run(page).response["violations"]
                self.assertEqual([(found["id"], found["nodes"][0]["html"][:200]) for found in violations], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
