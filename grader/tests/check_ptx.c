/* check_ptx.c - every operation of the machine does what PTX says: the cases in grader/tests/ptx,
 * and that each row of the opcode table has one. gpu_ptx.c asks the same of a real device. */
#include "bench_machine.h"
#include "ptx_cases.h"
#include "tests/check_main.h"

#include <check.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_ROWS = 4096 };

static struct bench bench;
static glob_t paths;
static bool *covered; /* by row of the opcode table; shared with the processes tests run in */

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

/* --- Running a case --------------------------------------------------------------------------- */

struct run {
    struct cases_file file;
    struct cases_tally tally;
    FILE *report;
};

static void note_coverage(const struct cases_file *file)
{
    const struct sim_launch_result *result = sim_launch_result(bench.launch);
    for (size_t i = 0; result && i < result->op_count; i++)
        if (result->ops[i].lanes_on && cases_is_own_line(file, result->ops[i].line.file))
            covered[result->ops[i].row] = true;
}

/* Launch the kernel of a case. False, with error filled in, when the device refuses it. */
static bool launch(const struct ptx_case *one, struct sim_error *error)
{
    char name[32];
    cases_kernel_name(one, name, sizeof name);
    bench.config.checks = one->refusal ? SIM_CHECK_ALL : SIM_CHECK_MEMORY;
    cases_blocks(one, bench.config.grid);
    memcpy(bench.config.block, one->block, sizeof one->block);
    sim_launch_free(bench.launch);
    bench.launch = sim_launch_new(bench.context, sim_module_kernel(bench.module, name),
                                  &bench.config, bench.parameters, error);
    if (bench.launch)
        sim_launch_work(bench.launch, 0);
    return bench.launch != NULL;
}

/* The three parameters of a case's kernel; where its results will be. */
static void *make_buffers(const struct ptx_case *one)
{
    bench.parameter_count = 0;
    cases_fill_inputs(one, bench_buffer(&bench, cases_inputs_bytes(one)));
    void *results = bench_buffer(&bench, cases_results_bytes(one));
    cases_clear_results(one, results);
    memset(bench_buffer(&bench, cases_memory_bytes(one)), 0, cases_memory_bytes(one));
    return results;
}

static void run_case(struct run *run, const struct ptx_case *one)
{
    struct sim_error error;
    void *results = make_buffers(one);
    const struct sim_fault *fault = NULL;
    if (launch(one, &error)) {
        note_coverage(&run->file);
        fault = sim_launch_fault(bench.launch);
        if (!fault) {
            cases_compare(one, results, &run->tally, run->report);
            return;
        }
    }
    run->tally.wrong++;
    fprintf(run->report, "%s:%u: %s\n    failed: %s\n", one->file, one->line, one->program,
            fault ? fault->message : error.message);
}

/* --- Cases that must fail --------------------------------------------------------------------- */

/* Messages of the loader say where: "x.test:7: WHAT (PTX line 9, in case_7)" or "PTX line 9: WHAT".
 * What is said in between is what a case expects. */
static void drop_place(char *message)
{
    unsigned line;
    int used = 0;
    char *tail = strstr(message, " (PTX line ");
    if (tail)
        *tail = 0;
    if (sscanf(message, "%*[^: ]:%u: %n", &line, &used) < 1 || !used)
        sscanf(message, "PTX line %u: %n", &line, &used);
    memmove(message, message + used, strlen(message + used) + 1);
}

/* What the device says when it is given the case; "" when it does not mind. */
static void refusal_of(struct run *run, const struct ptx_case *one, const char *text, char *said,
                       size_t size)
{
    struct sim_error error = {.message = ""};
    make_buffers(one);
    bench.module = sim_module_load(bench.context, text, strlen(text), &error);
    const struct sim_fault *fault = NULL;
    if (bench.module && launch(one, &error)) {
        note_coverage(&run->file);
        fault = sim_launch_fault(bench.launch);
    }
    if (fault)
        snprintf(said, size, "%s: %s", sim_fault_title(fault->kind), fault->message);
    else
        snprintf(said, size, "%s", error.message);
    if (!fault)
        drop_place(said);
}

static bool is_this(const struct ptx_case *one, const void *this)
{
    return one == this;
}

static void run_refusal(struct run *run, const struct ptx_case *one)
{
    char said[500];
    char *text = cases_module(&run->file, "sm_90a", is_this, one);
    ck_assert_ptr_nonnull(text);
    refusal_of(run, one, text, said, sizeof said);
    free(text);
    run->tally.cases++;
    if (strcmp(said, one->refusal) == 0)
        return;
    run->tally.wrong++;
    fprintf(run->report, "%s:%u: %s\n    said     '%s'\n    expected '%s'\n", one->file, one->line,
            one->program, said, one->refusal);
}

/* --- Tests ------------------------------------------------------------------------------------ */

static bool must_run(const struct ptx_case *one, const void *unused)
{
    (void)unused;
    return !one->refusal;
}

static void run_file(struct run *run, const char *path)
{
    char error[400];
    if (!cases_read(path, &run->file, error, sizeof error))
        ck_abort_msg("%s", error);
    char *text = cases_module(&run->file, "sm_90a", must_run, NULL);
    ck_assert_ptr_nonnull(text);
    bench_load(&bench, text);
    free(text);
    for (size_t i = 0; i < run->file.count; i++)
        if (!run->file.cases[i].refusal)
            run_case(run, &run->file.cases[i]);
    for (size_t i = 0; i < run->file.count; i++)
        if (run->file.cases[i].refusal)
            run_refusal(run, &run->file.cases[i]);
}

START_TEST(every_case_of_a_file_does_what_ptx_says)
{
    char *report;
    size_t size;
    struct run run = {.report = open_memstream(&report, &size)};
    run_file(&run, paths.gl_pathv[_i]);
    fclose(run.report);
    printf("%-20s %4u cases, %u wrong, %u open (%u unlike the guess)\n", run.file.name,
           run.tally.cases, run.tally.wrong, run.tally.open, run.tally.unlike);
    printf("%s", report);
    fflush(stdout);
    free(report);
    ck_assert_msg(run.tally.wrong == 0, "%u results of %s are wrong", run.tally.wrong,
                  run.file.name);
    cases_free(&run.file);
}
END_TEST

START_TEST(every_row_of_the_opcode_table_has_a_case)
{
    struct sim_opcode_row row;
    unsigned missing = 0;
    for (size_t i = 0; sim_opcode_row(i, &row); i++) {
        ck_assert_uint_lt(i, MOST_ROWS);
        if (!covered[i]) {
            printf("no case runs %s with types '%s' and operands '%s'\n", row.mnemonic, row.types,
                   row.operands);
            missing++;
        }
    }
    fflush(stdout);
    ck_assert_msg(missing == 0, "%u rows of the opcode table have no case in ptx/*.test", missing);
}
END_TEST

int main(void)
{
    covered = mmap(NULL, MOST_ROWS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (covered == MAP_FAILED || glob("grader/tests/ptx/*.test", 0, NULL, &paths)) {
        fprintf(stderr, "no grader/tests/ptx/*.test: run this from the top of the tree\n");
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create("ptx");
    TCase *tcase = tcase_create("cases");
    tcase_add_checked_fixture(tcase, open_bench, close_bench);
    tcase_add_loop_test(tcase, every_case_of_a_file_does_what_ptx_says, 0, (int)paths.gl_pathc);
    tcase_add_test(tcase, every_row_of_the_opcode_table_has_a_case);
    suite_add_tcase(suite, tcase);
    int status = run_suite(suite);
    globfree(&paths);
    return status;
}
