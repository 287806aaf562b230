#!/usr/bin/env bash
# The machine as WebAssembly gives what the machine as it is gives, bit for bit: every case of
# grader/tests/ptx, and every launch that calls/*.calls writes down. Compared are all counters, all
# modelled times, all messages and every byte that kernels stored (alike.h).
#
#     alike.sh BUILD FOLDER     FOLDER has the images of the figures' kernels
#
# The model of the time calls exp, of which glibc has two: with fused multiply-adds where the
# processor has them, and without. Their last bits differ now and then. musl's, which is in the
# module, is the latter, so glibc is told to take that too.
set -u
cd "$(dirname "$0")/../../.."
build=${1:-build} images=${2:-build/notes/live}
here=grader/tests/live
work=$build/test/live
rm -rf "$work" && mkdir -p "$work" || exit 1
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA_Usable,-FMA4,-FMA4_Usable

if ! command -v node >/dev/null; then
    echo '  --    machine as WebAssembly: not tested: node is not installed (Debian: nodejs)'
    exit 0
fi

native_ptx()
{
    local file
    for file in grader/tests/ptx/*.test; do
        "$build/test/alike" ptx "$file" || echo "$file ended with status $?"
    done
}

# An instance ends where its parser gives up; the next one goes on after that case.
wasm_ptx()
{
    local file after status
    for file in grader/tests/ptx/*.test; do
        after=0 status=3
        while [ $status = 3 ]; do
            node $here/alike.mjs "$build/wasm/alike.wasm" ptx "$file" "$after" >"$work/one"
            status=$?
            cat "$work/one"
            after=$(tail -1 "$work/one" | cut -d: -f2)
        done
        [ $status = 0 ] || echo "$file ended with status $status"
    done
}

compare() # what
{
    local count differ
    count=$(wc -l <"$work/native.$1")
    differ=$(diff "$work/native.$1" "$work/wasm.$1" | grep -c '^[<>]')
    if [ "$differ" = 0 ] && [ "$count" -gt 0 ]; then
        printf '  ok    machine as WebAssembly: %d of %d %s, bit for bit\n' "$count" "$count" "$2"
    else
        printf '  FAIL  machine as WebAssembly: %s differ from the machine as it is\n' "$2"
        diff "$work/native.$1" "$work/wasm.$1" | head -8 | sed 's/^/        /'
        return 1
    fi
}

failed=0
native_ptx >"$work/native.ptx" 2>"$work/log"
wasm_ptx >"$work/wasm.ptx" 2>>"$work/log"
compare ptx 'cases of PTX' || failed=1
for calls in $here/calls/*.calls; do
    "$build/test/alike" replay "$images" <"$calls" >>"$work/native.calls" 2>>"$work/log"
    node $here/alike.mjs "$build/wasm/alike.wasm" replay "$images" <"$calls" \
        >>"$work/wasm.calls" 2>>"$work/log"
done
compare calls 'answers to live figures' || failed=1
if grep -q '^refused' "$work/native.calls"; then
    echo "  FAIL  machine as WebAssembly: $here/calls asks for what no live.cu of a lesson has"
    failed=1
fi
node $here/words.mjs lessons/site/live/js || failed=1
exit $failed
