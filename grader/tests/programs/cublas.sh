#!/usr/bin/env bash
# What is said of a program that uses cuBLAS: cublas.sh <simgpu> <refused/'s program cublas>
set -u
said=$("$1" run -- "$2" 2>&1)
failed=0
# says <part of what is said>
says()
{
    [[ $said == *"$1"* ]] && return
    printf '  FAIL  of a program that uses cuBLAS nothing says: %s\n%s\n' "$1" "$said"
    failed=1
}
says "cublasSgeqrfBatched is not supported by the simulated device"
says "factors: CUBLAS_STATUS_NOT_SUPPORTED"
says "cublasGemmEx with these types or sizes (types 8, 8, 10, compute type 72)"
says "bytes: CUBLAS_STATUS_NOT_SUPPORTED"
says "cublas_scal_f32"
says "cuBLAS, gemm: C: "
says "256 bytes too many for the 16128-byte buffer"
says "product: cudaErrorIllegalAddress"
[[ $failed == 0 ]] && echo "  ok    what cuBLAS lacks and may not read is told in a sentence"
exit $failed
