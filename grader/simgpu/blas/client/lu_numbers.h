/* lu_numbers.h - the arithmetic of lu.c on one matrix, for numbers of type NUMBER; lu.c includes
 * this twice. NUMBERS(name): the function's name for them; SIZE_OF(number): how large a pivot is.
 */

/* A becomes L and U. Returns the first column (from 1) whose pivot is 0, or 0. */
static int NUMBERS(factor)(NUMBER *a, size_t n, int *pivots)
{
    int singular = 0;
    for (size_t k = 0; k < n; k++) {
        size_t largest = k;
        for (size_t i = k + 1; pivots && i < n; i++)
            largest = SIZE_OF(a[k * n + i]) > SIZE_OF(a[k * n + largest]) ? i : largest;
        for (size_t j = 0; largest != k && j < n; j++) {
            NUMBER value = a[j * n + k];
            a[j * n + k] = a[j * n + largest];
            a[j * n + largest] = value;
        }
        if (pivots)
            pivots[k] = (int)largest + 1;
        if (a[k * n + k] == 0) {
            singular = singular ? singular : (int)k + 1;
            continue;
        }
        for (size_t i = k + 1; i < n; i++)
            a[k * n + i] /= a[k * n + k];
        for (size_t j = k + 1; j < n; j++)
            for (size_t i = k + 1; i < n; i++)
                a[j * n + i] -= a[k * n + i] * a[j * n + k];
    }
    return singular;
}

/* Swaps row k of v with the row that its pivot names. */
static void NUMBERS(exchange)(NUMBER *v, size_t n, const int *pivots, size_t k)
{
    size_t other = pivots && pivots[k] > 0 && (size_t)pivots[k] <= n ? (size_t)pivots[k] - 1 : k;
    NUMBER value = v[k];
    v[k] = v[other];
    v[other] = value;
}

/* v = inv(A) v by the factors of A. */
static void NUMBERS(solve)(const NUMBER *lu, size_t n, const int *pivots, NUMBER *v)
{
    for (size_t k = 0; k < n; k++)
        NUMBERS(exchange)(v, n, pivots, k);
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n; i++)
            v[i] -= lu[k * n + i] * v[k];
    for (size_t k = n; k-- > 0;) {
        v[k] /= lu[k * n + k];
        for (size_t i = 0; i < k; i++)
            v[i] -= lu[k * n + i] * v[k];
    }
}

/* v = inv(A') v. */
static void NUMBERS(solve_turned)(const NUMBER *lu, size_t n, const int *pivots, NUMBER *v)
{
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < k; i++)
            v[k] -= lu[k * n + i] * v[i];
        v[k] /= lu[k * n + k];
    }
    for (size_t k = n; k-- > 0;)
        for (size_t i = k + 1; i < n; i++)
            v[k] -= lu[k * n + i] * v[i];
    for (size_t k = n; k-- > 0;)
        NUMBERS(exchange)(v, n, pivots, k);
}

static int NUMBERS(zero_on_diagonal)(const NUMBER *lu, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (lu[k * n + k] == 0)
            return (int)k + 1;
    return 0;
}
