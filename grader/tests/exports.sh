#!/usr/bin/env bash
# Files for other systems, each held to its published description and read by a program that does
# not know us: xmllint, jq, perl's TAP reader, prove, and where they are there, python3 and sqlite3.
# The class is that of export_class.h, once with honest texts and once for each hostile text in each
# place; all must have the same rows, tests and elements. One line for each claim; exit status 1
# when one does not hold.
#
#     exports.sh [build folder]
set -u
cd "$(dirname "$0")/../.."
program=${1:-build}/test/check_export
schemas=$PWD/grader/tests/schemas
source grader/tests/claim.sh
out=$work/out

# Does the command hold for every class? Their folder is its last argument.
every() {
    local class
    for class in "$out"/*; do
        "$@" "$class" || { echo "of class ${class##*/}"; return 1; }
    done
}
is() { [ "$1" = "$2" ] || { echo "$1 instead of $2"; return 1; }; }
refused() { ! "$@"; }
left_out() { printf '  --    %s: left out, since there is no %s here\n' "$1" "$2"; }

claim "each format is written, of honest and of hostile texts" "$program" "$out"
claim "of more than 20 classes" [ "$(find "$out" -mindepth 1 -maxdepth 1 | wc -l)" -gt 20 ]

# --- JUnit XML ------------------------------------------------------------------------------------
xpath() { xmllint --xpath "$1" "$2/junit.xml"; }
junit_valid() { xmllint --noout --schema "$schemas/junit.xsd" "$1/junit.xml"; }
junit_counts() {
    is "$(xpath 'concat(count(//testsuite), " ", count(//testcase), " ", count(//failure), " ",
        count(//error), " ", count(//skipped), " ", count(//*))' "$1")" "3 12 4 1 4 34"
}
junit_sums() {
    xpath 'count(//testsuite[@tests != count(testcase) or @failures != count(testcase/failure) or
        @errors != count(testcase/error) or @skipped != count(testcase/skipped)]) = 0' "$1" |
        grep -qx true
}
claim "junit.xml is valid" every junit_valid
claim "with an element for each mark and no other" every junit_counts
claim "and its attributes count them" every junit_sums
mkdir -p "$work/planted"
sed '0,/<testcase name="ann"/s//&><failure/' "$out/honest/junit.xml" >"$work/planted/junit.xml"
claim "(an element that a name began would be noticed)" refused junit_valid "$work/planted"

# --- SARIF ----------------------------------------------------------------------------------------
sarif_valid() { "$schemas/json_schema.pl" "$schemas/sarif-2.1.0.json" "$1/sarif.json"; }
sarif_results() {
    jq -e '.runs[0] | [.results[] | [.ruleId, .level,
        .locations[0].physicalLocation.region.startLine]] ==
        [["SLOW", "warning", 41], ["WRONG", "error", 12], ["RACE", "error", 7]]' "$1/sarif.json"
}
sarif_rules() {
    jq -e '.runs[0] | ([.tool.driver.rules[].id] | sort) == ([.results[].ruleId] | unique)' \
        "$1/sarif.json"
}
# Relative, of two segments, neither of which leaves its folder.
sarif_files() {
    jq -e 'all(.runs[0].results[].locations[0].physicalLocation.artifactLocation.uri;
        test("^[A-Za-z0-9._~%-]+/[A-Za-z0-9._~%-]+$") and
        (split("/") | all(. != "." and . != "..")))' "$1/sarif.json"
}
claim "sarif.json is valid" every sarif_valid
claim "with a result for each mark that has a line and is no pass" every sarif_results
claim "and a rule for each verdict of these" every sarif_rules
claim "at a file of the student's folder" every sarif_files
jq '.runs[0].results[0].level = "bad"' "$out/honest/sarif.json" >"$work/planted/sarif.json"
claim "(a level that SARIF has not would be noticed)" refused sarif_valid "$work/planted"
if python3 -c 'import jsonschema' 2>/dev/null; then
    claim "as python3's jsonschema says, too" python3 -W ignore -c 'import json, jsonschema, sys
validator = jsonschema.Draft4Validator(json.load(open(sys.argv[1])))
for name in sys.argv[2:]:
    validator.validate(json.load(open(name)))' "$schemas/sarif-2.1.0.json" "$out"/*/sarif.json
else
    left_out "sarif.json by another reader" "python3 with jsonschema"
fi

# --- TAP ------------------------------------------------------------------------------------------
# Older readers know version 13 at most; of what differs in 14, our files use escapes only.
cat >"$work/tap.pl" <<'END'
use strict; use warnings; use TAP::Parser;
open my $file, '<', "$ARGV[0]/class.tap" or die;
my $text = do { local $/; <$file> };
$text =~ s/^TAP version 14$/TAP version 13/m or die "no version\n";
my $parser = TAP::Parser->new({tap => $text});
my %of = map { $_ => 0 } qw(test yaml plan version unknown comment bailout pragma);
while (my $part = $parser->next) { $of{$part->type}++; }
printf "%d passed, %d failed, %d skipped, %d todo, %d errors, plan %s, %s\n",
    scalar $parser->passed, scalar $parser->failed, scalar $parser->skipped,
    scalar $parser->todo, scalar $parser->parse_errors, $parser->plan // 'none',
    join ' ', map { "$_ $of{$_}" } sort keys %of;
END
tap_parts() {
    is "$(perl "$work/tap.pl" "$1")" "7 passed, 5 failed, 4 skipped, 0 todo, 0 errors, \
plan 1..12, bailout 0 comment 0 plan 1 pragma 0 test 12 unknown 0 version 1 yaml 8"
}
tap_prove() {
    prove --exec 'sed 1s/14/13/' "$1/class.tap" >"$work/prove"
    grep -qx 'Failed 5/12 subtests ' "$work/prove" &&
        grep -q '(less 4 skipped subtests: 3 okay)' "$work/prove" &&
        grep -q 'Failed tests:  2-3, 5-6, 9' "$work/prove" && ! grep -q Parse "$work/prove"
}
claim "class.tap has 12 tests, 8 blocks of YAML and nothing else" every tap_parts
claim "and prove counts the same" every tap_prove
sed '5a ok 1' "$out/honest/class.tap" >"$work/planted/class.tap"
claim "(a line that a reason began would be noticed)" refused tap_parts "$work/planted"

# --- Canvas and Moodle ----------------------------------------------------------------------------
# Of each row (RFC 4180), how many fields; then what must not be in any.
cat >"$work/csv.pl" <<'END'
use strict; use warnings; use utf8; use open ':std', ':encoding(UTF-8)';
open my $file, '<:encoding(UTF-8)', $ARGV[0] or die;
my $text = do { local $/; <$file> };
my (@rows, @row);
while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/gc) {
    push @row, $1 // $2;
    if ($3 eq "\n") { push @rows, [@row]; @row = (); }
}
die "no CSV after row " . @rows . "\n" if (pos $text // 0) < length $text;
for my $field (map { @$_ } @rows) {
    die "a formula: $field\n" if $field =~ /(^|;)\s*[=+\-@＝＋－＠]/;
    die "a control character: $field\n" if $field =~ /[\x00-\x1F\x7F-\x9F\x{202A}-\x{202E}]/;
}
# Canvas takes these rows for that of the points; what Moodle shows of the other columns is HTML.
my $points = grep { $_->[0] =~ /Points Possible/ } @rows;
my $html = grep { /[<>]|&(?!#\d+;)/ } map { @$_[2 .. $#$_] } @rows;
print join(' ', map { scalar @$_ } @rows), $ARGV[1] eq 'canvas' ? ", points $points\n" :
    ", HTML $html\n";
END
canvas_rows() { is "$(perl "$work/csv.pl" "$1/canvas.csv" canvas)" "8 8 8 8, points 1"; }
moodle_rows() { is "$(perl "$work/csv.pl" "$1/moodle.csv" moodle)" "8 8 8, HTML 0"; }
grades() {
    is "$(tail -n 2 "$1/canvas.csv" | sed 's/.*,\([^,]*,[^,]*,[^,]*\)$/\1/' | xargs)" \
        "100,70,0 85.5,,0"
}
claim "canvas.csv has its header, the points and a row for each graded student" every canvas_rows
claim "with no grade where no mark stands" every grades
claim "moodle.csv has a row for each graded student, and no HTML" every moodle_rows
sed 's/\(feedback\)$/"\1; =1"/' "$out/honest/moodle.csv" >"$work/planted/moodle.csv"
claim "(a formula would be noticed)" refused moodle_rows "$work/planted"
sed 's/gold/<b>/' "$out/honest/moodle.csv" >"$work/planted/moodle.csv"
claim "(so would an element)" refused moodle_rows "$work/planted"
if command -v python3 >/dev/null; then
    csv_python() {
        is "$(python3 -c 'import csv, sys
for name in sys.argv[1:]:
    print(*[len(row) for row in csv.reader(open(name, encoding="utf-8", newline=""),
                                           strict=True)])' \
            "$1/canvas.csv" "$1/moodle.csv" | xargs)" "8 8 8 8 8 8 8"
    }
    claim "python3's csv reads the same rows" every csv_python
else
    left_out "CSV by another reader" python3
fi
if command -v sqlite3 >/dev/null; then
    csv_sqlite() {
        is "$(printf '.import --csv %s grades\nselect count(*), sum(Coalescing) from grades;\n' \
            "$1/moodle.csv" | sqlite3 2>&1)" "2|185.5"
    }
    claim "and sqlite3 imports them" every csv_sqlite
else
    left_out "CSV by an import" sqlite3
fi

# --- Gradescope, Autolab, GitHub Classroom --------------------------------------------------------
# The rules of each one's documentation, of the file of a student with so many tests.
cat >"$work/gradescope.jq" <<'END'
def format: IN("text", "html", "simple_format", "md", "ansi");
def shown: IN("visible", "hidden", "after_due_date", "after_published");
def known($names): (keys - $names) == [];
known(["score", "execution_time", "output", "output_format", "test_output_format",
    "test_name_format", "visibility", "stdout_visibility", "extra_data", "tests",
    "leaderboard"]) and
(has("score") != (.tests | length > 0)) and
(.visibility | shown) and .output_format == "text" and .test_output_format == "text" and
(.tests | length == $tests) and all(.tests[];
    known(["score", "max_score", "status", "name", "name_format", "number", "output",
        "output_format", "tags", "visibility", "extra_data"]) and
    (.score | type == "number") and (.max_score | type == "number") and
    .score >= 0 and .score <= .max_score and (.status | IN("passed", "failed")) and
    (.name | type == "string") and (.output | type == "string") and
    (.name_format | format) and .output_format == "text" and .visibility == "visible" and
    (.extra_data | keys == ["grader", "lesson", "seed", "sha256", "verdict"])) and
all(.leaderboard // [] | .[];
    known(["name", "value", "order"]) and (.name | type == "string") and
    (.value | type == "number") and .order == "desc") and
([.tests[].score] | add // 0) == $points
END
cat >"$work/classroom.jq" <<'END'
keys == ["max_score", "status", "tests", "version"] and .version == 1 and
(.status | IN("pass", "fail", "error")) and .max_score == 300 and
(.tests | length == $tests) and all(.tests[];
    keys == ["duration", "filename", "line_no", "message", "name", "score", "status",
        "test_code"] and
    (.name | type == "string") and (.status | IN("pass", "fail", "error")) and
    (.score | type == "number") and (.message | type == "string") and
    (.filename | type == "string" and (contains("/") | not)) and
    (.line_no | type == "number") and (.duration | type == "number")) and
([.tests[].score] | add // 0) == $points
END
cat >"$work/autolab.jq" <<'END'
keys == ["scores"] and (.scores | type == "object" and all(.[]; type == "number") and
    ((keys - ["01_coalescing", "02_tiling", "03_divergence"]) == []) and
    ([.[]] | add // 0) == $points)
END
# Points and tests of ann, ben, cal and dot.
each_student() {
    local check=$1 class=$2
    "$check" "$class/0" 170 3 && "$check" "$class/1" 85.5 3 && "$check" "$class/2" 100 2 &&
        "$check" "$class/3" 0 0
}
held() { jq -e --argjson points "$2" --argjson tests "$3" -f "$work/$1.jq" >/dev/null; }
gradescope() { held gradescope "$2" "$3" <"$1/results.json"; }
classroom() {
    is "$(wc -l <"$1/classroom.txt")" 1 && base64 -d "$1/classroom.txt" | held classroom "$2" "$3"
}
autolab() { tail -n 1 "$1/autolab.txt" | held autolab "$2" "$3"; }
# Each line begins with words of ours, and the last alone is JSON.
autolab_lines() {
    is "$(grep -c '^Lesson [1-3]: ' "$1/autolab.txt")" "$3" &&
        ! sed '$d' "$1/autolab.txt" | grep -vE '^(Lesson [1-3]|Points|Verdict|Reason|Line|Hint|'\
'Cause|Decided by the instructor): |^It counts as not handed in until|^$'
}
claim "results.json is as Gradescope documents it" every each_student gradescope
claim "the last line of autolab.txt is as Autolab documents it" every each_student autolab
claim "and no line of it begins with a student's words" every each_student autolab_lines
claim "classroom.txt decodes to what GitHub Classroom's reporter reads" \
    every each_student classroom
mkdir -p "$work/planted/0"
jq '.tests[0].output_format = "html"' "$out/honest/0/results.json" >"$work/planted/0/results.json"
claim "(HTML would be noticed)" refused gradescope "$work/planted/0" 170 3
(printf 'ok\n' && cat "$out/honest/0/autolab.txt") >"$work/planted/0/autolab.txt"
claim "(a line of a student's would be noticed)" refused autolab_lines "$work/planted/0" 170 3
exit $failed
