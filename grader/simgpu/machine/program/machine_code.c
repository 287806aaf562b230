/* machine_code.c - finds a kernel's machine code in a cubin, and the ops that its instructions were
 * made of. */
#include "machine_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t line_of(const char *text, const char *at)
{
    uint32_t line = 1;
    while ((text = memchr(text, '\n', (size_t)(at - text))))
        text++, line++;
    return line;
}

/* The line of the loaded PTX with the kernel's declaration; 0 when there is none. No character is
 * read more than twice: a module may have a hundred long kernels, and this is called for each. */
static uint32_t declared_at(const char *text, const char *kernel)
{
    static const char ENTRY[] = ".entry ";
    size_t length = strlen(kernel);
    for (const char *at = text; (at = strstr(at, ENTRY));) {
        const char *entry = at;
        at += sizeof ENTRY - 1;
        if (strncmp(at, kernel, length) == 0 && strchr("( \t\r\n", at[length]))
            return line_of(text, entry);
    }
    return 0;
}

bool machine_code_open(struct machine_code *code, struct module *module, struct function *kernel,
                       const unsigned char *cubin, size_t size_bytes)
{
    struct elf elf;
    char name[1024];
    snprintf(name, sizeof name, ".text.%s", kernel->name);
    if (!cubin || !kernel->op_count || !elf_open(&elf, cubin, size_bytes))
        return false;
    const Elf64_Shdr *section = elf_section(&elf, name, 0);
    if (!section || section->sh_size < INSTRUCTION_BYTES)
        return false;
    uint32_t there = line_table_entry(&elf, kernel->name);
    uint32_t here = module->text ? declared_at(module->text, kernel->name) : 0;
    *code = (struct machine_code){.module = module,
                                  .function = kernel,
                                  .bytes = elf.bytes + section->sh_offset,
                                  .size_bytes = section->sh_size,
                                  .lines_later = (int64_t)here - there};
    if (there && here)
        code->table = line_table_read(&elf, kernel->name);
    return true;
}

void machine_code_close(struct machine_code *code)
{
    free(code->table.rows);
    code->table.rows = NULL;
}

uint32_t machine_code_op(const struct machine_code *code, uint64_t address)
{
    const struct function *function = code->function;
    const struct op_info *ops = code->module->ops + function->first_op_id;
    uint32_t row = line_table_find(&code->table, (uint32_t)address), count = function->op_count;
    int64_t line = row + code->lines_later;
    if (!row || line < ops[0].ptx_line || line > ops[count - 1].ptx_line)
        return NO_OP;
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (ops[middle].ptx_line <= line)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint64_t machine_code_low(const struct machine_code *code, uint64_t address)
{
    uint64_t low;
    memcpy(&low, code->bytes + address, sizeof low);
    return low;
}

uint64_t machine_code_high(const struct machine_code *code, uint64_t address)
{
    return machine_code_low(code, address + sizeof(uint64_t));
}
