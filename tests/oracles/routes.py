# SPDX-License-Identifier: MIT
"""What tools/oracles asks a server: python3 routes.py ADDRESS FOLDER writes a file for each route and game there."""

import hashlib
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

base, folder = sys.argv[1], Path(sys.argv[2])
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
DROPPED = {"date", "connection"}


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


opener.add_handler(NoRedirect())


def ask(path, method="GET", body=None, headers=None):
    """The answer as text: status, headers, body; what is no text as its digest."""
    data = body.encode() if isinstance(body, str) else body
    request = urllib.request.Request(base + path, data=data, method=method, headers=headers or {})
    try:
        answer = opener.open(request, timeout=300)
    except urllib.error.HTTPError as error:
        answer = error
    content = answer.read()
    lines = [f"{method} {path} {body if body else ''} {headers or ''}".rstrip(), str(answer.status)]
    lines += sorted(f"{key}: {value}" for key, value in answer.headers.items() if key.lower() not in DROPPED)
    try:
        text = content.decode()
        if len(text) > 200000:
            raise ValueError
    except ValueError:
        text = f"{len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}"
    if not path.startswith("/api/"):  # the time of the file is in it
        lines = [re.sub(r'"(\w+)-\w+"', r'"\1-#"', line) if line.lower().startswith(("etag", "last-modified")) else line for line in lines]
    text = re.sub(r'"uptime[a-z_]*": ?[0-9.]+', '"uptime":#', text)
    return "\n".join(lines + [text, ""]).replace(base.removeprefix("http://"), "SERVER")


def etag(path):
    found = re.search("(?im)^etag: (.*)$", ask(path))
    return found.group(1) if found else '"x"'


def write(name, answers):
    (folder / name).write_text("\n".join(answers))


def query(parameters):
    return "?" + urllib.parse.urlencode(parameters) if parameters else ""


description = json.loads(opener.open(base + "/api/v1/openapi.json").read())
games = json.loads(opener.open(base + "/api/v1/games").read())["games"]
chess = ["8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "8/8/8/8/8/2k5/1N6/K7 w - - 0 1", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"]
POSITIONS = {
    "dobutsu": ["gle/1c1/1C1/ELG b - 1", "gle/1C1/3/ELG w C 2", "l2/3/1G1/E1L w cCEG 9", "0x2b20785c1d", "S/-EG/EGL/lCC/---/-"],
    "pushfight": ["..x..PoOXX.ox.", "+1013024316", "0"],
    "chess": chess,
    "tictactoe": ["XX.OO....", "XOXXOOOXX"],
}
RULES = {"dobutsu": [None, "official", "simplified", "x"], "pushfight": ["mini", "raft", "hook", "corridor", "x"]}
EXTRAS = {
    "position": [{"moves": 3}, {"moves": 0}, {"moves": -1}, {"moves": "x"}],
    "line": [{"limit": 5}, {"limit": 0}, {"limit": 5000, "rules": "x"}],
    "play": [{"level": level, "seed": 3} for level in ("beginner", "easy", "medium", "hard", "expert", "perfect", "god")]
    + [{"aggressive": 1, "seed": 5}, {"aggressive": 7}],
    "puzzles": [{"seed": 3}, {"plies": 5, "count": 2, "seed": 1}, {"plies": 9999}, {"count": 0}],
    "longest": [{"count": 3}, {"count": 101}],
    "png": [{"at": 0}, {"at": 1, "played": "2c2b 3a2b"}, {"at": "x"}],
}


def of_game(route, path, game, rules_of_game):
    method = "post" if "post" in path else "get"
    answers = []
    address = f"/api/v1/{game}/{route}"
    # Without --seed puzzles are others each time; Push Fight's largest board and chess as a whole have no tables.
    for rules in rules_of_game:
        common = {} if rules is None else {"rules": rules}
        if method == "post":
            bodies = [path["post"]["requestBody"]["content"]["application/json"]["example"]]
            if route == "positions":
                bodies += [{"positions": POSITIONS.get(game, []) + ["startpos", "x", ""], **common}, {"positions": []}, {"positions": 5}, {}]
            else:
                bodies += [{"record": f"game: {game}\n" + (f"rules: {rules}\n" if rules else "") + move} for move in ("", "2d3c\n2a1b\n", "b2-c2\n", "b2\nx\n")]
                bodies += [{"record": "x"}, {"record": "2c2b 3a2b"}, {}]
            answers += [ask(address + (query(common) if route == "positions" else ""), "POST", json.dumps(body)) for body in bodies]
            answers += [ask(address, "POST", "not JSON"), ask(address), ask(address, "PUT", "{}")]
            continue
        positions = route not in ("puzzles", "longest", "table")
        wishes = [{}] if not positions else [{}, {"pos": "startpos"}, {"pos": "nonsense"}, {"pos": ""}, {"played": "x"}]
        wishes += [{"pos": text} for text in POSITIONS.get(game, [])] if positions else []
        wishes += [{"played": "2c2b 3a2b"}, {"pos": "startpos", "played": "2d3c"}] if positions and game == "dobutsu" else []
        wishes += EXTRAS.get(route, []) + [{"unknown": 1}, {"rules": "twice"}]
        if route == "puzzles":
            wishes = [{"seed": 1} | wish for wish in wishes]
        if route == "play":
            wishes = [{"seed": 1} | wish for wish in wishes]
        if route == "line":  # a line that takes long is cut by the clock, so short ones, and what they need is read before
            wishes = [{"limit": 12} | wish for wish in wishes]
            for wish in wishes:
                ask(address + query(common | wish))
        for wish in wishes:
            answers.append(ask(address + query(common | wish)))
        first = address + query(common | wishes[0])
        answers.append(ask(first, headers={"If-None-Match": etag(first)}))
        answers.append(ask(first, "HEAD"))
        answers += [ask(address, "POST", "{}"), ask(address, "OPTIONS")]
    write(f"{game}-{route}", answers)


names = [game["name"] for game in games]
for path, what in description["paths"].items():
    if "{game}" not in path:
        write(path.strip("/").replace("/", "-"), [ask(path), ask(path, "HEAD"), ask(path, "POST", "x"), ask(path + "?x=1"), ask(path, headers={"If-None-Match": etag(path)})])
        continue
    route = path.rsplit("/", 1)[1]
    for game in games:
        name = game["name"]
        rules = RULES.get(name, [None] if len(game.get("rules", [])) < 2 else [rule if isinstance(rule, str) else rule["name"] for rule in game["rules"]][-2:])
        of_game(route, what, name, rules)
    write(f"no-game-{route}", [ask(f"/api/v1/go/{route}"), ask(f"/api/v1/{route}"), ask(f"/api/v1/dobutsu/{route}/x")])
table = "/tables/pushfight-mini.kzt"
write("files", [
    ask("/"), ask("/no-such-page"), ask("/tables/index.json"), ask(table), ask(table, "HEAD"),
    ask(table, headers={"Range": "bytes=100-299"}), ask(table, headers={"Range": "bytes=-5"}),
    ask(table, headers={"Range": "bytes=99999999-"}), ask(table, headers={"Range": "x"}), ask("/tables/none.kzt"),
    ask("/tables/../x"), ask("/positions.txt"), ask("/positions.txt", headers={"Accept-Encoding": "gzip"}), ask("/%2e%2e/x"),
    ask("/api"), ask("/api/v2/games"), ask("/api/v1/games", headers={"Accept-Encoding": "gzip"}),
])
