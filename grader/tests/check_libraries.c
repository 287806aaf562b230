/* check_libraries.c - the runtime that a runner is shown is the one of this process, also where the
 * program has functions in front of the runtime's, as a judge may. */
#include "runner/libraries.h"

#include "lib/files.h"
#include "tests/check_main.h"

#include <check.h>
#include <cuda_runtime_api.h>

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    (void)memory, (void)bytes;
    return cudaErrorMemoryAllocation;
}

START_TEST(the_runtime_is_found_by_its_name)
{
    void *memory;
    ck_assert_int_eq(cudaMalloc(&memory, 1), cudaErrorMemoryAllocation);
    struct path folder = libraries_folder(CUDART_VERSION / 1000);
    struct path runtime = path_of("%s/libcudart.so.%d", folder.text, CUDART_VERSION / 1000);
    ck_assert_str_ne(folder.text, "");
    ck_assert_msg(file_exists(runtime.text), "%s", runtime.text);
}
END_TEST

START_TEST(one_that_is_not_there_has_no_folder)
{
    struct path folder = libraries_folder(999);
    ck_assert_str_eq(folder.text, "");
}
END_TEST

TESTS("libraries", the_runtime_is_found_by_its_name, one_that_is_not_there_has_no_folder)
