// planted.h - what every planted fault is written with.
//
// A fault is one or two kernels and the host code that launches them, under a comment that says
// what has to be reported; expectation.h reads it and tells its form. One program holds them all:
//
//     planted list            their names
//     planted NAME            commits that fault, and ends with what CUDA said of it
//
// On the simulated device the program switches on every check and limits a launch's steps; on a
// GPU it is an ordinary program, which sanitizer.sh runs under compute-sanitizer.
#ifndef PLANTED_H
#define PLANTED_H

#include <cstddef>
#include <cuda_runtime.h>

struct planted {
    const char *name;
    void (*commit)();
    const planted *next;
    static const planted *first;
    planted(const char *its_name, void (*its_commit)())
        : name(its_name), commit(its_commit), next(first)
    {
        first = this;
    }
};

#define PLANTED(name)                                          \
    static void name##_commit();                               \
    static const planted name##_planted(#name, name##_commit); \
    static void name##_commit()

// Ends the program with the error's name, unless the call succeeded.
void check(cudaError_t error, const char *file, int line);
#define CHECK(call) check(call, __FILE__, __LINE__)

#endif
