/* chance.c - see chance.h. */
#include "check/examine/chance.h"

#include <math.h>

/* After this many halvings of an interval, a double cannot tell its ends apart. */
enum { HALVINGS = 60 };

/* P(found or fewer of drawn), each with probability share, in (0, 1): by the logarithm of each
 * term, since the first ones may be too small for a double. */
static double at_most(uint64_t drawn, uint64_t found, double share)
{
    double term = (double)drawn * log1p(-share), odds = log(share) - log1p(-share), sum = 0;
    for (uint64_t i = 0; i <= found; i++) {
        sum += exp(term);
        term += odds + log((double)(drawn - i) / (double)(i + 1));
    }
    return sum;
}

double chance_most_share(uint64_t drawn, uint64_t found)
{
    double low = 0, high = 1;
    if (found >= drawn)
        return 1;
    for (int i = 0; i < HALVINGS; i++) {
        double share = low + (high - low) / 2;
        *(at_most(drawn, found, share) < CHANCE_RARE ? &high : &low) = share;
    }
    return high;
}

double chance_least_share(uint64_t drawn, uint64_t found)
{
    return found ? 1 - chance_most_share(drawn, drawn - found) : 0;
}
