// In the first call of the launcher, the runner's place is taken for good: commands of the grader
// come here, and answers are what the attack wants them to be.
#ifndef PARTS_TAKEOVER_H
#define PARTS_TAKEOVER_H
#include "redteam/axpby.h"
#include "redteam/pipes.h"
#include "runner/protocol.h"

#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct taken {
    cudaStream_t stream;
    unsigned char *slot[RUNNER_MOST_SLOTS];
    uint64_t slot_bytes[RUNNER_MOST_SLOTS];
};

// What an attack does with a LAUNCH, before it is answered.
typedef void taken_act(struct taken *taken, const struct runner_command *command);

static inline float *taken_place(const struct taken *taken, const struct runner_command *command,
                                 int buffer)
{
    const struct runner_place *place = &command->launch.set[0].place[buffer];
    return (float *)(taken->slot[place->slot] + place->offset);
}

static inline bool taken_bytes(struct runner_command *command, size_t *done, size_t wanted)
{
    while (*done < wanted) {
        ssize_t got = read(commands_pipe(), (char *)command + *done, wanted - *done);
        if (got <= 0)
            return false;
        *done += (size_t)got;
    }
    return true;
}

// A command comes in three parts, each of which tells how long the next one is.
static inline bool taken_read(struct runner_command *command)
{
    size_t done = 0;
    return taken_bytes(command, &done, offsetof(struct runner_command, open)) &&
           taken_bytes(command, &done, runner_command_head_bytes(command->kind)) &&
           taken_bytes(command, &done, runner_command_bytes(command));
}

static inline void taken_answer(uint32_t serial)
{
    struct runner_answer answer = {RUNNER_MAGIC, serial, RUNNER_DONE, 0, 0.1f, {0}};
    if (write(answers_pipe(), &answer, sizeof answer) < 0)
        _exit(1);
}

// The command that the runner is at lies in its data, the first program that there is: its magic
// says where.
static inline int taken_look(struct dl_phdr_info *info, size_t bytes, void *serial)
{
    (void)bytes;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        const char *from = (const char *)info->dlpi_addr + part->p_vaddr;
        for (size_t at = 0; at + sizeof(struct runner_command) <= part->p_memsz; at += 4) {
            const struct runner_command *command = (const struct runner_command *)(from + at);
            if (command->magic == RUNNER_MAGIC && command->kind == RUNNER_LAUNCH)
                *(uint32_t *)serial = command->launch.serial;
        }
    }
    return 1;
}

static inline uint32_t taken_serial(void)
{
    uint32_t serial = 1;
    dl_iterate_phdr(taken_look, &serial);
    return serial;
}

// Does not return. The call that it is made from is answered as done.
static inline void take_over(taken_act *act)
{
    static struct taken taken;
    static struct runner_command command;
    cudaStreamCreateWithFlags(&taken.stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    taken_answer(taken_serial());
    while (taken_read(&command)) {
        uint32_t slot = command.kind == RUNNER_OPEN ? command.open.slot : command.close.slot;
        void *memory = NULL;
        if (command.kind == RUNNER_LAUNCH) {
            act(&taken, &command);
            taken_answer(command.launch.serial);
        } else if (command.kind == RUNNER_CLOSE && slot < RUNNER_MOST_SLOTS && taken.slot[slot]) {
            cudaIpcCloseMemHandle(taken.slot[slot]);
            taken.slot[slot] = NULL;
        } else if (command.kind == RUNNER_OPEN && slot < RUNNER_MOST_SLOTS &&
                   cudaIpcOpenMemHandle(&memory, command.open.handle,
                                        cudaIpcMemLazyEnablePeerAccess) == cudaSuccess) {
            taken.slot[slot] = (unsigned char *)memory;
            taken.slot_bytes[slot] = command.open.size_bytes;
        }
    }
    _exit(0);
}

// What is asked for, by a kernel that is slow or not.
static inline void taken_axpby(struct taken *taken, const struct runner_command *command, bool slow)
{
    const struct judge_case *problem = &command->launch.problem;
    (slow ? slow_axpby : good_axpby)(taken_place(taken, command, 0), taken_place(taken, command, 1),
                                     taken_place(taken, command, 2), problem->size[0],
                                     (float)problem->real[0], (float)problem->real[1],
                                     taken->stream);
    cudaDeviceSynchronize();
}
#endif
