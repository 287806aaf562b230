/* regimes.c - lesson 9: lists that the timed case has no example of. */
#include "judges/09_adamw/parts.h"
#include "judges/09_adamw/problem.h"

#include <stdio.h>

#define LOOK_AT_LIST                                                                               \
    "look at what a short tensor costs and a long one: chunks of one size, of which a block does " \
    "one, are the same work wherever they come from"
#define LOOK_AT_HALVES \
    "look at how gradients of FP16 are read: four of them are 8 bytes, which is one load"

static void turn_list(struct judge_case *problem, enum list list, int64_t count, int64_t elements)
{
    problem->size[LIST] = list;
    problem->size[COUNT] = count;
    problem->size[ELEMENTS] = elements;
}

static void name_regime(struct judge_case *problem, const char *text)
{
    snprintf(problem->name, sizeof problem->name, "%s", text);
}

static void turn_many(struct judge_case *problem)
{
    turn_list(problem, ALIKE, LESSON9_MOST_TENSORS, 80000);
    name_regime(problem, "640 tensors of 80000");
}

static void turn_single(struct judge_case *problem)
{
    turn_list(problem, ALIKE, 1, 1 << 26);
    name_regime(problem, "one tensor of 2^26");
}

static void turn_odd(struct judge_case *problem)
{
    problem->size[PLACES] = ONE_OFF;
    name_regime(problem, "the network, all one element off");
}

static void turn_gradient_off(struct judge_case *problem)
{
    problem->size[PLACES] = G_OFF;
    name_regime(problem, "the network, gradients one element off");
}

static void turn_p_off(struct judge_case *problem)
{
    problem->size[PLACES] = P_OFF;
    name_regime(problem, "the network, p one element off");
}

static void turn_m_off(struct judge_case *problem)
{
    problem->size[PLACES] = M_OFF;
    name_regime(problem, "the network, m one element off");
}

static void turn_v_off(struct judge_case *problem)
{
    problem->size[PLACES] = V_OFF;
    name_regime(problem, "the network, v one element off");
}

static void turn_gradient_two_off(struct judge_case *problem)
{
    problem->size[PLACES] = G_TWO_OFF;
    name_regime(problem, "the network, gradients two off");
}

static void turn_two_off(struct judge_case *problem)
{
    problem->size[PLACES] = TWO_OFF;
    name_regime(problem, "the network, all two off");
}

static void turn_odd_sizes(struct judge_case *problem)
{
    turn_list(problem, ALIKE, LESSON9_MOST_TENSORS, 79999);
    name_regime(problem, "640 tensors of 79999");
}

static void turn_even_sizes(struct judge_case *problem)
{
    turn_list(problem, ALIKE, LESSON9_MOST_TENSORS, 79998);
    name_regime(problem, "640 tensors of 79998");
}

static void turn_halves(struct judge_case *problem)
{
    problem->size[HALVES] = ALL_HALVES;
    name_regime(problem, "the network, gradients of FP16");
}

static void turn_mixed(struct judge_case *problem)
{
    problem->size[HALVES] = EVERY_OTHER;
    problem->size[PLACES] = PACKED;
    name_regime(problem, "the network, packed, every other gradient FP16");
}

static void turn_past_unsigned(struct judge_case *problem)
{
    turn_list(problem, MIXED, 5, (INT64_C(1) << 32) + (1 << 20));
    name_regime(problem, "5 tensors, one of 2^32 + 2^20");
}

static void turn_small(struct judge_case *problem)
{
    turn_list(problem, ALIKE, 148, 768);
    name_regime(problem, "148 tensors of 768");
}

static void turn_medium(struct judge_case *problem)
{
    turn_list(problem, ALIKE, 8, 1 << 18);
    name_regime(problem, "8 tensors of 2^18");
}

static const struct judge_regime REGIMES[] = {
    {"many", .turn = turn_many, .share = JUDGE_SAME_CODE_SHARE,
     .says = "a long list of tensors is slow", .look_at = LOOK_AT_LIST},
    {"single", .turn = turn_single, .share = JUDGE_SAME_CODE_SHARE,
     .says = "a single tensor is slow", .look_at = LOOK_AT_LIST},
    {"odd", .turn = turn_odd, .share = JUDGE_SAME_CODE_SHARE, .says = "odd addresses are slow",
     .look_at = JUDGE_LOOK_AT_ODD},
    {"gradient_off", .turn = turn_gradient_off, .share = JUDGE_SAME_CODE_SHARE,
     .says = "gradients that are not aligned are slow", .look_at = JUDGE_LOOK_AT_ODD},
    {"p_off", .turn = turn_p_off, .share = JUDGE_SAME_CODE_SHARE,
     .says = "an odd address of p alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"m_off", .turn = turn_m_off, .share = JUDGE_SAME_CODE_SHARE,
     .says = "an odd address of m alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"v_off", .turn = turn_v_off, .share = JUDGE_SAME_CODE_SHARE,
     .says = "an odd address of v alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"gradient_two_off", .turn = turn_gradient_two_off, .share = JUDGE_SAME_CODE_SHARE,
     .says = "gradients at multiples of 8 bytes that are none of 16 are slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"two_off", .turn = turn_two_off, .share = JUDGE_SAME_CODE_SHARE,
     .says = "addresses that are multiples of 8 bytes and not of 16 are slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"odd_sizes", .turn = turn_odd_sizes, .share = JUDGE_SAME_CODE_SHARE,
     .says = "odd sizes are slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_sizes", .turn = turn_even_sizes, .share = JUDGE_SAME_CODE_SHARE,
     .says = "sizes that 2 divides and 4 does not are slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"halves", .turn = turn_halves, .share = JUDGE_SAME_CODE_SHARE,
     .says = "gradients of FP16 are slow", .look_at = LOOK_AT_HALVES},
    {"mixed", .turn = turn_mixed, .says = "a packed list of both types is slow",
     .look_at = JUDGE_LOOK_AT_ODD},
    {"past_unsigned", .turn = turn_past_unsigned, .share = JUDGE_SAME_CODE_SHARE,
     .says = "more than 2^32 elements are slow", .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", .turn = turn_small, .share = JUDGE_SMALL_SHARE, .says = "short tensors are slow",
     .look_at = JUDGE_LOOK_AT_SMALL},
    {"medium", .turn = turn_medium, .share = JUDGE_SMALL_SHARE,
     .says = "a few tensors of medium size are slow", .look_at = JUDGE_LOOK_AT_SMALL},
};

const struct judge_regimes ADAMW_REGIMES = JUDGE_ROWS(REGIMES);
