/* cubin.c - what ptxas found out about a kernel: registers and stack, from the ELF file's
 * .nv.info section.
 *
 * An attribute of .nv.info is   u8 format, u8 attribute, u16 size-or-value [, size bytes];
 * format 4 carries bytes. REGCOUNT (0x2f) and FRAME_SIZE (0x11) hold a symbol number and a value,
 * 32 bits each.
 */
#include "fatbin.h"

#include <elf.h>
#include <string.h>

enum { FORMAT_SIZED = 4, ATTRIBUTE_REGCOUNT = 0x2f, ATTRIBUTE_FRAME_SIZE = 0x11 };

struct elf {
    const unsigned char *bytes;
    size_t size_bytes;
    const Elf64_Shdr *sections;
    unsigned section_count, name_section;
};

static bool inside(const struct elf *elf, uint64_t offset, uint64_t size_bytes)
{
    return offset <= elf->size_bytes && size_bytes <= elf->size_bytes - offset;
}

static bool elf_open(struct elf *elf, const unsigned char *bytes, size_t size_bytes)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    *elf = (struct elf){.bytes = bytes, .size_bytes = size_bytes};
    if (size_bytes < sizeof *header || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % 8 != 0 ||
        !inside(elf, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)) ||
        header->e_shstrndx >= header->e_shnum)
        return false;
    elf->sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
    elf->section_count = header->e_shnum;
    elf->name_section = header->e_shstrndx;
    return true;
}

/* The zero-terminated text at offset of a string section, or "". */
static const char *elf_text(const struct elf *elf, unsigned section, uint64_t offset)
{
    if (section >= elf->section_count)
        return "";
    const Elf64_Shdr *strings = &elf->sections[section];
    if (!inside(elf, strings->sh_offset, strings->sh_size) || offset >= strings->sh_size)
        return "";
    const char *text = (const char *)elf->bytes + strings->sh_offset + offset;
    return memchr(text, 0, strings->sh_size - offset) ? text : "";
}

static const Elf64_Shdr *elf_section(const struct elf *elf, const char *name, unsigned type)
{
    for (unsigned i = 0; i < elf->section_count; i++) {
        const Elf64_Shdr *section = &elf->sections[i];
        if ((name ? strcmp(elf_text(elf, elf->name_section, section->sh_name), name) == 0
                  : section->sh_type == type) &&
            inside(elf, section->sh_offset, section->sh_size))
            return section;
    }
    return NULL;
}

static const char *symbol_name(const struct elf *elf, uint32_t number)
{
    const Elf64_Shdr *table = elf_section(elf, NULL, SHT_SYMTAB);
    if (!table || number >= table->sh_size / sizeof(Elf64_Sym))
        return "";
    Elf64_Sym symbol;
    memcpy(&symbol, elf->bytes + table->sh_offset + number * sizeof symbol, sizeof symbol);
    return elf_text(elf, table->sh_link, symbol.st_name);
}

static void take_attribute(const struct elf *elf, unsigned attribute, const unsigned char *payload,
                           const char *kernel, struct cubin_kernel *found)
{
    uint32_t words[2];
    memcpy(words, payload, sizeof words);
    if (strcmp(symbol_name(elf, words[0]), kernel) != 0)
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
