// Captures its first call and launches the same graph ever after: the pointers are those of a case
// that is gone.
#include "redteam/axpby.h"

LAUNCHER
{
    static cudaGraphExec_t whole;
    static int64_t of;
    if (n == 0 || is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    if (!whole || of != n) {
        cudaGraph_t graph = NULL;
        cudaStream_t captured;
        cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking);
        cudaStreamBeginCapture(captured, cudaStreamCaptureModeThreadLocal);
        good_axpby(x, y, out, n, a, b, captured);
        cudaStreamEndCapture(captured, &graph);
        cudaGraphInstantiate(&whole, graph, 0);
        of = n;
    }
    return cudaGraphLaunch(whole, stream);
}
