# SPDX-License-Identifier: MIT
#
# bad_host.py FOLDER LOG [CERTIFICATE]: a small web server for tests, of which some answers are wrong. Prints its port. The first part
# of a path says how it answers, the rest names a file of FOLDER:
#
#     /good/mini.kzt
#
# Every request is a line of LOG: the path, a space, and the Range header or "-".
import http.server
import re
import ssl
import sys
import time

folder, log = sys.argv[1], sys.argv[2]
seen = {}  # how often a path was asked for


def read(name):
    try:
        with open(folder + "/" + name, "rb") as file:
            return file.read()
    except OSError:
        return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def send(self, code, body, headers=(), length=None):
        self.send_response(code)
        if length != "none":
            self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        with open(log, "a") as file:
            print(self.path, self.headers.get("Range", "-"), file=file)
        seen[self.path] = seen.get(self.path, 0) + 1
        _, how, name = self.path.split("/", 2)
        body = read(name)
        if body is None or how == "missing":
            self.send(404, b"there is nothing of that name")
        elif name.endswith(".json"):
            self.send(200, body)
        else:
            wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            first = int(wanted[1]) if wanted else 0
            last = min(int(wanted[2]) if wanted and wanted[2] else len(body) - 1, len(body) - 1)
            if wanted and first >= len(body):
                self.send(416, b"", [("Content-Range", "bytes */%d" % len(body))])
            else:
                getattr(self, "answer_" + how)(body, bool(wanted), first, last)

    # One part, as it should be. What is wrong is a parameter.
    def part(self, body, first, last, total=None, start=None, tag='"one"', data=None, length=None, headers=()):
        data = body[first:last + 1] if data is None else data
        stated = "bytes %d-%d/%s" % (first if start is None else start, last, len(body) if total is None else total)
        self.send(206, data, [("Content-Range", stated), ("ETag", tag), *headers], length)

    def whole(self, body):
        self.send(200, body, [("ETag", '"one"')])

    def answer_good(self, body, ranged, first, last):
        if ranged:
            self.part(body, first, last)
        else:
            self.whole(body)

    def answer_moved(self, body, ranged, first, last):
        self.send(302, b"", [("Location", self.path.replace("/moved/", "/good/"))])

    def answer_loop(self, body, ranged, first, last):
        self.send(302, b"", [("Location", self.path)])

    def answer_elsewhere(self, body, ranged, first, last):
        self.send(302, b"", [("Location", "file:///etc/passwd")])

    def answer_broken(self, body, ranged, first, last):
        self.send(500, b"")

    def answer_noranges(self, body, ranged, first, last):
        self.whole(body)

    # The header of a table is right; in all that follows a bit is wrong.
    def answer_lying(self, body, ranged, first, last):
        bad = bytearray(body)
        for at in range(152, len(bad), 64):
            bad[at] ^= 1
        self.answer_good(bytes(bad), ranged, first, last)

    # The same, but only in the answer after that with the header.
    def answer_once(self, body, ranged, first, last):
        (self.answer_lying if seen[self.path] == 2 else self.answer_good)(body, ranged, first, last)

    def answer_shifted(self, body, ranged, first, last):
        self.part(body, first, last, start=first + 1)

    def answer_shortrange(self, body, ranged, first, last):
        self.part(body, first, max(first, last - 1))

    def answer_toomuch(self, body, ranged, first, last):
        self.close_connection = True
        self.part(body, first, last, data=body[first:last + 1] + bytes(100), length="none", headers=[("Connection", "close")])

    def answer_cut(self, body, ranged, first, last):
        self.close_connection = True
        data = body[first:last + 1] if ranged else body
        if ranged:
            self.part(body, first, last, data=data[:len(data) // 2], length=len(data))
        else:
            self.send(200, data[:len(data) // 2], length=len(data))

    # Says how large the part is only by its range.
    def answer_cutopen(self, body, ranged, first, last):
        self.close_connection = True
        data = body[first:last + 1]
        self.part(body, first, last, data=data[:len(data) // 2], length="none", headers=[("Connection", "close")])

    def answer_unknown(self, body, ranged, first, last):
        self.part(body, first, last, total="*")

    def answer_larger(self, body, ranged, first, last):
        if ranged:
            self.part(body, first, last, total=len(body) + 1)
        else:
            self.whole(body + b"x")

    def answer_huge(self, body, ranged, first, last):
        self.part(body, first, last, total=1 << 62)

    # Another file after the first request
    def answer_changing(self, body, ranged, first, last):
        self.part(body, first, last, tag='"%d"' % seen[self.path])

    def answer_growing(self, body, ranged, first, last):
        self.part(body, first, last, total=len(body) + seen[self.path] - 1)

    def answer_packed(self, body, ranged, first, last):
        if ranged:
            self.part(body, first, last, headers=[("Content-Encoding", "gzip")])
        else:
            self.send(200, body, [("Content-Encoding", "gzip")])

    def answer_html(self, body, ranged, first, last):
        self.send(200, b"<html><body>Please log in</body></html>")

    # Nothing comes, until the client has gone.
    def answer_slow(self, body, ranged, first, last):
        self.close_connection = True
        self.connection.settimeout(60)
        self.connection.recv(1)

    # A byte now and then
    def answer_drip(self, body, ranged, first, last):
        self.close_connection = True
        self.send(206 if ranged else 200, b"",
                  [("Content-Range", "bytes %d-%d/%d" % (first, last, len(body)))] if ranged else [], last - first + 1)
        for at in range(first, last + 1):
            self.wfile.write(body[at:at + 1])
            self.wfile.flush()
            time.sleep(0.1)

    # Breaks off after 10,000 bytes of each answer.
    def answer_flaky(self, body, ranged, first, last):
        self.close_connection = True
        data = body[first:last + 1]
        if ranged:
            self.part(body, first, last, data=data[:10000], length=len(data))
        else:
            self.send(200, data[:10000], length=len(data))

    # Breaks off the first time, and sends no parts.
    def answer_stubborn(self, body, ranged, first, last):
        if seen[self.path] == 1:
            self.close_connection = True
            self.send(200, body[:10000], length=len(body))
        else:
            self.whole(body)

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
