// Includes a submission that was compiled before, which lies beside it by a name made of its
// contents, by way of the folder it is compiled in.
#include "../witness/coalescing.cu"
#include "@COURSE@/build/work/coalescing.cu"
