// nvrtc.cu - kernels that are compiled at run time, to PTX and to machine code, and launched.
#include "program.h"

#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

#define COMPILED(call) EXPECT((call) == NVRTC_SUCCESS)

static const char SOURCE[] = "template <int FACTOR> __global__ void scale(int *numbers)\n"
                             "{\n    numbers[threadIdx.x] *= FACTOR;\n}\n";

static void run(const std::vector<char> &code, const std::string &name)
{
    CUmodule module;
    CUfunction scale;
    int *numbers;
    CHECK(cudaMallocManaged(&numbers, 64 * sizeof *numbers));
    for (int i = 0; i < 64; i++)
        numbers[i] = i;
    void *parameters[] = {&numbers};
    EXPECT(cuModuleLoadData(&module, code.data()) == CUDA_SUCCESS);
    EXPECT(cuModuleGetFunction(&scale, module, name.c_str()) == CUDA_SUCCESS);
    EXPECT(cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, 0, parameters, NULL) == CUDA_SUCCESS);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        EXPECT(numbers[i] == 3 * i);
    EXPECT(cuModuleUnload(module) == CUDA_SUCCESS);
    CHECK(cudaFree(numbers));
}

static void compile(const std::string &architecture, bool to_machine_code)
{
    nvrtcProgram program;
    const char *name;
    size_t bytes;
    std::string option = "--gpu-architecture=" + architecture;
    const char *options[] = {"-default-device", option.c_str()};
    COMPILED(nvrtcCreateProgram(&program, SOURCE, "scale.cu", 0, NULL, NULL));
    COMPILED(nvrtcAddNameExpression(program, "scale<3>"));
    COMPILED(nvrtcCompileProgram(program, 2, options));
    COMPILED(nvrtcGetLoweredName(program, "scale<3>", &name));
    COMPILED(to_machine_code ? nvrtcGetCUBINSize(program, &bytes)
                             : nvrtcGetPTXSize(program, &bytes));
    std::vector<char> code(bytes);
    COMPILED(to_machine_code ? nvrtcGetCUBIN(program, code.data())
                             : nvrtcGetPTX(program, code.data()));
    run(code, name);
    COMPILED(nvrtcDestroyProgram(&program));
}

static void mistakes(void)
{
    nvrtcProgram program;
    size_t bytes;
    COMPILED(nvrtcCreateProgram(&program, "__global__ void wrong( {}", "wrong.cu", 0, NULL, NULL));
    EXPECT(nvrtcCompileProgram(program, 0, NULL) == NVRTC_ERROR_COMPILATION);
    COMPILED(nvrtcGetProgramLogSize(program, &bytes));
    std::vector<char> log(bytes);
    COMPILED(nvrtcGetProgramLog(program, log.data()));
    EXPECT(strstr(log.data(), "error"));
    COMPILED(nvrtcDestroyProgram(&program));
}

int main()
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaFree(0));
    std::string number = std::to_string(properties.major * 10 + properties.minor);
    compile("compute_" + number, false);
    compile("sm_" + number, true);
    mistakes();
    return 0;
}
