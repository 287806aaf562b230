#!/usr/bin/env bash
# start.sh simgpu first_launch - from the start of simgpu to the end of a program that launches
# once, at most 50 ms. The best of many runs counts: other work only makes them slower.
set -u
simgpu=$1
program=$2
best_us=
for _ in {1..15}; do
    begin=${EPOCHREALTIME/[.,]/}
    "$simgpu" run --quiet -- "$program" || exit 1
    took_us=$((${EPOCHREALTIME/[.,]/} - begin))
    [ -z "$best_us" ] || [ $took_us -lt "$best_us" ] && best_us=$took_us
done
verdict=ok
[ "$best_us" -le 50000 ] || verdict=FAIL
printf '  %-5s start to the end of the first launch: %d.%d ms measured, at most 50\n' \
    $verdict $((best_us / 1000)) $((best_us / 100 % 10))
[ $verdict = ok ]
