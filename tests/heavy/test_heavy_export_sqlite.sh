#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: dobutsu-table
#
# kanzen export of values, as text and as a SQLite database. The rows expected are those that the author of doubutsu.db
# shows; all others are compared with what `kanzen probe` says about the positions.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
command -v sqlite3 >/dev/null || exit 77
export KANZEN_TABLES=$PWD XDG_DATA_HOME=$PWD/none
ln -s "$DOBUTSU_TABLE" dobutsu-official.kzt
"$KANZEN" export dobutsu --format sqlite --out few.db --count 1000000 --quiet >out 2>err || {
    grep -q 'without SQLite' err && exit 77
    complain "$(cat err)" export
}
ask() { sqlite3 few.db "$1"; }

[ "$(ask 'SELECT count(*) FROM stateValues')" = 1000000 ] || complain "$(ask 'SELECT count(*) FROM stateValues')" rows
[ "$(ask 'PRAGMA quick_check')" = ok ] || complain "the database is damaged" sqlite
[ "$(ask "SELECT sql FROM sqlite_schema WHERE name = 'stateValues'")" = \
    'CREATE TABLE stateValues (stateIndex integer PRIMARY KEY NOT NULL, value integer NOT NULL)' ] ||
    complain "another schema" sqlite
[ "$(ask 'SELECT stateIndex, value FROM stateValues ORDER BY stateIndex LIMIT 10' | xargs)" = "$(xargs <<'ROWS'
316013363792|-9900 316013393076|9801 316013685916|-9703 316013715200|9801 316022214942|-9703
316022241562|9801 316022243982|-9703 316022244202|-9900 316022244222|-9703 316022244226|-9703
ROWS
)" ] || complain "other rows than published" sqlite
[ "$(ask 'SELECT sfen, result, plies FROM positions WHERE stateIndex = 316013685916')" = \
    '1E1/Le1/1gl/g+c+c b -|loss|4' ] || complain "another view" sqlite

# Every 1009th row: the view has the position that the index stands for, and the value that probe has.
ask 'SELECT stateIndex FROM stateValues WHERE rowid IN (SELECT stateIndex FROM (SELECT stateIndex, row_number() OVER
    (ORDER BY stateIndex) AS n FROM stateValues) WHERE n % 1009 = 0) ORDER BY stateIndex' >indices
[ "$(wc -l <indices)" -gt 900 ] || complain "only $(wc -l <indices) rows" sqlite
{
    echo 'CREATE TEMP TABLE wanted (i integer);'
    sed 's/.*/INSERT INTO wanted VALUES (&);/' indices
    echo "SELECT sfen || char(9) || result || coalesce(' ' || plies, '') FROM wanted JOIN positions ON i = stateIndex;"
} | sqlite3 few.db >seen
"$KANZEN" convert dobutsu --to sfen <indices >converted
cut -f1 seen | cmp - converted || complain "other positions than the indices stand for" sqlite
"$KANZEN" probe dobutsu <converted | cut -f1,2 | cmp - seen || complain "other values than probe has" sqlite

# The same as text, with six digits.
expect 0 '^positions +100,000$' '' export dobutsu --format values --out values.txt --count 100000 --quiet --threads 3
awk '{ v = $2 * 10000; printf "%s|%d\n", $1, v < 0 ? v - 0.5 : v + 0.5 }' values.txt >text
ask 'SELECT * FROM stateValues ORDER BY stateIndex LIMIT 100000' | cmp - text || complain "text and database differ"
[ "$(head -n 2 values.txt)" = "$(printf '316013363792 -0.99\n316013393076 0.9801')" ] || complain "$(head -n 2 values.txt)"

[ $failures -eq 0 ]
