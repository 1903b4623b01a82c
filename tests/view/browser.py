"""A headless Chromium that a test clicks in, by the DevTools protocol; Python's standard library alone.

    with Browser() as browser:
        browser.open("file:///tmp/out.html")
        browser.click("#tab-array")
        assert browser.value("document.title") == "out"
"""
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
# Keys whose code is not that of their character.
KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Home": 36, "Tab": 9}


def program():
    """The browser of this machine; None where there is none."""
    named = os.environ.get("AIRLITE_CHROMIUM")
    return named or next((path for path in map(shutil.which, NAMES) if path), None)


class WebSocket:
    """What RFC 6455 asks of a client that sends and gets texts."""

    def __init__(self, host, port, path, timeout):
        self.socket = socket.create_connection((host, port), timeout=timeout)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.file = self.socket.makefile("rb")
        status = self.file.readline()
        if b" 101 " not in status:
            raise OSError(f"no web socket: {status!r}")
        while self.file.readline().strip():
            pass

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = (struct.pack("!BB", 0x81, 0x80 | size) if size < 126
                else struct.pack("!BBH", 0x81, 0xFE, size) if size < 1 << 16 else struct.pack("!BBQ", 0x81, 0xFF, size))
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        text = b""
        while True:
            first, second = self.file.read(2)
            size = second & 0x7F
            if size >= 126:
                size = struct.unpack("!H" if size == 126 else "!Q", self.file.read(2 if size == 126 else 8))[0]
            part = self.file.read(size)
            if first & 0x0F in (0, 1):
                text += part
                if first & 0x80:
                    return text.decode()

    def close(self):
        self.file.close()
        self.socket.close()


class Browser:
    """One page. Errors of its scripts are in `errors`."""

    def __init__(self, width=1280, height=800, dark=False, timeout=60):
        self.size, self.dark, self.timeout = (width, height), dark, timeout
        self.number, self.errors = 0, []

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="airlite-view-")
        # No name resolves: a page that needs the network fails here.
        self.process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-port=0",
             "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={self.folder}",
             f"--window-size={self.size[0]},{self.size[1]}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.connect()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def connect(self):
        port_file, end = Path(self.folder) / "DevToolsActivePort", time.monotonic() + self.timeout
        while not (port_file.exists() and "\n" in port_file.read_text()):
            if time.monotonic() > end or self.process.poll() is not None:
                raise OSError("the browser does not start")
            time.sleep(0.05)
        port = int(port_file.read_text().split()[0])
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        pages = json.load(opener.open(f"http://127.0.0.1:{port}/json/list", timeout=self.timeout))
        url = next(page for page in pages if page["type"] == "page")["webSocketDebuggerUrl"]
        self.web = WebSocket("127.0.0.1", port, "/" + url.split("/", 3)[3], self.timeout)
        for domain in ("Page", "Runtime"):
            self.call(f"{domain}.enable")
        width, height = self.size
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])

    def call(self, method, **parameters):
        self.number += 1
        self.web.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.web.receive())
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"]["exception"].get("description", "error"))
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, url):
        self.call("Page.navigate", url=url)
        end = time.monotonic() + self.timeout
        while self.value("document.readyState") != "complete" or self.value("location.href") == "about:blank":
            if time.monotonic() > end:
                raise OSError(f"{url} does not load")
            time.sleep(0.05)

    def value(self, expression):
        """Of a JavaScript expression, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def frame(self):
        """Waits until what was asked for is painted."""
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def place(self, selector):
        """The middle of an element, after it came into view."""
        return tuple(self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"))

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector=None, at=None, times=1):
        x, y = at or self.place(selector)
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=times)
        self.frame()

    def hover(self, selector=None, at=None):
        self.mouse("mouseMoved", *(at or self.place(selector)))
        self.frame()

    def drag(self, start, end):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, button="left", clickCount=1)
        for step in range(1, 5):
            self.mouse("mouseMoved", *(a + (b - a) * step / 4 for a, b in zip(start, end)), button="left")
        self.mouse("mouseReleased", *end, button="left", clickCount=1)
        self.frame()

    def wheel(self, at, delta, control=False):
        self.mouse("mouseWheel", *at, deltaX=0, deltaY=delta, modifiers=2 if control else 0)
        self.frame()

    def key(self, key):
        text = {} if len(key) > 1 else {"text": key}
        code = KEYS.get(key, ord(key[0].upper()))
        if key == "Enter":
            text = {"text": "\r"}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        self.frame()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.frame()

    def picture(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
