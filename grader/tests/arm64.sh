#!/usr/bin/env bash
# arm64.sh BUILD: the machine as it is built for 64-bit ARM, under qemu: every instruction does what
# PTX says, and each part of the machine what its unit test says. Some tests take minutes each.
#
# Debian and Ubuntu have what it needs, once arm64 is known to dpkg (dpkg --add-architecture arm64):
# gcc-aarch64-linux-gnu, qemu-user-static, and for arm64 libjansson-dev, libzstd-dev,
# libsqlite3-dev, libopenblas-dev, check and libsubunit-dev. What needs CUDA's own libraries is left
# out.
set -u
cd "$(dirname "$0")/../.."
folder=$1/arm64
COMPILER=aarch64-linux-gnu-gcc QEMU=
MOST_SECONDS=600
source grader/tests/claim.sh

find_tools() {
    local name
    for name in qemu-aarch64-static qemu-aarch64; do
        command -v $name >/dev/null && QEMU=$name && break
    done
    command -v $COMPILER >/dev/null && [ -n "$QEMU" ] && return
    echo "test-arm64 needs $COMPILER and qemu-aarch64: see the head of grader/tests/arm64.sh"
    exit 1
}

# Of the machine's units, those that have a test: check_sectors tests observe/sectors.c. A judge's
# unit may have the same name as one of the machine's.
tests_of_the_machine() {
    local unit test
    echo "$folder/test/check_ptx"
    find grader/simgpu/machine -name '*.c' -printf '%f\n' | sed 's/\.c$//' | sort |
        while read -r unit; do
            test=grader/tests/check_$unit.c
            [ -e "$test" ] && ! grep -q '"check/' "$test" && echo "$folder/test/check_$unit"
        done
}

build() {
    ${MAKE:-make} -s CC=$COMPILER AR=aarch64-linux-gnu-ar B="$folder" MACHINE_ARCH=armv8.2-a "$@"
}

# Without a process for each test, since each would map the device's memory anew.
runs() {
    CK_FORK=no timeout $MOST_SECONDS $QEMU "$1"
}

find_tools
mapfile -t tests < <(tests_of_the_machine)
claim "arm64: ${#tests[@]} tests are built" build "${tests[@]}"
for test in "${tests[@]}"; do
    claim "arm64: $(basename "$test")" runs "$test"
done
exit $failed
