# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# For the tests of the Python package. $build is the build folder, $python a python3 with what the tests need.
. "$KANZEN_SOURCE/tools/python.sh"
build=$(dirname "$KANZEN")
if [ ! -f "$build/python/kanzen/_kanzen.abi3.so" ]; then
    echo "the package was not built: the headers of Python are missing"
    exit 77
fi
if ! python=$(find_python numpy pytest); then
    echo "no python3 has numpy and pytest"
    exit 77
fi
# pytest writes nothing into the source.
export PYTHONDONTWRITEBYTECODE=1
pytest=(-m pytest -q -p no:cacheprovider --tb=short)
