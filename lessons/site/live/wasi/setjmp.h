/* setjmp.h - of WebAssembly, which cannot jump: the host gets an exception, and this instance ends.
 * See live.h. */
#ifndef WASI_SETJMP_H
#define WASI_SETJMP_H

typedef int jmp_buf[1];

_Noreturn void give_up(void) __attribute__((import_module("host"), import_name("give_up")));

#define setjmp(place) ((void)(place), 0)
#define longjmp(place, value) ((void)(place), (void)(value), give_up())

#endif
