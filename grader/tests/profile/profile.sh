#!/usr/bin/env bash
# What `simgpu run` shows of a program: on the screen and in its files. A line each; exit status 1
# when one does not hold.
#
#     profile.sh simgpu program json_value [program with NVTX ranges]
set -u
simgpu=$1
program=$2
json_value=$3
ranges=${4:-}
source=$(dirname "$0")/profile.cu
source "$(dirname "$0")/../claim.sh"

run() { # run <arguments...>: its screen is kept, its exit status returned
    "$simgpu" run "$@" >"$work/output" 2>"$work/screen"
}

refuses() { # refuses <status> <sentence> <arguments...>
    local status=$1 sentence=$2
    shift 2
    run "$@"
    local got=$?
    [ "$got" = "$status" ] || { echo "exit status $got"; return 1; }
    [ "$(cat "$work/screen")" = "simgpu: $sentence" ]
}

line_of() { # the number of the source line that has this text
    grep -nF -- "$1" "$source" | head -1 | cut -d: -f1
}

screen_says() { grep -qF -- "$1" "$work/screen"; }
# The sentence below a line, put together again.
screen_says_of() { # screen_says_of <text of the line> <sentence>
    grep -A4 "profile.cu:$(line_of "$1") " "$work/screen" | tr -s ' \n' ' ' | grep -qF -- "$2"
}
value() { # value <is> <keys...>
    local is=$1 got
    shift
    got=$("$json_value" "$work/profile.json" "$@") && [ "$got" = "$is" ] || { echo "$got"; false; }
}
times_add_up() { # the lines' times are the kernels'
    local i=0 time sum=0 kernels=0
    while time=$("$json_value" "$work/profile.json" lines $i modelled_ns); do
        sum="$sum + $time" i=$((i + 1))
    done
    i=0
    while time=$("$json_value" "$work/profile.json" kernels $i modelled_ns); do
        kernels="$kernels + $time" i=$((i + 1))
    done
    awk "BEGIN { part = ($sum) / ($kernels); print part; exit !(part > 0.999 && part < 1.001) }"
}
narrow() { ! awk 'length($0) > 80' "$work/screen" | grep .; }
short() { [ "$(wc -l <"$work/screen")" -le 50 ]; }
plain() { ! grep -q $'\033' "$work/screen"; }

# --- The screen -----------------------------------------------------------------------------------
run --csv "$work/profile.csv" --json "$work/profile.json" -- "$program"
claim "the program's own output is its own" [ "$(cat "$work/output")" = cudaSuccess ]
claim "the screen is 80 columns wide in a pipe" narrow
claim "it is one screen" short
claim "it has no colours in a pipe" plain
claim "kernels have the names of the source" screen_says "conflicts<32> "
claim "a line of bank conflicts is explained" screen_says_of "// 32 lanes, one bank" \
    "wavefronts a request, 1.0 would do: neighbouring lanes touch addresses 128 bytes apart"
claim "a line of scattered loads is explained" screen_says_of "// a row apart" \
    "loads touch 32.0 sectors a request, 4.0 would do: \
neighbouring lanes read addresses 1 KiB apart"
claim "a line of idle lanes is explained" screen_says_of "// 8 of 32 lanes" \
    "8.0 of 32 lanes work"
claim "a line is told its part of the time, and what that goes to" screen_says_of \
    "// 32 lanes, one bank" " us, 9"
claim "in words" screen_says_of "// 32 lanes, one bank" " % of it waiting for shared memory; "
claim "and what mending it would gain" screen_says_of "// 32 lanes, one bank" \
    "; without its bank conflicts the kernel would take 0."
claim "what gains most comes first" value "$(line_of "// 32 lanes, one bank")" lines 0 line

# --- Files ----------------------------------------------------------------------------------------
claim "the CSV has a row a launch, in launch order" [ "$(cut -d, -f1,2 "$work/profile.csv" |
    tr '\n' ' ')" = \
    "launch,kernel 0,conflicts<32> 1,conflicts<32> 2,conflicts<32> 3,columns 4,quarter " ]
claim "its columns are those of a hardware profile" grep -q "^launch,kernel,block,grid,requests_ld,\
sectors_ld,requests_st,sectors_st,sectors_red,shared_ld,wavefronts_ld,shared_st,wavefronts_st,\
warp_inst,thread_inst,thread_inst_pred_on,divergent_branches,dram_read_bytes,dram_write_bytes,\
registers,modelled_ns,bound\$" "$work/profile.csv"
claim "the counters of a launch stand in its row" \
    grep -q '^3,columns,"(128, 1, 1)","(2, 256, 1)",2048,65536,2048,8192,0,' "$work/profile.csv"
claim "the JSON has the same counters" value 65536 launches 3 global_load sectors
claim "the lines' times add up to the kernels'" times_add_up
claim "a line has what its mends would save" eval '[ "$("$json_value" "$work/profile.json" \
    lines 0 gains_ns wavefronts)" != "" ]'
claim "a launch has what they would save together" eval '[ "$("$json_value" "$work/profile.json" \
    launches 0 gains_ns wavefronts)" != "" ]'
claim "and every line's" value 1024 launches 3 global_load neighbour_bytes

# --- The page -------------------------------------------------------------------------------------
page_has() { grep -qF -- "$1" "$work/profile.html"; }
of_line() { # the page's part on the line with this text
    sed -n "/<details id=\"f0-$(line_of "$1")\"/,/<\/details>/p" "$work/profile.html"
}
drawn() { # drawn <text of the line> <title of its drawing>
    of_line "$1" | grep -qF "<title>$2</title>" || { of_line "$1" | grep '<title>'; false; }
}
tags_match() {
    for tag in details summary div svg figure table tr p; do
        [ "$(grep -o "<$tag[ >]" "$work/profile.html" | wc -l)" = \
            "$(grep -o "</$tag>" "$work/profile.html" | wc -l)" ] || { echo "$tag"; return 1; }
    done
}
run --quiet --html "$work/profile.html" -- "$program"
claim "the page stands by itself" eval '! grep -E "(src|href)=\"[^#]|url\(|@import|https?:" \
    "$work/profile.html"'
claim "its tags match" tags_match
claim "names with < in them are shown as they are" page_has "<td>conflicts&lt;32&gt;</td>"
claim "a line has its counters beside it" eval 'of_line "// a row apart" | tr -d "\n" |
    grep -qF "<span class=\"waste\">32.0</span> <span class=\"fine\">of 4.0</span>"'
claim "scattered loads are drawn over their sectors" drawn "// a row apart" \
    "32 lanes touch 32 sectors"
claim "bank conflicts are drawn, wavefront by wavefront" drawn "// 32 lanes, one bank" \
    "32 lanes take 32 wavefronts over the 32 banks"
claim "so are accesses with nothing wrong" drawn "out[y * N + x] = value;" \
    "32 lanes touch 4 sectors"
claim "a line has its time, and what for" eval 'of_line "// a row apart" |
    grep -qE "[0-9.]+ us modelled, [0-9]+ % of it waiting for memory"'
claim "the lines that take longest lead to theirs" \
    page_has "<a href=\"#f0-$(line_of '// 8 of 32')\">"

# --- NVTX ranges ----------------------------------------------------------------------------------
range() { # range <name> <instances> <kernels inside and their calls>
    local i=0 name kernels=() k
    while name=$("$json_value" "$work/profile.json" ranges $i range); do
        [ "$name" = "$1" ] && break
        i=$((i + 1))
    done
    [ "$name" = "$1" ] || { echo "no range $1"; return 1; }
    value "$2" ranges $i instances || return 1
    for ((k = 0; k < 9; k++)); do
        name=$("$json_value" "$work/profile.json" ranges $i kernels $k name) || break
        kernels+=("$name $("$json_value" "$work/profile.json" ranges $i kernels $k calls)")
    done
    [ "$(printf '%s\n' "${kernels[@]}" | sort | tr '\n' ' ')" = "$3" ] ||
        { echo "in $1: ${kernels[*]}"; return 1; }
}
if [ -z "$ranges" ]; then
    echo "  skip  NVTX ranges: this toolkit has no nvtx3 headers"
else
    run --json "$work/profile.json" -- "$ranges"
    claim "a program with ranges runs as ever" [ "$(cat "$work/output")" = cudaSuccess ]
    claim "the screen shows ranges" screen_says "NVTX range "
    claim "a range has all kernels launched inside it, in inner ranges too" \
        range outer 1 "first 2 second 1 "
    claim "ranges of one name are one, and count a kernel once" range inner 4 "first 2 "
    claim "a range of the whole program sees other threads' kernels" \
        range whole 1 "first 2 second 3 "
    claim "a range of a thread sees its own" range "other thread" 1 "second 1 "
    claim "a range around a graph's launch has its kernels" range graph 1 "second 1 "
    claim "domains, registered and wide names are told" range "library:größe" 1 " "
    claim "a range that waits takes as long as what it waits for" awk "$(printf \
        'BEGIN { exit !(%s > %s) }' "$("$json_value" "$work/profile.json" ranges 0 total_ns)" \
        "$("$json_value" "$work/profile.json" kernels 0 modelled_ns)")"
fi

# --- A warp stepping ------------------------------------------------------------------------------
shows() { # shows <steps> <what...>: in the trace of quarter
    run --trace quarter --steps "$1" -- "$program"
    shift
    for words in "$@"; do
        screen_says "$words" || { echo "not shown: $words"; return 1; }
    done
}
claim "--trace shows instructions below their source lines" shows 16 \
    "profile.cu:$(line_of 'float value = in[i];')  float value = in[i];" \
    "ld.global.f32 %f" "################################  0"
claim "--trace shows lanes that part and meet" \
    shows 2000 "-- lanes part: 8 go on, the others wait" \
    "  #...#...#...#...#...#...#...#...  1" "-- lanes meet: 32 go on together (depth 1 to 0)" \
    "st.global.f32" "the warp ends here"
claim "a trace is a screenful and 80 columns wide" eval \
    'run --trace quarter -- "$program"; short && narrow && screen_says "--steps 24-47"'
claim "any warp of any block can be shown" eval 'run --trace columns --block 1,255 --warp 3 -- \
    "$program"; screen_says "columns, block (1,255,0), warp 3"'
claim "a kernel that never ran cannot be shown" \
    refuses 70 "--trace shows nothing: no kernel quarte \
was launched; there were conflicts<32>, columns, quarter" --trace quarte -- "$program"
claim "nor a warp that is not there" refuses 70 "--trace shows nothing: quarter has no warp 9 in \
block (0,0,0)" --trace quarter --warp 9 -- "$program"
claim "steps are numbers" refuses 64 \
    "--steps takes a number, or two: --steps 40, --steps 100-140" --steps all -- "$program"
claim "a block is an index" refuses 64 \
    "--block takes a block's index, as 3 or 3,1 or 3,1,0" --block 1,x -- "$program"

# --- What cannot be done --------------------------------------------------------------------------
claim "an unknown option is named" refuses 64 \
    "there is no option --jason (simgpu run --help lists them)" --jason x -- "$program"
claim "an option without its value is named" refuses 64 \
    "--csv needs a value (simgpu run --help lists the options)" --csv
claim "a seed is a number" \
    refuses 64 '--seed takes a whole number, not "1x"' --seed 1x -- "$program"
claim "there is at least one thread" refuses 64 \
    '--threads takes a number from 1 to 1024, not "0"' --threads 0 -- "$program"
claim "a program must be named" refuses 64 \
    "name the program to run: simgpu run [options] -- program" --quiet
claim "two outputs need two files" refuses 64 "two outputs cannot both be written to $work/both" \
    --csv "$work/both" --json "$work/both" -- "$program"
claim "a file that cannot be made is told before the program starts" refuses 70 \
    "cannot write $work/none/x.json: No such file or directory" \
    --json "$work/none/x.json" -- "$program"
for format in csv json html; do
    claim "a full disk is told, not lost: $format" refuses 70 \
        "the profile is not complete: cannot write /dev/full: No space left on device" \
        --quiet --$format /dev/full -- "$program"
done
run --json "$work/profile.json" -- "$program" fault
claim "a faulty program keeps its exit status" [ $? = 1 ]
claim "its fault stands in the JSON" \
    value "$(line_of 'float value = in[i];')" launches 4 fault at line
run --budget 300000000 -- "$program" endless
claim "a kernel with a budget ends" grep -q cudaErrorLaunchTimeout "$work/output"
claim "at a line" screen_says "profile.cu:$(line_of '// for ever'): warp "
claim "and takes no time that anybody knows" \
    grep -qE '^  endless +1 +0 ns +0.0 % +stopped by a fault$' "$work/screen"
stopped_by() { # stopped_by <signal>: it was in that kernel, at that line
    timeout -s "$1" 2 "$simgpu" run -- "$program" endless >/dev/null 2>"$work/screen"
    screen_says "simgpu: aborted in kernel endless" &&
        screen_says "profile.cu:$(line_of '// for ever'): warp "
}
claim "stopped by an interrupt, it says where it was" stopped_by INT
claim "or by a signal to end" stopped_by TERM
claim "help is no error" run --help
exit $failed
