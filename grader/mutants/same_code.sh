#!/usr/bin/env bash
# Do two CUDA sources compile to the same code, for the device and for the host? Then no judge can
# tell them apart, and whatever differs between them is no mistake. Exit status 0 if so, 1 if not or
# where that cannot be found out.
#
#     same_code.sh ONE OTHER COMMON      needs NVCC; COMMON holds the headers that are given
set -euo pipefail
one=$1 other=$2 common=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# code_of FILE FOLDER: PTX, then the host's instructions and constants. Both are compiled under one
# name, since that is part of some symbols, as is a hash of the text. Lines are left out.
code_of()
{
    mkdir "$2"
    cp "$1" "$2/source.cu"
    (
        cd "$2"
        "${NVCC:-nvcc}" -O3 -w -I "$common" -arch=compute_80 --ptx source.cu -o source.ptx
        "${NVCC:-nvcc}" -O3 -w -I "$common" -arch=compute_80 -Xcompiler -fPIC -c source.cu \
            -o source.o
        cat source.ptx
        objdump -dr --no-show-raw-insn source.o
        readelf -S -W source.o | grep -oE '\.rodata[^ ]*' | sort -u | while read -r section; do
            objdump -s -j "$section" source.o
        done
    ) 2>"$work/errors" | sed -E 's/[0-9a-f]{8}_[0-9]+_source_cu_[0-9a-f_]+//g'
}
code_of "$one" "$work/one" >"$work/one.code"
code_of "$other" "$work/other" >"$work/other.code"
cmp -s "$work/one.code" "$work/other.code"
