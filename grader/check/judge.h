/* judge.h - what a lesson hands the grader: its cases, its truth, its bars and its hints.
 *
 * A judge is data first. grader/judges/NN_slug/judge.c fills in one struct judge and names it with
 * JUDGE(...); the grader finds it by that, so a new lesson edits no list. Its code is two kinds of
 * function: the CPU truth (runs in the grader, which never maps a learner's code) and the call of
 * the launcher (runs in the runner, which has nothing a learner could forge).
 *
 * The way of a case, and who calls what:
 *
 *     grader  buffers    how many, how large, in or out
 *     grader  fills the inputs, from a seed
 *     grader  truth      what each output must be, and how far off it may be
 *     runner  launch     the submission, on device pointers, on a stream
 *     grader  compares every element; nothing here can make a wrong one right
 *
 * All cases of a stage are launched in one process, so a script may keep something from case to
 * case. Each case is launched several times, in an order that is drawn unless in_order says
 * otherwise. Where a lesson promises something about a new process, a case says how many it takes:
 * launch runs once in each, in turn, and only what the submission left in one file goes from one to
 * the next (judge_case.processes, judge_call.process and .file).
 *
 * Layouts, shapes and units of a lesson are in its contract, common/contracts/NN_slug.h.
 */
#ifndef CHECK_JUDGE_H
#define CHECK_JUDGE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* --- Cases ------------------------------------------------------------------------------------ */

enum { JUDGE_SIZES = 8, JUDGE_REALS = 6, JUDGE_MOST_BUFFERS = 16, JUDGE_NAME = 56 };

/* How the inputs of a case are drawn. Zero-mean data shows a precision that is too low (the error
 * of TF32 is then 120 times FP32's); data in [0, 1] hides it. */
enum judge_data {
    JUDGE_DATA_UNIFORM, /* uniform in [-1, 1] */
    /* Uniform, with NaN, infinities, both zeros, denormals and the largest float in one element of
     * eight. Whatever the seed, each of them occurs, also among the last elements, and some occur
     * in the last column and in the last row. In inputs of one row, of 128 elements or more, each
     * of one input meets each of another. */
    JUDGE_DATA_SPECIALS,
    JUDGE_DATA_INTEGERS, /* small integers, none 0: sums are exact in any order */
    /* Uniform, and each special once, also in the last elements, row and column; but not the
     * largest float, with which a sum overflows in one order and not in another. For cases in which
     * most sums must stay finite. */
    JUDGE_DATA_FEW_SPECIALS,
    /* The first input, or the second, has zeros wherever an answer may skip a group of them, and
     * uniform data elsewhere: in a matrix, whole tiles, the first JUDGE_ZERO_SIDE rows and columns;
     * in an array, the first JUDGE_ZEROS elements, half of them -0. In the other inputs one element
     * in 256 is NaN or infinite. */
    JUDGE_DATA_ZEROS_IN_FIRST,
    JUDGE_DATA_ZEROS_IN_SECOND,
    JUDGE_DATA_TINY,      /* uniform in 2^-64 [-1, 1]: products of two of them are subnormal */
    JUDGE_DATA_SUBNORMAL, /* uniform in 2^-126 [-1, 1] */
    JUDGE_DATA_WIDE,      /* uniform in [-1, 1], each times a power of two, 2^-64 to 2^63 */
    /* Uniform, with a zero of either sign in one element of 64, and NaN or an infinity in one of 64
     * as well; in a matrix, in one of 4096, so that most sums of a thousand products stay finite.
     * For cases so large that chance brings enough of each. */
    JUDGE_DATA_SPARSE_SPECIALS,
    /* The same, and one element in four is as in JUDGE_DATA_WIDE; of 64 elements one is subnormal
     * in all inputs. */
    JUDGE_DATA_SPARSE_WIDE,
    /* Uniform in 2^e [-1, 1], where e is drawn from -50 to 50: for each row of the first input, but
     * only once for another input, or one that repeats a period. So sums of products stay finite,
     * and each term counts as much as in uniform data. */
    JUDGE_DATA_SCALED,
    /* Any 32 bits, for data that are moved and not calculated with: one element in eight is a NaN
     * with drawn sign and payload, quiet or signalling, and one in eight is subnormal. */
    JUDGE_DATA_BITS,
    /* Multiples of 1/16 in [-1, 1]: sums of their products are exact in any order, like those of
     * integers, and a few units large, where activation functions are curved. */
    JUDGE_DATA_SIXTEENTHS,
    /* Zeros, but for the first and the last JUDGE_ENDS elements of each row, or of an array, which
     * are uniform. So however long a row is, what is allowed is what these few need. */
    JUDGE_DATA_ENDS,
    /* The first input, or the second, is uniform in 2^-130 [-1, 1], and so are those after the two:
     * products of a few hundred terms, with a bias or not, are subnormal, and a flush to zero of
     * either factor or of the sum loses them. The other factor is uniform. A zero in one element of
     * 64, and NaN or an infinity in one of 16384, and of 64 in an array: so most sums of a few
     * thousand products stay finite. */
    JUDGE_DATA_FAINT_FIRST,
    JUDGE_DATA_FAINT_SECOND,
    /* Uniform, but for one infinity in each row of the first input, or in each column of the
     * second: in the last place of the first row, in the last but one of the second, and so on. So
     * a place past the end of a sum has another infinity among those that were there before it. */
    JUDGE_DATA_INFINITE_FIRST,
    JUDGE_DATA_INFINITE_SECOND,
    /* Of one sign, so that a narrower type cannot tell from a few elements that it would show: one
     * element in 64 is uniform in (0, 1], and the others are 2^-40 times that. A sum of products is
     * then one of few, and what is allowed of it is little. */
    JUDGE_DATA_POSITIVE,
    /* Integers whose sums of products go far from 0 and come back, most to within 40 of it: a sum
     * that ends early, since nothing could change what is made of it, is wrong. Rows of the first
     * input have negative numbers in their first half, and the same with the other sign, from the
     * end on, in the second, but for one in 32, which is one more or less; of JUDGE_ROWS_ALIKE rows
     * all signs are so, of as many after them the opposite. Columns of the second input have
     * positive numbers, the same from either end. None is beyond 9: sums are exact. */
    JUDGE_DATA_COMES_BACK,
    /* Each row of the first input, or each column of the second, has a single 1 among zeros; the
     * other inputs are uniform. Each sum of products is then one element of the other factor, and
     * hardly anything is allowed of it, however long the sum is (judge_sum_allowed). In an input
     * that repeats a period there are as many, but in places that chance chooses. */
    JUDGE_DATA_PICKS_FIRST,
    JUDGE_DATA_PICKS_SECOND,
    /* The first input is infinite throughout, but for a NaN in every other row, somewhere in its
     * second half: a sum that ends when it is infinite loses the NaN. Other inputs are uniform. */
    JUDGE_DATA_LATE_NAN,
    JUDGE_DATA_FAR, /* uniform in [-16, 16]: there activation functions come to their limits */
};

enum { JUDGE_ENDS = 3, JUDGE_ROWS_ALIKE = 128 };
enum { JUDGE_ZERO_SIDE = 128, JUDGE_ZEROS = 1 << 14 };

/* One problem. Plain data of fixed size, since it is sent to the runner unchanged. The lesson
 * decides what size[i] and real[i] mean: its judge names them with an enum. */
struct judge_case {
    char name[JUDGE_NAME]; /* "n = 33, y one element off": shown to the learner */
    uint32_t launcher;     /* index into judge->launchers */
    uint32_t data;         /* enum judge_data */
    int64_t size[JUDGE_SIZES];
    double real[JUDGE_REALS];
    uint32_t offset_bytes[JUDGE_MOST_BUFFERS]; /* each starts this far past an aligned address */
    uint32_t alias;      /* 0, or 1 + index of the input that the first output shares */
    uint32_t script;     /* what launch does with it: 0: one plain call; else the judge's */
    uint32_t calls;      /* of the launcher, including replays, if not one */
    uint32_t own_copies; /* that launch makes itself, beside the launcher's; they do not count */
    /* 0: the process that all cases share. n: that one, and then n - 1 new ones, each of which
     * loads the submission afresh. The buffers are the same, but each process finds other inputs,
     * and outputs that are not written yet, and is judged by the truth of those. In the timed case,
     * the last process's launch is counted. Never for a case that a GPU times. */
    uint32_t processes;
    /* The last process launches twice, and the first launch is neither counted nor compared with
     * the truth: judge_call.prepares tells launch so, which then prepares for the call. Not for a
     * case that a GPU times either. */
    uint32_t prepares;
    /* 0, or what judge->tamper does to the file that one process hands to the next. A runner is
     * told neither this nor the name, so it cannot behave well in these cases alone. */
    uint32_t tampers;
    /* 0, or how many places before this case in the list another one of its launcher is, which is
     * called first, on the same memory, in plain runs. The two differ in one argument (a size, a
     * number, an offset), so what is remembered of the first call under all others is wrong here;
     * or two numbers have changed places, so what is remembered under a checksum is.
     * The grader also draws one pair to call the other way round. No buffer of one may be longer
     * than the other's by JUDGE_AFTER_BYTES. */
    uint32_t after;
    /* Launches that must give the same bits; 0 means 2. If the case runs once, 0 means 1, and where
     * it is more, the call is made again over what it has left. */
    uint32_t repeats;
    /* 1: the stream given is the default one (NULL). So it is in about one case in four anyway, in
     * one run, where script is 0. */
    uint32_t on_default;
    /* Runs once, without the checks that take several times as long (races, unwritten memory), for
     * which there are smaller cases; only numerics uses it. */
    uint32_t once;
    uint32_t drawn;            /* set by the grader for cases of judge->drawn */
    uint32_t nondeterministic; /* the lesson allows float atomics: bits may differ */
    uint64_t asks;             /* which clauses it tests: JUDGE_ASKS(clause) | ... */
    /* The launcher must launch nothing: it returns cudaSuccess, or the error with which it refuses
     * the arguments (a cudaError_t other than cudaSuccess). Refused arguments have no shape, so
     * each buffer of such a case is JUDGE_REFUSED_ELEMENTS long, whatever the judge's buffers()
     * says, and neither fill nor truth is called: nothing may be written. */
    uint32_t launches_nothing;
    int32_t refused_with;
    /* A GPU may answer wrongly for reasons of its own; the simulated device, which is asked first,
     * alone judges it. */
    uint32_t simulated_only;
    /* Whatever a call makes on the device, be it memory, a stream, an event, a graph or a texture,
     * it has given back when it returns, launch's own things included. The simulated device alone
     * sees it, in a case that makes one call at a time. */
    uint32_t leaves_nothing;
    /* The call also makes what it runs, by a launcher that is given no stream: what that puts on
     * streams of its own need not wait for the stream given, which still comes after it. Kernels
     * that it launches are allowed where refused_with allows no other. */
    uint32_t makes;
};

enum { JUDGE_AFTER_BYTES = 2048 };
enum { JUDGE_REFUSED_ELEMENTS = 256, JUDGE_TAMPER_ROOM = 64 };

/* --- Clauses ---------------------------------------------------------------------------------- */

/* A sentence of the contract that an answer can break; JUDGE_ASKS takes its index in judge.clauses.
 * A case tests it if an answer that breaks just this clause fails there. Where no case can,
 * counters with a bar test it, or something that every case checks. `make clauses` prints all
 * three, and `make test` holds the judges to this. */
struct judge_clause {
    const char *key; /* "negative_sizes" */
    /* Its words in common/contracts, blanks and line breaks aside. Together, clauses and
     * judge.context quote all words of the contract's comments, so that none is forgotten. */
    const char *sentence;
    uint64_t counters;  /* JUDGE_ASKS(enum judge_counter) of bars that test it */
    const char *always; /* "every case: inputs are compared after the launch"; or NULL */
};

#define JUDGE_ASKS(clause) (UINT64_C(1) << (clause))

/* --- Buffers ---------------------------------------------------------------------------------- */

enum judge_role { JUDGE_IN, JUDGE_OUT, JUDGE_INOUT };

enum judge_type { JUDGE_F32, JUDGE_F16, JUDGE_BF16, JUDGE_U32, JUDGE_U64, JUDGE_U8 };

struct judge_buffer {
    const char *name; /* as in the contract: "x" */
    enum judge_role role;
    enum judge_type type;
    uint64_t count;   /* elements; 0 is allowed */
    uint64_t columns; /* of a matrix, so that a message can name row and column; or 0 */
    /* Columns that belong to a row, if something else lies between two rows: that keeps its value,
     * and the simulated device sees whether anything is stored there, be it the same. 0: all. */
    uint64_t used;
    bool optional; /* not part of this case: the launcher gets NULL */
    /* For a few elements that are answers: for each of count elements, what to say when it is not
     * as expected, instead of its number and value; or NULL. */
    const char *const *wrong_means;
    uint32_t process; /* in a case of several: 1 + the one that writes it; 0: each does */
};

/* What truth reads and fills in: one of these for each buffer, in the same order. */
struct judge_host {
    void *input;      /* JUDGE_IN, JUDGE_INOUT: count elements; NULL otherwise */
    double *expected; /* JUDGE_OUT, JUDGE_INOUT: count elements to fill in */
    double *allowed;  /* how far off each may be; 0 at first: exactly that value */
    uint64_t count;
    bool same_bits; /* for floats: a zero's sign and the bits of a NaN count as well */
};

/* For allowed: exactly that value, and a zero must have the sign of the one expected. */
#define JUDGE_WITH_SIGN (-1.0)
/* For allowed: the same float, to the last bit of a NaN; for large and timed cases, whose outputs
 * have no judge_host.same_bits. */
#define JUDGE_SAME_BITS (-2.0)

/* The inputs of a case that is too large for the host: each repeats a period of random elements
 * (examine/spread.h), or is read where it is (examine/truth.h). */
struct judge_input {
    const unsigned char *period; /* NULL if it is no input, or is read */
    uint64_t count;              /* elements of the period, or of all of it */
    enum judge_type type;
    /* Copy count elements from first on, all of which exist; NULL where there is a period. */
    void (*read)(void *source, uint64_t first, uint64_t count, void *to);
    void *source;
};
struct judge_parts;
struct judge_inputs {
    struct judge_input of[JUDGE_MOST_BUFFERS];
    struct judge_parts *parts; /* see judge_parts_new; or NULL */
};
/* Copy count elements of an input, from element first on. */
void judge_input(const struct judge_inputs *inputs, size_t buffer, uint64_t first, uint64_t count,
                 void *to);

/* --- What is measured ------------------------------------------------------------------------- */

/* Work the problem needs, whatever a kernel does. */
struct judge_work {
    double bytes;       /* read once and written once, in DRAM */
    double flop;        /* FP32 operations; a multiply-add counts 2 */
    double tensor_flop; /* operations that may run on tensor cores */
    double launches;    /* kernels at least, where calls are counted: one for each product
                                * that a library computes; or 0 */
};

/* Figures of one call of the launcher in the timed case, from the simulated device: the same on
 * every machine. Ratios are 1 when perfect unless said otherwise. */
enum judge_counter {
    JUDGE_COUNTER_NONE,
    JUDGE_LOAD_EFFICIENCY,  /* ideal sectors / sectors of global loads */
    JUDGE_STORE_EFFICIENCY, /* the same of global stores */
    JUDGE_SECTORS_PER_LOAD, /* sectors per load request; 4 for adjacent floats */
    JUDGE_SECTORS_PER_STORE,
    JUDGE_WAVEFRONT_RATIO,     /* wavefronts / ideal wavefronts of shared memory; at least 1 */
    JUDGE_LANES_ON,            /* lanes switched on, of 32, over all warp instructions */
    JUDGE_WARP_INSTRUCTIONS,   /* as a ratio to the reference solution's */
    JUDGE_BYTES_RATIO,         /* global bytes asked for / bytes of judge_work; what several lanes
                                * of a request ask for counts once */
    JUDGE_LOAD_BYTES_RATIO,    /* global bytes loaded / reference solution's */
    JUDGE_ALL_BYTES_RATIO,     /* global bytes asked for / what the reference solution asks for */
    JUDGE_LAUNCHES,            /* kernels a call launches */
    JUDGE_DIRECT_LAUNCHES,     /* of those, the ones that are not in a graph */
    JUDGE_GRAPHS_MADE,         /* graphs instantiated in a call */
    JUDGE_OBJECTS_MADE,        /* streams and events made in a call */
    JUDGE_COPIES,              /* memory copies and sets a call makes */
    JUDGE_PAGEABLE_COPIES,     /* of copies, those from memory of the host that is not pinned */
    JUDGE_ALLOCATIONS,         /* of device memory, in a call */
    JUDGE_SYNCHRONISATIONS,    /* of the host with the device, in a call */
    JUDGE_QUERIES,             /* queries to cuBLASLt, in the whole case: each one for an algorithm,
                                * and those about one (does it fit?) from the second on */
    JUDGE_REPEATED_CHECKS,     /* of them, those about an algorithm */
    JUDGE_HANDLES,             /* cublasLt handles created, in the whole case */
    JUDGE_HANDED_BYTES,        /* in the file that the last process of the case was given */
    JUDGE_TENSOR_INSTRUCTIONS, /* warp instructions on tensor cores */
    JUDGE_FP64_INSTRUCTIONS,   /* warp instructions of double arithmetic */
    JUDGE_LOCAL_REQUESTS,      /* local memory requests: spills and indexed arrays */
    JUDGE_COUNTERS
};

/* A bar. On launches, copies, allocations, waits, handles or queries it is a rule of the contract,
 * and its message says so ("the contract forbids ..."): if it is missed, the counters gate fails.
 * On any other figure it is evidence: the gate fails if mending the miss would gain
 * JUDGE_LEAST_GAIN of the timed case's modelled time and the call is behind the reference by
 * JUDGE_LEAST_BEHIND or more, or if it is missed by far; otherwise the report has a remark. */
#define JUDGE_LEAST_GAIN 0.05
/* A call that is behind by less counts as fast. Products straight from L1, without tiles, reach
 * 0.85 of the reference on an H200 and 0.91 modelled; those that fetch one factor again reach 0.72
 * and 0.83. */
#define JUDGE_LEAST_BEHIND 0.13
struct judge_bar {
    enum judge_counter counter;
    double at_least, at_most; /* only one is set; the other is 0 */
    uint32_t launchers;       /* a bit for each launcher that is held to it; 0: all */
    double far_above;         /* past it a miss refuses, whatever the model says it costs; or 0 */
    bool every_case;          /* the contract says it of every call: small cases are tested as well,
                                * on the simulated device, and the bar is for each of their calls */
    bool when_prepared;       /* instead: only cases that prepare are tested, */
    bool when_tampered;       /* or only those of them whose files are tampered with */
    const char *message;      /* "loads touch more sectors than they need" */
    const char *look_at;      /* "neighbouring lanes should read neighbouring addresses" */
};

/* The last bars of a launcher whose contract says that it does not copy, allocate or wait.
 * in_every_case: nor set memory in a small case in which no kernel is needed. */
#define JUDGE_BARS_OF_HOST(in_every_case)                                                          \
    {JUDGE_COPIES, .at_most = 0, .every_case = in_every_case,                                      \
     .message = "the contract forbids a call to copy or set memory",                               \
     .look_at = "a kernel can read and write all of it where it is"},                              \
        {JUDGE_ALLOCATIONS, .at_most = 0, .every_case = true,                                      \
         .message = "the contract forbids a call to allocate device memory",                       \
         .look_at =                                                                                \
             "an allocation takes longer than many a kernel, and the caller has handed over "      \
             "all that is needed"},                                                                \
    {                                                                                              \
        JUDGE_SYNCHRONISATIONS,                                                                    \
            .at_most = 0, .every_case = true,                                                      \
            .message = "the contract forbids a call to wait for the device",                       \
            .look_at = "the stream keeps the order, and the caller waits when it needs the result" \
    }

/* The launch that takes longest in the timed case, as the simulated device ran it. Where there is
 * none all are NAN, and no comparison with them holds. */
#define JUDGE_KERNEL_FACTS(FACT)                                                          \
    FACT(blocks) /* of the grid */                                                        \
    FACT(block_threads)                                                                   \
    FACT(multiprocessors) /* of the device */                                             \
    FACT(warps)           /* resident on a multiprocessor, ... */                         \
    FACT(most_warps)      /* ... of so many that fit on one */                            \
    FACT(registers)       /* of a thread */                                               \
    FACT(shared_bytes)    /* of a block, static and dynamic */                            \
    FACT(shared_requests) /* of shared memory, by warps */                                \
    FACT(spilled_words)   /* stored and loaded back, by warps */                          \
    FACT(local_requests)  /* of local memory: arrays with an index, and stack */          \
    FACT(load_width)      /* mean bytes a lane loads from global memory at a time */      \
    FACT(store_width)                                                                     \
    FACT(stored_bytes)     /* to global memory; those that lanes share count once */      \
    FACT(branches)         /* with a condition, as a share of all warp instructions */    \
    FACT(divergent)        /* as a share of those: the ones that split a warp */          \
    FACT(memory_wait)      /* the part of its time in which warps wait for memory, ... */ \
    FACT(barrier_wait)     /* ... and for other warps at a barrier */                     \
    FACT(arithmetic_bound) /* 1 where issue or an arithmetic unit limits it */            \
    FACT(dealing_bound)    /* 1 where handing out its blocks does */                      \
    FACT(under_way_bytes)  /* under way to DRAM, on average (Little's law: */             \
    FACT(needed_bytes)     /* rate times latency), and what its full rate needs */        \
    FACT(sectors_gain)     /* the part of its time that it would save with as few ... */  \
    FACT(wavefronts_gain)  /* ... of these as possible, modelled; */                      \
    FACT(lanes_gain)       /* and with all lanes at work */

/* The line that the report names; as above. */
#define JUDGE_LINE_FACTS(FACT)                                                       \
    FACT(load_width)                                                                 \
    FACT(store_width)                                                                \
    FACT(load_apart) /* bytes from a lane's address to the next lane's; 0: varies */ \
    FACT(store_apart)                                                                \
    FACT(lanes)     /* switched on, of 32 */                                         \
    FACT(branches)  /* warp executions of conditional branches */                    \
    FACT(divergent) /* those of them that split a warp */                            \
    FACT(barriers)  /* warp executions */                                            \
    FACT(shared_requests)                                                            \
    FACT(spilled_words)

#define JUDGE_FACT(name) double name;
struct judge_kernel {
    JUDGE_KERNEL_FACTS(JUDGE_FACT)
};
struct judge_line {
    JUDGE_LINE_FACTS(JUDGE_FACT)
};
#undef JUDGE_FACT

/* A launch of the call that failed: the one at fault or, if results are wrong, the last. */
struct judge_launch {
    uint64_t count; /* of launches in that call; 0: none is known, and nor is what follows */
    uint64_t blocks, threads; /* of the grid, of a block */
    uint64_t shared_bytes;    /* of a block, static and dynamic */
    bool has_place;           /* a fault's thread is known: */
    uint64_t block, thread;   /* their numbers, x first */
};

/* Everything that is known of a submission that did not pass, for recognising a mistake. A mistake
 * is named only where all claims of its hint hold in here. */
struct judge_evidence {
    int verdict;                    /* enum verdict, grader/check/verdict.h */
    int error;                      /* cudaError_t of a LAUNCH_ERROR; 0 when there is none */
    bool null_pointer;              /* of an OUT_OF_BOUNDS: the pointer was NULL */
    bool mends_by_barrier;          /* of a RACE: not in global memory, nor for want of a fence */
    bool absent_lane;               /* of a BARRIER: a shuffle read a lane that its block lacks */
    const struct judge_case *where; /* the case that failed, timed or not; or NULL */
    bool is_large;     /* it is one of judge->large; those of judge->cases were right */
    double most_bytes; /* of a buffer of that case; 0 if there is no case */
    uint32_t process;  /* which of its processes ended it; 0 is the first */
    const struct judge_case *counted; /* the timed case that the counters come from; or NULL. A
                                            * GPU may time another one */
    double counter[JUDGE_COUNTERS];   /* of the timed case; NAN when not measured */
    double worst_line_counter[JUDGE_COUNTERS]; /* of the line that costs most */
    bool broken_in_small;       /* a small case breaks a rule that the timed cases keep */
    enum judge_counter refused; /* whose bar was missed; JUDGE_COUNTER_NONE: the time */
    struct judge_kernel kernel;
    struct judge_line line;
    double ratio;          /* reference time / time; NAN when not measured */
    uint64_t wrong, total; /* elements of the first wrong buffer */
    uint64_t first_wrong;
    bool wrong_is_unwritten; /* the wrong elements still hold the poison */
    bool wrong_is_tail;      /* all wrong elements come after all right ones */
    bool changes_between_runs;
    double got, want;          /* of the first wrong element */
    double largest_error;      /* |got - want| over all wrong ones; infinite if one is not finite */
    uint64_t unwritten, zeros; /* of the wrong ones: still hold the poison; are zero */
    uint64_t stride;           /* every stride-th one is wrong, from the first on; or 0 */
    const char *advice;        /* of the failed gate; or NULL */
    const char *said; /* the failed gate's sentence, or the compiler's first error; or NULL */
    uint32_t at_line, other_line; /* in the submission; the latter is a race's other party; or 0 */
    bool in_another_case; /* it is slow there, and not in the timed case: then the named line */
    struct judge_kernel
        elsewhere; /* is one of that case's longest launch, if this is known; else NAN */
    struct judge_launch launch;
};

struct judge_mistake {
    const char *name; /* of the corpus entry that shows it: "pairs_per_thread" */
    bool (*seen)(const struct judge_evidence *evidence);
    const char *hint; /* one or two sentences, for `make hint-lessonN` */
};

/* What a hint asks for from the words `from` on, to the next row of its level or its end; not said
 * to a submission that has done it, nor of another launcher than the one that failed. */
struct judge_asked {
    int level; /* of the hint: 2 or 3; the first is a question */
    const char *from;
    uint32_t launchers; /* a bit for each launcher it speaks of; 0: all */
    bool (*done)(const struct judge_evidence *evidence); /* in what the device counted */
};

/* What the lesson itself has to say at a level, in place of the general sentences: its question,
 * its causes, or what to write. The first row of a level that is seen is said. */
struct judge_saying {
    int level; /* 1 to 3 */
    bool (*seen)(const struct judge_evidence *evidence);
    const char *text; /* numbers in it stand as {names}: examine/phrase.h */
};

/* --- A judge ---------------------------------------------------------------------------------- */

/* The device at hand, for sizing the timed case. */
struct judge_device {
    uint64_t memory_bytes, l2_bytes;
    bool simulated;
};

struct judge_call { /* what the runner's launch gets */
    const struct judge_case *problem;
    void *const *symbols; /* the submission's launchers, in the order of judge->launchers */
    void *const *buffers; /* device pointers; NULL for an optional one that is not there */
    cudaStream_t stream;  /* work must be in order with it */
    void *memory;         /* the runner's own, kept between calls; see scratch_bytes */
    void *workspace;      /* device memory, allocated before any call; see workspace_bytes */
    uint32_t process;     /* which of the case's processes this is; 0 is the first */
    bool prepares;        /* this launch does not count; the next one does */
    const char *file;     /* a file name in a writable folder. What a process's call leaves in
                                * it is there before the next process's call; the file does not
                                * exist if that is nothing. */
};

/* --- Regimes ---------------------------------------------------------------------------------- */

/* Of the reference's speed in a regime: enough for four single loads in the place of a vector
 * (0.35), not for lanes that are far apart there (0.21). */
#define JUDGE_REGIME_SHARE 0.25
/* Where the code of the timed case can do all of it. */
#define JUDGE_SAME_CODE_SHARE 0.5
/* Where what takes the time is calculated: enough for a quarter more instructions (0.8), not for
 * both paths of a branch in the place of one (0.5). */
#define JUDGE_SAME_PATH_SHARE 0.6
#define JUDGE_MOST_SHARE 0.7 /* no regime asks for more */
/* Of small problems, of which a large tile leaves few blocks: enough for one block in the place of
 * nine (0.1), not for one in the place of sixty-four (0.02). */
#define JUDGE_SMALL_SHARE 0.1

/* Calls that the contract allows and the timed case has no example of. Code of its own for any of
 * them may be many times slower than what is timed, so a call of each is held to a share of the
 * reference's modelled speed there (examine/regimes.h). Only regimes in which the reference itself
 * makes sense: one that is slow there tells nothing. */
struct judge_regime {
    const char *key;    /* "few_long_rows": in records */
    uint32_t launchers; /* a bit for each launcher that has it; 0: all */
    /* Turns the case that a GPU is timed with into one of this regime, and names it. The name is no
     * other case's; nothing is drawn, since what the reference takes is kept. */
    void (*turn)(struct judge_case *problem);
    /* A launcher whose blocks can be sampled in the timed case has no reason to differ here: if
     * they cannot be, the verdict is NOT_SIMULATED. Otherwise nothing is refused for that, since
     * another shape may be computed by blocks that hear of each other. */
    bool same_shape;
    /* Not on the judge's slice: on so few multiprocessors, few blocks keep all of them busy. */
    bool whole_device;
    double share;        /* of the reference's speed that is asked for; 0: JUDGE_REGIME_SHARE */
    const char *says;    /* "few long rows are slow": begins the finding */
    const char *look_at; /* the advice */
    /* Before turn: by how much each size is less, and how many floats past an aligned address each
     * buffer begins. */
    int64_t less[JUDGE_SIZES];
    uint32_t off[JUDGE_MOST_BUFFERS];
};

/* What the end of a case's name says of where its buffers begin: "", ", x 1 y 2 off", or, where all
 * have as many floats before them, ", all 2 off". names: of the first count buffers. */
struct judge_places_text {
    char text[JUDGE_NAME];
};
struct judge_places_text judge_places_text(const struct judge_case *problem,
                                           const char *const *names, size_t count);

#define JUDGE_LOOK_AT_ODD                                                                   \
    "look at the code for odd sizes and addresses, which no vector fits: it should differ " \
    "from the other code in how it loads and stores, and in nothing else"
#define JUDGE_LOOK_AT_PLACES                                                                      \
    "look for a condition on the pointers: each array can be read or written as its own address " \
    "allows, wherever the others are"
#define JUDGE_LOOK_AT_SIDES                                                                     \
    "look for a test of whether 2 or 4 divides a size: where no vector fits, single floats in " \
    "the same tiles or blocks cost little"
#define JUDGE_LOOK_AT_IN_PLACE                                                               \
    "look for a condition on the pointers: each element is read before it is written, so a " \
    "call in place needs no other code"
#define JUDGE_LOOK_AT_SIZE                                                                   \
    "look for a condition on the size: an index of 64 bits costs little, and the same code " \
    "can take all sizes"
#define JUDGE_LOOK_AT_THIN                                                                    \
    "look at how many blocks such a shape gets, and how much of each tile or block is idle: " \
    "a side that is short should not leave the device empty"
#define JUDGE_LOOK_AT_SUMS \
    "look for a condition on k: a sum of any length can be computed tile by tile"
#define JUDGE_LOOK_AT_SMALL                                                                  \
    "look at how many blocks so small a problem gets: a call may take little more than the " \
    "launch, if as many threads as there is work for share it"

/* All rows of a table, which may be in a file of its own: JUDGE_ROWS(MISTAKES). */
struct judge_clauses {
    const struct judge_clause *rows;
    size_t count;
};
struct judge_regimes {
    const struct judge_regime *rows;
    size_t count;
};
struct judge_sayings {
    const struct judge_saying *rows;
    size_t count;
};
struct judge_mistakes {
    const struct judge_mistake *rows;
    size_t count;
};
#define JUDGE_ROWS(table)                   \
    {                                       \
        table, sizeof table / sizeof *table \
    }

/* See judge.endings. */
struct judge_ending {
    cudaError_t error;
    const char *says;
};

struct judge {
    const char *lesson;           /* "01_coalescing" */
    const char *title;            /* "coalesced elementwise kernel" */
    const char *const *launchers; /* symbols the submission must define, ended by NULL */
    const char *const *libraries; /* more than cudart, ended by NULL: "cublasLt"; or NULL */
    bool passes_as_shipped;       /* lesson 0: the untouched exercise is right */
    /* Otherwise the verdict that the untouched exercise must get, as in a corpus header (see
     * corpus.h): "SLOW counters mistake chunk_per_thread". NULL: anything but PASS. */
    const char *as_shipped;

    const struct judge_clauses *clauses; /* of the contract, in its order */
    const char *const *context; /* words of the contract that require nothing, ended by NULL */

    const struct judge_case *cases; /* numerics, smallest first */
    size_t case_count;
    /* More of them, which come after: their sizes, and coefficients if there are any, are drawn
     * from the check's seed. An answer that is right for the list alone is not right. Fills in at
     * most room cases, the same for the same seed, and returns how many, which is the same for any
     * seed. NULL: none. */
    size_t (*drawn)(uint64_t seed, struct judge_case *cases, size_t room);
    /* The same for large cases, with sizes between those of the lists. NULL: none. */
    size_t (*drawn_large)(uint64_t seed, struct judge_case *cases, size_t room);
    /* Draws what affects the results of a large or timed case but not its time, such as
     * coefficients and keys; sizes and the name stay. NULL: there is nothing of the kind. */
    void (*redrawn)(uint64_t seed, struct judge_case *problem);
    /* Makes a timed case a little smaller, to a drawn size: any sound kernel takes as long per unit
     * of work, within a few percent. NULL: the timed size is the only one. */
    void (*nearby)(uint64_t seed, struct judge_case *problem);
    const struct judge_regimes *regimes; /* or NULL */
    /* Changes the file of size bytes that a process of problem hands on, as problem->tampers says,
     * by the seed; it may grow by JUDGE_TAMPER_ROOM. Only with cases that tamper. */
    void (*tamper)(const struct judge_case *problem, uint64_t seed, unsigned char *bytes,
                   size_t *size);
    /* The runs of a case follow each other, and cases come in the order of the list, for judges in
     * which one case keeps something for the next. Otherwise chance decides which run comes
     * next. */
    bool in_order;
    /* The lesson is about when things happen: on the simulated device the timed case takes as long
     * as its part of the modelled time line, where the host's calls take time, too, and a copy may
     * run beside a kernel. Elsewhere it takes what its kernels and copies take, one by one. */
    bool by_time_line;
    /* A call may copy from the host's memory before its stream gets there (simgpu/device/joined.c):
     * the contract says so. */
    bool copies_ahead;
    /* The launcher that a preparation calls is given no stream, so what it puts on streams of its
     * own is ordered with none. */
    bool prepares_apart;
    /* The timed cases, sized for the device, at most room of them. The first of each launcher is
     * judged, the others are only shown. Returns how many. */
    size_t (*timed)(const struct judge_device *device, struct judge_case *cases, size_t room);

    /* Returns how many buffers; the launcher's arguments are up to the lesson. */
    size_t (*buffers)(const struct judge_case *problem, struct judge_buffer *buffers);
    /* Fill input i from random words; NULL for the default of problem->data. */
    void (*fill)(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
                 uint64_t seed);
    /* In the case that a GPU times, inputs of floats may be uniform in [-1, 1], as without fill:
     * then the device draws them anew for every block of launches. fill makes the other inputs. */
    bool uniform_when_timed;
    /* Fill in expected and allowed of all outputs. */
    void (*truth)(const struct judge_case *problem, struct judge_host *buffers);
    struct judge_work (*work)(const struct judge_case *problem);

    /* Cases of the largest sizes that the contract mentions; NULL for none. On the simulated device
     * some of the blocks run, and what they write is compared with the truth; on a GPU with enough
     * memory all of them run, and windows of the outputs are compared. */
    const struct judge_case *large;
    size_t large_count;
    /* The simulated device judges its own timed case as well as the GPU's, since the lesson's
     * subject weighs more there. Both must meet the bars. */
    bool small_too;
    /* Of that case the counters alone: how fast a submission is depends on the GPU's case. */
    bool small_is_shown;
    /* The contract allows calls at the same time, so a kernel may not write to a variable of the
     * program, which they would share: RACE. */
    bool calls_overlap;
    /* Multiprocessors that the simulated device has while it judges its own timed case; 0: all.
     * Where blocks cannot represent others, that case is a GPU's with sides so much shorter that
     * all of it runs, and would leave the whole device half idle. With 1/16 of the tiles and of the
     * device, a call has as many waves of blocks as a GPU's has. */
    uint32_t slice;
    /* What mending the miss of a bar must gain for it to refuse; 0: JUDGE_LEAST_GAIN. Where the
     * simulated case's sides are shorter than a GPU's, what moves a matrix is a larger part of a
     * product's time: as many times as a side is shorter. */
    double least_gain;
    /* expected and allowed (zeros at first) of count elements of an output, from element first on.
     * NULL: there are no large cases, and the simulated device times the case made for it, as it
     * does where a library computes, whose blocks cannot be sampled. A GPU's timed outputs are
     * compared with the same truth (examine/truth.h). Two threads may call it at a time. */
    void (*truth_at)(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed);

    /* Runs in the runner: call the launcher as the case says. */
    cudaError_t (*launch)(const struct judge_call *call);
    /* What launch() itself returns where the contract is broken in a way that no output shows, and
     * what is said of it in place of "the launcher returned an error"; ends with {0}; or NULL. */
    const struct judge_ending *endings;
    size_t scratch_bytes;   /* of judge_call.memory: zeros at first */
    size_t workspace_bytes; /* of judge_call.workspace; 0 for none */

    const struct judge_bar *bars;
    size_t bar_count;
    double utilization_bar; /* required: reference time / time */
    double modelled_bar;    /* the same of modelled times; 0: a tenth below, since the model errs */
    double gold_bar;        /* utilization of the ceiling that earns gold; 0 for none */
    double gold_of_ladder;  /* instead: the share of the speed of the solution's top step
                                * (check/ladder.h); 0 for none */
    const char *ceiling;    /* "copy rate" or "FMA rate": shown for a device whose ceilings are
                                * not known. NULL: by each launcher's work */

    const char *const *hints; /* three, from symptom to shape of the answer */
    /* Their parts, in the order of the text. Words before a level's first part are said with any of
     * them. A level without rows is said in any case. */
    const struct judge_asked *asked;
    size_t asked_count;
    const struct judge_sayings *sayings; /* or NULL */
    const struct judge_mistakes *mistakes;
};

/* Makes a judge known: the linker gathers these pointers. */
#define JUDGE(name) \
    __attribute__((used, section("judges"))) static const struct judge *const judge_##name = &name

/* Is there anything to move or to calculate? */
bool judge_has_work(struct judge_work work);

/* All judges, sorted by lesson. */
size_t judge_all(const struct judge *const **list);
/* The judge of lesson "01_coalescing", "1" or "01"; NULL when there is none. */
const struct judge *judge_named(const char *lesson);

/* The case of that name among these; NULL when there is none. */
const struct judge_case *judge_case_named(const struct judge_case *cases, size_t count,
                                          const char *name);

/* --- Help for drawn --------------------------------------------------------------------------- */

/* Word i of the stream of seed: the finaliser of splitmix64, as in examine/data.h, which a runner
 * does not have. */
static inline uint64_t judge_word(uint64_t seed, uint64_t i)
{
    uint64_t word = seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

/* Of such a word, uniform in [-1, 1] and a multiple of 2^-23: data_uniform() of examine/data.h. */
static inline float judge_uniform(uint64_t word)
{
    return (float)((int32_t)(word >> 40) - (1 << 23)) * 0x1p-23f;
}

/* From least to most, all equally likely; advances the seed. */
int64_t judge_draw(uint64_t *seed, int64_t least, int64_t most);
/* From least (1 or more) to most, each power of two as likely as the next. */
int64_t judge_draw_size(uint64_t *seed, int64_t least, int64_t most);
/* A float from 1/2 to 2, or its negative; its last bits are drawn, too, so no table has it. */
float judge_draw_float(uint64_t *seed);
/* Such a float, or with either sign a whole number up to 999, or a power of two from 1/256 to 512:
 * for code that has a path of its own for any of these. */
enum judge_scalar { JUDGE_ANY_SCALAR, JUDGE_WHOLE, JUDGE_POWER_OF_TWO, JUDGE_SCALARS };
float judge_draw_scalar(uint64_t *seed, enum judge_scalar kind);
/* Any float. In half of the draws it is one that code may treat by itself: with either sign 0, 1,
 * infinity, the largest and the least float, and a subnormal one; or NaN. */
float judge_draw_any_float(uint64_t *seed);
/* Offsets of a buffer of floats in four cases, anywhere in a line of 128 bytes: 0 to 3 elements
 * past a multiple of 16 bytes, in an order that is drawn. */
struct judge_offsets {
    uint32_t bytes[4];
};
struct judge_offsets judge_draw_offsets(uint64_t *seed);
/* All alike, of the first buffers of floats: place elements past the start of one of the four
 * sectors of 32 bytes in a line. So JUDGE_PLACES cases have each place in a sector. */
enum { JUDGE_PLACES = 8 };
void judge_draw_place(uint64_t *seed, size_t place, size_t buffers, struct judge_case *problem);
/* Offsets of the first buffers of floats (2 or more) in one case: if alike, all the same, which may
 * be none; otherwise each is drawn, and the first two differ. */
void judge_draw_pointers(uint64_t *seed, size_t buffers, bool alike, struct judge_case *problem);
/* All the same, of the first buffers of floats: one, two or three elements past a multiple of 16
 * bytes, so none is aligned. */
void judge_draw_off(uint64_t *seed, size_t buffers, struct judge_case *problem);
/* Most elements of a medium case: it has many blocks, all of them run, and everything is
 * compared. */
#define JUDGE_MIDDLE_LEAST (INT64_C(1) << 21)
#define JUDGE_MIDDLE_MOST INT64_C(5931641) /* 2^22.5 */

/* --- Help for truth --------------------------------------------------------------------------- */

/* Rounding error bounds, as in the notes: unit roundoff of FP32. */
#define JUDGE_U32_ROUNDOFF 0x1p-24
/* A subnormal number is a multiple of this, and is rounded by half of it at most. */
#define JUDGE_SMALLEST_FLOAT 0x1p-149

/* |error| of an elementwise result: 2^-21 max(|value|, |x|), where x is the largest term that the
 * formula cancels, plus a few units of the smallest float, since subnormal results, and products on
 * the way, are rounded to whole units. */
double judge_elementwise_allowed(double value, double largest_input);
/* |error| of a sum of terms whose absolute values sum to magnitude:
 *
 *     2^-24 (12 magnitude + 4 sqrt(terms) |sum|)
 *
 * Each addition rounds the sum so far. With terms of either sign that sum is a random walk, and its
 * errors add up to a few 2^-24 of the magnitude, however many terms there are. With terms of one
 * sign it grows up to the final sum, and its errors grow as the root of their number. The largest
 * errors among thousands of sums of products, as a share of what is allowed (held by
 * check_tolerances.c):
 *
 *                            FP32, one after      FP32 in tiles   TF32     the same, of data
 *     terms                  the other, any sign  or parts        inputs   of one sign: FP32, TF32
 *     1                      0.06                 0.06            900      0.06      900
 *     64                     0.19                 0.11            180      0.19       70
 *     4096                   0.13                 0.04             20      0.26        1.5
 *     65536                  0.08                 0.04              5      0.31        0.3
 *
 * So data of either sign show too low a precision in sums of any length, and data of one sign show
 * it in short ones. */
double judge_product_allowed(double sum, double magnitude, double terms);
/* The same of a case's data. Where these pick a product or a few of each sum, FP32 adds them to
 * zeros and to a bias in whatever order. Uniform data are multiples of 2^-23, so up to a magnitude
 * of 2 such a sum is exact; beyond it may be off by 6 2^-24 of the magnitude, of which FP32 needs
 * half. */
double judge_sum_allowed(const struct judge_case *problem, double sum, double magnitude,
                         double terms);

/* Some elements of one row of a product of two inputs of floats, a (m x k) by b (k x n), both
 * row-major, or, if turned, stored as k x m and n x k: for each element from column col on, its k
 * products are added to sum, and their absolute values to magnitude. */
struct judge_product {
    size_t a, b;
    uint64_t n, k;
    bool a_turned, b_turned;
    uint64_t m; /* needed if a is turned */
};
void judge_product_row(const struct judge_inputs *inputs, const struct judge_product *product,
                       uint64_t row, uint64_t col, uint64_t count, double *sum, double *magnitude);

/* Parts of b that judge_product_row has read, for other rows of the same columns: of inputs that do
 * not change, and for one thread. NULL without memory, where all is read anew. */
struct judge_parts *judge_parts_new(void);
void judge_parts_free(struct judge_parts *parts);

/* Do count independent parts of a truth on several processors: work is called with the first part
 * and the one after the last, at most once for each processor, maybe at the same time. */
typedef void judge_work_on(void *context, uint64_t first, uint64_t end);
void judge_side_by_side(uint64_t count, judge_work_on *work, void *context);
/* The same of rows that take so many steps each: few steps are not worth a thread. */
void judge_rows_side_by_side(uint64_t rows, double steps, judge_work_on *work, void *context);

/* The float as a double, exact: a NaN keeps its bits, also a signalling one, which a conversion
 * would make quiet. */
static inline double judge_of_float(const float *value)
{
    uint32_t bits;
    double wide = *value;
    memcpy(&bits, value, sizeof bits);
    if ((bits & 0x7FFFFFFF) > 0x7F800000) {
        uint64_t kept = (uint64_t)(bits >> 31) << 63 | UINT64_C(0x7FF) << 52 |
                        (uint64_t)(bits & 0x7FFFFF) << 29;
        memcpy(&wide, &kept, sizeof wide);
    }
    return wide;
}

/* Element i of a buffer of that type, as a double; exact. */
double judge_element(const void *buffer, enum judge_type type, uint64_t i);
size_t judge_type_bytes(enum judge_type type);

#endif
