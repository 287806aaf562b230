/* caller.h - who calls a launcher: one of two threads of the runner, with one of its streams.
 *
 * A launcher must work from any thread and with any stream. If it were always called by one thread
 * with one stream, code that is right only for these would pass. So the caller is drawn in small
 * cases, by the number that the grader gives each launch. Drawn blocks of a timed case, which must
 * cost no more than its first ones, run for the other thread. Where the host's time counts, it is
 * always the first thread. In some small cases, which the grader names, the stream is the default
 * one (NULL).
 */
#ifndef RUNNER_CALLER_H
#define RUNNER_CALLER_H

#include "check/judge.h"
#include "runner/protocol.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

enum { CALLER_STREAMS = 3 };

struct caller {
    cudaStream_t streams[CALLER_STREAMS];
};

cudaError_t caller_open(struct caller *caller);
/* The stream of the launch of that serial number. */
cudaStream_t caller_stream(const struct caller *caller, uint32_t serial);
/* Does the other thread make the launch of that serial number? */
bool caller_is_other(enum runner_thread thread, uint32_t serial);
/* judge->launch, with the host's default rounding mode. */
cudaError_t caller_launch(const struct judge *judge, const struct judge_call *call);
/* The same in the other thread, which is started by the first such call; in this thread if that is
 * not possible. */
cudaError_t caller_launch_elsewhere(const struct judge *judge, const struct judge_call *call);

#endif
