#!/usr/bin/env bash
# A sentence tells why memory cannot be freed: sentences.sh <simgpu> <the program memory_mistakes>
set -u
said=$("$1" run --quiet -- "$2" 2>&1)
failed=0
# says <part of what is said>
says() {
    [[ $said == *"$1"* ]] && return
    printf '  FAIL  of mistakes with memory nothing says: %s\n%s\n' "$1" "$said"
    failed=1
}
says "nothing is freed"
says "the 4000-byte buffer"
says "was freed before"
says "the pointer is 64 bytes past the start of the 5000-byte buffer"
says "the pointer is 8 bytes past the start of the 6000-byte managed buffer"
says "this is pinned host memory, which cudaFreeHost frees"
says "this is device memory, which cudaFree frees"
says "this is memory of the host that no CUDA function gave"
[[ $failed == 0 ]] && echo "  ok    what cannot be freed is told in a sentence"
exit $failed
