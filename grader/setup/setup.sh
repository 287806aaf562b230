#!/usr/bin/env bash
# setup.sh - see to it that this machine has what a command needs, then write down what was found.
#
#   setup.sh check|test|notes|all   what checking lessons, testing or rendering the notes needs
#   setup.sh cluster                what testing a class on a cluster needs; `all` leaves it out,
#                                   since it brings services
#   setup.sh toolkit SERIES DIR     a CUDA toolkit of that series (see toolkits.txt) in DIR
#
# It may be run again at any time. Each thing is tested for itself and only what is missing is
# installed, so a machine that has everything is done within a second. What the goal needs and
# cannot be had is an error, which says what to type; what it merely welcomes is mentioned and
# done without.
#
# In: B, the build folder (default: build at the root of the tree); CC; CUDA_HOME.
# Out: $B/config.mk for the makefiles, $B/setup/GOAL.mk to show that the goal was reached.
# Read next: packages.txt, then things.sh.
set -euo pipefail

source "${BASH_SOURCE[0]%/*}/start.sh"
source "$SETUP_DIR/fetch.sh"

# Two terminals, or make -j, must not install at the same time.
take_turn()
{
    exec 9>"$B/setup/lock"
    flock -n 9 && return
    say 'waiting for another set-up in this tree to finish.'
    flock 9
}

# Install what is missing. Missing needs end the run; missing welcome things get a sentence.
get_things()
{
    local goal=$1 advice
    PACKAGE_EXCUSE=''
    things_probe
    missing_for "$goal" needed
    local needed=("${PICKED[@]}")
    missing_for "$goal" welcome
    local wanted=("${needed[@]}" "${PICKED[@]}")
    ((${#wanted[@]})) || return 0
    ! packages_install "${wanted[@]}" || true
    things_probe
    missing_for "$goal" needed
    if ((${#PICKED[@]})); then
        mapfile -t advice < <(packages_advice "${PICKED[@]}")
        say_trouble "still missing: $(say_joined "${PICKED[@]}"). $PACKAGE_EXCUSE" "${advice[@]}"
        return 1
    fi
    missing_for "$goal" welcome
    ((${#PICKED[@]} == 0)) || say "going on without $(say_joined "${PICKED[@]}"). $PACKAGE_EXCUSE"
}

# pip is needed only now, to fetch a toolkit.
get_pip()
{
    local advice
    ! has_pip || return 0
    packages_install pip && has_pip && return
    mapfile -t advice < <(packages_advice pip)
    say_trouble "no CUDA toolkit is here, and pip, to fetch one, is missing. $PACKAGE_EXCUSE" \
        "${advice[@]}" "Or install a CUDA toolkit ($TOOLKIT_REACH) and set CUDA_HOME to its folder."
    return 1
}

get_toolkit()
{
    local found=0 sentence
    toolkit_find || found=$?
    for sentence in "${PASSED_OVER[@]}"; do
        say "$sentence."
    done
    case $found in
    0) return 0 ;;
    2)
        say_trouble 'the toolkit that CUDA_HOME names cannot be used.' \
            "Set CUDA_HOME to one of $TOOLKIT_REACH, or unset it to have one found or fetched."
        return 1
        ;;
    esac
    say "no CUDA toolkit ($TOOLKIT_REACH) was found on PATH or in the usual places."
    get_pip || return 1
    rm -rf "$B/cuda"
    fetch_toolkit "$(toolkit_series | head -n 1)" "$B/cuda" && toolkit_take "$B/cuda/bin/nvcc"
}

reach_goal()
{
    local goal=$1 part
    take_turn
    things_read
    get_things "$goal" || return 1
    get_toolkit || return 1
    config_write || return 1
    for part in $(goal_parts "$goal"); do
        : >"$B/setup/$part.mk"
    done
    [[ -n ${SETUP_QUIET:-} ]] ||
        say "all there; CUDA $NVCC_VERSION in $CUDA_HOME_FOUND. See: make doctor"
}

another_toolkit()
{
    local series=$1 dir=$2
    if [[ -e $dir ]]; then
        say_trouble "$dir exists already; name a folder that does not."
        return 1
    elif ! toolkit_series | grep -qxF "$series"; then
        say_trouble "CUDA $series is not one of those in toolkits.txt: $(toolkit_series | xargs)."
        return 1
    fi
    take_turn
    things_read
    get_pip && fetch_toolkit "$series" "$(cd "$(dirname "$dir")" && pwd)/$(basename "$dir")"
}

case "${1:-all} $#" in
'check 1' | 'test 1' | 'notes 1' | 'cluster 1' | 'all 1' | 'all 0') reach_goal "${1:-all}" ;;
'toolkit 3') another_toolkit "$2" "$3" ;;
*)
    say_trouble 'usage: setup.sh check|test|notes|cluster|all, or setup.sh toolkit SERIES DIR'
    exit 2
    ;;
esac
