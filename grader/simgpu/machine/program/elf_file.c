/* elf_file.c - sections, texts and symbols of an ELF file. */
#include "elf_file.h"

#include <string.h>

bool elf_inside(const struct elf *elf, uint64_t offset, uint64_t size_bytes)
{
    return offset <= elf->size_bytes && size_bytes <= elf->size_bytes - offset;
}

bool elf_open(struct elf *elf, const unsigned char *bytes, size_t size_bytes)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    *elf = (struct elf){.bytes = bytes, .size_bytes = size_bytes};
    if (size_bytes < sizeof *header || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % 8 != 0 ||
        !elf_inside(elf, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)) ||
        header->e_shstrndx >= header->e_shnum)
        return false;
    elf->sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
    elf->section_count = header->e_shnum;
    elf->name_section = header->e_shstrndx;
    return true;
}

const char *elf_text(const struct elf *elf, unsigned section, uint64_t offset)
{
    if (section >= elf->section_count)
        return "";
    const Elf64_Shdr *strings = &elf->sections[section];
    if (!elf_inside(elf, strings->sh_offset, strings->sh_size) || offset >= strings->sh_size)
        return "";
    const char *text = (const char *)elf->bytes + strings->sh_offset + offset;
    return memchr(text, 0, strings->sh_size - offset) ? text : "";
}

const Elf64_Shdr *elf_section(const struct elf *elf, const char *name, unsigned type)
{
    for (unsigned i = 0; i < elf->section_count; i++) {
        const Elf64_Shdr *section = &elf->sections[i];
        if ((name ? strcmp(elf_text(elf, elf->name_section, section->sh_name), name) == 0
                  : section->sh_type == type) &&
            elf_inside(elf, section->sh_offset, section->sh_size))
            return section;
    }
    return NULL;
}

const char *elf_symbol_name(const struct elf *elf, uint32_t number)
{
    const Elf64_Shdr *table = elf_section(elf, NULL, SHT_SYMTAB);
    if (!table || number >= table->sh_size / sizeof(Elf64_Sym))
        return "";
    Elf64_Sym symbol;
    memcpy(&symbol, elf->bytes + table->sh_offset + number * sizeof symbol, sizeof symbol);
    return elf_text(elf, table->sh_link, symbol.st_name);
}
