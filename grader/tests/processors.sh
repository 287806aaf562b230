#!/usr/bin/env bash
# Every instruction does what PTX says on processors without wide vectors, too.
#
#     processors.sh BUILD [KIND...]
#
# The machine is built for the processor at hand, and the compiler makes other code of its loops for
# each kind. So it is built once more for each KIND; by default for any processor of this family,
# and for those with AVX2, which most laptops have. Where the processor at hand lacks a kind, that
# kind is left out.
set -u
cd "$(dirname "$0")/../.."
folder=$1/processors
kinds=("${@:2}")
[ ${#kinds[@]} -gt 0 ] || kinds=(x86-64 x86-64-v3)
source grader/tests/claim.sh

# Has the processor at hand all that code for this kind may use?
runs_here() {
    [ "$1" = x86-64 ] || grep -qw avx2 /proc/cpuinfo
}

every_instruction_is_right() {
    local program=$folder/$1/test/check_ptx
    ${MAKE:-make} -s MACHINE_ARCH="$1" B="$folder/$1" "$program" && "$program"
}

if [ "$(uname -m)" != x86_64 ]; then
    echo '  --    processors: left out, since this is no x86-64'
    exit 0
fi
for kind in "${kinds[@]}"; do
    if runs_here $kind; then
        claim "processors: every instruction is right where the machine is built for $kind" \
            every_instruction_is_right $kind
    else
        echo "  --    processors: $kind is left out, since this processor is older"
    fi
done
exit $failed
