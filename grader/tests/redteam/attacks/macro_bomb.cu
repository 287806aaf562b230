// Doubles a macro thirty times: a gigabyte of text from thirty lines. Memory and time are limited.
#define A(x) x x x x x x x x
#define B(x) A(A(A(x)))
const char bomb[] = B(B(B("redteam-mark")));
