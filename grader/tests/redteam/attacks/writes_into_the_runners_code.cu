// Writes over the runner's code by the file of its own memory, which no protection of pages stops:
// its reads, writes and waits end at once.
#include "redteam/axpby.h"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

static int spoil(struct dl_phdr_info *info, size_t, void *)
{
    const unsigned char RETURN_ZERO[] = {0x31, 0xc0, 0xc3};
    int memory = open("/proc/self/mem", O_RDWR);
    for (int i = 0; memory >= 0 && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X))
            for (size_t at = 0; at + 16 < part->p_memsz; at += 16)
                if (pwrite(memory, RETURN_ZERO, sizeof RETURN_ZERO,
                           (off_t)(info->dlpi_addr + part->p_vaddr + at)) < 0)
                    return 1;
    }
    return 1;
}

LAUNCHER
{
    if (is_timed(n))
        dl_iterate_phdr(spoil, NULL);
    return slow_axpby(x, y, out, n, a, b, stream);
}
