#!/usr/bin/env bash
# The table of make test-coverage, for a small tree. One line for each claim; exit status 1 when one
# does not hold. CC is the compiler.
set -u
cd "$(dirname "$0")/../../.." || exit 1
coverage=$PWD/grader/tests/coverage/coverage.sh
source grader/tests/claim.sh

mkdir -p "$work/tree/one" "$work/tree/two"
cat >"$work/tree/one/half.c" <<'C'
#include "shared.h"
int half(int a)
{
    if (a > 1)
        return whole(a);
    return 1;
}
C
cat >"$work/tree/one/shared.h" <<'C'
static inline int whole(int a)
{
    return a;
}
C
cat >"$work/tree/one/main.c" <<'C'
#include "shared.h"
int half(int a);
int main(void)
{
    return half(1) - whole(1);
}
C
printf 'int never(void)\n{\n    return 1;\n}\n' >"$work/tree/two/never.c"
build() {
    cd "$work/tree" || return
    local file
    for file in one/half one/main two/never; do
        ${CC:-cc} --coverage -O0 -c $file.c -o $file.o || return
    done
    ${CC:-cc} --coverage one/half.o one/main.o two/never.o -o program && ./program
}
claim "a tree is built and run" eval "(build)"
(cd "$work/tree" && "$coverage" .) >"$work/output" 2>&1
has() { grep -qE -- "^$1\$" "$work/output"; }
claim "lines that ran are counted, those of a header once" \
    has "one +8 +87\.5 %  half\.c 75 %"
claim "what never ran counts, too" has "two +2 +0\.0 %  never\.c 0 %"
claim "the last row has all" eval 'has "all +10 +70\.0 %" && tail -1 "$work/output" | grep -q ^all'
nothing() {
    mkdir "$work/empty"
    ! "$coverage" "$work/empty" 2>&1 | grep -v '^coverage: nothing'
}
claim "of nothing it makes no table" nothing
exit $failed
