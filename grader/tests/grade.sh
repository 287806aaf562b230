#!/usr/bin/env bash
# Grading a class, from hand-ins to marks: whatever students hand in, and however a run ends.
# usage: grade.sh [build folder]; KILLS=n ends that many runs at random moments (3).
set -u
cd "$(dirname "$0")/../.."
source grader/tests/claim.sh
build=$(realpath "${1:-build}")
gradebook() { "$build/bin/gradebook" --course "$PWD" --build "$build" "$@"; }
if gradebook grade "$work" --out "$work/none" --lesson 1 | grep -q '^nothing is graded'; then
    echo '  --    grading a class: no sandbox works here; nothing is tested'
    exit 0
fi
solution=solutions/01_coalescing/coalescing.cu
slow=grader/judges/01_coalescing/slow/chunk_per_thread.cu
class=$work/class out=$work/out
grade() { # grade <arguments...>: of the class, with its lines in $work/output
    gradebook grade "$class" --out "$out" --device sim "$@" >"$work/output" 2>&1
}
# Columns by their names, for the lines that a pattern finds.
columns() { # columns <table> <name,...>
    perl -e '
        my ($table, $names) = @ARGV;
        sub fields { # of one line; a quote is doubled
            my @fields;
            push @fields, $1 // $2 while $_[0] =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g &&
                @fields < 100 && pos($_[0]) <= length $_[0] && ($#fields < 0 || 1);
            s/""/"/g for @fields;
            return @fields;
        }
        open my $in, "<", $table or die "$table: $!\n";
        chomp(my $head = <$in>);
        my %at; my @head = split /,/, $head;
        @at{@head} = 0 .. $#head;
        while (<$in>) {
            chomp;
            my @fields = fields($_);
            print join(",", map { $fields[$at{$_}] // "" } split /,/, $names), "\n";
        }' "$1" "$2"
}
rows_are() { # rows_are <name,...> <line...>: the table has these, in any order
    diff <(columns "$out/grades.csv" "$1" | sort) <(printf '%s\n' "${@:2}" | sort)
}

# --- What students hand in ------------------------------------------------------------------------
mkdir "$class" "$class/gus"
cp "$solution" "$class/ann.cu"
cp "$slow" "$class/ben.cu"
cp grader/tests/course/exercises/22_early_exit/early_exit.cu "$class/=cat.cu"
ln -s /etc/passwd "$class/dan.cu"
: >"$class/eve.cu"
: >"$class/"$'fay\nray.cu'
cp "$slow" "$class/gus/coalescing.cu"
echo 'How do I compile this?' >"$class/question.txt"
printf 'id,name\nann,Ann Lee\nben,Ben "B" Ito\nhal,Hal Ko\n' >"$work/roster.csv"
a_class() {
    grade --lesson 1 --roster "$work/roster.csv"
    [ $? = 0 ] && rows_are id,standing,band,points,verdict \
        'ann,judged,gold,100,PASS' 'ben,judged,right,40,SLOW' "'=cat,judged,none,0,BUILD" \
        'dan,judged,none,0,REFUSED' 'eve,judged,none,0,REFUSED' \
        'fay␊ray-ca0922,judged,none,0,REFUSED' 'gus,judged,right,40,SLOW' 'hal,absent,,,'
}
claim "whatever they hand in, each student has a mark" a_class
on_screen() {
    [ "$(grep -c '^  [A-Z]' "$work/output")" = 7 ] &&
        [ "$(LC_ALL=C.UTF-8 wc -L <"$work/output")" -le 100 ]
}
claim "each hand-in that was judged has a line on the screen" on_screen
claim "what is no hand-in is counted, and named on the page" \
    bash -c "grep -q 'left out: 1 more file' '$work/output' &&
        grep -q question.txt '$out/class.html'"
identical() {
    columns "$out/grades.csv" id,flags | grep -qx 'ben,identical to the file of gus' &&
        columns "$out/grades.csv" id,flags | grep -qx 'gus,identical to the file of ben' &&
        columns "$out/grades.csv" id,flags | grep -qx 'hal,' &&
        [ "$(columns "$out/grades.csv" id,seed | grep -E '^(ben|gus),' | cut -d, -f2 | uniq |
            wc -l)" = 1 ]
}
claim "identical files are judged once, and flagged" identical
private() { [ "$(stat -c %a "$out")" = 700 ]; }
claim "nobody else on this machine can read the marks" private

# --- Again ----------------------------------------------------------------------------------------
nothing_new() {
    grade --lesson 1 --roster "$work/roster.csv" &&
        ! grep -q '^  [A-Z]' "$work/output" && grep -q '7 judged before' "$work/output"
}
claim "graded again, nothing is judged" nothing_new
sed -i 's/^right .*/right 45/; $a lesson 1 pass 90' "$out/points.txt"
other_points() { nothing_new && columns "$out/grades.csv" id,points,of | grep -qx 'ben,45,100'; }
claim "other points need no new judgement" other_points
cp "$solution" "$class/ben.cu"
changed_file() {
    grade --lesson 1 && [ "$(grep -c '^  [A-Z]' "$work/output")" = 1 ] &&
        columns "$out/grades.csv" id,verdict,attempts | grep -qx 'ben,PASS,2'
}
claim "a changed file is judged, and the earlier judgement is kept" changed_file
another_lesson() {
    mkdir "$work/second" && cp solutions/00_machine/machine.cu "$work/second/ben.cu" &&
        gradebook grade "$work/second" --out "$out" --lesson 0 --device sim >"$work/output" &&
        columns "$out/grades.csv" id,lesson,verdict | grep -qx 'ben,00_machine,PASS' &&
        columns "$out/grades.csv" id,lesson,verdict | grep -qx 'ben,01_coalescing,PASS'
}
claim "another lesson in the same gradebook takes no mark away" another_lesson

# --- Whole repositories ---------------------------------------------------------------------------
clones() { # of the course, as a template: the solutions in them are nobody's
    local clone=$work/clones/hw-ann
    mkdir -p "$clone" && cp -r solutions exercises common "$clone" &&
        cp "$slow" "$clone/exercises/01_coalescing/coalescing.cu" || return 1
    gradebook grade "$work/clones" --out "$work/cloned" --lesson 1 --device sim >"$work/output" &&
        ! grep -q 'more file' "$work/output" &&
        diff <(columns "$work/cloned/grades.csv" id,lesson,verdict) <(
            echo hw-ann,01_coalescing,SLOW)
}
claim "in a clone of the course only its exercises are handed in" clones
alike_folder() { # a folder of a student's that is called like one of the course's
    mkdir -p "$work/lectures/ann/lessons" && cp "$slow" "$work/lectures/ann/lessons/mine.cu" &&
        gradebook grade "$work/lectures" --out "$work/lectured" --lesson 1 --device sim \
            >"$work/output" && columns "$work/lectured/grades.csv" id,verdict | grep -qx 'ann,SLOW'
}
claim "a folder that is only called like one of the course's is searched" alike_folder

# --- Decisions ------------------------------------------------------------------------------------
decided() {
    gradebook override --out "$out" --student ANN --lesson 1 --points 77.5 \
        --reason 'late, by agreement' >"$work/output" &&
        columns "$out/grades.csv" id,lesson,standing,points,reason |
        grep -qx 'ann,01_coalescing,decided,77.5,late, by agreement' &&
        gradebook override --out "$out" --student ann --lesson 1 --points none \
            --reason 'not late' >"$work/output" &&
        columns "$out/grades.csv" id,lesson,standing,points |
        grep -qx 'ann,01_coalescing,judged,100'
}
claim "an instructor decides with a reason, and takes it back" decided
refuses() { # refuses <words> <arguments...>
    ! gradebook "${@:2}" >"$work/output" 2>&1 && grep -qF -- "$1" "$work/output" &&
        [ "$(wc -l <"$work/output")" -le 2 ]
}
claim "not without a reason" refuses 'needs a reason' \
    override --out "$out" --student ann --lesson 1 --points 3 --reason ' '
claim "nor for a student who is not there" refuses 'knows no such student' \
    override --out "$out" --student nobody --lesson 1 --points 3 --reason x
claim "nor with points that are none" refuses 'needs points' \
    override --out "$out" --student ann --lesson 1 --points many --reason x
regraded() {
    gradebook regrade --out "$out" --student gus --lesson 1 >"$work/output" &&
        columns "$out/grades.csv" id,lesson,verdict,attempts | grep -qx 'gus,01_coalescing,SLOW,2'
}
claim "a regrade judges once more, with another seed" regraded
attempt=$(columns "$out/grades.csv" id,lesson,attempt | sed -n 's/^gus,01_coalescing,//p')
reproduced() { gradebook reproduce "$attempt" --out "$out" >"$work/output" &&
    grep -q '^reproduced' "$work/output"; }
claim "a judgement is repeated from its sealed source and seed" reproduced
claim "an attempt that is not there is one sentence" refuses 'no such judgement' \
    reproduce 999 --out "$out"
claim "a folder without a gradebook is one sentence" refuses 'there is no gradebook' \
    reproduce 1 --out "$work/second"

# --- The grader's version -------------------------------------------------------------------------
same_version() { # in another place; and another one where a contract, or the toolkit, differs
    mkdir "$work/copy" && cp -r common solutions grader "$work/copy" || return 1
    local here elsewhere changed toolkit
    here=$(NVCC_VERSION=1 grader/check/version.sh)
    elsewhere=$(cd "$work/copy" && NVCC_VERSION=1 grader/check/version.sh)
    toolkit=$(cd "$work/copy" && NVCC_VERSION=2 grader/check/version.sh)
    echo '//' >>"$work/copy/common/contracts/01_coalescing.h"
    changed=$(cd "$work/copy" && NVCC_VERSION=1 grader/check/version.sh)
    rm -r "$work/copy"
    [ "$here" = "$elsewhere" ] && [ "$here" != "$toolkit" ] && [ "$here" != "$changed" ]
}
claim "one commit has one version everywhere, of contracts and toolkit as well" same_version

# --- Believed only if sealed ----------------------------------------------------------------------
edited() {
    perl -pi -e 's/"verdict":"SLOW"/"verdict":"PASS"/g' "$out/gradebook.sqlite" &&
        grade --lesson 1
        grep -q '^  SLOW  *gus' "$work/output" &&
        columns "$out/grades.csv" id,lesson,points | grep -qx 'gus,01_coalescing,45'
}
claim "a record that was changed is not believed, and judged again" edited

# --- However a run ends ---------------------------------------------------------------------------
# Of the fixture course, whose lessons take a second each.
tiny=$build/test/course
for part in bin/warpquest bin/simgpu lib config.mk; do
    mkdir -p "$(dirname "$tiny/$part")"
    ln -sfn "$build/$part" "$tiny/$part"
done
mkdir "$work/many"
for lesson in 01_pass 02_wrong 03_slow 07_out_of_bounds 10_race 15_nondeterministic \
    22_early_exit; do
    cp "grader/tests/course/exercises/$lesson/${lesson#*_}.cu" "$work/many"
done
begin() { # begin <gradebook>: a folder with the points policy, which that course does not have
    rm -rf "$1"
    mkdir "$1"
    cp grader/class/points.txt "$1"
}
many() {
    "$build/bin/gradebook" --course grader/tests/course --build "$tiny" grade "$work/many" \
        --out "$1" --device sim --seed 7
}
marks() { columns "$1/grades.csv" id,lesson,standing,points,verdict,line,seed | sort; }
same_marks() { # and each file was judged once
    [ "$(marks "$work/whole" | grep -c ',judged,')" = 7 ] &&
        diff <(marks "$work/whole") <(marks "$1") && [ ! -e "$1/judged" ] &&
        ! columns "$1/grades.csv" attempts | grep -vx '[01]'
}
begin "$work/whole"
many "$work/whole" >"$work/output" 2>&1
killed() { # at a random moment, and then to the end
    begin "$work/cut"
    many "$work/cut" >"$work/output" 2>&1 &
    local run=$!
    sleep "$(awk -v r=$RANDOM 'BEGIN { print 0.1 + r / 32768 * 6 }')"
    kill -9 $run 2>/dev/null
    wait $run 2>/dev/null
    for try in 1 2 3 4 5 6 7 8 9 10; do # its workers may still be ending
        many "$work/cut" >"$work/output" 2>&1
        [ $? != 8 ] && break
        sleep 1
    done
    same_marks "$work/cut"
}
for ((i = 1; i <= ${KILLS:-2}; i++)); do
    claim "killed at a random moment, the same command ends with the same marks ($i)" killed
done
interrupted() {
    begin "$work/cut"
    (trap - INT; exec "$build/bin/gradebook" --course grader/tests/course --build "$tiny" grade \
        "$work/many" --out "$work/cut" --device sim --seed 7) >"$work/output" 2>&1 &
    local run=$!
    sleep 0.6
    kill -INT $run
    wait $run
    [ $? = 130 ] && grep -q 'the same command resumes' "$work/output" &&
        [ -s "$work/cut/grades.csv" ] && many "$work/cut" >"$work/output" 2>&1 &&
        same_marks "$work/cut"
}
claim "interrupted, it says how to resume, and does" interrupted
# Which of them comes first is left to the machine: it may be busy.
two_at_once() {
    local one two refused=$work/screen
    begin "$work/cut"
    many "$work/cut" >"$work/output" 2>&1 &
    sleep 0.4
    many "$work/cut" >"$work/screen" 2>&1
    two=$?
    wait $!
    one=$?
    [ $one != 8 ] || refused=$work/output
    [[ $one$two == ?8 || $one$two == 8? ]] && [ "$one" != "$two" ] &&
        grep -q 'another command is working' "$refused" && same_marks "$work/cut"
}
claim "of two runs on one gradebook one is refused" two_at_once
if bwrap --dev-bind / / --size 1000000 --tmpfs /mnt true 2>/dev/null; then
    mkdir -p "$work/filled"
    full_disk() {
        bwrap --dev-bind / / --size 8192 --tmpfs "$work/filled" "$build/bin/gradebook" \
            --course "$PWD" --build "$build" grade "$work/second" --out "$work/filled" \
            --lesson 0 --device sim >"$work/output" 2>&1
        [ $? = 8 ] && grep -qE 'disk full|No space left' "$work/output"
    }
    claim "a full disk is one sentence" full_disk
fi

# --- Bad input ------------------------------------------------------------------------------------
claim "a lesson that is none grades nobody" refuses 'there is no lesson' \
    grade "$class" --out "$work/typo" --lesson 99
within() { # the gradebook removes nothing that it has not made
    mkdir -p "$work/inside/unpacked" && cp "$solution" "$work/inside/unpacked/ann.cu" &&
        refuses 'it is in OUT' grade "$work/inside/unpacked" --out "$work/inside" --lesson 1 &&
        [ -s "$work/inside/unpacked/ann.cu" ]
}
claim "hand-ins within the gradebook's folder are refused, and stay" within
claim "an option that says nothing is refused" refuses 'LESSON: it is empty' \
    grade "$class" --out "$work/typo" --lesson ''
wrong_points() {
    mkdir -p "$work/policy" && echo bad >"$work/policy/points.txt" &&
        refuses 'line 1: a band is one of' grade "$class" --out "$work/policy" --lesson 1 &&
        ! grep -q '^  [A-Z]' "$work/output"
}
claim "a points policy with a mistake is found before anything is judged" wrong_points
claim "an export of a roster that is not there is refused" refuses 'only students of a roster' \
    export --out "$work/cut" --format canvas --course grader/tests/course --build "$tiny"
claim "a missing folder is one sentence" refuses 'No such file' \
    grade "$work/no-such" --out "$work/typo" --lesson 1
mkdir "$work/empty"
claim "an empty folder is one sentence" refuses 'nothing was handed in' \
    grade "$work/empty" --out "$work/typo" --lesson 1
printf 'id\nann\nann\n' >"$work/twice.csv"
claim "a roster with an id twice is refused" refuses 'lines 2 and 3' \
    grade "$class" --out "$work/typo" --lesson 1 --roster "$work/twice.csv"
claim "a seed that is none is refused" refuses 'SEED' \
    grade "$class" --out "$work/typo" --lesson 1 --seed -1
no_ipc() {
    gradebook grade "$work/second" --out "$work/self" --lesson 0 --device sim --no-ipc \
        >"$work/output" 2>&1
    [ $? = 5 ] && grep -q 'not judged yet' "$work/output" &&
        columns "$work/self/grades.csv" id,standing,points | grep -qx 'ben,undecided,'
}
claim "on a device without CUDA IPC nobody gets a mark, and the exit status says so" no_ipc
without_walls() {
    WARPQUEST_SANDBOX=neither gradebook grade "$class" --out "$work/unwalled" --lesson 1 \
        >"$work/output" 2>&1
    [ $? = 5 ] && grep -q '^nothing is graded' "$work/output" && [ ! -e "$work/unwalled" ]
}
claim "without a sandbox nobody is graded" without_walls

# --- What a student gets --------------------------------------------------------------------------
# It names no folder of the instructor's, whatever the file does to learn it.
mkdir "$work/handed-in"
cp "$slow" "$work/handed-in/slow.cu"
printf '#include "contracts/01_coalescing.h"\n#include "none.h"\n' >"$work/handed-in/broken.cu"
cat - "$solution" >"$work/handed-in/prints.cu" <<'EOF'
#include <cstdio>
extern char **environ;
#warning "so that there is something to quote"
namespace { struct teller { teller() {
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    puts(__FILE__);
    for (char **one = environ; *one; one++)
        puts(*one);
    while (maps && fgets(line, sizeof line, maps))
        fputs(line, stdout);
} } told; }
EOF
names_no_folder() {
    gradebook grade "$work/handed-in" --out "$work/tell" --lesson 1 --device sim >"$work/output" \
        2>&1
    [ "$(ls "$work/tell/students" | wc -l)" = 3 ] &&
        grep -q 'LD_LIBRARY_PATH' "$work/tell/students/prints.html" &&
        grep -q 'coalescing.cu:3' "$work/tell/students/prints.html" &&
        ! grep -rlF -e "$work" -e "$PWD" -e handed-in -e 'SUBMISSION=' "$work/tell/students"
}
claim "what a student gets names no folder of the instructor's" names_no_folder
exit $failed
