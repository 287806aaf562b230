#!/usr/bin/env bash
# Runs Check programs one after the other; prints a line for each, and the log of those that fail.
# Exit status 1 when one did.
set -u
failed=0
for program in "$@"; do
    log="$program.log"
    if "$program" >"$log" 2>&1; then
        printf '  ok    %s  %s\n' "$(basename "$program")" "$(grep -m1 'Checks:' "$log" || true)"
    else
        printf '  FAIL  %s\n' "$(basename "$program")"
        sed 's/^/        /' "$log"
        failed=1
    fi
done
exit $failed
