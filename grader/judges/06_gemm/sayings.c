/* sayings.c - what lesson 6 has to say of answers that a kernel's lesson does not have: files that
 * are kept, and products that a library computes. */
#include "check/judge_seen.h"
#include "judges/06_gemm/parts.h"
#include "judges/06_gemm/problem.h"

#include <math.h>
#include <string.h>

static bool says(const struct judge_evidence *e, const char *words)
{
    return e->verdict == VERDICT_WRONG && e->said && strstr(e->said, words);
}

static bool says_save_failed(const struct judge_evidence *e)
{
    return says(e, "the old file is no longer whole") || says(e, "took the other's file away") ||
           says(e, "lost its old one") || says(e, "and did not report it");
}

static bool says_believed(const struct judge_evidence *e)
{
    return says(e, "lesson6_load accepted a file") ||
           says(e, "lesson6_load accepted an empty file");
}

static bool says_learned(const struct judge_evidence *e)
{
    return says(e, "and learned from it") || says(e, "and the context has changed");
}

static bool says_refused(const struct judge_evidence *e)
{
    return says(e, "lesson6_load refused a file") || says(e, "cannot be loaded");
}

static bool says_unsaved(const struct judge_evidence *e)
{
    return says(e, "does not save them");
}

static bool says_left(const struct judge_evidence *e)
{
    return says(e, "is left");
}

/* By more than another rounding. */
static bool is_product_wrong(const struct judge_evidence *e)
{
    return says(e, " wrong, first ") && !(fabs(e->got - e->want) <= 0x1p-6 * fabs(e->want));
}

static bool is_product_close(const struct judge_evidence *e)
{
    return says(e, " wrong, first ") && !is_product_wrong(e);
}

static bool is_no_file(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_LAUNCH_ERROR && e->error == GEMM_NO_FILE;
}

/* Of a library that computes, no launch of one's own is refused. */
static bool is_turned_down(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_LAUNCH_ERROR && !is_no_file(e);
}

static bool leaves_workspace(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_OUT_OF_BOUNDS && e->said && strstr(e->said, ": the workspace: ");
}

static bool has_more_kernels(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_SLOW && e->refused == JUDGE_LAUNCHES;
}

/* clang-format off */
static const struct judge_saying SAYINGS[] = {
    {1, says_save_failed,
     "A save may end after any byte, or not begin at all. At each of its steps, which file has the "
     "given name, is that file whole, and is a failed step reported?"},
    {2, says_save_failed,
     "Usually the file is opened for writing under its own name (the old one is gone at once), or "
     "a new file replaces it before the new one is complete, or the return value of a write or of "
     "fclose() is ignored. If your fopen() for writing gets the name as it was given, it is the "
     "first."},
    {1, says_believed,
     "What in a file tells your load that it is whole, and from this library and device, and is "
     "that checked before anything else is used?"},
    {2, says_believed,
     "Each kind of damage needs its own test: a flipped bit needs a checksum over all bytes, a "
     "file that is too short or too long needs a test of its length, and a file from elsewhere "
     "needs a test of the contract's stamp. Usually the test for the kind that is named is "
     "missing, or does not cover all bytes."},
    {1, says_learned,
     "After a refused load, the context must be as it was before. What does your load change "
     "before it knows that the whole file is good?"},
    {2, says_learned,
     "Usually plans go into the context while the file is still being read, or the context's plans "
     "are dropped before that. Mark the line where your load is sure of the file: every change of "
     "the context above that line is a cause."},
    {3, says_learned,
     "Read the file into a separate table, test all of it, and let it take effect in one step at "
     "the end; on each path out before that, free the table and leave the context alone."},
    {1, says_refused,
     "What does your load compare, and which of these values may differ in a good file?"},
    {2, says_refused,
     "Usually your load compares bytes that were never set (padding in a struct), or the end of a "
     "longer old file is left after the new one, or it compares something that may differ between "
     "two processes, such as a pointer or the size of a workspace."},
    {1, says_unsaved,
     "Which plans does your save write: all that the context has, or those that calls have used?"},
    {2, says_unsaved,
     "Usually save goes through what calls have made or used, or load keeps its plans somewhere "
     "that save does not look. See whether a plan that was loaded passes through the same place "
     "as one that was made."},
    {3, says_unsaved,
     "Keep one table, to which both calls and loads add, and let save write every entry of it, "
     "used or not."},
    {1, says_left,
     "Which objects does your code make, in lesson6_create() or in a call, and which line frees "
     "each of them?"},
    {2, says_left,
     "Usually destroy does not go through all plans, or a plan was replaced and not freed, or a "
     "call returned on an error before it kept what it had made."},
    {1, is_product_wrong,
     "The library computes the product. Which description and which algorithm did this call give "
     "it, and for which problem were they made?"},
    {2, is_product_wrong,
     "Usually the call found another problem's plan (the key lacks something, or two values share "
     "bits), or the plan keeps what belongs to one call, such as the bias pointer or an alignment, "
     "or its description is wrong. In a fresh context only the last of these still gives a wrong "
     "result."},
    {3, is_product_wrong,
     "Make the same call in a fresh context. If it is wrong there too, print all that the library "
     "is told about the product. If it is right there, print the key that is looked up and the one "
     "that is found: if they differ, a comparison is missing; if they are the same, the key lacks "
     "something in which the two calls differ."},
    {3, is_product_close,
     "Print what the library is told about this product: the type of its sums, the types of its "
     "matrices, the alignment that it may assume, the epilogue. A kernel of your own after it "
     "starts from the rounded values that the library stored."},
    {1, is_no_file,
     "After lesson6_save had returned cudaSuccess, the case found no file at the path that it had "
     "given. In which case does your save return before it writes?"},
    {2, is_no_file,
     "Usually a save is left out because nothing is new since the last save or load. But it is the "
     "file that counts: this path may be another one, or the file may have been removed."},
    {1, is_turned_down,
     "Which line returned that error: one that passes on the library's error (then for which "
     "description, algorithm, pointers and workspace?), or one of your own checks?"},
    {2, is_turned_down,
     "Usually the library refused a product (its algorithm needs more workspace than is given, or "
     "a larger alignment, or belongs to another description), or a line of yours refuses what it "
     "should accept, or something before it failed. Print each call's status with its arguments: "
     "the first status that is not 0 says which."},
    {1, leaves_workspace,
     "The library was given more bytes of workspace than the context has. Which line says how many "
     "bytes that call may use, and where does that number come from?"},
    {2, leaves_workspace,
     "Usually a plan from a file, or from another context, is used with the workspace size that it "
     "was made for, or the pointer was advanced and the number of bytes was not reduced. Compare "
     "the bytes that the call passes with those that lesson6_create was given."},
    {3, leaves_workspace,
     "Keep with each plan how many bytes it needs (lt_check says so), compare that with what the "
     "context has before each use, and ask the library again if the plan needs more."},
    {1, has_more_kernels,
     "The calls that are counted launch {value} kernels. Which of these computes no product, or "
     "only a part of one, and which line launched it?"},
    {3, has_more_kernels,
     "Let each call compute its whole product in one lt_run(): all of m, n and k, with bias and "
     "activation in the epilogue. A copy before it, if there is one, must save more time than its "
     "launch takes."},
};
/* clang-format on */

const struct judge_sayings GEMM_SAYINGS = JUDGE_ROWS(SAYINGS);
