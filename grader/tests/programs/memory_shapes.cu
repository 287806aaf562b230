// memory_shapes.cu - memory of two and three dimensions: pitched allocations, copies and memsets of
// boxes in every direction, also of boxes inside of larger ones.
#include "program.h"

#include <vector>

enum { WIDTH = 100, HEIGHT = 37, DEPTH = 5 }; // WIDTH in floats

__global__ void number(cudaPitchedPtr box)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x < WIDTH) {
        char *row = (char *)box.ptr + (z * HEIGHT + y) * box.pitch;
        ((float *)row)[x] = (z * HEIGHT + y) * WIDTH + x;
    }
}

static void two_dimensions(void)
{
    char *d_first, *d_second;
    size_t first_pitch, second_pitch;
    std::vector<float> from(WIDTH * HEIGHT), to(2 * WIDTH * HEIGHT, -1);
    for (size_t i = 0; i < from.size(); i++)
        from[i] = i;
    size_t row = WIDTH * sizeof(float);
    CHECK(cudaMallocPitch(&d_first, &first_pitch, row, HEIGHT));
    CHECK(cudaMallocPitch(&d_second, &second_pitch, 3 * row, HEIGHT));
    EXPECT(first_pitch >= row && first_pitch % 32 == 0);
    CHECK(cudaMemset2D(d_second, second_pitch, 0, 3 * row, HEIGHT));
    CHECK(cudaMemcpy2D(d_first, first_pitch, from.data(), row, row, HEIGHT,
                       cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(d_second + row, second_pitch, d_first, first_pitch, row, HEIGHT,
                       cudaMemcpyDeviceToDevice)); // into the middle column
    CHECK(cudaMemcpy2D(to.data(), 2 * row, d_second + row, second_pitch, row, HEIGHT,
                       cudaMemcpyDeviceToHost)); // every second row of the host's
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            EXPECT(to[2 * y * WIDTH + x] == y * WIDTH + x);
            EXPECT(to[(2 * y + 1) * WIDTH + x] == -1);
        }
    CHECK(cudaMemcpy2D(to.data(), 2 * row, d_second, second_pitch, row, HEIGHT, cudaMemcpyDefault));
    EXPECT(to[0] == 0 && to[2 * (HEIGHT - 1) * WIDTH + WIDTH - 1] == 0); // beside it: untouched
    CHECK(cudaFree(d_first));
    CHECK(cudaFree(d_second));
}

static void three_dimensions(void)
{
    cudaPitchedPtr box;
    cudaExtent extent = make_cudaExtent(WIDTH * sizeof(float), HEIGHT, DEPTH);
    std::vector<float> all(WIDTH * HEIGHT * DEPTH), part(10 * 4 * 2, -1);
    CHECK(cudaMalloc3D(&box, extent));
    EXPECT(box.pitch >= WIDTH * sizeof(float));
    CHECK(cudaMemset3D(box, 0xFF, extent));
    number<<<dim3((WIDTH + 31) / 32, HEIGHT, DEPTH), 32>>>(box);
    CHECK(cudaGetLastError());
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(all.data(), WIDTH * sizeof(float), WIDTH, HEIGHT);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    for (size_t i = 0; i < all.size(); i++)
        EXPECT(all[i] == i);
    // 10 x 4 x 2 floats, from (20, 30, 2) on
    copy.srcPos = make_cudaPos(20 * sizeof(float), 30, 2);
    copy.dstPtr = make_cudaPitchedPtr(part.data(), 10 * sizeof(float), 10, 4);
    copy.extent = make_cudaExtent(10 * sizeof(float), 4, 2);
    CHECK(cudaMemcpy3DAsync(&copy, 0));
    CHECK(cudaDeviceSynchronize());
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 10; x++)
                EXPECT(part[(z * 4 + y) * 10 + x] ==
                       ((z + 2) * HEIGHT + y + 30) * WIDTH + x + 20);
    CHECK(cudaFree(box.ptr));
}

static void odd_memsets(void)
{
    unsigned char *d_bytes, h_bytes[64];
    CHECK(cudaMalloc(&d_bytes, 64));
    CHECK(cudaMemset(d_bytes, 1, 64));
    CHECK(cudaMemset(d_bytes + 3, 0x1F2, 7)); // the low byte counts
    CHECK(cudaMemset2DAsync(d_bytes + 32, 8, 5, 3, 4, 0));
    CHECK(cudaMemset(d_bytes, 9, 0));
    CHECK(cudaMemcpy(h_bytes, d_bytes, 64, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        EXPECT(h_bytes[i] == (i >= 3 && i < 10 ? 0xF2 : 1));
    for (int i = 32; i < 64; i++)
        EXPECT(h_bytes[i] == (i % 8 < 3 ? 5 : 1));
    CHECK(cudaFree(d_bytes));
}

int main()
{
    two_dimensions();
    three_dimensions();
    odd_memsets();
    printf("all is as it should be\n");
    return 0;
}
