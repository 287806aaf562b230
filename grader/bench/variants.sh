#!/usr/bin/env bash
# variants.sh - the solutions with other numbers in them: bench-elementwise and bench-gemm time these
# beside them, to show whether ours were well chosen.
#
#     variants.sh           the names of all
#     variants.sh NAME      the source of one, on standard output
#
# A line of the list: name, solution, and the number that changes, as sed says it.
set -euo pipefail
cd "$(dirname "$0")/../.."

list()
{
    cat <<'END'
transpose_32x8    02_tiling/tiling          s/SQUARE = 64, SQUARE_STEP = 4/SQUARE = 32, SQUARE_STEP = 8/
transpose_64x8    02_tiling/tiling          s/SQUARE_STEP = 4/SQUARE_STEP = 8/
transpose_64x16   02_tiling/tiling          s/SQUARE_STEP = 4/SQUARE_STEP = 16/
sumsq_128_threads 03_divergence/divergence  s/BLOCK_THREADS = 256/BLOCK_THREADS = 128/
sumsq_512_threads 03_divergence/divergence  s/BLOCK_THREADS = 256/BLOCK_THREADS = 512/
sumsq_unroll_1    03_divergence/divergence  s/unroll 4/unroll 1/
sumsq_unroll_2    03_divergence/divergence  s/unroll 4/unroll 2/
dropout_128       05_dropout/dropout        s/BLOCK_THREADS = 256/BLOCK_THREADS = 128/
dropout_512       05_dropout/dropout        s/BLOCK_THREADS = 256/BLOCK_THREADS = 512/
sgemm_128x128     02_tiling/steps/sgemm_10_final  s/TILE_COLS = 256/TILE_COLS = 128/
sgemm_2_stages    02_tiling/steps/sgemm_10_final  s/STAGES = 3/STAGES = 2/
epilogue_deep_8   04_epilogue/epilogue      s/TILE_DEPTH = 16/TILE_DEPTH = 8/; s/STAGES = 2/STAGES = 4/
epilogue_8x16     04_epilogue/epilogue      s/SUM_COLS = 8/SUM_COLS = 16/; s/WARP_COLS = 32/WARP_COLS = 64/
epilogue_128x256  04_epilogue/epilogue      s/SUM_COLS = 8/SUM_COLS = 16/; s/WARP_COLS = 32/WARP_COLS = 64/; s/TILE_COLS = 128/TILE_COLS = 256/; s/TILE_DEPTH = 16/TILE_DEPTH = 8/; s/STAGES = 2/STAGES = 3/; s/TILE_BLOCKS = 2/TILE_BLOCKS = 1/
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

if [[ $# == 0 ]]; then
    list | awk '{ print $1 }'
    exit
fi
while read -r name solution change; do
    [[ $name == "$1" ]] || continue
    if source_of "$solution" | sed "$change" | cmp -s - <(source_of "$solution"); then
        echo "variants.sh: $name changes nothing in solutions/$solution.cu any more" >&2
        exit 1
    fi
    source_of "$solution" | sed "$change"
    exit
done < <(list)
echo "variants.sh: there is no variant \"$1\"" >&2
exit 1
