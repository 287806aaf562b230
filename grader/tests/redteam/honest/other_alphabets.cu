// Схема, 説明, ελληνικά, 🚀: comments, strings and names in other alphabets, and a sign that turns
// the direction of writing: ‮ .
#include "redteam/axpby.h"

#include <stdio.h>

LAUNCHER
{
    static const char größe[] = "größer als nötig: Ω ≈ 1, 🚀";
    static int calls;
    if (!calls++)
        puts(größe);
    return good_axpby(x, y, out, n, a, b, stream);
}
