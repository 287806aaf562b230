# shellcheck shell=bash
# fetch.sh - put a CUDA toolkit together from packages, in a folder of its own and without root.
#
# The packages of toolkits.txt come from their registries through the ordinary clients, pip and
# apt-get. Everything happens in a folder beside the one asked for; only a toolkit that has
# compiled a kernel is renamed into place. So there is never half a toolkit, whatever goes
# wrong: no network, a full disk, Ctrl-C. What a killed run left behind is removed by the next.
# Read next: toolkits.txt; toolkit.sh, which then finds the toolkit like any other.

: "${TOOLKITS_TABLE:=$SETUP_DIR/toolkits.txt}"

# toolkit_read SERIES: sets WHEELS (name==version), DEBS (name=version release component), size.
toolkit_read()
{
    local series from package version size
    WHEELS=() DEBS=() TOOLKIT_SIZE_MB=0
    while IFS='|' read -r series from package version size; do
        [[ $series == "$1" ]] || continue
        TOOLKIT_SIZE_MB=$((TOOLKIT_SIZE_MB + size))
        case $from in
        pypi) WHEELS+=("$package==$version") ;;
        debian*) DEBS+=("$package=$version ${from#debian }") ;;
        esac
    done < <(table_rows "$TOOLKITS_TABLE")
}

toolkit_series()
{
    table_rows "$TOOLKITS_TABLE" | cut -d'|' -f1 | uniq
}

# The packages are on disk twice for a moment: as they came and unpacked.
fetch_has_room()
{
    local need_mb=$((TOOLKIT_SIZE_MB * 17 / 10)) free_mb
    free_mb=$(free_mb "$1")
    ((free_mb >= need_mb)) && return
    say_trouble "a toolkit takes $need_mb MB while it is put together; $1 has $free_mb MB free." \
        'Make room, or set CUDA_HOME to a toolkit that is installed already.'
    return 1
}

# --- The packages -----------------------------------------------------------------------------

# listen COMMAND...: run it, keeping its complaints in WORDS; in memory, for the disk may be full.
listen()
{
    { WORDS=$("$@" 2>&1 1>&3 3>&-); } 3>&1
}

# pip reports on what it fetches where someone is watching.
run_pip()
{
    local quiet=(--quiet)
    [[ ! -t 1 ]] || quiet=()
    TMPDIR=$PARTIAL/tmp PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore \
        python3 -m pip install "${quiet[@]}" --no-deps --no-compile --no-cache-dir \
        --only-binary :all: --target "$PARTIAL/wheels" "$@"
}

# A wheel brings nvidia/cu13/{bin,include,lib,nvvm}, or nvidia/NAME/{...} before 13: in the
# toolkit they lie over each other, as parts of one release may. Links, since the largest
# library is half a gigabyte.
fetch_wheels()
{
    local part
    listen mkdir -p "$PARTIAL/tmp" "$PARTIAL/wheels" || return 1
    listen run_pip "${WHEELS[@]}" || return 1
    for part in "$PARTIAL"/wheels/nvidia/*/; do
        listen cp -alf "$part." "$PARTIAL/toolkit/" || return 1
    done
    find "$PARTIAL/toolkit" -name __init__.py -delete
}

# Lists and state of our own: the machine's are not touched, and no root is needed.
private_apt()
(
    local apt=$PARTIAL/apt
    cd "$apt/debs" && apt-get -q -q \
        -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" \
        -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" \
        -o Dir::Cache="$apt/cache" -o APT::Sandbox::User="$(id -un)" "$@"
)

# fetch_deb NAME=VERSION RELEASE COMPONENT, from the mirror this machine uses already.
fetch_deb()
{
    local apt=$PARTIAL/apt mirror
    # shellcheck disable=SC2016  # apt-get's own variable
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' 2>/dev/null | head -n 1)
    if [[ -z $mirror ]] || ! command -v dpkg-deb >/dev/null; then
        WORDS="${1%%=*} comes from Debian's archive, and apt-get here knows of no Debian mirror."
        return 1
    fi
    listen mkdir -p "$apt"/{sources,lists/partial,cache/archives/partial,debs,tree} || return 1
    : >"$apt/status"
    printf '%s\n' 'Types: deb' "URIs: $mirror" "Suites: $2" "Components: $3" \
        'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg' >"$apt/sources/debian.sources"
    listen private_apt update || return 1
    listen private_apt download "$1" || return 1
    listen dpkg-deb -x "$apt"/debs/*.deb "$apt/tree" || return 1
    listen arrange_debian "$apt/tree/usr"
}

# Debian spreads the toolkit over /usr; put the compiler back into the shape that NVIDIA gave it.
arrange_debian()
{
    local from=$1 to=$PARTIAL/toolkit
    mkdir -p "$to"/{bin,nvvm/bin,nvvm/libdevice}
    cp -a "$from"/bin/{cudafe++,fatbinary,nvlink,ptxas,bin2c,cuobjdump,nvdisasm} "$to/bin/" &&
        cp -a "$from"/lib/nvidia-cuda-toolkit/bin/{nvcc,crt} "$to/bin/" &&
        cp -a "$from/lib/nvidia-cuda-toolkit/bin/cicc" "$to/nvvm/bin/" &&
        cp -a "$from"/lib/nvidia-cuda-toolkit/libdevice/*.bc "$to/nvvm/libdevice/" || return 1
    cat >"$to/bin/nvcc.profile" <<'END'
TOP = $(_HERE_)/..
CICC_PATH = $(TOP)/nvvm/bin
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
PATH += $(CICC_PATH):$(_HERE_):
INCLUDES += "-I$(TOP)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib"
END
}

# --- Putting it together ----------------------------------------------------------------------

# Packages bring libNAME.so.13; the linker looks for libNAME.so, and nvcc looks in lib64.
link_libraries()
{
    local library
    ln -s lib "$PARTIAL/toolkit/lib64" || return 1
    for library in "$PARTIAL"/toolkit/lib/lib*.so.*; do
        ln -sf "${library##*/}" "${library%%.so.*}.so" || return 1
    done
}

fetch_parts()
{
    local deb
    listen mkdir -p "$PARTIAL/toolkit" || return 1
    for deb in "${DEBS[@]}"; do
        # shellcheck disable=SC2086  # three words
        fetch_deb $deb || return 1
    done
    fetch_wheels && listen link_libraries
}

# What went wrong, from the last words of whoever said something.
fetch_excuse()
{
    case ${WORDS,,} in
    *'no space left'* | *'quota exceeded'*) echo 'the disk is full.' ;;
    *resolve* | *connection* | *'timed out'* | *unreachable*)
        echo 'its packages could not be reached: is there a network?' ;;
    *) printf '%s\n' "$WORDS" | grep -v '^ *$' | tail -n 1 ;;
    esac
}

fetch_clean()
{
    rm -rf "$PARTIAL"
}

# fetch_toolkit SERIES DIR: say what is fetched, fetch, try, rename. DIR must not exist.
fetch_toolkit()
{
    local series=$1 dir=$2
    PARTIAL=$dir.partial WORDS=''
    toolkit_read "$series"
    if [[ $dir == *[[:space:]]* ]]; then
        say_trouble "no toolkit can be used from $dir: make knows no paths with spaces." \
            'Move the tree to a path without.'
        return 1
    fi
    rm -rf "$PARTIAL"
    fetch_has_room "$(dirname "$dir")" || return 1
    say "fetching NVIDIA's CUDA $series compiler, runtime and cuBLASLt into $dir;"
    say_more "$TOOLKIT_SIZE_MB MB on disk, no root needed, half a minute to a few minutes."
    trap fetch_clean EXIT
    if ! fetch_parts; then
        say_trouble "CUDA $series was not fetched: $(fetch_excuse)" \
            "Run the same command again, or set CUDA_HOME to a toolkit ($TOOLKIT_REACH)."
        return 1
    fi
    fetch_try && mv "$PARTIAL/toolkit" "$dir"
}

# The new toolkit must do what a found one must.
fetch_try()
{
    toolkit_take "$PARTIAL/toolkit/bin/nvcc" && return
    say_trouble "the toolkit was fetched, but ${PASSED_OVER[-1]}."
    return 1
}
