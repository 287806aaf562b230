// Before the runtime registers it, the container of device code loses its machine code, which tells
// registers and spills. The device takes only code that the grader has built, however good it is.
#include "redteam/axpby.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>

enum { MAGIC = 0xBA55ED50, HEADER = 16, KIND_ELF = 2, KIND_NONE = 77 };

static uint64_t number(const char *at, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

static void take_out(char *image, char *end)
{
    char *stop = image + HEADER + number(image + 8, 8);
    uintptr_t page = (uintptr_t)image & ~(uintptr_t)4095;
    if (stop > end || mprotect((void *)page, (uintptr_t)stop - page, PROT_READ | PROT_WRITE))
        return;
    for (char *entry = image + HEADER; entry < stop;
         entry += number(entry + 4, 4) + number(entry + 8, 8))
        if (number(entry, 2) == KIND_ELF)
            *entry = KIND_NONE;
}

static int look(struct dl_phdr_info *info, size_t, void *here)
{
    char *base = (char *)info->dlpi_addr;
    bool own = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        own |= part->p_type == PT_LOAD && (char *)here >= base + part->p_vaddr &&
               (char *)here < base + part->p_vaddr + part->p_memsz;
    }
    for (int i = 0; own && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        char *at = base + part->p_vaddr, *end = at + part->p_memsz;
        for (at += -(uintptr_t)at % 8; part->p_type == PT_LOAD && at + HEADER <= end; at += 8)
            if (number(at, 4) == MAGIC && number(at + 6, 2) == HEADER)
                take_out(at, end);
    }
    return own;
}

__attribute__((constructor(101))) static void first(void)
{
    dl_iterate_phdr(look, (void *)first);
}

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
