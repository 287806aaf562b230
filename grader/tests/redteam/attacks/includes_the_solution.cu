// Includes our answer by its path. Where submissions are compiled there are no solutions.
#include "@COURSE@/solutions/01_coalescing/coalescing.cu"
