/* setjmp.h - of WebAssembly, which cannot jump: the host gets an exception, and this instance ends.
 * See live.h. */
#ifndef WASI_SETJMP_H
#define WASI_SETJMP_H

typedef int jmp_buf[1];

/* It calls live_gave_up with the same place, and throws. */
_Noreturn void give_up(int *place) __attribute__((import_module("host"), import_name("give_up")));

#define setjmp(place) ((void)(place), 0)
#define longjmp(place, value) ((void)(value), give_up(place))

#endif
