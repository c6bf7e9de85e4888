#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen probe --packets URL: a server that works, and servers that don't.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
command -v python3 >/dev/null || exit 77 # a web server to ask
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1

# Two positions, as in test_packets_cli.
mkdir -p db/0
printf '\x48\x5c\x78\x20\x2b' >db/maximums.dat
printf '\x1a\x5c\x78\x20\x2b\x7c\x00\x00\xf6\x5c\x78\x20\x2b\x37\x01\x00' >db/0/0.dat

cat >server.py <<'PYTHON'
import http.server, sys, time

files = {name: open("db/" + name, "rb").read() for name in ("maximums.dat", "0/0.dat")}

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        print(self.path, file=open("requests", "a"), flush=True)

    def answer(self, code, body, length=None, headers=()):
        self.send_response(code)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        _, how, name = self.path.split("/", 2)
        body = files.get(name, b"")
        packet = name != "maximums.dat"
        if how == "moved":
            self.answer(302, b"", headers=[("Location", "/good/" + name)])
        elif how == "loop":
            self.answer(302, b"", headers=[("Location", self.path)])
        elif how == "elsewhere":
            self.answer(302, b"", headers=[("Location", "file:///etc/passwd")])
        elif how == "missing" or name not in files:
            self.answer(404, b"there is nothing of that name")
        elif how == "broken":
            self.answer(500, b"")
        elif how == "part":
            self.answer(206, body)
        elif how == "cut" and packet:
            self.answer(200, body[:8], length=len(body))
            self.close_connection = True
        elif how == "short" and packet:
            self.answer(200, body[:12])
        elif how == "garbage":
            self.answer(200, b"<html><body>Please log in</body></html>")
        elif how == "noise" and packet:
            self.answer(200, bytes(range(16)))
        elif how == "large" and packet:
            self.answer(200, bytes(8001))
        elif how == "endless":
            self.send_response(200)
            self.end_headers()
            self.close_connection = True
            for _ in range(100):
                self.wfile.write(bytes(1 << 20))
        elif how == "slow" and packet:
            time.sleep(3)
            self.answer(200, body)
        else:
            self.answer(200, body)

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
python3 server.py >port 2>server-err &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for ((i = 0; i < 200; i++)); do
    [ -s port ] && break
    sleep 0.05
done
[ -s port ] || { cat server-err; exit 1; }
url=http://127.0.0.1:$(cat port)

"$KANZEN" probe dobutsu --packets "$url/good" startpos >out 2>err
if grep -q 'kanzen-curl.so is not installed' err; then
    expect 2 '' 'no access to web servers' probe dobutsu --packets "$url/good" startpos
    exit $((failures > 0))
fi

# As from a folder; and nothing is fetched but what is needed.
: >requests
prints $'gle/1c1/1C1/ELG b - 1\tloss 78\t2d3c' probe dobutsu --packets "$url/good" startpos
[ "$(cat requests)" = $'/good/maximums.dat\n/good/0/0.dat' ] || complain "asked for $(cat requests)" requests
expect 0 'win 1	' '' probe dobutsu --packets "$url/good///" 0x2b20785c48
expect 0 '"value":"loss","distance":78,"best":"2d3c"' '' probe dobutsu --packets "$url/moved" --json startpos
expect 2 'loss 78' "don't have the position 0xabe0785c1d" probe dobutsu --packets "$url/good" 0xabe0785c1d startpos

# What can't be had
expect 3 '' "can't read $url/missing/maximums.dat: the server answers 404" probe dobutsu --packets "$url/missing" startpos
expect 3 '' 'broken/maximums.dat: the server answers 500' probe dobutsu --packets "$url/broken" startpos
expect 3 '' 'part/maximums.dat: the server answers 206' probe dobutsu --packets "$url/part" startpos
expect 3 '' 'loop/maximums.dat: .*redirect' probe dobutsu --packets "$url/loop" startpos
expect 3 '' 'elsewhere/maximums.dat: ' probe dobutsu --packets "$url/elsewhere" startpos
expect 3 '' 'slow/0/0.dat: it takes longer than 1 s' probe dobutsu --packets "$url/slow" --timeout 1 startpos
expect 3 '' "can't read http://127.0.0.1:1/db/maximums.dat: " probe dobutsu --packets http://127.0.0.1:1/db startpos
# What is not right
expect 4 '' 'cut/0/0.dat ends after 8 bytes' probe dobutsu --packets "$url/cut" startpos
expect 4 '' 'short/0/0.dat has 12 bytes' probe dobutsu --packets "$url/short" startpos
expect 4 '' 'garbage/maximums.dat has 39 bytes' probe dobutsu --packets "$url/garbage" startpos
expect 4 '' 'noise/0/0.dat: entry 0' probe dobutsu --packets "$url/noise" startpos
expect 4 '' 'large/0/0.dat has more than 8000 bytes' probe dobutsu --packets "$url/large" startpos
expect 4 '' 'endless/maximums.dat has more than 5491745 bytes' probe dobutsu --packets "$url/endless" startpos
# Wrong calls
expect 2 '' 'only http and https' probe dobutsu --packets ftp://127.0.0.1/db startpos
expect 2 '' 'only http and https' probe dobutsu --packets "file://$PWD/db" startpos
expect 2 '' 'timeout' probe dobutsu --packets "$url/good" --timeout 0 startpos
expect 2 '' 'simplified rules' probe dobutsu --packets "$url/good" --rules official startpos

[ "$failures" -eq 0 ]
