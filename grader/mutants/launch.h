/* launch.h - clang turns kernel<<<grid, block, bytes, stream>>>(...) into a call of this; it is
 * only parsed, never called. */
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0,
                                                struct CUstream_st * = nullptr);
