# shellcheck shell=bash disable=SC2034  # what is set here is read by other parts
# start.sh - what setup.sh and doctor.sh have in common: the build folder, and the parts to load.
#
# In: B, the build folder (default: build at the root of the tree). Out: B, absolute and writable.

SETUP_DIR=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
B=${B:-$SETUP_DIR/../../build}

for tool in sed grep mkdir flock id; do
    if ! command -v "$tool" >/dev/null; then
        printf 'set-up: %s is not on PATH; PATH should name the folders of the basic commands.\n' \
            "$tool" >&2
        exit 1
    fi
done
if ! { mkdir -p "$B/setup" && echo probe >"$B/setup/probe.txt"; } 2>/dev/null; then
    printf 'set-up: cannot write in %s: is the disk full, or the folder not yours?\n' "$B/setup" >&2
    exit 1
fi
B=$(cd "$B" && pwd)

# free_mb FOLDER: what is free on its disk, in megabytes.
free_mb()
{
    df -Pm "$1" | awk 'NR == 2 { print $4 }'
}

source "$SETUP_DIR/say.sh"
source "$SETUP_DIR/things.sh"
source "$SETUP_DIR/packages.sh"
source "$SETUP_DIR/config.sh"
source "$SETUP_DIR/toolkit.sh"
