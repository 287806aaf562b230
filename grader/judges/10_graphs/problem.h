/* problem.h - lesson 10: what a case is: a network, how many steps it takes, and on which batches.
 *
 * Batches are in the host's memory, which the grader does not hand over. So they are a function of
 * the case, which runner and truth calculate apart from each other.
 */
#ifndef JUDGE_GRAPHS_PROBLEM_H
#define JUDGE_GRAPHS_PROBLEM_H

#include "check/judge.h"
#include "contracts/10_graphs.h"

enum launcher { CREATE, RUN, DESTROY };

/* judge_case.size. FIRST: how many steps were done before. SEED: of the batches and of the key.
 * IN_ALL: of IN_TURN, how many networks; in its place DOWN: of CALLS_FAIL, what fails. */
enum { BATCH, IN, HIDDEN, OUT, RUNS, FIRST, SEED, IN_ALL, DOWN = IN_ALL };
/* judge_case.real: fields of struct quest_training. */
enum { LR, BETA1, BETA2, EPS, WEIGHT_DECAY, DROP };

/* judge_case.size[DOWN]: what fails in create; and with which error, which no other call has. */
enum down {
    NOTHING_DOWN,
    MEMORY_DOWN,
    STREAMS_DOWN,
    EVENTS_DOWN,
    CAPTURES_DOWN,
    GRAPHS_DOWN,
    FIRST_MEMORY_DOWN, /* only the first call does: those after it would make good for it */
    FIRST_EVENT_DOWN,
};
#define GRAPHS_DOWN_ERROR cudaErrorECCUncorrectable

/* Buffers, of one network and of another. The step is compared first: if it is wrong, it says why
 * the others are. */
enum { STEP, P, M, V, OF_NETWORK };
/* After those of all networks: what each goes back to, or an answer, or a seed of this launch. */
enum { ARRIVED = OF_NETWORK, WENT_ON = 2 * OF_NETWORK, LAUNCH_SEED = 2 * OF_NETWORK };
enum { NETWORKS = 4, PAIR = 2, MOST_RUNS = 1 << 20 };
/* A case with as many runs is about how many there are. */
enum { LONG_SERIES = 500 };

/* clang-format off */
enum script {
    BACK_TO_BACK = 1, /* runs one after the other, none of which is waited for */
    TWO_STREAMS,      /* the last half of them on another stream */
    IN_TURN,          /* runs of several networks in turn, each on a stream of its own */
    HELD_UP,          /* those of one network, and then of another while the first one's stream
                       * stands still */
    AHEAD,            /* a stream stands still, and then the default one, and a batch arrives */
    REUSED,           /* each batch is overwritten as soon as its step is done */
    NUDGED,           /* one batch, of which a single number is another one in each run */
    GONE_BACK,        /* after half of the runs p, m, v and *step are overwritten */
    JUST_MADE,        /* create and runs in one call */
    OTHERS_AT_WORK,   /* create, while the caller captures a stream and a thread allocates */
    ONE_LIFE,         /* create, runs and destroy in one call */
    MIXED,            /* what the simulated device times: all runs of a small network, then all of a
                       * wide one; once in those of each, p, m, v and *step are overwritten */
    STEADY,           /* what a GPU is timed with: the same of larger ones, which are kept */
    ARGUMENTS,        /* from here on: a call that is refused */
    NO_TRAINING = ARGUMENTS, NO_PLACE, NO_P, NO_M, NO_V, NO_STEP, NOTHING_RUN, NO_BATCH,
    NOTHING_DESTROYED, BATCH_0, IN_0, HIDDEN_0, OUT_0, BATCH_PAST, IN_PAST, HIDDEN_PAST, OUT_PAST,
    HIDDEN_NEGATIVE,
    CALLS_FAIL, /* a function of the runtime does, as judge_case.size says */
    FIELDS, /* a field of judge_case.real is out of range */
};
/* clang-format on */

/* The wide networks: a batch takes the bus a good part of the time that a step takes. That of
 * STEADY has 16 MiB. */
enum { WIDE_SIDE = 512, WIDE_HIDDEN = 16, WIDE_OUT = 8, WIDE_RUNS = 4 };
enum {
    STEADY_BATCH = 1024,
    STEADY_IN = 4096,
    STEADY_HIDDEN = 256,
    STEADY_OUT = 16,
    STEADY_RUNS = 6
};

/* One of a case's networks. */
struct graphs_network {
    int batch, in, hidden, out, runs;
};
struct graphs_network graphs_network(const struct judge_case *problem, int which);
int graphs_networks(const struct judge_case *problem);
size_t graphs_parameters(const struct graphs_network *network);
size_t graphs_batch_floats(const struct graphs_network *network);

struct quest_rng_key graphs_key(const struct judge_case *problem, int which);
/* Number i of the batch of a run, from -1 to 1. In NUDGED it is that of the first run, but for one
 * number of each run after that. */
float graphs_batch_number(const struct judge_case *problem, int which, int run, uint64_t i);
/* The run before which p, m, v and *step are overwritten, on the stream; 0 for none. In MIXED it is
 * drawn, for one network an odd one: so runs that are put off, be it in pairs, find another step
 * than theirs. */
int graphs_back_before(const struct judge_case *problem, int which);
/* By what: the first buffer of a network's, in their order. */
size_t graphs_back_to(const struct judge_case *problem, int which);
/* How many steps were done before a run. */
uint64_t graphs_step(const struct judge_case *problem, int which, int run);
/* So many numbers of each batch are written only when its run is about to begin. */
enum { LATE_NUMBERS = 64 };
/* In STEADY the first numbers of each batch are those of a launch's own seed. */
enum { LAUNCH_FLOATS = 64 };
float graphs_launch_number(uint32_t seed, int which, int run, uint64_t i);

#endif
