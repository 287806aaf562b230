// memory_registered.cu - memory the program had already and registers for the device: of any size,
// anywhere between other things that go on being used, by this thread and by others.
#include "program.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

__global__ void add_one(unsigned char *bytes, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        bytes[i]++;
}

static void add_one_to(void *h_bytes, int count)
{
    unsigned char *d_bytes;
    CHECK(cudaHostGetDevicePointer(&d_bytes, h_bytes, 0));
    add_one<<<(count + 255) / 256, 256>>>(d_bytes, count);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(0));
}

static bool holds(const unsigned char *bytes, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

// A buffer on the heap between two others, registered, changed on both sides, and given back.
static void on_the_heap(size_t count)
{
    unsigned char *before = (unsigned char *)malloc(100);
    unsigned char *buffer = (unsigned char *)malloc(count);
    unsigned char *behind = (unsigned char *)malloc(100);
    memset(before, 11, 100);
    memset(buffer, 20, count);
    memset(behind, 33, 100);
    CHECK(cudaHostRegister(buffer, count, cudaHostRegisterMapped));
    add_one_to(buffer, count);
    EXPECT(holds(buffer, count, 21));
    memset(buffer, 40, count);
    memset(behind, 34, 100);
    void *meanwhile = malloc(count); // comes from the same pages, perhaps
    memset(meanwhile, 99, count);
    add_one_to(buffer, count);
    CHECK(cudaHostUnregister(buffer));
    EXPECT(holds(buffer, count, 41));
    EXPECT(holds(before, 100, 11) && holds(behind, 100, 34));
    EXPECT(holds((unsigned char *)meanwhile, count, 99));
    free(meanwhile);
    free(before);
    free(buffer);
    free(behind);
}

static void on_the_stack(void)
{
    unsigned char one = 5;
    CHECK(cudaHostRegister(&one, 1, cudaHostRegisterMapped));
    add_one_to(&one, 1);
    CHECK(cudaHostUnregister(&one));
    EXPECT(one == 6);
}

// Two that do not overlap may have bytes on one page; each goes when its own turn comes.
static void on_one_page(void)
{
    enum { PAGE = 4096, FIRST = 3 * PAGE + 100, SECOND = PAGE + 700 };
    unsigned char *block = (unsigned char *)aligned_alloc(PAGE, 8 * PAGE);
    memset(block, 0, 8 * PAGE);
    unsigned char *first = block + 50, *second = first + FIRST, *third = second + SECOND;
    CHECK(cudaHostRegister(first, FIRST, cudaHostRegisterMapped));
    CHECK(cudaHostRegister(third, 10, cudaHostRegisterMapped));
    CHECK(cudaHostRegister(second, SECOND, cudaHostRegisterMapped));
    FAILS(cudaHostRegister(second + 5, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
    FAILS(cudaHostRegister(block, 51, 0), cudaErrorHostMemoryAlreadyRegistered);
    add_one_to(first, FIRST);
    add_one_to(third, 10);
    CHECK(cudaHostUnregister(first));
    memset(first, 7, FIRST);
    add_one_to(second, SECOND);
    add_one_to(second, SECOND);
    EXPECT(holds(first, FIRST, 7) && holds(second, SECOND, 2) && holds(third, 10, 1));
    CHECK(cudaHostUnregister(second));
    add_one_to(third, 10);
    EXPECT(holds(second, SECOND, 2) && holds(third, 10, 2));
    CHECK(cudaHostUnregister(third));
    EXPECT(holds(block, 50, 0) && holds(first, FIRST, 7) && holds(third, 10, 2));
    EXPECT(holds(third + 10, 3000, 0));
    free(block);
}

static void mistakes(void)
{
    static unsigned char bytes[10000];
    void *pinned;
    FAILS(cudaHostRegister(NULL, 10, 0), cudaErrorInvalidValue);
    FAILS(cudaHostRegister(bytes, 0, 0), cudaErrorInvalidValue);
    FAILS(cudaHostUnregister(bytes), cudaErrorHostMemoryNotRegistered);
    CHECK(cudaHostRegister(bytes, sizeof bytes, 0));
    FAILS(cudaHostRegister(bytes, sizeof bytes, 0), cudaErrorHostMemoryAlreadyRegistered);
    FAILS(cudaHostUnregister(bytes + 4), cudaErrorInvalidValue);
    CHECK(cudaHostUnregister(bytes));
    FAILS(cudaHostUnregister(bytes), cudaErrorHostMemoryNotRegistered);
    CHECK(cudaHostAlloc(&pinned, 100, 0));
    FAILS(cudaHostUnregister(pinned), cudaErrorInvalidValue);
    CHECK(cudaFreeHost(pinned));
}

// Threads count in the bytes around the buffer while it comes and goes: no count is lost.
static void beside_other_threads(void)
{
    enum { WORDS = 2048, FIRST = 300, COUNT = 4 * 1400, THREADS = 3, ROUNDS = 300 };
    unsigned *words = (unsigned *)aligned_alloc(4096, WORDS * sizeof(unsigned));
    memset(words, 0, WORDS * sizeof(unsigned));
    std::atomic<bool> goes_on(true);
    std::vector<std::thread> threads;
    unsigned counted[THREADS];
    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([&, t] {
            volatile unsigned *own = t % 2 ? &words[WORDS - 1 - t] : &words[t];
            unsigned count = 0;
            for (; goes_on; count++)
                *own = *own + 1;
            counted[t] = count;
        });
    for (int round = 0; round < ROUNDS; round++) {
        CHECK(cudaHostRegister(words + FIRST, COUNT, 0));
        CHECK(cudaHostUnregister(words + FIRST));
    }
    goes_on = false;
    for (auto &thread : threads)
        thread.join();
    for (int t = 0; t < THREADS; t++)
        EXPECT(counted[t] == (t % 2 ? words[WORDS - 1 - t] : words[t]));
    free(words);
}

int main()
{
    static const size_t SIZES[] = {1, 4, 100, 4095, 4096, 4097, 20000, 65536, 100003, 1 << 20};
    CHECK(cudaFree(NULL));
    for (size_t count : SIZES)
        on_the_heap(count);
    on_the_stack();
    on_one_page();
    mistakes();
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([t] {
            on_the_stack();
            for (int round = 0; round < 20; round++)
                on_the_heap(37 + 1000 * t + 700 * round);
        });
    for (auto &thread : threads)
        thread.join();
    beside_other_threads();
    printf("all is as it should be\n");
    return 0;
}
