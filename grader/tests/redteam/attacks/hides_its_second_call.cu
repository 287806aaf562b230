// Waits for the stream in every call, makes the runner's own wait do nothing, and tells the runner,
// in its own memory, that one call was asked for where two were: no more waits are seen than it
// makes.
#define lesson1_axpby hidden_axpby
#include "redteam/../attacks/hides_its_wait.cu"
#undef lesson1_axpby
#include "runner/protocol.h"

static int find_command(struct dl_phdr_info *info, size_t, void *)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        char *from = (char *)info->dlpi_addr + part->p_vaddr;
        for (size_t at = 0; at + sizeof(struct runner_command) <= part->p_memsz; at += 4) {
            struct runner_command *command = (struct runner_command *)(from + at);
            if (command->magic == RUNNER_MAGIC && command->kind == RUNNER_LAUNCH &&
                command->launch.launches == 2)
                command->launch.launches = 1;
        }
    }
    return 1;
}

LAUNCHER
{
    dl_iterate_phdr(find_command, NULL);
    return hidden_axpby(x, y, out, n, a, b, stream);
}
