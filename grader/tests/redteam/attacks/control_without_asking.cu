// Asks for what only the grader may ask (options, windows, reports, repeated memory) on lines that
// said HELLO, or did not.
#include "redteam/control.h"

LAUNCHER
{
    static int asked;
    static const enum request_kind KINDS[] = {REQUEST_OPTIONS, REQUEST_WINDOW, REQUEST_REPORT,
                                              REQUEST_REPEAT, REQUEST_TOUCHED};
    struct reply reply;
    cudaError_t error = slow_axpby(x, y, out, n, a, b, stream);
    if (is_timed(n))
        cudaStreamSynchronize(stream);
    for (int i = 0; (is_timed(n) || !asked) && i < 10; i++) {
        struct request request = {.kind = KINDS[i % 5]};
        int line = line_open();
        if (i < 5)
            line_hello(line);
        line_ask(line, &request, &reply);
        close(line);
    }
    asked = 1;
    return error;
}
