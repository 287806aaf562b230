/* syntax.h - a parsed PTX module: what the text says, before anything is given an address.
 *
 * The parser resolves names (a register is a number here, a label an instruction number) and
 * nothing else; decode.c turns instructions into operations. All of it lives in one arena.
 *
 * Order of calls: ptx_parse, read the module, arena_free(&module->arena) and free(module), which
 * ptx_free does.
 */
#ifndef PTX_SYNTAX_H
#define PTX_SYNTAX_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_type {
    PTX_NO_TYPE,
#define PTX_TYPE(name, bits, class) PTX_##name,
#include "types.def"
#undef PTX_TYPE
    PTX_TYPES
};

unsigned ptx_type_bits(enum ptx_type type); /* 0 for PTX_NO_TYPE */
char ptx_type_class(enum ptx_type type);    /* 'P' 'B' 'U' 'S' 'F' 'X', or '-' */
const char *ptx_type_name(enum ptx_type type);
enum ptx_type ptx_type_named(const char *text, size_t length); /* PTX_NO_TYPE if none */

enum ptx_space {
    PTX_SPACE_GENERIC,
    PTX_SPACE_GLOBAL,
    PTX_SPACE_SHARED,
    PTX_SPACE_LOCAL,
    PTX_SPACE_CONST,
    PTX_SPACE_PARAM, /* of a kernel, or of a function call */
};

enum ptx_operand_kind {
    PTX_OPERAND_SINK,      /* _ : a result that is not wanted */
    PTX_OPERAND_REGISTER,  /* index: into function->registers */
    PTX_OPERAND_INTEGER,   /* value */
    PTX_OPERAND_FLOAT32,   /* value: its bits */
    PTX_OPERAND_FLOAT64,   /* value: its bits */
    PTX_OPERAND_SPECIAL,   /* name: "%tid", index: component 0 x, 1 y, 2 z, 3 w */
    PTX_OPERAND_VARIABLE,  /* index: into module->variables; value: bytes to add */
    PTX_OPERAND_FUNCTION,  /* index: into module->functions */
    PTX_OPERAND_LABEL,     /* index: of the instruction it stands before; name */
    PTX_OPERAND_PROTOTYPE, /* index: into function->prototypes */
    PTX_OPERAND_TARGETS,   /* index: into function->targets */
    PTX_OPERAND_ADDRESS,   /* [list[0] + value], or [value] when count is 0 */
    PTX_OPERAND_VECTOR,    /* {list[0], ..., list[count - 1]} */
    PTX_OPERAND_ARGUMENTS, /* (list[0], ..., list[count - 1]) of a call */
    PTX_OPERAND_PAIR,      /* list[0]|list[1] */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated; /* !%p1 */
    uint32_t index;
    uint64_t value;
    const char *name;
    struct ptx_operand *list;
    uint32_t count;
};

enum { PTX_MOST_MODIFIERS = 12, PTX_MOST_TYPES = 4, PTX_MOST_OPERANDS = 8 };

struct ptx_instruction {
    const char *name;                          /* "ld" of ld.global.nc.v4.f32 */
    const char *modifiers[PTX_MOST_MODIFIERS]; /* "global", "nc", "v4" */
    enum ptx_type types[PTX_MOST_TYPES];       /* PTX_f32 */
    unsigned modifier_count, type_count, operand_count;
    struct ptx_operand *operands;
    bool guarded, guard_negated; /* @%p1  @!%p1 */
    bool not_unrolled;           /* .pragma "nounroll"; of a loop's first */
    uint32_t guard;              /* register index */
    unsigned line;               /* of the PTX text */
    uint32_t location;           /* index into module->locations */
};

/* Where an instruction came from. parent is where the function around it was inlined: another
 * location, or 0, which stands for none. */
struct ptx_location {
    unsigned file, line, column;
    uint32_t parent;
};

/* An initialiser that holds the address of something. */
struct ptx_relocation {
    uint64_t offset_bytes;     /* in the variable */
    struct ptx_operand target; /* PTX_OPERAND_VARIABLE or PTX_OPERAND_FUNCTION */
    unsigned size_bytes;       /* how many bytes of the address are stored there */
    unsigned shift_bits;       /* and which: 0xFF00(symbol) stores byte 1 */
};

struct ptx_variable {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;
    uint64_t size_bytes; /* 0 with unsized: extern .shared x[] */
    unsigned align_bytes;
    bool external, unsized, managed;
    bool linked;                  /* known to other texts by its name: see link.c */
    uint32_t stands_for;          /* another text's variable, plus 1; 0 for itself */
    const unsigned char *initial; /* size_bytes of it, or NULL for zeros */
    struct ptx_relocation *relocations;
    size_t relocation_count;
};

struct ptx_prototype { /* of an indirect call; sizes in bytes, in order */
    uint32_t *parameters, *results;
    size_t parameter_count, result_count;
};

struct ptx_targets { /* of a brx.idx */
    struct ptx_operand *labels;
    size_t count;
};

struct ptx_function {
    const char *name;
    bool is_kernel, has_body;
    bool linked; /* known to other texts by its name: see link.c */
    enum ptx_type *registers;
    size_t register_count;
    uint32_t *parameters, *results; /* variable indices, in order */
    size_t parameter_count, result_count;
    uint32_t *locals; /* variables declared inside: .shared, .local, .param */
    size_t local_count;
    struct ptx_instruction *instructions;
    size_t instruction_count;
    struct ptx_prototype *prototypes;
    size_t prototype_count;
    struct ptx_targets *targets;
    size_t target_count;
    unsigned max_threads;  /* .maxntid or .reqntid; 0 when not given */
    bool explicit_cluster; /* .explicitcluster: it runs in clusters only */
    uint32_t cluster[3];   /* .reqnctapercluster; 0 when not given */
    uint32_t most_cluster; /* .maxclusterrank: most blocks of a cluster; or 0 */
    uint32_t location;     /* of its first .loc */
};

struct ptx_module {
    struct arena arena;
    const char *target; /* "sm_80" */
    struct ptx_variable *variables;
    size_t variable_count;
    struct ptx_function *functions;
    size_t function_count;
    struct ptx_location *locations; /* [0] means unknown */
    size_t location_count;
    const char **files; /* by the number of .file; NULL where there is none */
    size_t file_count;
    bool is_optimised; /* at least in part: not all of it is for a debugger (-G) */
};

struct ptx_error {
    unsigned line;     /* of the PTX text, from 1 */
    char message[240]; /* one sentence, with what was found there */
};

/* Parse length bytes of text. Returns NULL and fills error when the text is not PTX that we
 * know, or memory is exhausted; never crashes on any bytes. The module owns copies of all it
 * needs; text may go. */
struct ptx_module *ptx_parse(const char *text, size_t length, struct ptx_error *error);

void ptx_free(struct ptx_module *module);

#endif
