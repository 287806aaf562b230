#!/usr/bin/env bash
# test_setup.sh - put every claim of tests/*.sh to the test, each in a world of its own.
#
# Prints a line for a claim that fails, with what was seen, or that could not be tested here;
# then one line for all. V=1 prints every claim. An argument picks the claims whose names
# contain it.
# Read next: tests/world.sh.
set -uo pipefail

SETUP=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

source "$SETUP/tests/world.sh"
source "$SETUP/tests/packages.sh"
source "$SETUP/tests/toolkit.sh"
source "$SETUP/tests/doctor.sh"
source "$SETUP/tests/make.sh"

# The claim's own status; what it printed is left in SEEN.
try_claim()
{
    local status=0
    new_world
    SEEN=$("$1" 2>&1) || status=$?
    rm -rf "$WORLD"
    return $status
}

kept=0 broken=0 skipped=0
for claim in $(declare -F | sed -n 's/^declare -f \(claim_.*\)$/\1/p' | grep -e "${1:-}"); do
    words=${claim#claim_}
    words=${words//_/ }
    status=0
    try_claim "$claim" || status=$?
    case $status in
    0)
        kept=$((kept + 1))
        [[ -z ${V:-} ]] || printf '  ok    %s\n' "$words"
        ;;
    77)
        skipped=$((skipped + 1))
        printf '  skip  %s: %s\n' "$words" "$SEEN"
        ;;
    *)
        broken=$((broken + 1))
        printf '  FAIL  %s\n' "$words"
        printf '%s\n' "$SEEN" | sed 's/^/        /'
        ;;
    esac
done
printf '  %-5s test_setup  %d of %d claims kept, %d not tested here\n' \
    "$( ((broken)) && echo FAIL || echo ok)" $kept $((kept + broken)) $skipped
((broken == 0 && kept > 0))
