/* activations.c - lesson 8: the activations and their derivatives, in double. */
#include "judges/08_backward/problem.h"

#include <math.h>

bool backward_is_curved(enum quest_activation activation)
{
    return activation != QUEST_ACT_NONE && activation != QUEST_ACT_RELU &&
           activation != QUEST_ACT_LEAKY_RELU;
}

double backward_activate(double z, enum quest_activation activation, double slope)
{
    switch (activation) {
    case QUEST_ACT_NONE: break;
    case QUEST_ACT_RELU: return z < 0 ? 0 : z;
    case QUEST_ACT_LEAKY_RELU: return z > 0 ? z : slope * z;
    case QUEST_ACT_SIGMOID: return 1 / (1 + exp(-z));
    case QUEST_ACT_TANH: return tanh(z);
    case QUEST_ACT_GELU_ERF: return z / 2 * (1 + erf(z * M_SQRT1_2));
    case QUEST_ACT_GELU_TANH:
        return z / 2 * (1 + tanh(M_2_SQRTPI * M_SQRT1_2 * (z + 0.044715 * z * z * z)));
    }
    return z;
}

/* From here on each derivative is its limit, even as a double: exp(-40) is less than half a unit in
 * the last place of 1, and an infinity would be multiplied by 0. */
static const double LIMIT = 40;

/* u is the argument of tanh in GELU. */
static double slope_of_u(double z)
{
    return M_2_SQRTPI * M_SQRT1_2 * (1 + 3 * 0.044715 * z * z);
}

static double derivative_of_gelu_tanh(double z)
{
    double t = tanh(M_2_SQRTPI * M_SQRT1_2 * (z + 0.044715 * z * z * z));
    return (1 + t) / 2 + z / 2 * (1 - t * t) * slope_of_u(z);
}

/* In FP32 1 - t^2 is off by 2^-24 of 1, and z u' / 2 times that is lost; past 6, t is 1 and nothing
 * is. */
double backward_largest_term(double z, enum quest_activation activation)
{
    double inside = fmin(fabs(z), 6);
    return activation == QUEST_ACT_GELU_TANH && !isnan(z) ? fmax(1, inside * slope_of_u(inside))
                                                          : 1;
}

double backward_derivative(double z, enum quest_activation activation, double slope)
{
    bool is_gelu = activation == QUEST_ACT_GELU_ERF || activation == QUEST_ACT_GELU_TANH;
    if (activation == QUEST_ACT_NONE)
        return 1;
    if (isnan(z))
        return z;
    if (backward_is_curved(activation) && fabs(z) > LIMIT)
        return is_gelu && z > 0;
    switch (activation) {
    case QUEST_ACT_NONE: break;
    case QUEST_ACT_RELU: return z > 0;
    case QUEST_ACT_LEAKY_RELU: return z > 0 ? 1 : slope;
    case QUEST_ACT_SIGMOID: return 1 / (1 + exp(-z)) / (1 + exp(z));
    case QUEST_ACT_TANH: return 1 / (cosh(z) * cosh(z));
    case QUEST_ACT_GELU_ERF:
        return (1 + erf(z * M_SQRT1_2)) / 2 + z * M_2_SQRTPI * M_SQRT1_2 / 2 * exp(-z * z / 2);
    case QUEST_ACT_GELU_TANH: return derivative_of_gelu_tanh(z);
    }
    return 1;
}
