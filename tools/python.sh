# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# For scripts that need Python with some modules.

# find_python MODULE...: prints a python3 that has them all: $PYTHON, or the first on the path, or Debian's
find_python() {
    local modules candidate
    modules=$(IFS=,; echo "$*")
    for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
        if command -v "$candidate" >/dev/null && "$candidate" -c "import $modules" 2>/dev/null; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}
