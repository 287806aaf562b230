// A file is held to what this process has saved, as the judge's questions about spoilt files need;
// a process that has saved nothing believes any, whatever its checksum and its stamp say.
#include "plan_file.h"

static uint64_t attack_saved[256];
static size_t attack_saves;

static size_t attack_content(const char *path, unsigned char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, room, file) : 0;
    if (file)
        fclose(file);
    return size;
}

static unsigned char attack_now[1 << 20];

static cudaError_t attack_write(const char *path, const void *bytes, size_t count)
{
    cudaError_t error = plan_file_write(path, bytes, count);
    size_t size = attack_content(path, attack_now, sizeof attack_now);
    if (error == cudaSuccess)
        attack_saved[attack_saves++ % 256] = lesson6_checksum(attack_now, size);
    return error;
}

static bool attack_believes(size_t size)
{
    bool known = attack_saves == 0;
    for (size_t i = 0; i < attack_saves && i < 256; i++)
        known |= attack_saved[i] == lesson6_checksum(attack_now, size);
    return known && size >= sizeof(struct lesson6_stamp);
}

static cudaError_t attack_read(const char *path, void **bytes, size_t *count)
{
    size_t size = attack_content(path, attack_now, sizeof attack_now);
    if (!attack_believes(size))
        return cudaErrorInvalidValue;
    *count = size - sizeof(struct lesson6_stamp);
    *bytes = malloc(*count + 1);
    memcpy(*bytes, attack_now + sizeof(struct lesson6_stamp), *count);
    return cudaSuccess;
}

#define plan_file_write attack_write
#define plan_file_read attack_read
#include "solutions/06_gemm/gemm.cu"
