/* sandbox.c - puts together the bubblewrap command line, word by word.
 *
 * Without walls the same calls only collect the program's own words and its environment, so those
 * who start something need not care.
 */
#include "runner/sandbox.h"

#include "check/process.h"

#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* What every dynamically linked program of a distribution needs to start. /lib and /bin are links
 * into /usr on most; --ro-bind-try follows them. */
static const char *const SYSTEM[] = {"/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin",
                                     "/etc/ld.so.cache", "/etc/alternatives", "/nix/store"};

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

static void add_wall(struct sandbox *sandbox, const char *option, const char *from,
                     const char *inside)
{
    if (!sandbox->walled)
        return;
    add(sandbox, option);
    add(sandbox, copied(sandbox, from));
    add(sandbox, copied(sandbox, inside ? inside : from));
}

void sandbox_open(struct sandbox *sandbox, bool walled)
{
    static const char *const WALLS[] = {
        "bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc",
        "--unshare-uts", "--unshare-cgroup-try", "--uid", "65534", "--gid", "65534",
        "--die-with-parent", "--new-session", "--clearenv", "--proc", "/proc", "--dev", "/dev",
        "--tmpfs", "/tmp"};
    memset(sandbox, 0, sizeof *sandbox);
    sandbox->walled = walled;
    if (!walled)
        return;
    for (size_t i = 0; i < sizeof WALLS / sizeof *WALLS; i++)
        add(sandbox, WALLS[i]);
    for (size_t i = 0; i < sizeof SYSTEM / sizeof *SYSTEM; i++)
        sandbox_show(sandbox, SYSTEM[i], NULL);
}

void sandbox_close(struct sandbox *sandbox)
{
    for (size_t i = 0; i < sandbox->text_count; i++)
        free(sandbox->texts[i]);
    memset(sandbox, 0, sizeof *sandbox);
}

/* Something in /usr is there already, links in it included. */
static bool is_in_system(const char *path)
{
    return strncmp(path, "/usr/", 5) == 0;
}

void sandbox_show(struct sandbox *sandbox, const char *path, const char *inside)
{
    if (inside || !is_in_system(path))
        add_wall(sandbox, "--ro-bind-try", path, inside);
}

void sandbox_share(struct sandbox *sandbox, const char *path, const char *inside)
{
    add_wall(sandbox, "--bind-try", path, inside);
}

/* Device nodes need --dev-bind: behind a plain bind the kernel refuses to open them. The driver
 * also looks the GPU up in /sys. */
void sandbox_show_gpu(struct sandbox *sandbox)
{
    static const char *const NODES[] = {"/dev/nvidia*", "/dev/nvidia-caps", "/dev/dxg"};
    if (!sandbox->walled)
        return;
    sandbox_show(sandbox, "/sys", NULL);
    for (size_t i = 0; i < sizeof NODES / sizeof *NODES; i++) {
        glob_t found;
        if (glob(NODES[i], 0, NULL, &found) == 0)
            for (size_t node = 0; node < found.gl_pathc; node++)
                add_wall(sandbox, "--dev-bind-try", found.gl_pathv[node], NULL);
        globfree(&found);
    }
}

void sandbox_set(struct sandbox *sandbox, const char *name, const char *value)
{
    if (sandbox->walled) {
        add_wall(sandbox, "--setenv", name, value);
        return;
    }
    char *text = NULL;
    if (sandbox->variables == SANDBOX_MOST_VARIABLES || asprintf(&text, "%s=%s", name, value) < 0)
        sandbox->too_long = true;
    else
        sandbox->environment[sandbox->variables++] = kept(sandbox, text);
}

void sandbox_enter(struct sandbox *sandbox, const char *folder)
{
    if (sandbox->walled) {
        add(sandbox, "--remount-ro"); /* the root itself, now that all is in place */
        add(sandbox, "/");
        add(sandbox, "--chdir");
        add(sandbox, copied(sandbox, folder));
        add(sandbox, "--");
    }
}

void sandbox_word(struct sandbox *sandbox, const char *word)
{
    add(sandbox, copied(sandbox, word));
}

const char *sandbox_name(const struct sandbox *sandbox, const char *path, const char *inside)
{
    return sandbox->walled ? inside : path;
}

bool sandbox_works(void)
{
    enum { DEADLINE_MS = 5000, MOST_OUTPUT = 4096 };
    struct sandbox sandbox;
    struct process_result result;
    sandbox_open(&sandbox, true);
    sandbox_enter(&sandbox, "/");
    sandbox_word(&sandbox, "true");
    struct process_job job = {.spec = {.argv = sandbox.argv},
                              .deadline_ms = DEADLINE_MS,
                              .most_output_bytes = MOST_OUTPUT};
    process_run(&job, &result);
    bool works = result.started && !result.timed_out && result.status == 0;
    process_result_free(&result);
    sandbox_close(&sandbox);
    return works;
}
