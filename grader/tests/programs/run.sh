#!/usr/bin/env bash
# Run self-checking programs, a line each: run.sh "prefix command" program...
# A program is right when it exits with 0; when it does not, its line has the last line that it
# printed, and its whole output follows. The prefix may be empty: then they run on the GPU. A
# program may take PROGRAM_SECONDS. Where LOGS names a folder, the output of those that fail is kept
# there too.
set -u
prefix=$1
shift
seconds=${PROGRAM_SECONDS:-60}
failed=0
for program in "$@"; do
    name=$(basename "$program")
    # shellcheck disable=SC2086 # the prefix is a command with arguments
    if output=$(timeout "$seconds" $prefix "$program" 2>&1); then
        printf '  ok    %s\n' "$name"
    else
        status=$?
        why="exit status $status"
        [[ $status == 124 ]] && why="no end after $seconds s"
        printf '  FAIL  %s (%s): %s\n%s\n' "$name" "$why" "${output##*$'\n'}" "$output"
        [[ ${LOGS:-} ]] && printf '%s\n' "$output" >"$LOGS/program_$name.log"
        failed=1
    fi
done
exit $failed
