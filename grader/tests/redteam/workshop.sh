# workshop.sh - where attacks are checked, and what shows that nothing was left; for scripts that
# source it with $products, $here, and $device set.
#
# The workshop is a build folder of its own: its programs are the product's; its kept builds, kept
# figures and records are its own, and stay from run to run.

source grader/tests/without_times.sh

shop=$products/test/redteam
warden=$products/test/warden
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mark=redteam-mark # in the name of everything that an attack tries to leave somewhere
OWN='^(work|records|test|profile|stash|notes|obj|verdicts|distances|gpu|fuzz|pub)$'

build_workshop() {
    mkdir -p "$shop/work" "$shop/submissions" "$work/left"
    local part
    for part in $(ls "$products" | grep -vE "$OWN"); do
        ln -sfn "$products/$part" "$shop/$part"
    done
    [ -x "$warden" ] || { echo "the warden is missing: make redteam builds it"; return 1; }
}

# A submission is one file, and knows where the course lies. @FILLED@ is 200 KiB of text, @WINDOWS@
# asks for the line ends, the mark and the lack of a last line end that editors there leave.
flatten() { # flatten <file> <into>
    awk -v course=. -v build="$products" -f $here/flatten.awk "$1" | sed "s|@COURSE@|$PWD|g" | awk '
        sub(/@FILLED@/, "") { for (i = 0; i < 51200; i++) printf "([{<%s", i % 20 ? "" : "\n" }
        { print }' >"$2"
    if grep -q '@WINDOWS@' "$1"; then
        { printf '\357\273\277'; sed 's/$/\r/' "$2" | head -c -2; } >"$2.other"
        mv "$2.other" "$2"
    fi
}

field() { # field <name> <record>: of the record's own level
    sed -n "s/^ \"$1\": \"\{0,1\}\([^\",]*\).*/\1/p" "$2" | head -n 1
}

# check LESSON FILE NAME [OPTIONS...]: sets verdict, points (empty: none were taken), failed_gate,
# reason and left (what it left behind; or empty). The verdict is HANG when it does not end.
check() {
    local lesson=$1 source=$2 name=$3 status
    shift 3
    local record=$work/$name.json log=${LOGS:-$work}/$name.log own=$work/tmp-$name
    mkdir -p "$own" "${LOGS:-$work}"
    flatten "$source" "$shop/submissions/$name.cu"
    TMPDIR=$own "$warden" "${LATE:-240}" "$work/left/$name" \
        "$shop/bin/warpquest" --course "$PWD" --build "$shop" check "$lesson" --json \
        --device "$device" --seed "$seed" --submission "$shop/submissions/$name.cu" "$@" \
        >"$record" 2>"$log"
    status=$?
    cat "$record" >>"$log"
    verdict=$(field verdict "$record") points=$(field points "$record")
    failed_gate=$(field failed_gate "$record")
    reason=$(sed -n 's/^ *"reason": "\(..*\)",\{0,1\}$/\1/p' "$record" | tail -n 1)
    [ $status = 124 ] && verdict=HANG points= reason="no verdict within ${LATE:-240} s"
    [ -n "$verdict" ] || verdict=NONE reason="exit status $status, no record"
    left=$(tr '\n' ' ' <"$work/left/$name"; ls -A "$own"; marks_left)
    rm -rf "$own"
}

# What attacks name, wherever others could find it: files, shared memory, sockets.
marks_left() {
    find /tmp /dev/shm /var/tmp "$HOME" -maxdepth 2 -name "$mark*" 2>/dev/null
    grep -o "@$mark.*" /proc/net/unix
    awk -v key=$((0x57515254)) '$1 == key { print "shared memory " $2 }' /proc/sysvipc/shm
}

# Files of builds that ended, cores, and figures that others would be judged by.
left_in_the_end() {
    find "$shop/work" -maxdepth 1 -name 'new-*'
    find . -maxdepth 1 -name 'core*' -newer "$warden" 2>/dev/null
    figures_changed
}

# --- The next students ------------------------------------------------------------------------

# What is kept for all, by content. An attack may add none and change none.
figures() {
    find -L "$shop" -maxdepth 3 -name '*figures*' -not -path '*/test/*' -exec sha256sum {} + | sort
}
figures_changed() {
    figures | diff "$work/figures" - >/dev/null || echo "figures that are kept have changed"
}

judgement() {
    if [ "$device" = sim ]; then
        without_times cached <"$1"
    else
        grep -E '^ "(verdict|points)":' "$1"
    fi
}

WITNESSES=(right:solutions/01_coalescing/coalescing.cu
    slow:grader/judges/01_coalescing/slow/one_block.cu)

# Runs them; the names of those whose judgement is not what it was at first.
witnesses() {
    local witness name
    for witness in "${WITNESSES[@]}"; do
        name=${witness%%:*}
        witness_seen "$name" "${witness#*:}" "$work/seen-$name"
        cmp -s "$work/known-$name" "$work/seen-$name" ||
            echo "$name: $verdict instead of $(field verdict "$work/known-$name") ($reason)" \
                "$(diff "$work/known-$name" "$work/seen-$name" | head -n 3 | tr '\n' ' ')"
    done
    figures_changed
}
witness_seen() { # witness_seen <name> <file> <into>
    local seed=20
    check 1 "$2" "witness-$1"
    judgement "$work/witness-$1.json" >"$3"
}

# Before any attack: every lesson's reference is built and counted, and what witnesses get is known.
know_witnesses() {
    local lesson solution witness seed=20
    for lesson in 1 2 3 4 5 6; do
        solution=$(find solutions -path "*/0${lesson}_*" -maxdepth 2 -name '*.cu')
        check $lesson "$solution" "solution-$lesson"
        [ "$verdict" = PASS ] && continue
        echo "  FAIL  the solution of lesson $lesson gets $verdict before any attack: $reason"
        return 1
    done
    for witness in "${WITNESSES[@]}"; do
        witness_seen "${witness%%:*}" "${witness#*:}" "$work/known-${witness%%:*}"
    done
    figures >"$work/figures"
}
