#!/usr/bin/env bash
# What make says before anything is built, and what it builds whatever a learner asks for. One line
# for each claim; exit status 1 when one does not hold.
set -u
cd "$(dirname "$0")/../.."
source grader/tests/claim.sh

# make_here <arguments>: without what the make that runs this test hands on.
make_here() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "$@" >"$work/output" 2>&1
}

bare() { # bare <words said> <target...>: with nothing built, it works and builds nothing
    local words=$1
    shift
    make_here B="$work/nothing" "$@" && grep -qF -- "$words" "$work/output" &&
        [ ! -e "$work/nothing" ]
}
claim "make alone works with nothing built, and names the next command" bare "make check-lesson0"
claim "make status does too" bare "make check-lesson0" status
claim "make help does too, and lists every command" bare "make check-lessonN" help
claim "make clean does too" bare "" clean
all_have_a_line() { # every target that has a comment, of every part
    make_here help
    local target
    grep -ohE '^[a-z][a-z0-9%-]*:.*## ' Makefile grader/*/build.mk grader/*/*/build.mk \
        lessons/build.mk | sed 's/:.*//; s/%/N/' | while read -r target; do
        grep -q "^  make $target " "$work/output" || { echo "not listed: $target"; return 1; }
    done
}
claim "make help leaves no target out" all_have_a_line
claim "make help fits a terminal" bash -c "[ \$(wc -L <'$work/output') -le 100 ]"

# A variable given on the command line replaces one of the same name in every makefile: DEVICE=sim
# once emptied the list of what the device process is linked from.
not_assigned() {
    local names='DEVICE|ONLY|SUBMISSION|SUBMISSIONS|SEED|LEVEL|LESSON|OUT|JSON|GIVEUP|SAMPLE'
    ! grep -nE "^($names) *:?=" \
        Makefile grader/*/build.mk grader/*/*/build.mk lessons/build.mk
}
claim "no build file uses the name of a learner's option for something else" not_assigned

quoted_path() {
    ! make_here STATUS=1 check-lesson1 SUBMISSION="it's not \"here\" (yet).cu" DEVICE=sim &&
        grep -qF "it's not \"here\" (yet).cu: there is no such file" "$work/output"
}
claim "a submission's path may hold quotes and spaces" quoted_path

whole_commands() { # each entry is of one C file, and begins with the compiler
    make_here B="$work/clangd" CC=cc compile-commands &&
        jq -e 'length > 100 and all(.command | startswith("cc -std=c17 "))' \
            "$work/clangd/compile_commands.json" >"$work/output"
}
claim "clangd's list has the whole command of every C file" whole_commands

asks_which() {
    ! make_here B="$work/nothing" check-lesson && grep -q "make check-lesson1$" "$work/output"
}
claim "a lesson without its number is asked for" asks_which

# --- make test ------------------------------------------------------------------------------------
# In make's place something that says what parts say.
cat >"$work/make" <<'EOF'
#!/usr/bin/env bash
case $2 in
right)
    printf '  ok    a claim\n  ok    unit  100%%: Checks: 3, Failures: 0\n'
    printf '  ok    4 of 4 kept\n' ;;
wrong) printf '  ok    a claim\n  FAIL  another\n' && exit 1 ;;
silent) exit 1 ;;
esac
EOF
chmod +x "$work/make"
test_of() { # test_of <last line> <part...>
    local last=$1
    shift
    MAKE="$work/make" grader/tests/test.sh "$work/build" "$@" >"$work/output" 2>&1
    [ "$(tail -n 1 "$work/output")" = "$last" ]
}
stops() { # stops <passed> <part...>: that many claims, and then "wrong"
    local passed=$1
    shift
    test_of "$passed passed, 1 failed" "$@" && grep -q "^FAIL: wrong; .*: make wrong$" \
        "$work/output"
}
claim "make test ends with how much was tested" test_of "24 passed, 0 failed" right right -- right
claim "it begins nothing after a part that fails, and names it" stops 1 wrong -- right right
claim "nor after a crew that fails" stops 9 right -- wrong right
claim "a part that fails without a word counts too" test_of "8 passed, 1 failed" right silent
claim "and a crew" test_of "8 passed, 1 failed" right -- silent
exit $failed
