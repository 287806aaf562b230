/* elf_file.h - reads a cubin, which is an ELF file. A program may hand over anything: every offset
 * is checked before it is followed.
 *
 * Usual order of calls: elf_open, then the others. Nothing is allocated; what is returned points
 * into the file's bytes.
 */
#ifndef SIM_ELF_FILE_H
#define SIM_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf {
    const unsigned char *bytes;
    size_t size_bytes;
    const Elf64_Shdr *sections;
    unsigned section_count, name_section;
};

/* False when these bytes are no ELF file of 64 bits. */
bool elf_open(struct elf *elf, const unsigned char *bytes, size_t size_bytes);
bool elf_inside(const struct elf *elf, uint64_t offset, uint64_t size_bytes);
/* The zero-terminated text at offset of a string section, or "". */
const char *elf_text(const struct elf *elf, unsigned section, uint64_t offset);
/* The section of that name; with name NULL the first of that type. NULL when there is none, or when
 * its contents lie outside the file. */
const Elf64_Shdr *elf_section(const struct elf *elf, const char *name, unsigned type);
/* The symbol of that number, or "". */
const char *elf_symbol_name(const struct elf *elf, uint32_t number);

#endif
