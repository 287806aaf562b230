#!/usr/bin/env bash
# Mutants: what mutate makes of a file with something of every kind, and what becomes of six mutants
# of lesson 1. Where libclang is missing, only that this is reported. One line for each claim; exit
# status 1 when one does not hold.
#
#     mutants.sh BUILD [has_libclang]      needs MAKE, CUDA_INCLUDE, CUDART_SONAME_MAJOR
set -u
cd "$(dirname "$0")/../.." || exit
build=$1 has_libclang=${2:-}
cases=grader/tests/mutants
shown='\1 \2:\3 [\4] -> [\5]'
source grader/tests/claim.sh

mutate() { # mutate <file>: a line for each mutation
    "$build/bin/mutate" "$1" "-isystem$CUDA_INCLUDE" -Igrader \
        "-D__CUDACC_VER_MAJOR__=$CUDART_SONAME_MAJOR" -D__CUDACC_VER_MINOR__=0
}
listed() {
    local old='"old":"(.*)"' new='"new":"(.*)"'
    mutate "$1" | sed -nE \
        's/^\{"kind":"([a-z]*)","at":([0-9]+),"column":([0-9]+),'"$old,$new"',"from".*/'"$shown"'/p'
}
makes() { # makes <file>: what the text beside it says
    diff "${1%.cu}.txt" <(listed "$1")
}
has_every_kind() {
    local kind
    for kind in $(sed -nE 's/^KIND\(([a-z]+),.*/\1/p' grader/mutants/kinds.def); do
        grep -q "^$kind " "$cases/every_kind.txt" || { echo "none of the kind $kind"; return 1; }
    done
}
refuses() { # refuses <file> <words>
    local words
    words=$(mutate "$1" 2>&1 >/dev/null) && return 1
    [[ $words == *"$2"* ]]
}
says() { # says <words> <command...>: in a line, and fails
    local words=$1 output
    shift
    output=$("$@" 2>&1) && return 1
    grep -qF -- "$words" <<<"$output" || { echo "$output"; return 1; }
}

claim "without libclang make mutants says what to install" \
    says "mutants are made with libclang" "${MAKE:-make}" mutants LESSON=1 NO_LIBCLANG=1
if [[ -z $has_libclang ]]; then
    echo "  note  mutants: left out, since libclang is not here"
    exit $failed
fi
claim "every kind of mutation is in the example" has_every_kind
claim "the example's mutations are the expected ones" makes "$cases/every_kind.cu"
printf 'int sum(int *restrict a, int n) { return n > 0 ? a[0] + a[n - 1] : 0; }\n' >"$work/plain.c"
reads_c() {
    mutate "$work/plain.c" | grep -q '"kind":"boundary".*"old":">","new":">="'
}
claim "what ends in .c is read as C, for code-mutants" reads_c
printf '#include <cuda_runtime.h>\n__global__ void broken(int n) { n = missing; }\n' \
    >"$work/broken.cu"
claim "a file that does not compile is refused with its line" \
    refuses "$work/broken.cu" "broken.cu:2"
claim "a missing file is refused" refuses "$work/none.cu" "No such file"
claim "a lesson that is not there is told" says 'there is no lesson "99"' \
    "$build/bin/warpquest" mutants 99
six() {
    "$build/bin/warpquest" mutants 1 --sample 6 >"$work/output" 2>&1
}
claim "six mutants of lesson 1 are caught, or are equivalent" six
touch "$work/before"
judges_none() {
    six
    [[ -z $(find "$build/mutants" -newer "$work/before" -name '*.json') ]]
}
claim "their results are kept: a second run judges none again" judges_none
exit $failed
