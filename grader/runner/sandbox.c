/* sandbox.c - builds the command line of a program inside walls, word by word: bubblewrap's words,
 * then the launcher's, then its own.
 *
 * The same calls serve every kind of walls, so that callers need not care: what a kind does not
 * need is left out.
 */
#include "runner/sandbox.h"

#include "lib/process.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Users from here on are unused on a system with systemd (systemd.io/UIDS-GIDS: 60706 to 61183 are
 * unused), and exist where a container has the usual 65536. */
enum { FIRST_USER = 60706, USERS = 478, GROUP = FIRST_USER };

static const char LAUNCHER[] = "/quest/walls";

/* What dynamically linked programs of a distribution need to start. /lib and /bin are links into
 * /usr on most; --ro-bind-try follows them. */
static const char *const SYSTEM[] = {"/usr",      "/lib",  "/lib32",           "/lib64",
                                     "/bin",      "/sbin", "/etc/ld.so.cache", "/etc/alternatives",
                                     "/nix/store"};

/* --- Words ------------------------------------------------------------------------------------ */

static void add(struct sandbox *sandbox, const char *text)
{
    if (sandbox->words == SANDBOX_MOST_WORDS)
        sandbox->too_long = true;
    else
        sandbox->argv[sandbox->words++] = text;
}

static const char *kept(struct sandbox *sandbox, char *text)
{
    if (!text || sandbox->text_count == SANDBOX_MOST_WORDS) {
        free(text);
        sandbox->too_long = true;
        return "";
    }
    return sandbox->texts[sandbox->text_count++] = text;
}

static const char *copied(struct sandbox *sandbox, const char *text)
{
    return kept(sandbox, strdup(text));
}

static bool has_word(const struct sandbox *sandbox, const char *word)
{
    for (size_t i = 0; i < sandbox->words; i++)
        if (strcmp(sandbox->argv[i], word) == 0)
            return true;
    return false;
}

/* The folders above path: those that bubblewrap makes itself are for its own user only. */
static void add_folders(struct sandbox *sandbox, const char *path)
{
    struct path folder = path_of("%s", path);
    for (char *slash = strchr(folder.text + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!has_word(sandbox, folder.text)) {
            add(sandbox, "--perms");
            add(sandbox, "0755");
            add(sandbox, "--dir");
            add(sandbox, copied(sandbox, folder.text));
        }
        *slash = '/';
    }
}

/* If the system is shown, everything in /usr is there already, including links. */
static bool is_there(const struct sandbox *sandbox, const char *inside)
{
    return sandbox->shows_system && strncmp(inside, "/usr/", 5) == 0;
}

static void add_bind(struct sandbox *sandbox, const char *option, const char *from,
                     const char *inside)
{
    const char *name = inside ? inside : from;
    if (sandbox->kind != SANDBOX_BUBBLEWRAP || is_there(sandbox, name))
        return;
    add_folders(sandbox, name);
    add(sandbox, option);
    add(sandbox, copied(sandbox, from));
    add(sandbox, copied(sandbox, name));
}

/* A word of the launcher's. */
static void add_rule(struct sandbox *sandbox, const char *name, const char *value)
{
    char *text = NULL;
    if (sandbox->kind == SANDBOX_LANDLOCK)
        add(sandbox, kept(sandbox, asprintf(&text, "%s=%s", name, value) < 0 ? NULL : text));
}

static void add_number(struct sandbox *sandbox, const char *name, uint64_t value)
{
    char *text = NULL;
    if (value)
        add(sandbox,
            kept(sandbox,
                 asprintf(&text, "%s=%llu", name, (unsigned long long)value) < 0 ? NULL : text));
}

static void add_numbers(struct sandbox *sandbox)
{
#define WALLS_NUMBER(name, meaning) add_number(sandbox, #name, sandbox->walls.name);
    WALLS_NUMBERS
#undef WALLS_NUMBER
}

/* --- Who, and by what ------------------------------------------------------------------------- */

/* The launcher is in the folder of the program that asks or, for tests, in the folder bin next to
 * that. */
static struct path launcher(void)
{
    struct path self = path_real("/proc/self/exe");
    char *slash = strrchr(self.text, '/');
    if (slash)
        *slash = '\0';
    struct path beside = path_of("%s/walls", self.text);
    return file_exists(beside.text) ? beside
                                    : path_real(path_of("%s/../bin/walls", self.text).text);
}

static bool is_used(uid_t user)
{
    glob_t all;
    struct stat status;
    bool used = false;
    if (glob("/proc/[0-9]*", GLOB_NOSORT, NULL, &all) == 0)
        for (size_t i = 0; i < all.gl_pathc && !used; i++)
            used = stat(all.gl_pathv[i], &status) == 0 && status.st_uid == user;
    globfree(&all);
    return used;
}

/* A user that no process has now. Each sandbox gets a different one, so that none can send a signal
 * to another; they share the group. */
static uid_t free_user(void)
{
    static unsigned given;
    for (unsigned tries = 0; tries < USERS; tries++) {
        uid_t user = FIRST_USER + ((unsigned)getpid() * 7 + given++) % USERS;
        if (!is_used(user))
            return user;
    }
    return FIRST_USER;
}

static void choose_user(struct sandbox *sandbox)
{
    bool as_root = geteuid() == 0 && sandbox->kind != SANDBOX_NONE;
    sandbox->walls.user = as_root ? free_user() : 0;
    sandbox->walls.group = as_root ? GROUP : 0;
    sandbox->walls.landlock = sandbox->kind == SANDBOX_LANDLOCK;
}

/* Root gives access only to the sandbox's group: to what it shares, or through a folder. */
static void admit(const struct sandbox *sandbox, const char *path, mode_t rights)
{
    struct stat status;
    if (sandbox->walls.user && stat(path, &status) == 0 && (status.st_mode & rights) != rights &&
        chown(path, (uid_t)-1, GROUP) == 0)
        chmod(path, (status.st_mode & 07777) | rights);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* Folders for temporary files are in memory, with a size of their own. */
static void add_memory_folder(struct sandbox *sandbox, const char *folder)
{
    const char *const words[] = {"--perms", "1777", "--size"};
    uint64_t bytes = sandbox->walls.room_bytes ? sandbox->walls.room_bytes : UINT64_C(64) << 20;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add(sandbox, words[i]);
    add(sandbox, copied(sandbox, path_of("%llu", (unsigned long long)bytes).text));
    add(sandbox, "--tmpfs");
    add(sandbox, folder);
}

/* clang-format off */
/* If root starts it, the launcher keeps the right to change the user inside; otherwise the
 * namespace has only one user. */
static void add_bubblewrap(struct sandbox *sandbox)
{
    static const char *const BY_ROOT[] = {"--cap-drop", "ALL", "--cap-add", "CAP_SETUID",
                                          "--cap-add", "CAP_SETGID", "--cap-add", "CAP_KILL"};
    static const char *const BY_USER[] = {"--unshare-user", "--uid", "65534", "--gid", "65534"};
    static const char *const WALLS[] = {
        "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
        "--unshare-cgroup-try", "--as-pid-1", "--die-with-parent", "--new-session", "--clearenv",
        "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"};
    bool as_root = sandbox->walls.user != 0;
    const char *const *who = as_root ? BY_ROOT : BY_USER;
    size_t count = as_root ? sizeof BY_ROOT / sizeof *BY_ROOT : sizeof BY_USER / sizeof *BY_USER;
    add(sandbox, "bwrap");
    for (size_t i = 0; i < count; i++)
        add(sandbox, who[i]);
    for (size_t i = 0; i < sizeof WALLS / sizeof *WALLS; i++)
        add(sandbox, WALLS[i]);
    add_memory_folder(sandbox, "/tmp");
    add_memory_folder(sandbox, "/dev/shm");
}
/* clang-format on */

void sandbox_open(struct sandbox *sandbox, enum sandbox_kind kind, const struct walls *limits)
{
    struct path walls = launcher();
    memset(sandbox, 0, sizeof *sandbox);
    sandbox->kind = kind;
    sandbox->walls = *limits;
    choose_user(sandbox);
    if (kind == SANDBOX_BUBBLEWRAP) {
        add_bubblewrap(sandbox);
        sandbox_show(sandbox, walls.text, LAUNCHER);
        return;
    }
    add(sandbox, copied(sandbox, walls.text));
    const char *temporary = getenv("TMPDIR");
    if (kind == SANDBOX_LANDLOCK && temporary && *temporary) {
        if (strncmp(path_base(temporary), "warpquest-", 10) == 0) /* our own folder: check/run.c */
            admit(sandbox, temporary, S_IXGRP);
        sandbox_set(sandbox, "TMPDIR", temporary);
    }
}

void sandbox_close(struct sandbox *sandbox)
{
    for (size_t i = 0; i < sandbox->text_count; i++)
        free(sandbox->texts[i]);
    memset(sandbox, 0, sizeof *sandbox);
}

/* --- What is seen ----------------------------------------------------------------------------- */

void sandbox_show(struct sandbox *sandbox, const char *path, const char *inside)
{
    add_bind(sandbox, "--ro-bind-try", path, inside);
    add_rule(sandbox, "read", path);
}

void sandbox_show_system(struct sandbox *sandbox)
{
    for (size_t i = 0; i < sizeof SYSTEM / sizeof *SYSTEM; i++)
        sandbox_show(sandbox, SYSTEM[i], NULL);
    sandbox->shows_system = true;
}

void sandbox_share(struct sandbox *sandbox, const char *path, const char *inside)
{
    if (sandbox->walls.user && chown(path, (uid_t)sandbox->walls.user, GROUP) != 0)
        sandbox->too_long = true;
    add_bind(sandbox, "--bind-try", path, inside);
    add_rule(sandbox, "change", path);
}

void sandbox_admit(struct sandbox *sandbox, const char *path)
{
    admit(sandbox, path, S_IRGRP | S_IWGRP);
}

/* Device nodes need --dev-bind: after a plain bind the kernel refuses to open them. The driver also
 * looks the GPU up in /sys. */
void sandbox_show_gpu(struct sandbox *sandbox)
{
    static const char *const NODES[] = {"/dev/nvidia*", "/dev/nvidia-caps", "/dev/dxg"};
    sandbox_show(sandbox, "/sys", NULL);
    for (size_t i = 0; i < sizeof NODES / sizeof *NODES; i++) {
        glob_t found;
        if (glob(NODES[i], 0, NULL, &found) == 0)
            for (size_t node = 0; node < found.gl_pathc; node++) {
                add_bind(sandbox, "--dev-bind-try", found.gl_pathv[node], NULL);
                add_rule(sandbox, "use", found.gl_pathv[node]);
            }
        globfree(&found);
    }
}

void sandbox_set(struct sandbox *sandbox, const char *name, const char *value)
{
    char *text = NULL;
    if (sandbox->kind == SANDBOX_BUBBLEWRAP) {
        add(sandbox, "--setenv");
        add(sandbox, copied(sandbox, name));
        add(sandbox, copied(sandbox, value));
    } else if (sandbox->variables == SANDBOX_MOST_VARIABLES ||
               asprintf(&text, "%s=%s", name, value) < 0) {
        sandbox->too_long = true;
    } else {
        sandbox->environment[sandbox->variables++] = kept(sandbox, text);
    }
}

void sandbox_enter(struct sandbox *sandbox, const char *folder)
{
    if (sandbox->kind == SANDBOX_BUBBLEWRAP) {
        static const char *const LAST[] = {"--remount-ro", "/", "--remount-ro", "/dev", "--chdir"};
        for (size_t i = 0; i < sizeof LAST / sizeof *LAST; i++)
            add(sandbox, LAST[i]);
        add(sandbox, copied(sandbox, folder));
        add(sandbox, "--");
        add(sandbox, LAUNCHER);
    }
    sandbox->walls.at_home = sandbox->kind == SANDBOX_LANDLOCK && strcmp(folder, "/tmp") == 0;
    add_numbers(sandbox);
    add(sandbox, "--");
}

void sandbox_word(struct sandbox *sandbox, const char *word)
{
    add(sandbox, copied(sandbox, word));
}

const char *sandbox_name(const struct sandbox *sandbox, const char *path, const char *inside)
{
    return sandbox->kind == SANDBOX_BUBBLEWRAP ? inside : path;
}

/* --- Which kind ------------------------------------------------------------------------------- */

static const char *const NAMES[] = {
    [SANDBOX_NONE] = "none", [SANDBOX_LANDLOCK] = "landlock", [SANDBOX_BUBBLEWRAP] = "bubblewrap"};

const char *sandbox_kind_name(enum sandbox_kind kind)
{
    return NAMES[kind];
}

enum sandbox_kind sandbox_kind_named(const char *name)
{
    for (int kind = SANDBOX_BUBBLEWRAP; kind > SANDBOX_NONE; kind--)
        if (name && strcmp(name, NAMES[kind]) == 0)
            return (enum sandbox_kind)kind;
    return SANDBOX_NONE;
}

/* The launcher itself runs inside, and says whether it is confined. */
static bool works(enum sandbox_kind kind)
{
    enum { DEADLINE_MS = 5000, MOST_OUTPUT = 4096, MOST_THREADS = 64, MOST_SECONDS = 2 };
    struct path walls = launcher();
    struct sandbox sandbox;
    struct process_result result;
    sandbox_open(&sandbox, kind,
                 &(struct walls){.threads = MOST_THREADS, .cpu_seconds = MOST_SECONDS});
    sandbox_show_system(&sandbox);
    sandbox_show(&sandbox, walls.text, LAUNCHER);
    sandbox_enter(&sandbox, "/");
    sandbox_word(&sandbox, sandbox_name(&sandbox, walls.text, LAUNCHER));
    sandbox_word(&sandbox, "--inside");
    struct process_job job = {.spec = {.argv = sandbox.argv, .environment = sandbox.environment},
                              .deadline_ms = DEADLINE_MS,
                              .most_output_bytes = MOST_OUTPUT};
    process_run(&job, &result);
    bool works = result.started && !result.timed_out && result.status == 0;
    process_result_free(&result);
    sandbox_close(&sandbox);
    return works;
}

enum sandbox_kind sandbox_find(void)
{
    const char *only = getenv("WARPQUEST_SANDBOX");
    for (int kind = SANDBOX_BUBBLEWRAP; kind > SANDBOX_NONE; kind--) {
        bool possible = kind == SANDBOX_BUBBLEWRAP || geteuid() == 0;
        bool wanted = !only || !*only || strcmp(only, NAMES[kind]) == 0;
        if (possible && wanted && works((enum sandbox_kind)kind))
            return (enum sandbox_kind)kind;
    }
    return SANDBOX_NONE;
}
