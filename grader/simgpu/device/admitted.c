/* admitted.c - keeps the device code of libraries that the grader has built. */
#include "admitted.h"
#include "program/elf_file.h"
#include "program/fatbin.h"

#include <stdlib.h>
#include <string.h>

struct admitted {
    struct admitted *next;
    size_t size_bytes; /* 0: of a library without device code */
    unsigned char image[];
};

/* The section's one container. The compiler writes nothing else there. */
static size_t image_in(const unsigned char *library, size_t size_bytes, const unsigned char **image)
{
    struct elf elf;
    const Elf64_Shdr *section =
        elf_open(&elf, library, size_bytes) ? elf_section(&elf, ".nv_fatbin", 0) : NULL;
    if (!section || section->sh_size < FATBIN_LEAST_BYTES)
        return 0;
    *image = library + section->sh_offset;
    return fatbin_size(*image) == section->sh_size ? section->sh_size : 0;
}

/* Without machine code it is unknown how many registers a kernel takes, and what it spills. */
static bool has_machine_code(const struct device *device, const unsigned char *image, size_t bytes)
{
    const struct sim_profile *profile = sim_machine_profile(device->machine);
    unsigned arch = (unsigned)(10 * profile->compute_major + profile->compute_minor);
    struct fatbin fatbin;
    struct sim_error error;
    bool has = fatbin_read(image, bytes, arch, &fatbin, &error) && fatbin.cubin;
    fatbin_free(&fatbin);
    return has;
}

static bool is_admitted(const struct admitted *list, const void *image, size_t size_bytes)
{
    for (; list; list = list->next)
        if (list->size_bytes == size_bytes && memcmp(list->image, image, size_bytes) == 0)
            return true;
    return false;
}

bool admitted_add(struct device *device, const unsigned char *library, size_t size_bytes)
{
    const unsigned char *image = library;
    size_t bytes = image_in(library, size_bytes, &image);
    if (bytes && !has_machine_code(device, image, bytes))
        bytes = 0;
    struct admitted *added = malloc(sizeof *added + bytes);
    if (!added)
        return false;
    added->size_bytes = bytes;
    memcpy(added->image, image, bytes);
    pthread_mutex_lock(&device->lock);
    bool again = is_admitted(device->admitted, image, bytes);
    if (!again) {
        added->next = device->admitted;
        device->admitted = added;
    }
    pthread_mutex_unlock(&device->lock);
    if (again)
        free(added);
    return true;
}

const char *admitted_refusal(const struct client *client, const void *image, size_t size_bytes)
{
    struct device *device = client->device;
    pthread_mutex_lock(&device->lock);
    bool is_free = client->in_control || !device->admitted;
    bool may = is_free || (size_bytes && is_admitted(device->admitted, image, size_bytes));
    pthread_mutex_unlock(&device->lock);
    return may ? NULL
               : "the program loads device code that is not, byte for byte, what the compiler made "
                 "of its source";
}
