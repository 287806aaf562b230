/* ptx_kernel.c - from a case to a kernel, and from what the kernel stored to a verdict.
 *
 * The kernel of a case loads each thread's inputs, runs the program, and stores its results, a
 * slot of 8 bytes each. A plain instruction is run by three blocks: by all lanes, by the even
 * ones, by the odd ones, under a guard; the lanes that are off must keep what their results held
 * before.
 */
#include "ptx_cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_BYTES = 8, GUARDED_BLOCKS = 3 };

/* What results hold before the program, and what the buffer holds before the kernel. */
static const uint64_t BEFORE = UINT64_C(0xA5A5A5A5A5A5A5A5);
static const uint64_t UNTOUCHED = UINT64_C(0x5CC55CC55CC55CC5);
/* The source file that .loc names for the code around programs. */
static const char FRAME[] = "frame";

static unsigned bits_of(const struct case_register *one)
{
    return value_register_bits(one->type);
}

static uint64_t value_before(const struct case_register *one)
{
    unsigned bits = bits_of(one);
    return bits < 64 ? BEFORE & ((UINT64_C(1) << bits) - 1) : BEFORE;
}

static uint32_t threads_of_block(const struct ptx_case *one)
{
    return one->block[0] * one->block[1] * one->block[2];
}

/* --- PTX text --------------------------------------------------------------------------------- */

static void write_declarations(const struct ptx_case *one, FILE *out)
{
    for (uint32_t i = 0; i < one->register_count; i++) {
        const struct case_register *reg = &one->registers[i];
        if (bits_of(reg) == 1)
            fprintf(out, ".reg .pred %s;\n", reg->name);
        else
            fprintf(out, ".reg .b%u %s;\n", bits_of(reg), reg->name);
    }
}

/* Which thread of the launch this is, and where its slots lie. A guarded case gives the threads
 * of all blocks the same inputs. */
static void write_start(const struct ptx_case *one, FILE *out)
{
    fprintf(out,
            ".reg .pred %%on; .reg .b32 %%x, %%n, %%thread, %%block; .reg .b64 %%in, %%out, %%w;\n"
            "mov.u32 %%thread, %%tid.z; mov.u32 %%n, %%ntid.y; mov.u32 %%x, %%tid.y;\n"
            "mad.lo.u32 %%thread, %%thread, %%n, %%x; mov.u32 %%n, %%ntid.x;\n"
            "mov.u32 %%x, %%tid.x; mad.lo.u32 %%thread, %%thread, %%n, %%x;\n"
            "mov.u32 %%block, %%ctaid.z; mov.u32 %%n, %%nctaid.y; mov.u32 %%x, %%ctaid.y;\n"
            "mad.lo.u32 %%block, %%block, %%n, %%x; mov.u32 %%n, %%nctaid.x;\n"
            "mov.u32 %%x, %%ctaid.x; mad.lo.u32 %%block, %%block, %%n, %%x;\n"
            "mad.lo.u32 %%x, %%block, %u, %%thread;\n"
            "ld.param.u64 %%in, [inputs]; mad.wide.u32 %%in, %s, %u, %%in;\n"
            "ld.param.u64 %%out, [results]; mad.wide.u32 %%out, %%x, %u, %%out;\n",
            threads_of_block(one), one->guarded ? "%thread" : "%x", SLOT_BYTES * one->input_count,
            SLOT_BYTES * one->output_count);
    if (one->guarded)
        fprintf(out, "add.u32 %%n, %%thread, %%block; and.b32 %%n, %%n, 1;\n"
                     "setp.eq.u32 %%on, %%block, 0; setp.eq.or.u32 %%on, %%n, 1, %%on;\n");
}

/* m and s, the address of this thread's memory; m0 and s0, of the block's first thread. */
static void write_provided(const struct ptx_case *one, const char *name, FILE *out)
{
    bool own = name[1] == 0;
    if (name[0] == 'm')
        fprintf(out, "ld.param.u64 %s, [memory]; mad.wide.u32 %s, %%block, %u, %s;\n", name, name,
                CASES_MEMORY_BYTES * threads_of_block(one), name);
    else
        fprintf(out, "mov.u32 %s, shared_bytes;\n", name);
    if (own)
        fprintf(out, "mad.%s.u32 %s, %%thread, %d, %s;\n", name[0] == 'm' ? "wide" : "lo", name,
                name[0] == 'm' ? CASES_MEMORY_BYTES : CASES_SHARED_BYTES, name);
}

static void write_all_provided(const struct ptx_case *one, FILE *out)
{
    bool shared = false;
    for (uint32_t i = 0; i < one->register_count; i++)
        shared |= cases_is_provided(one->registers[i].name) && one->registers[i].name[0] == 's';
    if (shared)
        fprintf(out, ".shared .align 128 .b8 shared_bytes[%u];\n",
                CASES_SHARED_BYTES * threads_of_block(one));
    for (uint32_t i = 0; i < one->register_count; i++)
        if (cases_is_provided(one->registers[i].name))
            write_provided(one, one->registers[i].name, out);
}

static void write_load(const struct case_register *reg, uint32_t slot, FILE *out)
{
    if (bits_of(reg) == 1)
        fprintf(out, "ld.global.b32 %%n, [%%in+%u]; setp.ne.u32 %s, %%n, 0;\n", SLOT_BYTES * slot,
                reg->name);
    else
        fprintf(out, "ld.global.b%u %s, [%%in+%u];\n", bits_of(reg), reg->name, SLOT_BYTES * slot);
}

static void write_before(const struct case_register *reg, FILE *out)
{
    if (bits_of(reg) == 1)
        fprintf(out, "setp.eq.u32 %s, %%x, %%x;\n", reg->name);
    else
        fprintf(out, "mov.b%u %s, 0x%" PRIx64 ";\n", bits_of(reg), reg->name, value_before(reg));
}

static void write_store(const struct case_register *reg, uint32_t slot, FILE *out)
{
    if (bits_of(reg) == 1)
        fprintf(out, "selp.b64 %%w, 1, 0, %s;\n", reg->name);
    else if (bits_of(reg) < 64)
        fprintf(out, "cvt.u64.u%u %%w, %s;\n", bits_of(reg), reg->name);
    fprintf(out, "st.global.b64 [%%out+%u], %s;\n", SLOT_BYTES * slot,
            bits_of(reg) < 64 ? "%w" : reg->name);
}

static bool is_declaration(const char *statement)
{
    return strncmp(statement + strspn(statement, " \n"), ".reg", 4) == 0;
}

/* Does the program's last statement need no semicolon? Behind a closing brace of a block or a
 * label none may stand. */
static bool is_closed(const char *program)
{
    const char *last = strrchr(program, ';');
    last = last ? last + 1 : program;
    size_t length = strlen(last);
    return strspn(last, " \n}") == length || last[length - 1] == ':';
}

/* The program as it stands, but for the declaration of its registers. Each line that starts a
 * statement gets the .loc that names it. */
static void write_program(const struct ptx_case *one, FILE *out)
{
    unsigned line = one->line;
    char last = ';';
    fprintf(out, ".loc 1 %u 0\n%s", line, one->guarded ? "@%on " : "");
    for (const char *at = one->program; *at;) {
        size_t length = strcspn(at, ";");
        bool ends = at[length] == ';', skip = is_declaration(at);
        for (size_t i = 0; i < length + ends; i++) {
            line += at[i] == '\n';
            if (at[i] == '\n' && strchr(";:{}", last))
                fprintf(out, "\n.loc 1 %u 0", line);
            if (!skip || at[i] == '\n')
                fputc(at[i], out);
            last = strchr(" \n", at[i]) ? last : at[i];
        }
        at += length + ends;
    }
    fprintf(out, "%s\n.loc 2 1 0\n", is_closed(one->program) ? "" : ";");
}

static void write_kernel(const struct ptx_case *one, FILE *out)
{
    char name[32];
    cases_kernel_name(one, name, sizeof name);
    fprintf(out,
            "%s.visible .entry %s(.param .u64 inputs, .param .u64 results,\n"
            "    .param .u64 memory)\n",
            one->module_text ? one->module_text : "", name);
    if (one->cluster[0])
        fprintf(out, ".explicitcluster\n.reqnctapercluster %u, %u, %u\n", one->cluster[0],
                one->cluster[1], one->cluster[2]);
    fprintf(out, "{\n.loc 2 1 0\n");
    write_declarations(one, out);
    write_start(one, out);
    write_all_provided(one, out);
    for (uint32_t i = 0; i < one->input_count; i++)
        write_load(&one->registers[one->inputs[i]], i, out);
    for (uint32_t i = 0; i < one->output_count; i++)
        write_before(&one->registers[one->outputs[i]], out);
    write_program(one, out);
    for (uint32_t i = 0; i < one->output_count; i++)
        write_store(&one->registers[one->outputs[i]], i, out);
    fprintf(out, "ret;\n}\n");
}

char *cases_module(const struct cases_file *file, const char *target,
                   bool (*wanted)(const struct ptx_case *one, const void *context),
                   const void *context)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, ".version 8.7\n.target %s\n.address_size 64\n.file 1 \"%s\"\n.file 2 \"%s\"\n",
            target, file->name, FRAME);
    for (size_t i = 0; i < file->count; i++)
        if (wanted(&file->cases[i], context))
            write_kernel(&file->cases[i], out);
    fclose(out);
    return text;
}

bool cases_is_own_line(const struct cases_file *file, const char *line_file)
{
    return line_file && strcmp(line_file, file->name) == 0;
}

/* --- Buffers ---------------------------------------------------------------------------------- */

void cases_kernel_name(const struct ptx_case *one, char *name, size_t size)
{
    snprintf(name, size, "case_%u", one->line);
}

uint32_t cases_blocks(const struct ptx_case *one, uint32_t grid[3])
{
    memcpy(grid, one->grid, sizeof one->grid);
    if (one->guarded)
        grid[0] *= GUARDED_BLOCKS;
    return grid[0] * grid[1] * grid[2];
}

static uint32_t threads_run(const struct ptx_case *one)
{
    return one->guarded ? GUARDED_BLOCKS * one->thread_count : one->thread_count;
}

static size_t at_least_a_slot(size_t bytes)
{
    return bytes ? bytes : SLOT_BYTES;
}

size_t cases_inputs_bytes(const struct ptx_case *one)
{
    return at_least_a_slot((size_t)one->thread_count * one->input_count * SLOT_BYTES);
}

size_t cases_results_bytes(const struct ptx_case *one)
{
    return at_least_a_slot((size_t)threads_run(one) * one->output_count * SLOT_BYTES);
}

size_t cases_memory_bytes(const struct ptx_case *one)
{
    return (size_t)threads_run(one) * CASES_MEMORY_BYTES;
}

void cases_fill_inputs(const struct ptx_case *one, void *inputs)
{
    uint64_t *slots = inputs;
    for (size_t i = 0; i < (size_t)one->thread_count * one->input_count; i++)
        slots[i] = one->given[i].bits;
}

void cases_clear_results(const struct ptx_case *one, void *results)
{
    uint64_t *slots = results;
    for (size_t i = 0; i < cases_results_bytes(one) / SLOT_BYTES; i++)
        slots[i] = UNTOUCHED;
}

/* --- Comparing -------------------------------------------------------------------------------- */

static bool is_off(const struct ptx_case *one, uint32_t thread)
{
    uint32_t block = one->guarded ? thread / one->thread_count : 0;
    return block && (thread % one->thread_count + block) % 2 == 0;
}

/* What thread must have stored; a lane that is off, what its result held before. */
static struct case_value expected_of(const struct ptx_case *one, uint32_t thread, uint32_t output)
{
    if (is_off(one, thread))
        return (struct case_value){.bits = value_before(&one->registers[one->outputs[output]])};
    return one->expected[(size_t)(thread % one->thread_count) * one->output_count + output];
}

static bool agrees(const struct ptx_case *one, const struct case_value *value, uint64_t got,
                   enum ptx_type type, bool off)
{
    static const struct case_tolerance EXACT = {MEASURE_EXACT, 0};
    if (value->absent)
        return got == UNTOUCHED;
    return value_agrees(value, got, type, off ? &EXACT : &one->tolerance);
}

static void write_expected(const struct case_value *value, enum ptx_type type, FILE *out)
{
    char text[160];
    value_write(value->bits, type, text, sizeof text);
    fprintf(out, "%s", value->absent ? "nothing stored" : value->nan_parts ? "nan" : text);
}

/* "    thread 3, half on: a = 1, b = 2, gave d = 4, expected 3" */
static void write_mismatch(const struct ptx_case *one, uint32_t thread, uint32_t output,
                           const struct case_value *value, uint64_t got, FILE *out)
{
    const struct case_register *reg = &one->registers[one->outputs[output]];
    uint32_t row = thread % one->thread_count;
    bool half = thread >= one->thread_count;
    char text[160];
    fprintf(out, "    thread %u%s:", row,
            is_off(one, thread) ? ", switched off"
            : half              ? ", half on"
                                : "");
    for (uint32_t i = 0; i < one->input_count; i++) {
        const struct case_register *input = &one->registers[one->inputs[i]];
        value_write(one->given[(size_t)row * one->input_count + i].bits, input->type, text,
                    sizeof text);
        fprintf(out, " %s = %s,", input->name, text);
    }
    value_write(got, reg->type, text, sizeof text);
    fprintf(out, " gave %s = %s, %s ", reg->name, got == UNTOUCHED ? "nothing stored" : text,
            value->open ? "guessed" : "expected");
    write_expected(value, reg->type, out);
    fprintf(out, "%s\n", value->open ? " (PTX leaves it open)" : "");
}

/* *named: whether the report has named the case. */
static void compare_thread(const struct ptx_case *one, uint32_t thread, const uint64_t *slots,
                           struct cases_tally *tally, bool *named, FILE *out)
{
    for (uint32_t i = 0; i < one->output_count; i++) {
        struct case_value value = expected_of(one, thread, i);
        enum ptx_type type = one->registers[one->outputs[i]].type;
        uint64_t got = slots[(size_t)thread * one->output_count + i];
        bool agreed = agrees(one, &value, got, type, is_off(one, thread));
        if (value.open && thread < one->thread_count) {
            tally->open++;
            tally->unlike += !agreed;
        } else if (!value.open) {
            tally->wrong += !agreed;
        }
        if (agreed || (value.open && thread >= one->thread_count))
            continue;
        if (!*named)
            fprintf(out, "%s:%u: %s\n", one->file, one->line, one->program);
        *named = true;
        write_mismatch(one, thread, i, &value, got, out);
    }
}

void cases_compare(const struct ptx_case *one, const void *results, struct cases_tally *tally,
                   FILE *out)
{
    bool named = false;
    tally->cases += one->thread_count;
    for (uint32_t thread = 0; thread < threads_run(one); thread++)
        compare_thread(one, thread, results, tally, &named, out);
}
