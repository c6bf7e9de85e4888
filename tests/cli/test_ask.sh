#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen ask: the answers are those of the server, a line each; bad questions get an error and don't end it.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
command -v python3 >/dev/null || exit 77
export HOME=$PWD
"$KANZEN" solve chess:KQvK --out kqvk.kzt --quiet >out || complain "$(cat out)" solve
tables=(chess:KQvK --table kqvk.kzt)
pos=$("$KANZEN" convert chess:KQvK startpos --to fen 2>/dev/null || "$KANZEN" show chess:KQvK startpos --json | grep -o '"position":"[^"]*"' | head -n 1 | cut -d '"' -f 4)

# Questions, and the requests that a server would get: a path, a query, or a body.
cat >pairs.py <<'PYTHON'
import json, sys, urllib.parse, urllib.request
base, pos = sys.argv[1], sys.argv[2]
game = json.load(urllib.request.urlopen(base + "api/v1/games"))["games"]
names = [g["name"] for g in game]
questions = [
    {"game": "chess", "rules": "kqvk"},
    {"rules": "kqvk", "pos": pos},
    {"request": "moves", "rules": "kqvk", "pos": pos},
    {"request": "legal", "game": "dobutsu"},
    {"request": "legal", "game": "dobutsu", "played": "2c2b 3a2b"},
    {"request": "line", "rules": "kqvk", "pos": pos, "limit": 3},
    {"request": "position", "rules": "kqvk", "pos": pos, "moves": 0},
    {"request": "table", "rules": "kqvk"},
    {"request": "play", "rules": "kqvk", "pos": pos, "level": "easy", "seed": 5},
    {"request": "games"},
    {"positions": [pos, "nonsense"], "rules": "kqvk"},
    {"request": "annotate", "game": "dobutsu", "record": "2c2b 3a2b"},
    {"request": "moves", "game": "nosuchgame"},
    {"request": "nosuchrequest"},
    {"request": "moves", "pos": "nonsense", "rules": "kqvk"},
    {"request": "moves", "nosuchparameter": 1},
]
with open("questions", "w") as out, open("expected", "w") as expected:
    for number, question in enumerate(questions):
        print(json.dumps({"id": number, **question}), file=out)
        rest = {k: v for k, v in question.items() if k not in ("request", "game")}
        request = question.get("request", "positions" if "positions" in rest else "position")
        path = "api/v1/" + (request if request == "games" else question.get("game", "chess") + "/" + request)
        body = None
        if "positions" in rest or "record" in rest:
            body = json.dumps(rest).encode()
        elif rest:
            path += "?" + urllib.parse.urlencode(rest)
        try:
            answer = urllib.request.urlopen(urllib.request.Request(base + path, data=body))
        except urllib.error.HTTPError as error:
            answer = error
        print(json.dumps({"id": number, **json.load(answer)}), file=expected)
PYTHON
"$KANZEN" serve "${tables[@]}" --port 0 >address 2>serve-err &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for ((i = 0; i < 1200; i++)); do
    [ ! -s address ] || break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.05
done
if grep -q 'built without the server' serve-err; then exit 77; fi
no_proxy=127.0.0.1 python3 pairs.py "$(cat address)" "$pos" || complain "no questions" "(pairs.py)"
"$KANZEN" ask "${tables[@]}" <questions >answers 2>err
[ $? -eq 2 ] || complain "exit code $? although some can't be answered: $(cat err)" ask
[ ! -s err ] || complain "stderr: $(cat err)" ask
python3 - <<'PYTHON' || complain "other answers than the server's" ask
import json
answers = [json.loads(line) for line in open("answers")]
expected = [json.loads(line) for line in open("expected")]
assert len(answers) == len(expected) > 10, (len(answers), len(expected))
for one, other in zip(answers, expected):
    assert one == other, (one, other)
assert any("error" in one for one in answers) and any(one.get("value") == "win" or one.get("value") == "draw" or "moves" in one for one in answers)
PYTHON

# says PATTERN QUESTION [CODE]: the answer to one question
says() {
    printf '%s\n' "$2" | "$KANZEN" ask "${tables[@]}" >out 2>err
    local got=$?
    [ "$got" -eq "${3-2}" ] || complain "exit code $got: $(cat err)" "$2"
    [ "$(wc -l <out)" -eq 1 ] || complain "$(wc -l <out) lines" "$2"
    matches out "$1" || complain "answered $(head -c 300 out)" "$2"
    json out "True"
}
bad='"error":\{"status":400,"code":"bad_question","params":\{\},"message":"'
says "^\{$bad"'this is no question: character 1: there should be' 'nonsense'
says "^\{$bad"'this is no question: character 9: there should be a value' '{"pos": x}'
says "^\{$bad"'this is no question: character 13: something follows' '{"pos":"a"} {}'
says "^\{\"id\":\[1,\"two\"\],$bad"'a parameter should be a text' '{"id":[1,"two"],"pos":{}}'
says "^\{$bad"'\\"game\\" and \\"request\\" should be names' '{"game":"../x"}'
says "$bad"'a question has too many members' "{$(seq -s, 1 33 | sed 's/[0-9]*/"a&":1/g')}"
says '^\{"id":1,"svg":"<svg' '{"id":1,"request":"svg","game":"dobutsu"}' 0
says '^\{"id":1,"error":\{"status":400,"code":"bad_question",.*an image of pixels is no text' '{"id":1,"request":"png","game":"dobutsu"}' 2
says '"game":"dobutsu"' '  {"request":"legal","game":"dobutsu"}  ' 0
"$KANZEN" ask "${tables[@]}" </dev/null >out 2>err || complain "exit code $?" "(no question)"
[ ! -s out ] || complain "an answer to nothing: $(cat out)" ask
# Too long; the next question is answered.
{ head -c 3000000 /dev/zero | tr '\0' x; printf '\n\n{"request":"legal","game":"dobutsu"}'; } | "$KANZEN" ask "${tables[@]}" >out 2>err
grep -q 'the question is too long' out || complain "$(head -c 300 out)" "(3 MB)"
[ "$(grep -c '"moves":' out)" -eq 1 ] || complain "$(head -c 300 out)" "(after it)"
# An answer comes before the next question is read.
python3 - "$KANZEN" "${tables[@]}" <<'PYTHON' || complain "it does not answer at once" ask
import subprocess, sys
child = subprocess.Popen([sys.argv[1], "ask", *sys.argv[2:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for number in range(3):
    child.stdin.write(b'{"id": %d, "rules": "kqvk"}\n' % number)
    child.stdin.flush()
    assert child.stdout.readline().startswith(b'{"id":%d,' % number)
child.stdin.close()
assert child.wait() == 0
PYTHON
expect 2 '' 'no game' ask nosuchgame

[ "$failures" -eq 0 ]
