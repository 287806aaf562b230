// launches.cu - kernels, copies and memsets that use the same buffers, in an order that something
// gives; or in none, where none is needed.
#include "correct.h"

#include <cstring>

namespace launches {

enum { N = 1024, BYTES = N * sizeof(int), ROUNDS = 4 };

__global__ void add(int *values, int number)
{
    values[blockIdx.x * blockDim.x + threadIdx.x] += number;
}

__global__ void sum_of_two(const int *a, const int *b, int *sum)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    sum[i] = a[i] + b[i];
}

struct streams {
    cudaStream_t one, other;
    cudaEvent_t event;
    explicit streams(unsigned flags = cudaStreamNonBlocking)
    {
        CHECK(cudaStreamCreateWithFlags(&one, flags));
        CHECK(cudaStreamCreateWithFlags(&other, flags));
        CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    ~streams()
    {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventDestroy(event));
        CHECK(cudaStreamDestroy(one));
        CHECK(cudaStreamDestroy(other));
    }
    void order(cudaStream_t first, cudaStream_t second) const
    {
        CHECK(cudaEventRecord(event, first));
        CHECK(cudaStreamWaitEvent(second, event, 0));
    }
};

static ints all(int number)
{
    return ints(N, number);
}

CORRECT(ordered_by_one_stream)
{
    streams of;
    device_ints values(all(0)), copy(all(0));
    CHECK(cudaMemsetAsync(values, 0, BYTES, of.one));
    for (int i = 0; i < ROUNDS; i++)
        add<<<1, N, 0, of.one>>>(values, 1);
    CHECK(cudaMemcpyAsync(copy, values, BYTES, cudaMemcpyDeviceToDevice, of.one));
    CHECK(cudaStreamSynchronize(of.one));
    return copy.values() == all(ROUNDS);
}

CORRECT(ordered_by_events)
{
    streams of;
    device_ints values(all(0));
    for (int i = 0; i < ROUNDS; i++) {
        add<<<1, N, 0, of.one>>>(values, 1);
        of.order(of.one, of.other);
        add<<<1, N, 0, of.other>>>(values, 1);
        of.order(of.other, of.one);
    }
    CHECK(cudaStreamSynchronize(of.other));
    return values.values() == all(2 * ROUNDS);
}

/* The third stream has never heard of the first one, but of the second, which waits for it. */
CORRECT(ordered_through_a_third)
{
    streams of, more;
    device_ints values(all(0));
    add<<<1, N, 0, of.one>>>(values, 1);
    of.order(of.one, of.other);
    of.order(of.other, more.one);
    add<<<1, N, 0, more.one>>>(values, 1);
    CHECK(cudaStreamSynchronize(more.one));
    return values.values() == all(2);
}

CORRECT(ordered_by_the_host)
{
    streams of;
    device_ints values(all(0));
    add<<<1, N, 0, of.one>>>(values, 1);
    CHECK(cudaStreamSynchronize(of.one));
    add<<<1, N, 0, of.other>>>(values, 1);
    CHECK(cudaEventRecord(of.event, of.other));
    CHECK(cudaEventSynchronize(of.event));
    add<<<1, N, 0, of.one>>>(values, 1);
    while (cudaStreamQuery(of.one) == cudaErrorNotReady)
        ;
    add<<<1, N, 0, of.other>>>(values, 1);
    CHECK(cudaDeviceSynchronize());
    add<<<1, N, 0, of.one>>>(values, 1);
    CHECK(cudaStreamSynchronize(of.one));
    return values.values() == all(5);
}

CORRECT(ordered_by_the_legacy_stream)
{
    streams of(cudaStreamDefault);
    device_ints values(all(0));
    add<<<1, N, 0, of.one>>>(values, 1);
    add<<<1, N>>>(values, 1);
    add<<<1, N, 0, of.other>>>(values, 1);
    return values.values() == all(3);
}

/* The legacy stream waits for what a blocking stream was given, though that stream is gone. */
CORRECT(ordered_by_a_stream_that_is_gone)
{
    cudaStream_t passing;
    device_ints values(all(0));
    CHECK(cudaStreamCreate(&passing));
    add<<<1, N, 0, passing>>>(values, 1);
    while (cudaStreamQuery(passing) == cudaErrorNotReady)
        ;
    add<<<1, N, 0, passing>>>(values, 1);
    CHECK(cudaStreamDestroy(passing));
    add<<<1, N>>>(values, 1);
    return values.values() == all(3);
}

CORRECT(ordered_by_edges_of_a_graph)
{
    streams of;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    device_ints a(all(1)), b(all(2)), sum(all(0));
    CHECK(cudaStreamBeginCapture(of.one, cudaStreamCaptureModeRelaxed));
    of.order(of.one, of.other);
    add<<<1, N, 0, of.one>>>(a, 1);
    add<<<1, N, 0, of.other>>>(b, 1);
    of.order(of.other, of.one);
    sum_of_two<<<1, N, 0, of.one>>>(a, b, sum);
    CHECK(cudaStreamEndCapture(of.one, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    for (int i = 0; i < ROUNDS; i++) /* launches of one graph follow each other */
        CHECK(cudaGraphLaunch(ready, i % 2 ? of.one : of.other));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
    return sum.values() == all(3 + 2 * ROUNDS);
}

CORRECT(apart_in_one_buffer)
{
    streams of;
    device_ints values(all(0));
    add<<<1, N / 2, 0, of.one>>>(values, 1);
    add<<<1, N / 2, 0, of.other>>>(values + N / 2, 1);
    CHECK(cudaDeviceSynchronize());
    return values.values() == all(1);
}

__global__ void add_to_every_other_byte(unsigned char *bytes, int first)
{
    bytes[2 * threadIdx.x + first] += 1;
}

CORRECT(apart_byte_by_byte)
{
    streams of;
    device_array<unsigned char> bytes(std::vector<unsigned char>(N, 0));
    add_to_every_other_byte<<<1, N / 2, 0, of.one>>>(bytes, 0);
    add_to_every_other_byte<<<1, N / 2, 0, of.other>>>(bytes, 1);
    CHECK(cudaDeviceSynchronize());
    return bytes.values() == std::vector<unsigned char>(N, 1);
}

CORRECT(only_read_by_both)
{
    streams of;
    device_ints in(all(4)), one(all(0)), other(all(0));
    sum_of_two<<<1, N, 0, of.one>>>(in, in, one);
    sum_of_two<<<1, N, 0, of.other>>>(in, in, other);
    CHECK(cudaDeviceSynchronize());
    return one.values() == all(8) && other.values() == all(8);
}

__global__ void count(int *total)
{
    atomicAdd(total, 1);
}

CORRECT(counted_by_atomics)
{
    streams of;
    device_ints total(ints(1, 0));
    count<<<2, 128, 0, of.one>>>(total);
    count<<<2, 128, 0, of.other>>>(total);
    CHECK(cudaDeviceSynchronize());
    return total.values() == ints(1, 512);
}

/* Which of the two launches comes last reads what the other one has written. */
__global__ void last_one_sums(int *words, unsigned *arrived, int *sum, int which)
{
    words[which] = which + 1;
    __threadfence();
    if (atomicAdd(arrived, 1u) == 0)
        return;
    __threadfence();
    *sum = words[0] + words[1];
}

CORRECT(handed_over_at_a_counter)
{
    streams of;
    device_ints words(ints(2, 0)), arrived(ints(1, 0)), sum(ints(1, 0));
    last_one_sums<<<1, 1, 0, of.one>>>(words, (unsigned *)(int *)arrived, sum, 0);
    last_one_sums<<<1, 1, 0, of.other>>>(words, (unsigned *)(int *)arrived, sum, 1);
    CHECK(cudaDeviceSynchronize());
    return sum.values() == ints(1, 3);
}

/* While one buffer is used, the next batch arrives in the other one. */
CORRECT(prefetched_into_the_other_buffer)
{
    enum { BATCHES = 6 };
    streams of;
    cudaEvent_t arrived[2], used[2];
    int *h_batches;
    device_ints batches(ints(2 * N, 0)), sum(all(0));
    CHECK(cudaMallocHost(&h_batches, BATCHES * BYTES));
    for (int i = 0; i < BATCHES * N; i++)
        h_batches[i] = i / N + 1;
    for (int i = 0; i < 2; i++) {
        CHECK(cudaEventCreate(&arrived[i]));
        CHECK(cudaEventCreate(&used[i]));
    }
    for (int i = 0; i < BATCHES; i++) {
        int *batch = batches + i % 2 * N;
        CHECK(cudaStreamWaitEvent(of.other, used[i % 2], 0));
        CHECK(cudaMemcpyAsync(batch, h_batches + i * N, BYTES, cudaMemcpyHostToDevice, of.other));
        CHECK(cudaEventRecord(arrived[i % 2], of.other));
        CHECK(cudaStreamWaitEvent(of.one, arrived[i % 2], 0));
        sum_of_two<<<1, N, 0, of.one>>>(sum, batch, sum);
        CHECK(cudaEventRecord(used[i % 2], of.one));
    }
    CHECK(cudaStreamSynchronize(of.one));
    CHECK(cudaFreeHost(h_batches));
    return sum.values() == all(BATCHES * (BATCHES + 1) / 2);
}

/* The host reads what a kernel left in its memory, writes to it, and another stream goes on. */
CORRECT(seen_by_the_host_between)
{
    streams of;
    int *h_values;
    CHECK(cudaMallocHost(&h_values, BYTES));
    memset(h_values, 0, BYTES);
    add<<<1, N, 0, of.one>>>(h_values, 1);
    CHECK(cudaStreamSynchronize(of.one));
    for (int i = 0; i < N; i++)
        h_values[i] *= 10;
    add<<<1, N, 0, of.other>>>(h_values, 1);
    CHECK(cudaStreamSynchronize(of.other));
    bool right = ints(h_values, h_values + N) == all(11);
    CHECK(cudaFreeHost(h_values));
    return right;
}

/* A flag in the host's memory tells it that a kernel is done, without a call. */
__global__ void add_and_tell(int *values, volatile int *flag)
{
    values[threadIdx.x] += 1;
    __syncthreads();
    __threadfence_system();
    if (threadIdx.x == 0)
        *flag = 1;
}

CORRECT(polled_by_the_host)
{
    streams of;
    volatile int *h_flag;
    device_ints values(all(0));
    CHECK(cudaMallocHost((void **)&h_flag, sizeof *h_flag));
    *h_flag = 0;
    add_and_tell<<<1, N, 0, of.one>>>(values, h_flag);
    while (!*h_flag)
        ;
    add<<<1, N, 0, of.other>>>(values, 1);
    CHECK(cudaStreamSynchronize(of.other));
    CHECK(cudaFreeHost((void *)h_flag));
    return values.values() == all(2);
}

/* Memory that one stream gave back is another allocation when the other one gets some. */
CORRECT(freed_in_order_and_made_again)
{
    streams of;
    int *first, *second;
    CHECK(cudaMallocAsync((void **)&first, BYTES, of.one));
    CHECK(cudaMemsetAsync(first, 0, BYTES, of.one));
    add<<<1, N, 0, of.one>>>(first, 1);
    CHECK(cudaFreeAsync(first, of.one));
    CHECK(cudaMallocAsync((void **)&second, BYTES, of.other));
    CHECK(cudaMemsetAsync(second, 0, BYTES, of.other));
    add<<<1, N, 0, of.other>>>(second, 1);
    ints got(N);
    CHECK(cudaMemcpyAsync(got.data(), second, BYTES, cudaMemcpyDeviceToHost, of.other));
    CHECK(cudaStreamSynchronize(of.other));
    CHECK(cudaFreeAsync(second, of.other));
    return got == all(1);
}

} // namespace launches
