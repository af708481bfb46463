"""This file opens the built site in headless Chromium and fails on faults that visitors would see.

walk.py SITE [--screens FOLDER] [--page PATH]...

It visits every page that links lead to, on a wide and a narrow screen, light and dark. It reports
dead links inside the site, errors of the console, missing pictures, elements wider than the screen,
and pale text. It also tries the search, the menu and the switch of the theme.
"""
import argparse
import base64
import functools
import http.server
import pathlib
import sys
import threading
import urllib.parse

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

# Chromium and Debian's driver for it.
BROWSER, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
WIDTHS = {1280: 900, 390: 844}  # pixels: a laptop, a phone
THEMES = ("light", "dark")
LEAST_CONTRAST = 3  # WCAG's AA for large text
# One page of each kind; screenshots show them.
KINDS = ("docs/index.html", "docs/start.html", "docs/hooks/filter.html", "docs/recipes.html",
         "docs/python/gallery.html", "docs/reference/cpp.html", "docs/reference/cpp/plan-hpp.html",
         "docs/reference/python.html",
         "docs/reference/coverage.html", "docs/troubleshooting.html", "docs/performance.html",
         "docs/measured/packages.html", "docs/how-it-works.html", "README.html", "CONTRIBUTING.html",
         "CHANGELOG.html", "genindex.html", "search.html")
SECONDS = 20  # until a page must have finished
SCREEN_LIMIT = 2400  # pixels of a screenshot's height
FACTS = (pathlib.Path(__file__).parent / "page.js").read_text().replace("LEAST", str(LEAST_CONTRAST))


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Ignores connections that the browser closes when it leaves a page."""


def serve(folder):
    """Serves a folder on a free port of this machine, and returns its address."""
    server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--disable-background-networking"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=webdriver.chrome.service.Service(DRIVER), options=options)


class Walk:
    """A walk through a site. `faults` are sentences; `ids` are those of each visited page."""

    def __init__(self, driver, address, screens):
        self.driver, self.address, self.screens = driver, address, screens
        self.faults, self.ids, self.links = [], {}, {}

    def fault(self, path, text):
        if (entry := f"{path}: {text}") not in self.faults:
            self.faults.append(entry)

    def show(self, width, theme):
        """Sets the screen's width in pixels and the theme that the visitor prefers."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": WIDTHS[width], "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": theme}]})

    def wait(self, condition, path, text):
        """Waits until a script returns something true. Otherwise it adds a fault and returns None."""
        try:
            return WebDriverWait(self.driver, SECONDS).until(lambda driver: driver.execute_script(condition))
        except Exception as error:  # Selenium's timeout, or the page's own error
            self.fault(path, f"{text} ({type(error).__name__})")
            return None

    def open(self, path):
        self.driver.get(self.address + path)
        self.wait("return document.readyState === 'complete'", path, "is not loaded")

    def console(self, path):
        for entry in self.driver.get_log("browser"):
            if entry["level"] in ("SEVERE", "WARNING"):
                self.fault(path, f"console: {entry['message']}")

    def check(self, path, setting):
        """Adds the faults of the open page, and notes its links and ids."""
        facts = self.driver.execute_script(FACTS)
        self.ids[path], self.links[path] = set(facts["ids"]), facts["links"]
        if not facts["title"]:
            self.fault(path, "has no title")
        for source in facts["pictures"]:
            self.fault(path, f"missing picture {source}")
        for source in facts["unnamed"]:
            self.fault(path, f"picture without a text instead of it {source}")
        for element in facts["wide"]:
            self.fault(path, f"{setting}: wider than the screen: {element}")
        if facts["scrolls"] and not facts["wide"]:
            self.fault(path, f"{setting}: the page scrolls sideways")
        for element in facts["pale"][:3]:
            self.fault(path, f"{setting}: contrast {element}")
        self.console(path)

    def visit(self, path, widths=tuple(WIDTHS), themes=THEMES):
        """Opens a page once, and shows it in each width and theme."""
        self.open(path)
        for width in widths:
            for theme in themes:
                self.show(width, theme)
                self.check(path, f"{width} px, {theme}")
                self.picture(path, width, theme)

    def picture(self, path, width, theme):
        if not self.screens or path not in KINDS:
            return
        height = min(SCREEN_LIMIT, self.driver.execute_script("return document.documentElement.scrollHeight"))
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": {
            "x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
        name = path.replace("/", "_").replace(".html", f"-{width}-{theme}.png")
        (self.screens / name).write_bytes(base64.b64decode(shot["data"]))

    def inside(self, link):
        """Splits a link into its page and its place there. None if it leaves the site."""
        if not link.startswith(self.address):
            return None
        path, _, place = link[len(self.address):].partition("#")
        return urllib.parse.unquote(path.partition("?")[0]), urllib.parse.unquote(place)

    def crawl(self, site, first):
        """Visits the pages that links from `first` lead to, and reports dead links."""
        waiting, seen = [first], {first}
        while waiting:
            path = waiting.pop(0)
            self.visit(path)
            for target, _ in filter(None, map(self.inside, self.links[path])):
                if not (site / target).is_file():
                    self.fault(path, f"dead link to {target}")
                elif target.endswith(".html") and target not in seen:
                    seen.add(target)
                    waiting.append(target)
        for path, links in self.links.items():
            for target, place in filter(None, map(self.inside, links)):
                if place and target in self.ids and place not in self.ids[target]:
                    self.fault(path, f"dead link to {target}#{place}")

    def unreached(self, site):
        """Reports pages that no link leads to."""
        # The address leads to index.html, and the search field to search.html.
        pages = {str(page.relative_to(site)) for page in site.rglob("*.html")} - {"index.html", "search.html"}
        for page in sorted(pages - set(self.links)):
            if not page.startswith("_static/"):
                self.fault(page, "no link leads to this page")

    def front(self):
        """The site's address leads to the front page."""
        self.open("")
        self.wait("return location.pathname === '/docs/index.html'", "index.html", "does not lead to docs/index.html")
        self.console("index.html")

    def search(self, width):
        """Searches as a visitor does, follows the first result, then searches for nothing."""
        self.show(width, "light")
        self.open("docs/index.html")
        self.menu(width)
        field = self.driver.find_element(By.CSS_SELECTOR, ".sidebar-search")
        field.send_keys("convolution\n")
        path = f"search at {width} px"
        link = self.wait("return document.querySelector('#search-results li a')", path, "finds no convolution")
        if link:
            self.check("search.html", f"{width} px, results")
            link.click()
            self.wait("return !location.pathname.endsWith('search.html') && document.readyState === 'complete'", path,
                      "the first result leads nowhere")
            self.console(path)
        self.open("search.html?q=zzqxunlikely")
        self.wait("return /did not match any/.test(document.querySelector('#search-results').innerText)", path,
                  "does not tell that it finds nothing")

    def menu(self, width):
        """Opens the menu of a narrow screen."""
        if width > 1000:
            return
        self.driver.find_element(By.CSS_SELECTOR, ".nav-overlay-icon").click()
        self.wait("const box = document.querySelector('.sidebar-drawer').getBoundingClientRect();"
                  "return box.left >= 0 && box.right > 100", "menu", f"does not open at {width} px")

    def themes(self):
        """The page follows the visitor's preference, and the button changes it."""
        colour = "return getComputedStyle(document.body).backgroundColor"
        self.open("docs/index.html")
        seen = set()
        for theme in THEMES:
            self.show(1280, theme)
            seen.add(self.driver.execute_script(colour))
        if len(seen) != len(THEMES):
            self.fault("theme", "dark looks like light")
        before = self.driver.execute_script("return document.body.dataset.theme")
        buttons = self.driver.find_elements(By.CSS_SELECTOR, "button.theme-toggle")
        shown = [button for button in buttons if button.is_displayed()]
        if shown:
            shown[0].click()
        if self.driver.execute_script("return document.body.dataset.theme") == before:
            self.fault("theme", "the button changes nothing")
        self.driver.execute_script("localStorage.clear()")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--screens", type=pathlib.Path, help="folder for screenshots of one page of each kind")
    parser.add_argument("--page", action="append", help="visit only this page (several: repeat)")
    given = parser.parse_args()
    if given.screens:
        given.screens.mkdir(parents=True, exist_ok=True)
    driver = start_browser()
    try:
        walk = Walk(driver, serve(given.site), given.screens)
        for page in given.page or ():
            walk.visit(page)
        if not given.page:
            walk.front()
            walk.crawl(given.site, "docs/index.html")
            walk.visit("search.html")
            walk.unreached(given.site)
            walk.themes()
            for width in WIDTHS:
                walk.search(width)
    finally:
        print(*walk.faults, sep="\n")
        driver.quit()
    print(f"{len(walk.links)} pages on {len(WIDTHS)} screens, {len(THEMES)} themes: {len(walk.faults)} faults")
    return bool(walk.faults)


if __name__ == "__main__":
    sys.exit(main())
