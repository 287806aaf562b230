#!/usr/bin/env bash
# variants.sh - the solutions with other numbers in them: bench-elementwise and bench-gemm time
# these beside them, to show whether ours were well chosen.
#
#     variants.sh           the names of all
#     variants.sh NAME      the source of one, on standard output
#
# A line of the list: name, solution, and what its numbers become.
set -euo pipefail
cd "$(dirname "$0")/../.."

list()
{
    cat <<'END'
transpose_32x8    02_tiling/tiling               SQUARE=32
transpose_64x4    02_tiling/tiling               WARPS=4
transpose_64x16   02_tiling/tiling               WARPS=16
sumsq_128_threads 03_divergence/divergence       ROW_THREADS=128
sumsq_256_threads 03_divergence/divergence       ROW_THREADS=256
dropout_128       05_dropout/dropout             BLOCK_THREADS=128
dropout_512       05_dropout/dropout             BLOCK_THREADS=512
sgemm_128x128     02_tiling/steps/sgemm_10_largest TILE_COLS=128
sgemm_2_stages    02_tiling/steps/sgemm_10_largest STAGES=2
epilogue_deep_8   04_epilogue/epilogue  DEPTH=8
epilogue_8x16     04_epilogue/epilogue  SUM_COLS=16 WARP_COLS=64
epilogue_128x256  04_epilogue/epilogue  SUM_COLS=16 WARP_COLS=64 COLS=256 DEPTH=8 BLOCKS=1
END
}

# Numbers of lesson 4 are in the header, which then stands before the solution that includes it.
source_of()
{
    case $1 in
    04_epilogue/*) cat common/tile_gemm.h "solutions/$1.cu" ;;
    *) cat "solutions/$1.cu" ;;
    esac
}

# "STAGES=3 unroll=1": STAGES = 3 or TILE_STAGES = 3 in an enum, unroll 1 in a pragma.
with_numbers()
{
    local program=
    for change in $1; do
        program+="s/\\b((TILE_)?${change%=*}( =)?) [0-9]+/\\1 ${change#*=}/;"
    done
    sed -E "$program"
}

if [[ $# == 0 ]]; then
    list | awk '{ print $1 }'
    exit
fi
while read -r name solution changes; do
    [[ $name == "$1" ]] || continue
    if source_of "$solution" | with_numbers "$changes" | cmp -s - <(source_of "$solution"); then
        echo "variants.sh: $name changes nothing in solutions/$solution.cu any more" >&2
        exit 1
    fi
    source_of "$solution" | with_numbers "$changes"
    exit
done < <(list)
echo "variants.sh: there is no variant \"$1\"" >&2
exit 1
