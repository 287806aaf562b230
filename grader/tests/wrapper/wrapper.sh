#!/usr/bin/env bash
# `simgpu run` as a wrapper of tests: its exit status for each kind of fault, and the files that it
# writes for others. A line each; exit status 1 when one does not hold.
#
#     wrapper.sh simgpu program not_simulated
#
# The last is a program that the device cannot serve.
set -u
simgpu=$1
program=$2
not_simulated=$3
source=$(dirname "$0")/wrapper.cu
source "$(dirname "$0")/../claim.sh"

run() { # run <words of simgpu and of the program...>: files are kept, its exit status returned
    "$simgpu" run --check=continue --budget 10000000 --junit "$work/junit.xml" \
        --sarif "$work/sarif.json" "$@" >"$work/output" 2>"$work/screen"
}
ends() { # ends <status> <words of the program...>
    local status=$1 got
    shift
    run --test -- "$program" "$@"
    got=$?
    [ "$got" = "$status" ] || { echo "exit status $got"; return 1; }
}
line_of() { grep -nF -- "$1" "$source" | head -1 | cut -d: -f1; }
said() { grep -qxF -- "simgpu: $1" "$work/screen"; }

# --- The exit status ------------------------------------------------------------------------------
claim "a program in which nothing is found ends as it ends" ends 0 right
claim "with its own number, too" ends 5 right 5
claim "a bad address is 81" ends 81 past_the_end
claim "a race is 82" ends 82 races
claim "an uninitialised read is 83" ends 83 reads_nothing
claim "a wrong member mask is 84" ends 84 names_one_lane
claim "a wait without end is 85" ends 85 never_ends
claim "a failed assertion is 86" ends 86 asserts
claim "a stack overflow is 87" ends 87 recurses
claim "what was found comes before the program's own number" ends 82 races 5
claim "of two kinds the first of the list counts" ends 81 races past_the_end
run --test -- "$work/none"
claim "a program that cannot be started is 127" [ $? = 127 ]
run --test -- "$not_simulated"
claim "what is not simulated is 70" [ $? = 70 ]
run -- "$program" races
status=$?
claim "without --test the status is 3, as ever" [ "$status" = 3 ]

# --- JUnit ----------------------------------------------------------------------------------------
run --test -- "$not_simulated"
of_junit() { # of_junit <is> <XPath>
    local got
    got=$(xmllint --xpath "$2" "$work/junit.xml") && [ "$got" = "$1" ] || { echo "$got"; false; }
}
counts_itself() {
    of_junit true "/testsuites/testsuite/@tests = count(//testcase) and
        //testsuite/@failures = count(//failure) and //testsuite/@errors = count(//error)"
}
claim "JUnit: what is not simulated is an error, no failure" \
    of_junit true "count(//error[@type='not-simulated']) = 1 and count(//failure) = 0"
claim "JUnit: and counted as such" counts_itself
run --test -- "$program" right races races_as_well 5
claim "JUnit: a case for the program, for a kernel that is right, and for each finding" \
    of_junit 4 "count(//testcase)"
claim "JUnit: its totals are its cases'" counts_itself
claim "JUnit: the program's status is a failure" \
    of_junit "the program ended with 5" "string(//testcase[@name='exit status']/failure/@message)"
claim "JUnit: a kernel in which nothing was found passes" \
    of_junit 1 "count(//testcase[@name='right' and not(*)])"
race="races: shared memory race, wrapper.cu:$(line_of 's_row[i] = in[i];') and"
race+=" $(line_of 'out[i] = s_row[i ^ 32];')"
claim "JUnit: a finding has its kernel, kind and lines" \
    of_junit shared-memory-race "string(//testcase[@name='$race' or
        @name='$(sed -E 's/:([0-9]+) and ([0-9]+)/:\2 and \1/' <<<"$race")']/failure/@type)"
cp "$program" "$work/<a&b>"
run --test -- "$work/<a&b>" right
claim "JUnit: the name of a program may hold anything" \
    of_junit "<a&b>" "string(//testsuite/@name)"

# --- SARIF ----------------------------------------------------------------------------------------
of_sarif() { # of_sarif <filter of jq that has to be true>
    jq -e "$1" "$work/sarif.json" >/dev/null || { jq -c . "$work/sarif.json"; false; }
}
run --test -- "$program" races races_as_well reads_nothing
claim "SARIF: it is version 2.1.0 of one run of one tool" \
    of_sarif '.version == "2.1.0" and [.runs[].tool.driver.name] == ["simgpu"]'
claim "SARIF: a result for each pair of lines" of_sarif '[.runs[0].results[] |
    .locations[0].physicalLocation.region.startLine, .relatedLocations[0].physicalLocation.region
    .startLine] | unique | length == 6'
claim "SARIF: every result names a rule, a file, and what happened" of_sarif '.runs[0] |
    [.tool.driver.rules[].id] as $rules | .results | length == 3 and all(.[];
    (.ruleId | IN($rules[])) and (.message.text | length > 20) and .level == "error" and
    (.locations[0].physicalLocation.artifactLocation.uri | endswith("wrapper/wrapper.cu")))'
claim "SARIF: a rule stands once, however often it was broken" \
    of_sarif '[.runs[0].tool.driver.rules[].id] == ["shared-memory-race", "uninitialised-read"]'
claim "SARIF: it tells how the run ended" \
    of_sarif '.runs[0].invocations[0] | .exitCode == 82 and .executionSuccessful'
claim "SARIF: a file below this folder is named from here" of_sarif '.runs[0].results[0]
    .locations[0].physicalLocation.artifactLocation.uri == "grader/tests/wrapper/wrapper.cu"'
run --test -- "$program" "each<mixed>"
claim "SARIF: of a kernel in a header, the place of the code inlined there is named, too" \
    of_sarif '.runs[0].results[0].relatedLocations[-1] | (.message.text | test("inlined")) and
    (.physicalLocation | (.artifactLocation.uri | endswith("wrapper.cu")) and
    (.region.startLine | IN('"$(line_of 's_row[i] = in[i] - 1;'),$(line_of '^ 32] - 1;')"')))'
absolute=$(realpath "$simgpu") wrapped=$(realpath "$program")
elsewhere() {
    (cd "$work" && "$absolute" run --quiet --check=continue --sarif sarif.json -- "$wrapped" races)
    of_sarif '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri |
        startswith("file:///")'
}
claim "SARIF: any other by its whole path" elsewhere

# --- Suppressions ---------------------------------------------------------------------------------
suppressing() { # suppressing <lines> <words of the program...>
    printf '%b' "$1" >"$work/known.txt"
    shift
    run --test --suppressions "$work/known.txt" -- "$program" "$@"
}
suppresses() { # suppresses <status> <lines> <words of the program...>
    local status=$1 got
    shift
    suppressing "$@"
    got=$?
    [ "$got" = "$status" ] || { echo "exit status $got"; return 1; }
}
store=$(line_of 's_row[i] = in[i];') load=$(line_of 'out[i] = s_row[i ^ 32];')
claim "a finding is suppressed by either of its lines" \
    suppresses 0 "# known\n\nshared-memory-race wrapper.cu:$load  # harmless\n" races
claim "the screen only counts it" eval 'said "1 suppressed, as --suppressions asks" &&
    ! grep -q "memory race" "$work/screen"'
claim "SARIF: it is there, as suppressed" \
    of_sarif '[.runs[0].results[].suppressions[0].kind] == ["external"]'
claim "JUnit: it is no failure" of_junit 0 "count(//failure)"
claim "another place stays a fault" \
    suppresses 82 "shared-memory-race wrapper.cu:$store\n" races races_as_well
claim "another kind, too" suppresses 82 "uninitialised-read wrapper.cu\n" races
claim "a file without a line is all of it" suppresses 0 "* wrapper/*.cu\n" races reads_nothing
claim "a part of a file's name is none" suppresses 82 "* rapper.cu\n" races
claim "a kernel is suppressed by its name" \
    suppresses 83 "shared-memory-race kernel:races*\n" races races_as_well reads_nothing
claim "what ends its launch is not covered by a star" suppresses 81 "* wrapper.cu\n" past_the_end

claim "a kernel in a header by the code inlined there" \
    suppresses 0 "shared-memory-race wrapper.cu\n" "each<mixed>"

refuses() { # refuses <sentence> <lines>
    suppresses 64 "$2" races && said "$work/known.txt:$1"
}
claim "a kind that is none is told, with file and line" refuses "2: rase is not a kind of finding: \
write its title with dashes, as in shared-memory-race, or *" "# a\nrase wrapper.cu\n"
claim "so is one that cannot be suppressed" \
    refuses "1: out-of-bounds ends its launch on any device: it cannot be suppressed" \
    "out-of-bounds wrapper.cu\n"
claim "so is a line without a place" refuses "1: shared-memory-race is followed by no place: \
file.cu:41, file.cu or kernel:name" "shared-memory-race\n"
claim "so is one with more" refuses "1: * is followed by more than a place" "* a.cu b.cu"
claim "so is a place that is none" \
    refuses "3: a.cu:b is not a place: write file.cu:41, file.cu or kernel:name" "\n\n* a.cu:b\n"
no_file() {
    suppressing "" races
    run --suppressions "$work/none.txt" -- "$program"
    [ $? = 64 ] && said "cannot read $work/none.txt: No such file or directory"
}
claim "a file that is not there is told" no_file
"$simgpu" run --check --suppressions "$work/known.txt" -- "$program" races \
    >"$work/output" 2>"$work/screen"
claim "suppressions need launches that go on" said "--suppressions goes with --check=continue: \
otherwise what is found ends its launch"

exit $failed
