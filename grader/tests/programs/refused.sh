#!/usr/bin/env bash
# What the simulated device cannot serve says so in a sentence, when it is called and not before:
#     refused.sh <simgpu> <folder of refused/'s programs> <folder of the toolkit's libraries>
# A line each; exit status 1 when one is wrong.
set -u
simgpu=$1
folder=$2
toolkit=$3
failed=0

# run STATUS TEXT CLAIM COMMAND...: it ends with STATUS, and TEXT is in what it writes; with a TEXT
# of "" the simulated device writes nothing of its own.
run()
{
    local status=$1 text=$2 claim=$3 said got
    shift 3
    said=$(timeout 60 "$simgpu" run --quiet -- "$@" 2>&1)
    got=$?
    if [[ $got == 77 ]]; then
        echo "  left out, since this toolkit has no such library: $claim"
    elif [[ $got != "$status" || $said != *"$text"* || (-z $text && $said == *simgpu:*) ]]; then
        printf '  FAIL  %s (exit status %s)\n%s\n' "$claim" "$got" "$said"
        failed=1
    else
        echo "  ok    $claim"
    fi
}

# ends TEXT CLAIM COMMAND...: that is how the profile says that nothing ran.
ends()
{
    local text=$1 claim=$2 said
    shift 2
    said=$(timeout 60 "$simgpu" run -- "$@" 2>&1)
    if [[ $said != *"$text"* ]]; then
        printf '  FAIL  %s\n%s\n' "$claim" "$said"
        failed=1
    else
        echo "  ok    $claim"
    fi
}

static="static_runtime holds the CUDA runtime as a static library (nvcc's default)"
run 70 "$static" "a program with the static runtime is told the flag" "$folder/static_runtime"
run 70 "nvcc -cudart shared" "so is one that a script starts" sh -c "'$folder/static_runtime'; true"
ends "nothing ran here" "and the profile does not take it for one that launches nothing" \
    "$folder/static_runtime"
run 0 "got 1" "a library that is linked and not called does no harm" "$folder/program"
run 0 "" "and nothing is said of it" "$folder/program"
run 70 "liblibrary.so holds the CUDA runtime as a static library" \
    "a library with a static runtime is told when it is called" "$folder/program" call
run 70 "library_create: cuSOLVER is not simulated (libcusolver.so.12 looks for a GPU)" \
    "the sentence for NVIDIA's libraries names library and function" \
    "$folder/program" "$folder/named/libcusolver.so.12" library_create
run 0 "cuTensorMapEncodeTiled (called by program) is not simulated; of the driver API" \
    "what the driver API lacks is refused by name" \
    "$folder/program" libcuda.so.1 cuTensorMapEncodeTiled
run 0 "" "and its other functions are served" "$folder/program" libcuda.so.1 cuInit

sed 's/libcudart\.so\.1[23]/libcudart.so.11/' "$folder/program" >"$folder/older"
chmod +x "$folder/older"
run 70 "older needs libcudart.so.11, and this simulated device was built for libcudart.so." \
    "a program for another runtime is told both versions" "$folder/older"

run 70 "'vmad.s32.s32.s32' is not supported by the simulated device" \
    "a kernel that is refused does not look like success" "$folder/kernel"

ends "neither the program nor what it started made a CUDA call" \
    "a program that calls no CUDA is told so" true
ends "no kernel was launched" "one that launches nothing is told that" \
    "$folder/program" "$(dirname "$simgpu")/../lib/sim/$(cd "$(dirname "$simgpu")/../lib/sim" &&
        echo libcudart.so.*)" cudaFree

# NVIDIA's own, where they are installed.
while read -r library function title; do
    run 70 "$function: $title is not simulated (lib" "$title is refused" \
        "$folder/program" "$toolkit/$library.so" "$function"
done <<'END'
libcurand curandCreateGenerator NVIDIA's own cuRAND
libcufft cufftPlan1d NVIDIA's own cuFFT
libcusolver cusolverDnCreate cuSOLVER
libcusparse cusparseCreate NVIDIA's own cuSPARSE
libcudnn cudnnCreate cuDNN
libnccl ncclCommInitAll NCCL
END
exit $failed
