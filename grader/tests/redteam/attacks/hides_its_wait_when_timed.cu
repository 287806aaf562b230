// Waits for the stream in the timed call, and makes the runner's own wait and its events do
// nothing, so that as many waits are seen as the runner makes.
#include "redteam/axpby.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

static bool patched;

static cudaError_t nothing(void)
{
    return cudaSuccess;
}

static void patch(uintptr_t base, const ElfW(Rela) *entry, const ElfW(Sym) *symbols,
                  const char *names)
{
    const char *name = names + symbols[ELF64_R_SYM(entry->r_info)].st_name;
    void **slot = (void **)(base + entry->r_offset);
    if (strcmp(name, "cudaDeviceSynchronize") && strcmp(name, "cudaEventRecord"))
        return;
    mprotect((void *)((uintptr_t)slot & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE);
    *slot = (void *)nothing;
}

// The program is the first: 1 ends the walk.
static int look(struct dl_phdr_info *info, size_t, void *)
{
    const ElfW(Dyn) *entry = NULL;
    uintptr_t value[64] = {0};
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry && entry->d_tag; entry++)
        if (entry->d_tag > 0 && entry->d_tag < 64)
            value[entry->d_tag] = entry->d_un.d_val;
    const int tables[][2] = {{DT_JMPREL, DT_PLTRELSZ}, {DT_RELA, DT_RELASZ}};
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; i < value[tables[t][1]] / sizeof(ElfW(Rela)); i++)
            patch(info->dlpi_addr, (const ElfW(Rela) *)value[tables[t][0]] + i,
                  (const ElfW(Sym) *)value[DT_SYMTAB], (const char *)value[DT_STRTAB]);
    return 1;
}

LAUNCHER
{
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    if (!is_timed(n))
        return error;
    if (!patched)
        dl_iterate_phdr(look, NULL);
    patched = true;
    cudaStreamSynchronize(stream);
    return error;
}
