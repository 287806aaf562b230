#!/usr/bin/env bash
# Prints the version of the grader: a hash over all that a verdict depends on, which are the code
# that judges, the contracts, the solutions and the toolkit ($NVCC_VERSION). Tests, pages, lists of
# known mistakes and the instructor's tools are not among them.
set -euo pipefail
export LC_ALL=C

{
    find common solutions grader/{check,judges,lib,runner,simgpu} -type f \
        \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' -o -name build.mk \) \
        ! -path '*/judges/*/right/*' ! -path '*/judges/*/wrong/*' ! -path '*/judges/*/slow/*' \
        ! -path '*/judges/*/cheat/*' ! -path '*/judges/*/base/*' ! -path '*/judges/*/exercise.cu' \
        ! -path '*/simgpu/bench/*' ! -path '*/simgpu/fidelity/*' ! -path '*/simgpu/install/*' \
        -print0 | sort -z | xargs -0 sha256sum
    echo "nvcc ${NVCC_VERSION:-unknown}"
} | sha256sum | cut -d' ' -f1
