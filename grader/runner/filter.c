/* filter.c - builds the seccomp filter, one instruction after another, and installs it.
 *
 * The program is a sequence of rules "this call: refuse it", then "everything else: allow". A rule
 * is two instructions; those that look at an argument are a few more. The low half of a 64-bit
 * argument is the first on both processors, which are little-endian.
 */
#include "runner/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

enum { MOST_INSTRUCTIONS = 512 };

/* clang-format off */
/* Calls newer than some kernels' headers; their numbers are the same on every processor. */
enum { OPEN_TREE = 428, MOVE_MOUNT, FSOPEN, FSCONFIG, FSMOUNT, FSPICK, CLONE3 = 435,
       PIDFD_GETFD = 438, MOUNT_SETATTR = 442, QUOTACTL_FD, MEMFD_SECRET = 447,
       OPEN_TREE_ATTR = 467 };

static const int NOT_PERMITTED[] = {
    /* other processes */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, PIDFD_GETFD,
    /* namespaces, and what is seen of the files */
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, OPEN_TREE,
    MOVE_MOUNT, FSOPEN, FSCONFIG, FSMOUNT, FSPICK, MOUNT_SETATTR, OPEN_TREE_ATTR,
    SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_fanotify_init, SYS_fanotify_mark,
    SYS_quotactl, QUOTACTL_FD, SYS_acct, SYS_swapon, SYS_swapoff,
    /* large parts of the kernel that few programs need */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key, SYS_request_key, SYS_keyctl,
#ifdef SYS_lookup_dcookie
    SYS_lookup_dcookie,
#endif
    /* the machine */
    SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_syslog,
    SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
    SYS_adjtimex, SYS_vhangup,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_sysfs,
#endif
    /* others' share of the processor */
    SYS_setpriority, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
};

/* Answered as by a kernel that lacks them, so that programs do without. Memory, queues and
 * semaphores of System V and POSIX outlive a process, and none of our limits counts them. */
static const int NOT_THERE[] = {
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, MEMFD_SECRET,
    CLONE3, /* its flags are in memory, where no filter sees them; then clone is used */
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_shmdt, SYS_semget, SYS_semctl, SYS_semop,
    SYS_semtimedop, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
};
/* clang-format on */

/* What lies unread in a socket is memory of the kernel's, which no limit counts: 0.4 MB a pair. A
 * program of the simulated device needs one end alone, to call the device. */
static const int FOR_BOTH_ENDS[] = {SYS_socketpair, SYS_bind, SYS_listen};

/* These report success but do nothing. Threads that share one processor of many wait for each
 * other: that would stop the clock for a thread that has another processor to itself
 * (lib/work_watch.h). */
static const int LEFT_UNDONE[] = {SYS_sched_setaffinity};

struct program {
    struct sock_filter instructions[MOST_INSTRUCTIONS];
    unsigned short count;
};

static void add(struct program *program, uint16_t code, uint32_t value, uint8_t if_so,
                uint8_t if_not)
{
    if (program->count < MOST_INSTRUCTIONS)
        program->instructions[program->count++] = (struct sock_filter){code, if_so, if_not, value};
}

static void load(struct program *program, size_t offset)
{
    add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void load_call(struct program *program)
{
    load(program, offsetof(struct seccomp_data, nr));
}

static void refuse(struct program *program, int error)
{
    add(program, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error, 0, 0);
}

static void refuse_call(struct program *program, int call, int error)
{
    add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
    refuse(program, error);
}

/* Refuse the call if its argument compares with value: test is BPF_JSET, or BPF_JEQ to refuse only
 * that value; with_others: refuse every other value instead. */
static void refuse_argument(struct program *program, int call, int argument, uint16_t test,
                            uint32_t value, bool with_others, int error)
{
    add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load(program, offsetof(struct seccomp_data, args) + (size_t)argument * sizeof(uint64_t));
    add(program, BPF_JMP | test | BPF_K, value, with_others, !with_others);
    refuse(program, error);
    load_call(program);
}

/* The rules' numbers are only valid for calls of this processor's own architecture. */
static void refuse_other_architectures(struct program *program)
{
    load(program, offsetof(struct seccomp_data, arch));
    add(program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    add(program, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    load_call(program);
#ifdef __x86_64__
    enum { X32 = 0x40000000 };
    add(program, BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1);
    refuse(program, ENOSYS);
#endif
}

static void add_arguments(struct program *program)
{
    const uint32_t namespaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS |
                                CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    refuse_argument(program, SYS_clone, 0, BPF_JSET, namespaces, false, EPERM);
    refuse_argument(program, SYS_personality, 0, BPF_JSET, ~0U >> 1, false, EPERM);
    refuse_argument(program, SYS_prlimit64, 0, BPF_JEQ, 0, true, EPERM);
    refuse_argument(program, SYS_socket, 0, BPF_JEQ, AF_UNIX, true, EAFNOSUPPORT);
    refuse_argument(program, SYS_ioctl, 1, BPF_JEQ, TIOCSTI, false, EPERM);
    refuse_argument(program, SYS_ioctl, 1, BPF_JEQ, TIOCLINUX, false, EPERM);
}

bool filter_install(bool for_gpu)
{
    static struct program program;
    program.count = 0;
    refuse_other_architectures(&program);
    for (size_t i = 0; i < sizeof NOT_PERMITTED / sizeof *NOT_PERMITTED; i++)
        refuse_call(&program, NOT_PERMITTED[i], EPERM);
    for (size_t i = 0; i < sizeof NOT_THERE / sizeof *NOT_THERE; i++)
        refuse_call(&program, NOT_THERE[i], ENOSYS);
    for (size_t i = 0; i < sizeof LEFT_UNDONE / sizeof *LEFT_UNDONE; i++)
        refuse_call(&program, LEFT_UNDONE[i], 0);
    if (!for_gpu)
        refuse_call(&program, SYS_memfd_create, ENOSYS);
    for (size_t i = 0; !for_gpu && i < sizeof FOR_BOTH_ENDS / sizeof *FOR_BOTH_ENDS; i++)
        refuse_call(&program, FOR_BOTH_ENDS[i], EPERM);
    add_arguments(&program);
    add(&program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    struct sock_fprog all = {.len = program.count, .filter = program.instructions};
    if (ARCHITECTURE == 0 || program.count == MOST_INSTRUCTIONS) {
        errno = ENOSYS;
        return false;
    }
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0;
}
