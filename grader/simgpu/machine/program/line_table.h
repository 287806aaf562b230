/* line_table.h - which line of the PTX a machine instruction was made of, by the cubin's section
 * .nv_debug_line_sass (a line number program of DWARF 2). */
#ifndef SIM_LINE_TABLE_H
#define SIM_LINE_TABLE_H

#include "elf_file.h"

/* From this address on (in bytes from the function's start) up to the next row's. */
struct line_row {
    uint32_t address, line;
};

struct line_table {
    struct line_row *rows; /* by address */
    size_t count;
};

/* The rows of a function. Empty when the cubin has none (it was compiled without -lineinfo), when
 * they are damaged, or when memory is exhausted. The caller frees rows. */
struct line_table line_table_read(const struct elf *elf, const char *function);
/* The line of an address, or 0. */
uint32_t line_table_find(const struct line_table *table, uint32_t address);

/* The line of PTX, as the table counts them, on which the kernel of that name is declared; 0 when
 * the cubin does not carry the text. */
uint32_t line_table_entry(const struct elf *elf, const char *kernel);

#endif
