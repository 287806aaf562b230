#!/usr/bin/env bash
# variants.sh - the solutions with other numbers in them: bench-elementwise times these beside them, to
# show whether ours were well chosen.
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
END
}

if [[ $# == 0 ]]; then
    list | awk '{ print $1 }'
    exit
fi
while read -r name solution change; do
    [[ $name == "$1" ]] || continue
    source=solutions/$solution.cu
    sed "$change" "$source" | cmp -s - "$source" && {
        echo "variants.sh: $name changes nothing in $source any more" >&2
        exit 1
    }
    sed "$change" "$source"
    exit
done < <(list)
echo "variants.sh: there is no variant \"$1\"" >&2
exit 1
