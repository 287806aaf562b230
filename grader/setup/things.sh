# shellcheck shell=bash disable=SC2034  # what is set here is read by other parts
# things.sh - the things of packages.txt: which of them a goal needs, and which are here.
#
# A thing is here when it works: a program is on PATH, a header is found and its library links.
# All libraries together are tried with one compilation; only when that fails is each tried
# alone. So a machine that has everything pays for two small compilations, and no package
# manager is ever asked.
# Read next: packages.sh, which installs what is missing.

: "${PACKAGES_TABLE:=$SETUP_DIR/packages.txt}"

declare -ga THINGS=()
declare -gA THING_GROUP THING_FOR THING_PROBE THING_WHY THING_PACKAGES
# The order of the table's last columns.
PACKAGE_MANAGERS=(apt-get dnf pacman zypper)

# Comments and the blanks around the bars are for the eye.
table_rows()
{
    sed -E -e '/^#/d' -e '/^ *$/d' -e 's/ *\| */|/g' -e 's/ +$//' "$1"
}

things_read()
{
    local group thing for probe why packages
    while IFS='|' read -r group thing for probe why packages; do
        THINGS+=("$thing")
        THING_GROUP[$thing]=$group
        THING_FOR[$thing]=$for
        THING_PROBE[$thing]=$probe
        THING_WHY[$thing]=$why
        THING_PACKAGES[$thing]=$packages
    done < <(table_rows "$PACKAGES_TABLE")
}

# goal_parts GOAL: the marks in the table that the goal covers.
goal_parts()
{
    case $1 in
    test) echo check test ;;
    notes) echo check notes ;;
    cluster) echo check test cluster ;;
    all) echo check test notes ;;
    *) echo "$1" ;;
    esac
}

# thing_matters THING GOAL: prints "needed", "welcome" or "no".
thing_matters()
{
    local part matters=no
    for part in $(goal_parts "$2"); do
        case " ${THING_FOR[$1]} " in
        *" $part "*) matters=needed ;;
        *" $part? "*) [[ $matters == needed ]] || matters=welcome ;;
        esac
    done
    echo "$matters"
}

# --- Probes -----------------------------------------------------------------------------------

# builds LANGUAGE COMPILER FLAG...: can the program on standard input be built? A compiler may be
# several words, as "ccache gcc" is.
builds()
{
    local language=$1 compiler=$2
    shift 2
    command -v "${compiler%% *}" >/dev/null || return 1
    # shellcheck disable=SC2086  # a compiler's words
    $compiler -x "$language" - -o "$B/setup/probe" "$@" >/dev/null 2>&1
}

builds_c()
{
    builds c "${CC:-cc}" < <(printf '#include <stdio.h>\nint main(void) { return 0; }\n')
}

builds_cxx()
{
    builds c++ g++ < <(printf '#include <cstdio>\nint main() { return 0; }\n')
}

builds_wasm()
{
    builds c 'clang-14 --target=wasm32-wasi' < <(printf '#include <stdio.h>\n'
        printf 'int main(void) { return 0; }\n')
}

# has_libraries MODULE HEADER [MODULE HEADER...]: do these, together, compile and link?
has_libraries()
{
    local modules=() source='int main(void) { return 0; }' flags
    while (($#)); do
        modules+=("$1")
        source="#include <$2>"$'\n'"$source"
        shift 2
    done
    flags=$(pkg-config --cflags --libs "${modules[@]}" 2>/dev/null) || return 1
    # shellcheck disable=SC2086  # flags are words
    builds c "${CC:-cc}" $flags <<<"$source"
}

has_pip()
{
    command -v python3 >/dev/null && python3 -m pip --version >/dev/null 2>&1
}

thing_is_here()
{
    local kind name header
    read -r kind name header <<<"${THING_PROBE[$1]}"
    case $kind in
    program) command -v "$name" >/dev/null ;;
    compiler)
        case $name in
        c) builds_c ;;
        wasm) builds_wasm ;;
        *) builds_cxx ;;
        esac
        ;;
    library) has_libraries "$name" "$header" ;;
    pip) has_pip ;;
    *) return 1 ;;
    esac
}

# All libraries of the table at once.
libraries_are_here()
{
    local thing kind name header list=()
    for thing in "${THINGS[@]}"; do
        read -r kind name header <<<"${THING_PROBE[$thing]}"
        [[ $kind != library ]] || list+=("$name" "$header")
    done
    ((${#list[@]} == 0)) || has_libraries "${list[@]}"
}

# Sets MISSING to the things that are not here, whatever they are for. What a toolkit has to be
# fetched with is left out: that matters only then.
things_probe()
{
    local thing libraries_here=no
    MISSING=()
    ! libraries_are_here || libraries_here=yes
    for thing in "${THINGS[@]}"; do
        [[ ${THING_FOR[$thing]} != toolkit ]] || continue
        [[ ${THING_PROBE[$thing]} == library* && $libraries_here == yes ]] ||
            thing_is_here "$thing" || MISSING+=("$thing")
    done
}

# missing_for GOAL needed|welcome: sets PICKED to those of MISSING that matter so much to the goal.
missing_for()
{
    local thing
    PICKED=()
    for thing in "${MISSING[@]}"; do
        [[ $(thing_matters "$thing" "$1") != "$2" ]] || PICKED+=("$thing")
    done
}
