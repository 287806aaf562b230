#!/usr/bin/env bash
# Run self-checking programs, a line each: run.sh "prefix command" program...
# A program is right when it exits with 0; its output is shown when it does not. The prefix may be
# empty: then they run on the GPU.
set -u
prefix=$1
shift
failed=0
for program in "$@"; do
    name=$(basename "$program")
    # shellcheck disable=SC2086 # the prefix is a command with arguments
    if output=$(timeout 60 $prefix "$program" 2>&1); then
        printf '  ok    %s\n' "$name"
    else
        printf '  FAIL  %s (exit status %d)\n%s\n' "$name" $? "$output"
        failed=1
    fi
done
exit $failed
