#!/usr/bin/env bash
# All parts of `make test`, one after the other: test.sh BUILD PART... Each is a target of make, and
# shows what it shows. The first that fails is the last that runs. The last line says how much was
# tested, as tally.awk counts it; needs MAKE.
set -uo pipefail
build=$1
shift
here=$(dirname "$0")
log=$build/test/test.log
mkdir -p "$build/test" && : >"$log" || exit 1

for part in "$@"; do
    if ! ${MAKE:-make} --no-print-directory "$part" 2>&1 | tee -a "$log"; then
        echo "FAIL: $part; to run only that part: make $part"
        awk -v failed=1 -f "$here/tally.awk" "$log"
        exit 1
    fi
done
echo "PASS: $# parts in $((SECONDS / 60)) min $((SECONDS % 60)) s: $*"
awk -f "$here/tally.awk" "$log"
