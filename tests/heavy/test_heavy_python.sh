#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: dobutsu-table
#
# The Python package as users have it: the wheel, installed in a new virtual environment, with all its tests and the tour in
# docs/python.md. Nothing is downloaded: NumPy and pytest are the system's.
set -euo pipefail
. "$KANZEN_SOURCE/tests/support/python.sh"

"$KANZEN_SOURCE/tools/wheel" "$build" "$PWD/wheel" || exit $?
"$python" -m venv --system-site-packages environment || {
    echo "there is no venv (Debian: python3-venv)"
    exit 77
}
environment/bin/pip install --quiet --no-index --no-deps wheel/*.whl
mkdir empty
cd empty
# The installed one, and no other.
where=$(../environment/bin/python -c 'import kanzen; print(kanzen.__file__)')
case $where in
*/environment/lib/*) ;;
*)
    echo "kanzen is imported from $where"
    exit 1
    ;;
esac
../environment/bin/python "${pytest[@]}" "$KANZEN_SOURCE/python/tests"
