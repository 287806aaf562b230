// races_between_launches.cu - kernels, copies and memsets that nothing orders, and that meet in one
// buffer. The simulated device does one after the other, so each result is right here.
#include "planted.h"

#include <cstring>

namespace races_between_launches {

enum { N = 1024, BYTES = N * sizeof(int) };

struct two_streams {
    cudaStream_t one, other;
    two_streams()
    {
        CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
        CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    }
};

static int *zeros()
{
    int *at;
    CHECK(cudaMalloc(&at, BYTES));
    CHECK(cudaMemset(at, 0, BYTES));
    CHECK(cudaDeviceSynchronize());
    return at;
}

static int *pinned()
{
    int *at;
    CHECK(cudaMallocHost(&at, BYTES));
    memset(at, 0, BYTES);
    return at;
}

// fault another_streams_result: race of unordered work
//     to[threadIdx.x] = made[threadIdx.x];
//     ^
// other one of the two
//     made[threadIdx.x] = (int)threadIdx.x + 1;
//     ^
// says kernel races_between_launches::uses_made reads 4096 bytes of the 4096-byte buffer
// says , from byte 0 on, which kernel races_between_launches::makes (races_between_launches.cu:
// says ) writes; nothing orders the two
// says let a stream wait for an event
// sanitizer none
__global__ void makes(int *made)
{
    made[threadIdx.x] = (int)threadIdx.x + 1;
}

__global__ void uses_made(const int *made, int *to)
{
    to[threadIdx.x] = made[threadIdx.x];
}

PLANTED(another_streams_result)
{
    two_streams streams;
    int *made = zeros(), *to = zeros();
    makes<<<1, N, 0, streams.one>>>(made);
    uses_made<<<1, N, 0, streams.other>>>(made, to);
}

// fault an_event_recorded_too_early: race of unordered work
//     filled[threadIdx.x] = (int)threadIdx.x + 2;
//     ^
// says writes 4096 bytes
// says writes, too; nothing orders the two
// sanitizer none
__global__ void fills(int *filled)
{
    filled[threadIdx.x] = (int)threadIdx.x + 2;
}

PLANTED(an_event_recorded_too_early)
{
    two_streams streams;
    int *filled = zeros();
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
    CHECK(cudaEventRecord(event, streams.one));
    fills<<<1, N, 0, streams.one>>>(filled);
    CHECK(cudaStreamWaitEvent(streams.other, event, 0));
    fills<<<1, N, 0, streams.other>>>(filled);
}

// fault a_node_without_its_edge: race of unordered work
//     last[threadIdx.x] += before[threadIdx.x];
//     ^
// other one of the two
//     before[threadIdx.x] = (int)threadIdx.x + 3;
//     ^
// sanitizer none
__global__ void comes_first(int *before)
{
    before[threadIdx.x] = (int)threadIdx.x + 3;
}

__global__ void comes_last(const int *before, int *last)
{
    last[threadIdx.x] += before[threadIdx.x];
}

static void add_node(cudaGraph_t graph, cudaGraphNode_t *node, void *kernel, void **parameters)
{
    cudaKernelNodeParams node_of = {};
    node_of.func = kernel;
    node_of.gridDim = dim3(1);
    node_of.blockDim = dim3(N);
    node_of.kernelParams = parameters;
    CHECK(cudaGraphAddKernelNode(node, graph, nullptr, 0, &node_of));
}

PLANTED(a_node_without_its_edge)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaGraphNode_t first, last;
    int *made = zeros(), *sum = zeros();
    void *of_first[] = {&made}, *of_last[] = {&made, &sum};
    CHECK(cudaGraphCreate(&graph, 0));
    add_node(graph, &first, (void *)comes_first, of_first);
    add_node(graph, &last, (void *)comes_last, of_last);
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphLaunch(ready, 0));
}

// fault a_branch_of_a_capture: race of unordered work
//     values[threadIdx.x] /= 2;
//     ^
// says 2048 bytes
// says , from byte 1024 on,
// sanitizer none
__global__ void halves_each(int *values)
{
    values[threadIdx.x] /= 2;
}

PLANTED(a_branch_of_a_capture)
{
    two_streams streams;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaEvent_t forked, joined;
    int *values = zeros();
    CHECK(cudaEventCreate(&forked));
    CHECK(cudaEventCreate(&joined));
    CHECK(cudaStreamBeginCapture(streams.one, cudaStreamCaptureModeRelaxed));
    CHECK(cudaEventRecord(forked, streams.one));
    CHECK(cudaStreamWaitEvent(streams.other, forked, 0));
    halves_each<<<1, N * 3 / 4, 0, streams.one>>>(values);
    halves_each<<<1, N * 3 / 4, 0, streams.other>>>(values + N / 4);
    CHECK(cudaEventRecord(joined, streams.other));
    CHECK(cudaStreamWaitEvent(streams.one, joined, 0));
    CHECK(cudaStreamEndCapture(streams.one, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphLaunch(ready, streams.one));
}

// fault a_copy_under_a_kernel: race of unordered work
//     sum[threadIdx.x] += batch[threadIdx.x];
//     ^
// says a copy writes 4096 bytes
// says which kernel races_between_launches::adds (
// sanitizer none
__global__ void adds(const int *batch, int *sum)
{
    sum[threadIdx.x] += batch[threadIdx.x];
}

PLANTED(a_copy_under_a_kernel)
{
    two_streams streams;
    int *batch = zeros(), *sum = zeros(), *next = pinned();
    adds<<<1, N, 0, streams.one>>>(batch, sum);
    CHECK(cudaMemcpyAsync(batch, next, BYTES, cudaMemcpyHostToDevice, streams.other));
}

// fault a_memset_after_all: race of unordered work
//     counts[threadIdx.x]++;
//     ^
// says which a memset writes
// sanitizer none
__global__ void counts_up(int *counts)
{
    counts[threadIdx.x]++;
}

PLANTED(a_memset_after_all)
{
    two_streams streams;
    int *counts = zeros();
    CHECK(cudaMemsetAsync(counts, 0, BYTES, streams.one));
    counts_up<<<1, N, 0, streams.other>>>(counts);
}

// fault read_back_too_early: race of unordered work
//     result[threadIdx.x] = 4;
//     ^
// says a copy reads 4096 bytes
// sanitizer none
__global__ void takes_a_while(int *result)
{
    result[threadIdx.x] = 4;
}

PLANTED(read_back_too_early)
{
    two_streams streams;
    int *result = zeros(), *h_result = (int *)malloc(BYTES);
    takes_a_while<<<1, N, 0, streams.one>>>(result);
    CHECK(cudaMemcpyAsync(h_result, result, BYTES, cudaMemcpyDeviceToHost, streams.other));
}

// fault two_copies_to_one_place: race of unordered work
// says a copy writes 4096 bytes
// says writes, too; nothing orders the two
// sanitizer none
PLANTED(two_copies_to_one_place)
{
    two_streams streams;
    int *place = zeros(), *one = pinned(), *other = pinned();
    CHECK(cudaMemcpyAsync(place, one, BYTES, cudaMemcpyHostToDevice, streams.one));
    CHECK(cudaMemcpyAsync(place, other, BYTES, cudaMemcpyHostToDevice, streams.other));
}

// fault a_stream_that_does_not_block: race of unordered work
//     y[threadIdx.x] = x[threadIdx.x] + 5;
//     ^
// sanitizer none
__global__ void on_the_default(int *x)
{
    x[threadIdx.x] = 5;
}

__global__ void on_another(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x] + 5;
}

PLANTED(a_stream_that_does_not_block)
{
    two_streams streams;
    int *x = zeros(), *y = zeros();
    on_the_default<<<1, N>>>(x);
    on_another<<<1, N, 0, streams.one>>>(x, y);
}

// fault a_sum_read_while_it_grows: race of unordered work
//     *average = *total / N;
//     ^
// other one of the two
//     atomicAdd(total, 6);
//     ^
// sanitizer none
__global__ void adds_atomically(int *total)
{
    atomicAdd(total, 6);
}

__global__ void averages(const int *total, int *average)
{
    *average = *total / N;
}

PLANTED(a_sum_read_while_it_grows)
{
    two_streams streams;
    int *total = zeros(), *average = zeros();
    adds_atomically<<<1, N, 0, streams.one>>>(total);
    averages<<<1, 1, 0, streams.other>>>(total, average);
}

// fault memory_freed_beside_its_writer: race of unordered work
//     x[threadIdx.x] = 3;
//     ^
// sanitizer none
__global__ void writes_what_is_freed(int *x)
{
    x[threadIdx.x] = 3;
}

PLANTED(memory_freed_beside_its_writer)
{
    two_streams streams;
    int *x;
    cudaMallocAsync(&x, N * sizeof *x, streams.one);
    writes_what_is_freed<<<1, N, 0, streams.one>>>(x);
    cudaFreeAsync(x, streams.other);
}

// Each launch does what the counter says comes next, so the results are right in whatever order the
// launches are done one after the other; nothing keeps them from being done at the same time.
// fault launches_that_take_turns: race of unordered work
//     words[1] = words[0] + 7;
//     ^
// other one of the two
//     words[0] = 7;
//     ^
// sanitizer none
__global__ void does_the_next(int *words, unsigned *turn)
{
    unsigned mine = atomicAdd(turn, 1u);
    if (mine == 0)
        words[0] = 7;
    else
        words[1] = words[0] + 7;
}

PLANTED(launches_that_take_turns)
{
    two_streams streams;
    int *words = zeros(), *turn = zeros();
    does_the_next<<<1, 1, 0, streams.one>>>(words, (unsigned *)turn);
    does_the_next<<<1, 1, 0, streams.other>>>(words, (unsigned *)turn);
}

} // namespace races_between_launches
