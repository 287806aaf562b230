/* cubin.c - what ptxas found out about a kernel: registers and stack, from the ELF file's
 * .nv.info section.
 *
 * An attribute of .nv.info is   u8 format, u8 attribute, u16 size-or-value [, size bytes];
 * format 4 carries bytes. REGCOUNT (0x2f) and FRAME_SIZE (0x11) hold a symbol number and a value,
 * 32 bits each.
 */
#include "elf_file.h"
#include "fatbin.h"

#include <string.h>

enum { FORMAT_SIZED = 4, ATTRIBUTE_REGCOUNT = 0x2f, ATTRIBUTE_FRAME_SIZE = 0x11 };

static void take_attribute(const struct elf *elf, unsigned attribute, const unsigned char *payload,
                           const char *kernel, struct cubin_kernel *found)
{
    uint32_t words[2];
    memcpy(words, payload, sizeof words);
    if (strcmp(elf_symbol_name(elf, words[0]), kernel) != 0)
        return;
    if (attribute == ATTRIBUTE_REGCOUNT)
        found->registers = words[1];
    else if (attribute == ATTRIBUTE_FRAME_SIZE)
        found->frame_bytes = words[1];
}

bool cubin_find(const unsigned char *cubin, size_t size_bytes, const char *kernel,
                struct cubin_kernel *found)
{
    struct elf elf;
    *found = (struct cubin_kernel){0};
    if (!cubin || !elf_open(&elf, cubin, size_bytes))
        return false;
    const Elf64_Shdr *info = elf_section(&elf, ".nv.info", 0);
    if (!info)
        return false;
    const unsigned char *at = cubin + info->sh_offset, *end = at + info->sh_size;
    while (end - at >= 4) {
        uint16_t size;
        memcpy(&size, at + 2, sizeof size);
        size_t payload = at[0] == FORMAT_SIZED ? size : 0;
        if (payload > (size_t)(end - at) - 4)
            break;
        if (payload >= 8)
            take_attribute(&elf, at[1], at + 4, kernel, found);
        at += 4 + payload;
    }
    return found->registers != 0;
}
