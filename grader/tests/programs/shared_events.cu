// shared_events.cu - two programs take turns on one buffer, and wait for each other by events that
// one hands to the other (CUDA IPC). Over a socket they tell only that a call was made, never that
// its work is done. The program starts itself again to be the other one.
#include "program.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 20, LONG = 3000 };

struct Handles {
    cudaIpcMemHandle_t buffer;
    cudaIpcEventHandle_t ours, theirs; // recorded by the first program, by the second
};

// value = value * factor + 1, a while later; slow, so that a turn taken early would be lost.
__global__ void turn(unsigned *value, unsigned factor, unsigned *waste)
{
    unsigned before = *value, work = before;
    for (int i = 0; i < LONG; i++)
        work = work * 1664525 + 1013904223;
    *waste = work;
    *value = before * factor + 1;
}

static void say(int socket, const void *bytes, size_t size)
{
    EXPECT(write(socket, bytes, size) == (ssize_t)size);
}

static void hear(int socket, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t more = read(socket, (char *)bytes + done, size - done);
        EXPECT(more > 0);
        done += (size_t)more;
    }
}

// One program's part of all rounds: wait for the other's event, take a turn, record one's own.
static void take_turns(int socket, bool begins, unsigned *value, unsigned factor, cudaEvent_t own,
                       cudaEvent_t other)
{
    cudaStream_t stream;
    unsigned *d_waste;
    char word = 'x';
    CHECK(cudaMalloc(&d_waste, sizeof *d_waste));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int round = 0; round < ROUNDS; round++) {
        if (!begins || round > 0)
            hear(socket, &word, 1);
        CHECK(cudaStreamWaitEvent(stream, other, 0));
        turn<<<1, 1, 0, stream>>>(value, factor, d_waste);
        CHECK(cudaEventRecord(own, stream));
        say(socket, &word, 1);
    }
    if (begins) {
        hear(socket, &word, 1);
        CHECK(cudaEventSynchronize(other));
        CHECK(cudaEventQuery(other));
    }
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_waste));
}

static void be_the_other(int socket)
{
    Handles handles;
    cudaIpcEventHandle_t wrong = {};
    cudaEvent_t own, other;
    unsigned *value;
    hear(socket, &handles, sizeof handles);
    EXPECT(cudaIpcOpenEventHandle(&own, wrong) != cudaSuccess);
    cudaGetLastError();
    CHECK(cudaIpcOpenMemHandle((void **)&value, handles.buffer, cudaIpcMemLazyEnablePeerAccess));
    CHECK(cudaIpcOpenEventHandle(&own, handles.theirs));
    CHECK(cudaIpcOpenEventHandle(&other, handles.ours));
    take_turns(socket, false, value, 3, own, other);
    CHECK(cudaEventDestroy(own));
    CHECK(cudaEventDestroy(other));
    CHECK(cudaIpcCloseMemHandle(value));
}

static void begin(int socket)
{
    Handles handles;
    cudaEvent_t own, other, alone;
    unsigned *d_value, h_value, wanted = 0;
    CHECK(cudaMalloc(&d_value, sizeof *d_value));
    CHECK(cudaMemset(d_value, 0, sizeof *d_value));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventCreateWithFlags(&own, cudaEventDisableTiming | cudaEventInterprocess));
    CHECK(cudaEventCreateWithFlags(&other, cudaEventDisableTiming | cudaEventInterprocess));
    CHECK(cudaEventCreate(&alone));
    EXPECT(cudaIpcGetEventHandle(&handles.ours, alone) != cudaSuccess); // not made to be shared
    cudaGetLastError();
    CHECK(cudaIpcGetMemHandle(&handles.buffer, d_value));
    CHECK(cudaIpcGetEventHandle(&handles.ours, own));
    CHECK(cudaIpcGetEventHandle(&handles.theirs, other));
    say(socket, &handles, sizeof handles);
    take_turns(socket, true, d_value, 5, own, other);
    CHECK(cudaMemcpy(&h_value, d_value, sizeof h_value, cudaMemcpyDeviceToHost));
    for (int round = 0; round < ROUNDS; round++)
        wanted = (wanted * 5 + 1) * 3 + 1;
    EXPECT(h_value == wanted);
    CHECK(cudaEventDestroy(own));
    CHECK(cudaEventDestroy(other));
    CHECK(cudaEventDestroy(alone));
}

int main(int count, char **words)
{
    int pair[2], status;
    if (count == 2) {
        be_the_other(atoi(words[1]));
        return 0;
    }
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    pid_t other = fork();
    if (other == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", pair[1]);
        close(pair[0]);
        execl(words[0], words[0], number, NULL);
        _exit(127);
    }
    close(pair[1]);
    begin(pair[0]);
    EXPECT(waitpid(other, &status, 0) == other && status == 0);
    return 0;
}
