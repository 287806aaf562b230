/* problem.h - lesson 6: what a case is, and the mix of products that is timed. */
#ifndef JUDGE_GEMM_PROBLEM_H
#define JUDGE_GEMM_PROBLEM_H

#include "check/judge.h"
#include "contracts/06_gemm.h"

enum launcher { CREATE, GEMM, SAVE, LOAD, DESTROY };

/* clang-format off */
enum script {
    ONE_CALL,
    NEW_CONTEXT,  /* the same, by a context that knows nothing; the cases after it share it */
    CAPTURED,     /* the first call of its kind, as a graph that is launched twice */
    NEVER_RUN,    /* after calls of enormous kinds, in a graph that is not launched */
    OTHER_BIAS,   /* calls that differ only in the pointer to the bias, or in Y's as well */
    REPEATED,     /* the same call over and over, before the one before it has run */
    RELOADED,     /* one process saves, the next one loads: the same result. Only the call counts */
    RELOADED_CAPTURED, /* the same, and that call becomes a graph */
    SPOILT,       /* what load answers for files that it must refuse */
    SERVED,       /* the mix, by a process that has loaded its plans; see serve() */
    STEADY,       /* the mix, by a context that has run it before */
    IN_ROOM,      /* by a context of its own, with a workspace of that many MiB */
    TWO_ROOMS,    /* by one that has room, and then by one that has none */
    LESS_ROOM,    /* the same, and the second one has loaded what the first has saved */
    INTERRUPTED,  /* a save that is cut off, over a file that was good; and two at once */
    AFTER_NAN,    /* after a product of NaNs, larger than this one, which fills the workspace */
    LIBRARY_FAILS, /* by a library that turns something down, and then no longer; see library.c */
    FULL,         /* a context that knows as many kinds as it takes; see full.c */
    LONG_SIDES,   /* kinds of which one side is longer by a power of two; see sides.c */
    CROWD,        /* thousands of kinds; see crowd.c */
    MANY_CONTEXTS, /* by the last of many that exist at once, and by the first */
    WIDE_ROOM,    /* RELOADED_CAPTURED, and who loads has more workspace than 32 bits can count */
    ARGUMENTS,    /* from here on: a call that is refused, see arguments.c */
    GEMM_REFUSED = ARGUMENTS,
    NO_CONTEXT, NO_A, NO_B, NO_Y, NO_GEMM, SAVES_Z, BIAS_UNSAID, BIAS_LACKING,
    MADE_NOWHERE, ROOM_LACKING, NOTHING_DESTROYED, NOTHING_SAVED, SAVED_NOWHERE, NOTHING_LOADED,
    LOADED_NOWHERE, NO_FOLDER, A_FOLDER, NO_SUCH_FILE, ACTS_PAST, ACTS_BEFORE,
};
/* clang-format on */

/* What a case ends with if a save succeeded and left no file. */
#define GEMM_NO_FILE cudaErrorFileNotFound

enum { M, N, K, TRANSPOSE, BIAS_AND_SUCH, ACTIVATION, TYPE, SPARSE }; /* judge_case.size */
enum { ROOM_MIB, DOWN };                                              /* judge_case.real */
enum { TA = 1, TB = 2 };                                              /* TRANSPOSE */
enum { WITH_BIAS = 1 };

/* Buffers of a case; those after Y only of some scripts. */
enum { A, B, BIAS, Y, BIAS_2, Y_2, ANSWERS };
enum { NAN_A = BIAS_2, NAN_B, NAN_Y }; /* of AFTER_NAN */
/* Of the timed case: a set for each type, then one whose rows have odd length; and the result of a
 * long sum, whose A and B are those of the first set in another shape. */
enum { SET = 4, ODD_A = 2 * SET, ODD_B, ODD_Y, LONG_Y };

/* Files that load is given. The first FILES answers say which were refused, and the others which of
 * these files changed what a context knows although it was refused. */
enum { GOOD, FLIPPED, CUT_SHORT, LENGTHENED, OTHER_VERSION, OTHER_DEVICE, EMPTY, MISSING, FILES };
/* Answers about a save that is cut off, and about one at the same time as another process's. */
enum {
    SAVE_FAILED,
    SAVE_ERROR,
    FILE_SURVIVED,
    SAVED_AGAIN,
    SHORTER,
    OLD_LEFT_ALONE,
    KEPT_APART,
    STAMPED,
    OUT_OF_FILES,
    LOADED_KEPT,
    NAMELESS,
    INTERRUPTIONS,
};
/* Answers of a context with less room: it accepted the file. And of one whose library fails: all
 * objects of the library were destroyed. */
enum { FREED, TAKEN, ROOM_ANSWERS };
/* Answers about long sides, after those for M, N and K: what was multiplied is as large as what was
 * asked for. */
enum { SIDES_KEPT = K + 1, ALL_SIDES, SIDE_ANSWERS };
/* Answers of a context that knows as many kinds as it can hold, and of those that load its file. */
enum { FULL_WORKED, FULL_SAVED, FULL_KNOWN, FULL_BESIDE, FULL_LENGTHENED, FULL_ANSWERS };

/* Answers about thousands of kinds: each got its own plan, also from a file; each was known from
 * then on; and in the end all objects of the library were destroyed. */
enum { CROWD_MET, CROWD_LOADED, CROWD_KEPT, CROWD_FREED, CROWD_ANSWERS };

enum judge_type gemm_buffer_type(int64_t type);
bool gemm_is_reloaded(const struct judge_case *problem);
/* Is there a second result: with the other bias, after loading, or by the other context? */
bool gemm_has_second_y(const struct judge_case *problem);
bool gemm_has_answers(const struct judge_case *problem);

/* Sides of the product of NaNs: none is a multiple of 8 or of 4. */
enum { NAN_M = 37, NAN_N = 69, NAN_K = 301 };

/* Sides of products that are asked for and never run. */
enum { SMALL = 16, ENORMOUS = (1 << 17) + 8 };

/* judge_case.tampers */
enum tampering {
    NOT_TAMPERED,
    CHECKSUM_WRONG,
    BYTE_ADDED,
    VERSION_WRONG,
    DEVICE_WRONG,
    TAMPERINGS
};

/* --- The mix ---------------------------------------------------------------------------------- */

/* Rows of A and Y, one call after the other: a token, a few, many, a prompt. B and bias are the
 * layer's, and the same for all. The last call is the one that is new when plans are loaded. */
enum { CALLS = 5, NEW_CALL = CALLS - 1, NEW_RUNS = 5, ROUNDS = 2, ODD_ROWS = 64 };
enum { NEW_ROWS = 24, GRAPH_ROWS = 2 * NEW_ROWS }; /* those in a graph write two places in turn */
/* A sum so long that the device is kept busy only if the sum is split into parts, which are added
 * up in a workspace. */
enum { LONG_M = 16, LONG_N = 16, LONG_K = 32768 };
/* Where the process that learns begins; the one that serves begins at row 0, so its addresses are
 * new, but aligned as before. */
enum { OWN_SHIFT = 1 };
/* Further kinds that the first process meets: they are in the file, too. */
enum { OTHER_KINDS = 120 };

int64_t gemm_rows_of_call(const struct judge_case *problem, int call);
/* Of the mix without its new call. */
int64_t gemm_rows_of_round(const struct judge_case *problem);
/* Of A and Y. Who serves has rows for each round, and after them for each new call, which only the
 * first type has in a graph: a call that is left out leaves rows that no other one writes. */
int64_t gemm_all_rows(const struct judge_case *problem, int set);
bool gemm_is_mix(const struct judge_case *problem);
/* Rows that are no multiple of 16 bytes, and not of 4 either. */
int64_t gemm_odd_side(int64_t side);

/* The counted launch has 2 x 2 x 4 calls of the mix, 2 with odd rows and 2 long ones, 5 new ones
 * in a graph and 1 of each type after it: 27 in all. Copies for the odd ones are at most 3 more
 * each. */
enum { CALLS_COUNTED = 2 * ROUNDS * NEW_CALL + 2 * ROUNDS + NEW_RUNS + 2, ODD_COPIES = 3 * ROUNDS };

#endif
