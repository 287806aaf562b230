# shellcheck shell=bash disable=SC2034  # what is set here is read by other parts
# toolkit.sh - find the CUDA toolkit to use, and say why another was passed over.
#
# CUDA_HOME, when set, is the reader's word: that toolkit is used or refused, and nothing else is
# looked for. Otherwise the first that is new enough, complete and able to compile is taken, of the
# one on PATH, the usual places, and the one that set-up fetched. Where a toolkit keeps its headers
# and libraries differs from one packager to the next, so nvcc is asked (--dryrun).
# Read next: fetch.sh, for where there is none; config.sh, which writes down what was found.

TOOLKIT_OLDEST=12.4
TOOLKIT_NEWEST_MAJOR=13
TOOLKIT_REACH="$TOOLKIT_OLDEST to $TOOLKIT_NEWEST_MAJOR.x"
: "${CUDA_PLACES:=/usr/local/cuda /usr/lib/nvidia-cuda-toolkit /opt/cuda}"

# Set by toolkit_find: what was found, and a sentence for each toolkit passed over.
NVCC='' NVCC_VERSION='' CUDA_HOME_FOUND='' CUDA_INCLUDE='' CUDA_LIB=''
PASSED_OVER=()

# "13.0.88" of "... release 13.0, V13.0.88"; nothing if it is no nvcc.
nvcc_version()
{
    "$1" --version 2>/dev/null | sed -nE 's/.*release [0-9.]+, V([0-9]+\.[0-9.]+).*/\1/p' || true
}

# version_at_least VERSION OLDEST
version_at_least()
{
    [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]
}

# nvcc_ask NVCC: sets NVCC_SAYS to what nvcc would run and with which settings, "#$ NAME=value"
# each.
nvcc_ask()
{
    NVCC_SAYS=$("$1" --dryrun -x cu -c /dev/null -o /dev/null 2>&1 || true)
}

# nvcc_setting NAME: that setting; nvcc_folders NAME: the folders behind -I or -L in it, one a
# line.
nvcc_setting()
{
    sed -nE "s/^#\\$ $1=//p" <<<"$NVCC_SAYS"
}

nvcc_folders()
{
    nvcc_setting "$1" | tr -d '"' | tr ' ' '\n' | sed -nE 's/^-[IL]//p'
}

# first_with FILE FOLDER...: the first of these folders that holds the file, as a plain path.
first_with()
{
    local file=$1 folder
    shift
    for folder in "$@"; do
        if [[ -e $folder/$file ]]; then
            (cd "$folder" && pwd)
            return 0
        fi
    done
    return 1
}

# toolkit_compiles NVCC LIB: a kernel as submissions are built, a program as the grader is.
toolkit_compiles()
{
    local out=$B/setup/probe
    "$1" -shared -cudart none -Xcompiler -fPIC -gencode 'arch=compute_80,code=[compute_80,sm_80]' \
        -o "$out.so" "$SETUP_DIR/probe.cu" >"$out.log" 2>&1 &&
        "$1" -cudart shared -L"$2" -o "$out" "$SETUP_DIR/probe.cu" >>"$out.log" 2>&1
}

# The sentence for a toolkit whose compiler fails, with the compiler's own first complaint.
compile_complaint()
{
    local complaint
    complaint=$(grep -m1 -iE 'error|fatal|not found|no space' "$B/setup/probe.log" ||
        echo 'it does not say why')
    if [[ $complaint == *'unsupported GNU version'* ]]; then
        echo "$1 is older than the g++ here; try NVCC_PREPEND_FLAGS='-ccbin OLDER_G++'"
    else
        echo "$1 cannot compile a kernel: ${complaint:0:160}"
    fi
}

# toolkit_age NVCC VERSION: prints why this version will not do, if so.
toolkit_age()
{
    if [[ -z $2 ]]; then
        echo "$1 does not answer --version as nvcc does"
    elif ! version_at_least "$2" "$TOOLKIT_OLDEST"; then
        echo "$1 is of CUDA $2, too old: $TOOLKIT_REACH will do"
    elif ((${2%%.*} > TOOLKIT_NEWEST_MAJOR)); then
        echo "$1 is of CUDA $2, newer than this course knows: $TOOLKIT_REACH will do"
    fi
}

# toolkit_pieces NVCC: sets CUDA_HOME_FOUND, CUDA_INCLUDE and CUDA_LIB, or prints what is missing.
toolkit_pieces()
{
    local folders home
    nvcc_ask "$1"
    home=$(nvcc_setting _HERE_)
    CUDA_HOME_FOUND=$(cd "${home:-$(dirname "$1")}/.." && pwd)
    mapfile -t folders < <(nvcc_folders INCLUDES)
    if ! CUDA_INCLUDE=$(first_with cuda_runtime.h "${folders[@]}" /usr/include); then
        PIECE_MISSING="$1 has no cuda_runtime.h beside it: that toolkit is incomplete"
        return 1
    fi
    mapfile -t folders < <(nvcc_folders LIBRARIES)
    if ! CUDA_LIB=$(first_with libcudart.so "${folders[@]}" "$CUDA_HOME_FOUND"/lib{64,}); then
        PIECE_MISSING="$1 has no libcudart.so beside it: that toolkit is incomplete"
        return 1
    fi
}

# A toolkit is of use without it, unlike the other pieces.
toolkit_has_cublaslt()
{
    [[ -e $CUDA_LIB/libcublasLt.so && -e $CUDA_INCLUDE/cublasLt.h ]]
}

# toolkit_take NVCC: 0 and the variables above, or 1 and a sentence in PASSED_OVER. A compiler that
# config.mk already vouches for is not tried again.
toolkit_take()
{
    local sentence version
    version=$(nvcc_version "$1")
    sentence=$(toolkit_age "$1" "$version")
    [[ $1 != *[[:space:]]* ]] || sentence="$1 has a space in its path, which make cannot handle"
    if [[ -z $sentence ]] && ! toolkit_pieces "$1"; then
        sentence=$PIECE_MISSING
    fi
    if [[ -z $sentence && "$(config_value NVCC) $(config_value NVCC_VERSION)" != "$1 $version" ]] &&
        ! toolkit_compiles "$1" "$CUDA_LIB"; then
        sentence=$(compile_complaint "$1")
    fi
    if [[ -n $sentence ]]; then
        PASSED_OVER+=("$sentence")
        return 1
    fi
    NVCC=$1 NVCC_VERSION=$version
}

# toolkit_find: 0 with the variables above set; 1 where there is none and one may be fetched; 2
# where CUDA_HOME names one that will not do.
toolkit_find()
{
    local nvcc seen=' '
    PASSED_OVER=()
    if [[ -n ${CUDA_HOME:-} ]]; then
        nvcc=$CUDA_HOME/bin/nvcc
        [[ -x $nvcc ]] || PASSED_OVER=("CUDA_HOME is $CUDA_HOME, and there is no bin/nvcc in it")
        [[ -x $nvcc ]] && toolkit_take "$nvcc" && return 0
        return 2
    fi
    for nvcc in "$(command -v nvcc || true)" $CUDA_PLACES "$B/cuda"; do
        [[ $nvcc == */nvcc ]] || nvcc=$nvcc/bin/nvcc
        [[ -x $nvcc && $seen != *" $nvcc "* ]] || continue
        seen+="$nvcc "
        ! toolkit_take "$nvcc" || return 0
    done
    return 1
}
