# shellcheck shell=bash disable=SC2034  # what is set here is read by other parts
# packages.sh - install things from the distribution's packages, as root or with sudo.
#
# Nothing is asked of the package manager before something is known to be missing, and its word
# is not taken for success either: the caller probes again. Three tries, each only if the last
# failed: as things stand; with the lists of packages refreshed (a new machine has none); one by
# one, so that a name this release does not know costs that package alone.
# Read next: setup.sh.

PACKAGE_LOG=$B/setup/packages.log

# The first known package manager on PATH.
package_manager()
{
    local manager
    for manager in "${PACKAGE_MANAGERS[@]}"; do
        if command -v "$manager" >/dev/null; then
            echo "$manager"
            return 0
        fi
    done
    return 1
}

# packages_of MANAGER THING...: sets PACKAGES to the names to ask that manager for.
packages_of()
{
    local manager=$1 thing column i names=()
    shift
    for i in "${!PACKAGE_MANAGERS[@]}"; do
        [[ ${PACKAGE_MANAGERS[i]} != "$manager" ]] || column=$i
    done
    PACKAGES=()
    for thing in "$@"; do
        IFS='|' read -ra names <<<"${THING_PACKAGES[$thing]}"
        # shellcheck disable=SC2206  # one cell may name several packages
        PACKAGES+=(${names[column]})
    done
}

# package_words MANAGER install|refresh: sets WORDS, the command without the packages' names.
package_words()
{
    case "$1 $2" in
    "apt-get install") WORDS=(apt-get install -y --no-install-recommends) ;;
    "apt-get refresh") WORDS=(apt-get update) ;;
    "dnf install") WORDS=(dnf install -y) ;;
    "dnf refresh") WORDS=(dnf makecache) ;;
    "pacman install") WORDS=(pacman -S --needed --noconfirm) ;;
    "pacman refresh") WORDS=(pacman -Sy) ;;
    "zypper install") WORDS=(zypper --non-interactive install --no-recommends) ;;
    "zypper refresh") WORDS=(zypper --non-interactive refresh) ;;
    esac
}

# packages_command MANAGER: the line to type by hand for PACKAGES.
packages_command()
{
    package_words "$1" install
    local line
    line=$(printf '%q ' "${WORDS[@]}" "${PACKAGES[@]}")
    if [[ $(id -u) != 0 ]] && command -v sudo >/dev/null; then
        line="sudo $line"
    fi
    printf '%s' "${line% }"
}

# Sets AS_ROOT to the words before a command that needs root; fails where there is no way to be it.
# sudo may ask for a password where there is a terminal to ask on.
root_words()
{
    AS_ROOT=(env DEBIAN_FRONTEND=noninteractive)
    [[ $(id -u) != 0 ]] || return 0
    command -v sudo >/dev/null || return 1
    [[ -t 0 ]] || sudo -n true 2>/dev/null || return 1
    AS_ROOT=(sudo "${AS_ROOT[@]}")
}

# package_run MANAGER install|refresh [PACKAGE...]
package_run()
{
    package_words "$1" "$2"
    shift 2
    "${AS_ROOT[@]}" "${WORDS[@]}" "$@" >>"$PACKAGE_LOG" 2>&1
}

no_network()
{
    grep -qiE 'could not resolve|failure resolving|unreachable|could not connect|timed out' \
        "$PACKAGE_LOG"
}

packages_try()
{
    local manager=$1 package
    package_run "$manager" install "${PACKAGES[@]}" && return
    package_run "$manager" refresh || ! no_network || return 1
    package_run "$manager" install "${PACKAGES[@]}" && return
    no_network && return 1
    for package in "${PACKAGES[@]}"; do
        package_run "$manager" install "$package" || true
    done
    return 1
}

# What is about to happen, and what for.
packages_announce()
{
    local manager=$1 thing groups=() with=$1
    shift
    for thing in "$@"; do
        [[ " ${groups[*]} " == *" ${THING_GROUP[$thing]} "* ]] || groups+=("${THING_GROUP[$thing]}")
    done
    [[ ${AS_ROOT[0]} != sudo ]] || with="sudo $manager"
    say "installing with $with, for $(say_joined "${groups[@]}"):"
    fold -s -w 88 <<<"${PACKAGES[*]}" | sed 's/^/        /'
}

# packages_install THING...: says what it does, then tries. Where it cannot even try,
# PACKAGE_EXCUSE says why in a sentence.
packages_install()
{
    local manager
    PACKAGE_EXCUSE=''
    if ! manager=$(package_manager); then
        PACKAGE_EXCUSE="None of $(say_joined "${PACKAGE_MANAGERS[@]}") is here to install packages."
        return 1
    fi
    packages_of "$manager" "$@"
    if ! root_words; then
        PACKAGE_EXCUSE="Installing takes root, and sudo is not at hand or wants a password."
        return 1
    fi
    packages_announce "$manager" "$@"
    : >"$PACKAGE_LOG"
    packages_try "$manager" && return
    PACKAGE_EXCUSE="$manager could not install everything; its words are in $PACKAGE_LOG."
    ! no_network || PACKAGE_EXCUSE="$manager did not reach its packages: is there a network?"
    return 1
}

# packages_advice THING...: prints what to do by hand, lines for say_trouble.
packages_advice()
{
    local manager
    if manager=$(package_manager); then
        packages_of "$manager" "$@"
        echo 'Run this as root, then the same command again:'
        packages_command "$manager"
    else
        echo 'Install what is missing by hand, then run the same command again.'
    fi
}
