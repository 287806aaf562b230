#!/usr/bin/env bash
# sass.sh - what ptxas made of the loads from shared memory: writes the table measured/sass.csv.
#
#     make fidelity-programs
#     grader/simgpu/fidelity/sass.sh [BUILD] >OUT/sass.csv         BUILD is build/fidelity
#
# A row for each kernel that loads from shared memory: how many such instructions its PTX has, by
# bytes a lane, and how many its machine code for sm_90. "matrix" are ldmatrix and wmma.load. Wants
# cuobjdump and nvdisasm, which every CUDA toolkit has, and c++filt; no GPU.
set -eu -o pipefail

build=${1:-build/fidelity}

# Lines "KERNEL BYTES" for each load in the PTX text.
loads_in_ptx()
{
    cuobjdump -ptx -arch sm_80 "$1" | awk '
        /\.entry/ { match($0, /\.entry [^(]*/); kernel = substr($0, RSTART + 7, RLENGTH - 7) }
        { sub(/^@!?%p[0-9]+ */, ""); sub(/^[ \t]+/, "") }
        /^(ldmatrix|wmma\.load.*shared)/ { print kernel, "matrix" }
        /^ld\.(volatile\.)?shared/ {
            split($1, part, ".")
            bits = substr($1, match($1, /[0-9]+$/)) + 0
            elements = match($1, /\.v[24]\./) ? substr($1, RSTART + 2, 1) : 1
            bytes = bits * elements / 8
            print kernel, bytes < 4 ? 4 : bytes
        }'
}

# The same for the machine code: LDS, LDS.U8, LDS.64, LDS.128; LDSM.
loads_in_sass()
{
    cuobjdump -sass -arch sm_90 "$1" | awk '
        /Function :/ { kernel = $3 }
        { for (i = 1; i <= NF && i <= 4; i++) {
            if ($i ~ /^LDSM/) print kernel, "matrix"
            else if ($i ~ /^LDS(\.|$)/)
                print kernel, $i ~ /\.128/ ? 16 : $i ~ /\.64/ ? 8 : 4
        } }'
}

ptxas=$(ptxas --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
echo "# Shared loads by bytes a lane, in the PTX and in what ptxas $ptxas makes of it for sm_90:" \
    "grader/simgpu/fidelity/sass.sh build/fidelity"
echo program,kernel,ptx_4,ptx_8,ptx_16,ptx_matrix,sass_4,sass_8,sass_16,sass_matrix
for program in patterns kernels bank fresh second third fourth fifth; do
    {
        loads_in_ptx "$build/$program" | sed 's/^/ptx /'
        loads_in_sass "$build/$program" | sed 's/^/sass /'
    } | c++filt -p | awk -v program="$program" '
        function quoted(text) { return text ~ /,/ ? "\"" text "\"" : text }
        {
            stage = $1
            bytes = $NF
            kernel = substr($0, length($1) + 2, length($0) - length($1) - length($NF) - 2)
            count[kernel, stage, bytes]++
            kernels[kernel]
        }
        END {
            split("4 8 16 matrix", widths, " ")
            for (kernel in kernels) {
                row = program "," quoted(kernel)
                for (stage = 1; stage <= 2; stage++)
                    for (i = 1; i <= 4; i++)
                        row = row "," count[kernel, stage == 1 ? "ptx" : "sass", widths[i]] + 0
                print row
            }
        }' | LC_ALL=C sort
done
