# shellcheck shell=bash disable=SC2034  # what is set here is read by the claims
# world.sh - a small machine of its own for each claim: its PATH, its package manager, its toolkit.
#
# Nothing of the real machine is seen but the basic commands: env -i, a PATH of one folder,
# tables of our own. So the claims hold anywhere, need no network, and install nothing.

# What every machine has.
BASIC_COMMANDS=(awk basename bash cat chmod cp cut df dirname env find flock fold grep head id ln ls
    make mkdir mktemp mv nproc rm sed sleep sort tail timeout touch tr uniq xargs)
BASIC_PATHS=()

# The one thing that this world may lack, as a row of the packages table.
GADGET='building | gadget | check | program gadget | opens tins'
GADGET+=' | gadget-deb | gadget-rpm | gadget-arch | gadget-suse'

new_world()
{
    WORLD=$(mktemp -d "${TMPDIR:-/tmp}/test-setup.XXXXXX")
    mkdir -p "$WORLD/bin"
    [[ ${#BASIC_PATHS[@]} != 0 ]] || mapfile -t BASIC_PATHS < <(type -P "${BASIC_COMMANDS[@]}")
    ln -s "${BASIC_PATHS[@]}" "$WORLD/bin/"
    things "$GADGET"
    cat >"$WORLD/toolkits.txt" <<'END'
13.0 | pypi | nvidia-cuda-nvcc | 13.0.88 | 1
END
    SETTINGS=()
}

# things ROW...: the packages table of this world; pip, which is missing, is always the last.
things()
{
    printf '%s\n' "$@" 'fetching | pip | toolkit | pip | fetches things | pip-deb | x | x | x' \
        >"$WORLD/packages.txt"
}

# fake NAME: a program of this world, whose body is standard input. $WORLD is known to it.
fake()
{
    { printf '#!%s\nWORLD=%q\n' "$WORLD/bin/bash" "$WORLD"; cat; } >"$WORLD/bin/$1"
    chmod +x "$WORLD/bin/$1"
}

# A package manager that notes each call, and whose install brings the gadget.
fake_apt()
{
    fake apt-get <<'END'
echo "apt-get $*" >>"$WORLD/calls"
[[ $1 != install ]] || printf '#!/bin/sh\n' >"$WORLD/bin/gadget"
chmod +x "$WORLD/bin/gadget" 2>/dev/null || true
END
}

have_gadget()
{
    fake gadget </dev/null
}

be_root()
{
    rm "$WORLD/bin/id"
    fake id <<<"echo 0"
}

be_user()
{
    rm "$WORLD/bin/id"
    fake id <<<'echo 1000'
}

# fake_toolkit DIR VERSION: an nvcc that answers as nvcc does and "compiles" by touching its
# output. A file named broken beside it holds what it complains of instead.
fake_toolkit()
{
    mkdir -p "$1"/{bin,include,lib}
    touch "$1/include/cuda_runtime.h" "$1/lib/libcudart.so.${2%%.*}" "$1/lib/libcudart.so"
    sed "s/VERSION/$2/" >"$1/bin/nvcc" <<END
#!$WORLD/bin/bash
home=\$(cd "\${0%/*}/.." && pwd)
case "\$*" in
--version) echo 'Cuda compilation tools, release 0.0, VVERSION' ;;
--dryrun*) printf '#$ _HERE_=%s/bin\n#$ INCLUDES="-I%s/include"  \n#$ LIBRARIES= "-L%s/lib"\n' \
    "\$home" "\$home" "\$home" >&2 ;;
*)
    [[ ! -e \$home/broken ]] || { cat "\$home/broken" >&2; exit 1; }
    while [[ \$1 != -o ]]; do shift; done
    touch "\$2"
    ;;
esac
END
    chmod +x "$1/bin/nvcc"
}

# fake_pip: python3 whose pip brings the fake toolkit, in NVIDIA's layout, and does
# $WORLD/pip-does first.
fake_pip()
{
    fake_toolkit "$WORLD/published/nvidia/cu13" 13.0.88
    rm "$WORLD/published/nvidia/cu13/lib/libcudart.so"
    fake python3 <<'END'
[[ "$*" != *--version* ]] || exit 0
echo "pip $*" >>"$WORLD/calls"
while [[ $1 != --target ]]; do shift; done
mkdir -p "$2"
if [[ -e $WORLD/pip-does ]]; then
    target=$2
    source "$WORLD/pip-does"
fi
cp -a "$WORLD/published/nvidia" "$2/"
END
}

# setup_sh ARGUMENT...: run it in this world; STATUS and $WORLD/said are what came of it.
setup_sh()
{
    run_in_world "$SETUP/setup.sh" "$@"
}

run_in_world()
{
    STATUS=0
    env -i PATH="$WORLD/bin" HOME="$WORLD" B="$WORLD/build" CUDA_PLACES="$WORLD/opt/cuda" \
        PACKAGES_TABLE="$WORLD/packages.txt" TOOLKITS_TABLE="$WORLD/toolkits.txt" "${SETTINGS[@]}" \
        "$@" >"$WORLD/said" 2>&1 </dev/null || STATUS=$?
}

# --- Expectations: each ends the claim with what was there instead ----------------------------

broken()
{
    printf '%s\n' "$*"
    if [[ -e $WORLD/said ]]; then
        echo 'it said:'
        sed 's/^/  | /' "$WORLD/said"
    fi
    exit 1
}

expect_status()
{
    ((STATUS == $1)) || broken "exit status $STATUS instead of $1"
}

expect_said()
{
    grep -qF -- "$1" "$WORLD/said" || broken "it did not say: $1"
}

expect_not_said()
{
    ! grep -qF -- "$1" "$WORLD/said" || broken "it said: $1"
}

# A message is a few sentences; a shell's own complaint has a script and a line number in it.
expect_plain_words()
{
    ! grep -qE '\.sh: line [0-9]+|command not found' "$WORLD/said" || broken 'a shell complained'
    (($(wc -l <"$WORLD/said") <= ${1:-6})) || broken 'that is more than a few lines'
}

expect_calls()
{
    local calls=''
    [[ ! -e $WORLD/calls ]] || calls=$(<"$WORLD/calls")
    [[ $calls == "$1" ]] || broken "calls: $calls; instead of: $1"
}

expect_here()
{
    [[ -e $1 ]] || broken "$1 is not there"
}

expect_gone()
{
    [[ ! -e $1 ]] || broken "$1 is there"
}

# A claim that cannot be put to the test here; test_setup.sh says so aloud.
skip()
{
    printf '%s\n' "$*"
    exit 77
}
