// each.h - a kernel of a library that only has headers: what it does is somebody else's.
#pragma once

template <class work_t> __global__ void each(const int *in, int *out)
{
    work_t()(in, out, (int)threadIdx.x);
}
