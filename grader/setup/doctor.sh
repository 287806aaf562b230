#!/usr/bin/env bash
# doctor.sh - what the course needs and what this machine has, one line for each thing.
#
# It installs nothing and changes nothing. A line begins with ok, missing (the course wants it;
# the line says what to do) or note (good to know; nothing has to be done). The last line is the
# verdict, and so is the exit status: 0 when lessons can be checked here, on a GPU or without, 1
# when they cannot.
# Read next: things.sh and toolkit.sh, whose probes these are; machine.sh, for sandbox and GPU.
set -euo pipefail

source "${BASH_SOURCE[0]%/*}/start.sh"
source "$SETUP_DIR/machine.sh"

BLOCKING=()

if [[ -t 1 && -z ${NO_COLOR:-} && ${TERM:-dumb} != dumb ]]; then
    colour() { printf '\033[%sm%-8s\033[0m' "$1" "$2"; }
else
    colour() { printf '%-8s' "$2"; }
fi

# row STATE THING VERSION WHERE-OR-WHAT-TO-DO
row()
{
    local state
    case $1 in
    ok) state=$(colour 32 ok) ;;
    missing) state=$(colour 31 missing) ;;
    *) state=$(colour 33 "$1") ;;
    esac
    printf '  %s %-13s %-11s %s\n' "$state" "$2" "$3" "$4"
}

# The first number with a dot in what a program says of itself.
program_version()
{
    { "$1" --version 2>/dev/null || true; } | grep -oE '[0-9]+\.[0-9][0-9.]*' | head -n 1 || true
}

show_here()
{
    local kind name
    read -r kind name _ <<<"${THING_PROBE[$1]}"
    [[ $name != c ]] || name=${CC:-cc}
    [[ $name != c++ ]] || name=g++
    if [[ $kind == library ]]; then
        row ok "$1" "$(pkg-config --modversion "$name")" "${THING_WHY[$1]}"
    else
        row ok "$1" "$(program_version "$name")" "$(command -v "$name")"
    fi
}

show_missing()
{
    local manager todo='install it by hand'
    if manager=$(package_manager); then
        packages_of "$manager" "$1"
        todo="make setup installs ${PACKAGES[*]}"
    fi
    if [[ $(thing_matters "$1" check) == needed ]]; then
        BLOCKING+=("$1")
    fi
    row missing "$1" - "${THING_WHY[$1]}; $todo"
}

# show_group GROUP: the things of packages.txt that stand in that group.
show_group()
{
    local thing
    for thing in "${THINGS[@]}"; do
        [[ ${THING_GROUP[$thing]} == "$1" ]] || continue
        if [[ " ${MISSING[*]} " == *" $thing "* ]]; then
            show_missing "$thing"
        else
            show_here "$thing"
        fi
    done
}

show_cublaslt()
{
    if toolkit_has_cublaslt; then
        row ok cuBLASLt "${NVCC_VERSION%%.*}" "$CUDA_LIB/libcublasLt.so"
    else
        row note cuBLASLt - 'not beside this toolkit; only the lesson that uses it misses it'
    fi
}

show_toolkit()
{
    local found=0 sentence
    toolkit_find || found=$?
    for sentence in "${PASSED_OVER[@]}"; do
        row note 'toolkit' - "$sentence"
    done
    if ((found == 0)); then
        row ok nvcc "$NVCC_VERSION" "$NVCC; compiles a kernel"
        row ok runtime "${NVCC_VERSION%%.*}" "$CUDA_LIB/libcudart.so"
        show_cublaslt
        return
    fi
    BLOCKING+=('a CUDA toolkit')
    if ((found == 2)); then
        row missing nvcc - "set CUDA_HOME to a toolkit of $TOOLKIT_REACH, or unset it"
    else
        row missing nvcc - "none of $TOOLKIT_REACH found: make setup fetches one, without root"
    fi
}

verdict()
{
    if ((${#BLOCKING[@]})); then
        printf 'Lessons cannot be checked yet for want of %s: run make setup.\n' \
            "$(say_joined "${BLOCKING[@]}")"
        return 1
    fi
    printf 'Lessons can be checked on this machine, on %s.\n' "$DEVICE_AT_HAND"
}

things_read
things_probe
echo 'building and testing'
show_group building
show_group testing
echo 'CUDA'
show_toolkit
echo 'sandboxing'
show_group sandboxing
show_sandbox
echo 'device'
show_gpu
show_processor
show_disk
echo 'notes'
show_group notes
verdict
