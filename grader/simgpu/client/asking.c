/* asking.c - is the device done? A program that asks over and over is waiting.
 *
 * A GPU works on while a program asks. Here the device needs a processor itself, maybe the one on
 * which it is asked, and takes longer than a GPU does: a program that asked all the time would have
 * used up the processor time of a submission (runner/walls.h) by no fault of its own. So a thread
 * that has had the same answer many times gets the next one a moment later. A program that asks
 * only now and then never waits.
 */
#include "client.h"

#include <time.h>

enum { MANY = 64, MOMENT_NS = 1000000 };

cudaError_t ask_whether_done(struct call *call)
{
    static _Thread_local unsigned in_a_row;
    cudaError_t answer = perform(call);
    in_a_row = answer == cudaErrorNotReady ? in_a_row + 1 : 0;
    if (in_a_row > MANY)
        nanosleep(&(struct timespec){.tv_nsec = MOMENT_NS}, NULL);
    return answer;
}
