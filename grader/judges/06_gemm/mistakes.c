/* mistakes.c - lesson 6: how a mistake is recognised, and what to say of it. */
#include "check/judge_seen.h"
#include "judges/06_gemm/parts.h"
#include "judges/06_gemm/problem.h"

#include <math.h>
#include <string.h>

/* A context asks once for each kind of the mix: NEW_CALL + 1 calls, an odd one and a long one, in
 * both types. */
enum { KINDS_OF_MIX = 2 * (NEW_CALL + 1) + 2 };

/* What the first case does, and those after it: ONE_CALL. */
static bool failed(const struct judge_evidence *e, enum verdict verdict, enum script script)
{
    return judge_failed(e, verdict) &&
           (e->where->script == NEW_CONTEXT ? ONE_CALL : e->where->script) == script;
}

/* A wrong result of a single call. */
static bool wrong(const struct judge_evidence *e)
{
    return failed(e, VERDICT_WRONG, ONE_CALL);
}

/* Turned down by the library, in a single call, through lt_error(). */
static bool turned_down(const struct judge_evidence *e)
{
    return failed(e, VERDICT_LAUNCH_ERROR, ONE_CALL) &&
           (e->error == cudaErrorInvalidValue || e->error == cudaErrorNotSupported);
}

/* In the process that was to know what another one had saved. */
static bool failed_after_loading(const struct judge_evidence *e, enum verdict verdict)
{
    return (failed(e, verdict, RELOADED) || failed(e, verdict, RELOADED_CAPTURED)) &&
           e->process == 1;
}

static bool is_square(const struct judge_evidence *e)
{
    return e->where->size[M] == 64 && e->where->size[N] == 64 && e->where->size[K] == 64;
}

static bool is_plain(const struct judge_evidence *e)
{
    const int64_t *size = e->where->size;
    return !size[BIAS_AND_SUCH] && size[ACTIVATION] == QUEST_ACT_NONE;
}

/* Not a result: one of the few words that a script answers beside it. */
static bool is_answer(const struct judge_evidence *e)
{
    return e->total != (uint64_t)(e->where->size[M] * e->where->size[N]);
}

/* A few elements, each by little: a share that no other epilogue would leave right. */
static bool is_rounding(const struct judge_evidence *e)
{
    return e->wrong * 4 < e->total && fabs(e->got - e->want) < 0x1p-5 * (1 + fabs(e->want));
}

/* No other problem's result. */
static bool is_close(const struct judge_evidence *e)
{
    return fabs(e->got - e->want) < 0x1p-6 * (1 + fabs(e->want));
}

/* What the library may split; sums of other kinds were right in cases before. */
static bool is_long_sum(const struct judge_evidence *e)
{
    return e->where->size[K] >= 512;
}

/* What spoiled the capture reported no error itself. */
JUDGE_SEEN(handle_each_call, judge_slow(e, JUDGE_HANDLES, 2, INFINITY) ||
                                 (failed(e, VERDICT_LAUNCH_ERROR, CAPTURED) &&
                                  e->error == cudaErrorStreamCaptureInvalidated))
JUDGE_SEEN(handle_of_first_call,
           e->verdict == VERDICT_SLOW && e->refused == JUDGE_HANDLES && e->broken_in_small)
JUDGE_SEEN(check_each_call, judge_slow(e, JUDGE_QUERIES, 2, INFINITY) &&
                                e->counter[JUDGE_REPEATED_CHECKS] >= 1 &&
                                e->counter[JUDGE_QUERIES] - e->counter[JUDGE_REPEATED_CHECKS] <= 1)
/* More often than calls could, about kinds that no call asks for. */
JUDGE_SEEN(asks_when_loading, judge_slow(e, JUDGE_QUERIES, OTHER_KINDS, INFINITY))
JUDGE_SEEN(query_each_call, judge_slow(e, JUDGE_QUERIES, CALLS_COUNTED, INFINITY))
JUDGE_SEEN(addresses_in_the_key, judge_slow(e, JUDGE_QUERIES, KINDS_OF_MIX + 1, CALLS_COUNTED - 1))
JUDGE_SEEN(forgets_the_oldest,
           failed(e, VERDICT_WRONG, CROWD) && is_answer(e) && e->first_wrong == CROWD_KEPT)
/* A part at the edge is a kind of problem of its own, about which the library is rightly asked. */
static bool is_in_parts(const struct judge_evidence *e)
{
    return judge_slow(e, JUDGE_QUERIES, 2, 2) &&
           e->counter[JUDGE_LAUNCHES] > CALLS_COUNTED + ODD_COPIES;
}

JUDGE_SEEN(forgets_when_loading,
           (judge_slow(e, JUDGE_QUERIES, 2, 2) && !is_in_parts(e)) ||
               (failed(e, VERDICT_WRONG, FULL) && e->first_wrong == FULL_BESIDE))
JUDGE_SEEN(promises_too_much,
           (failed(e, VERDICT_LAUNCH_ERROR, IN_ROOM) || failed(e, VERDICT_OUT_OF_BOUNDS, IN_ROOM) ||
            failed(e, VERDICT_LAUNCH_ERROR, TWO_ROOMS) ||
            failed(e, VERDICT_OUT_OF_BOUNDS, TWO_ROOMS)))
JUDGE_SEEN(key_without_room, failed(e, VERDICT_LAUNCH_ERROR, LESS_ROOM) ||
                                 failed(e, VERDICT_OUT_OF_BOUNDS, LESS_ROOM))
/* What a library may refuse by itself; flags and activations it never sees. */
JUDGE_SEEN(left_to_the_library,
           e->verdict == VERDICT_ARGUMENTS && e->where && e->where->refused_with &&
               e->error == cudaErrorNotSupported &&
               (e->where->script == NO_A || e->where->script == NO_B || e->where->script == NO_Y ||
                e->where->size[M] < 1 || e->where->size[N] < 1 || e->where->size[K] < 1))
JUDGE_SEEN(not_refused, e->verdict == VERDICT_ARGUMENTS && e->where && e->where->refused_with)
JUDGE_SEEN(another_error, failed(e, VERDICT_WRONG, INTERRUPTED) && e->first_wrong == SAVE_ERROR)
JUDGE_SEEN(written_over_the_old,
           failed(e, VERDICT_WRONG, INTERRUPTED) && e->first_wrong == OLD_LEFT_ALONE)
JUDGE_SEEN(written_in_place, failed(e, VERDICT_WRONG, INTERRUPTED) && e->first_wrong < KEPT_APART)
JUDGE_SEEN(stamp_not_as_said, failed(e, VERDICT_WRONG, INTERRUPTED) && e->first_wrong == STAMPED)
JUDGE_SEEN(file_not_opened,
           failed(e, VERDICT_CRASH, INTERRUPTED) ||
               (failed(e, VERDICT_WRONG, INTERRUPTED) && e->first_wrong == OUT_OF_FILES))
JUDGE_SEEN(last_elements_left,
           failed(e, VERDICT_WRONG, CAPTURED) && e->where->offset_bytes[Y] > 0 && e->wrong <= 8)
JUDGE_SEEN(room_in_32_bits,
           failed(e, VERDICT_SLOW, WIDE_ROOM) && e->refused == JUDGE_QUERIES && e->broken_in_small)
JUDGE_SEEN(saved_without_a_name,
           failed(e, VERDICT_WRONG, INTERRUPTED) && e->first_wrong == NAMELESS)
JUDGE_SEEN(bound_of_the_table, failed(e, VERDICT_WRONG, FULL) || failed(e, VERDICT_CRASH, FULL))
JUDGE_SEEN(loaded_plans_lost,
           failed(e, VERDICT_WRONG, INTERRUPTED) && e->first_wrong == LOADED_KEPT)
JUDGE_SEEN(shared_temporary_name,
           failed(e, VERDICT_WRONG, INTERRUPTED) && e->first_wrong == KEPT_APART)
/* What arrives is what lay in the workspace. */
JUDGE_SEEN(padding_left_stale,
           (failed(e, VERDICT_WRONG, AFTER_NAN) || failed(e, VERDICT_WRONG, IN_ROOM)) &&
               isnan(e->got))
JUDGE_SEEN(key_cut_short,
           failed(e, VERDICT_LAUNCH_ERROR, NEVER_RUN) || failed(e, VERDICT_WRONG, LONG_SIDES) ||
               (((wrong(e) && !is_close(e)) || failed(e, VERDICT_OUT_OF_BOUNDS, ONE_CALL)) &&
                4 * e->wrong > e->total &&
                (e->where->size[M] > UINT16_MAX || e->where->size[N] > UINT16_MAX ||
                 e->where->size[K] > UINT16_MAX)))
JUDGE_SEEN(refused_file_is_learnt, failed(e, VERDICT_WRONG, SPOILT) && e->first_wrong >= FILES)
/* Shapes that share a sum, or all but k, follow each other. */
JUDGE_SEEN(key_without_shape,
           failed(e, VERDICT_WRONG, CROWD) ||
               ((wrong(e) || failed(e, VERDICT_OUT_OF_BOUNDS, ONE_CALL)) && is_plain(e) &&
                !is_square(e) && e->where->size[TYPE] == LESSON6_F16 && e->where->size[M] >= 64 &&
                e->where->size[M] <= 72))
JUDGE_SEEN(plans_not_in_the_file,
           judge_slow(e, JUDGE_QUERIES, 2, CALLS_COUNTED - 1) &&
               e->counter[JUDGE_HANDED_BYTES] <= sizeof(struct lesson6_stamp))
JUDGE_SEEN(plans_not_loaded, judge_slow(e, JUDGE_QUERIES, 2, CALLS_COUNTED - 1) && !is_in_parts(e))
JUDGE_SEEN(workspace_each_call, judge_slow(e, JUDGE_ALLOCATIONS, 1, INFINITY))
JUDGE_SEEN(waits_each_call, judge_slow(e, JUDGE_SYNCHRONISATIONS, 1, INFINITY))
JUDGE_SEEN(more_than_the_product,
           judge_slow(e, JUDGE_LAUNCHES, CALLS_COUNTED + ODD_COPIES + 1, INFINITY) ||
               is_in_parts(e))
JUDGE_SEEN(one_algorithm_for_all_rows, judge_late(e))
/* The first case is served, so a single plan fits. */
JUDGE_SEEN(table_full, e->verdict == VERDICT_LAUNCH_ERROR &&
                           e->error == cudaErrorMemoryAllocation && e->where &&
                           e->where->script != NEW_CONTEXT)
/* Long sums are what the library splits, and their parts lie in the workspace. */
JUDGE_SEEN(no_workspace_given,
           turned_down(e) && e->where->size[K] >= 512 && e->where->size[M] <= 16)
JUDGE_SEEN(key_without_alignment, e->verdict == VERDICT_LAUNCH_ERROR && e->where &&
                                      (is_square(e) || e->where->after) &&
                                      (e->where->offset_bytes[A] || e->where->offset_bytes[B] ||
                                       e->where->offset_bytes[Y] || e->where->offset_bytes[BIAS]))
JUDGE_SEEN(measures_in_capture, failed(e, VERDICT_LAUNCH_ERROR, CAPTURED))
/* Run again, a case finds its bias elsewhere; a square has no side to mistake for another. */
static bool is_of_other_bias(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_OUT_OF_BOUNDS && e->said && strstr(e->said, "the other bias");
}
JUDGE_SEEN(bias_in_the_plan, failed(e, VERDICT_WRONG, OTHER_BIAS) || is_of_other_bias(e) ||
                                 (failed(e, VERDICT_OUT_OF_BOUNDS, ONE_CALL) && is_square(e) &&
                                  e->where->size[BIAS_AND_SUCH]))
JUDGE_SEEN(good_file_refused, failed_after_loading(e, VERDICT_LAUNCH_ERROR) ||
                                  (failed(e, VERDICT_WRONG, SPOILT) && e->first_wrong == GOOD))
JUDGE_SEEN(file_with_more_room_refused,
           failed(e, VERDICT_WRONG, LESS_ROOM) && is_answer(e) && e->first_wrong == TAKEN)
JUDGE_SEEN(not_destroyed,
           is_answer(e) &&
               (((failed(e, VERDICT_WRONG, LESS_ROOM) || failed(e, VERDICT_WRONG, LIBRARY_FAILS)) &&
                 e->first_wrong == FREED) ||
                (failed(e, VERDICT_WRONG, CROWD) && e->first_wrong == CROWD_FREED)))
JUDGE_SEEN(library_error_ignored, failed(e, VERDICT_WRONG, LIBRARY_FAILS) ||
                                      failed(e, VERDICT_CRASH, LIBRARY_FAILS) ||
                                      failed(e, VERDICT_LAUNCH_ERROR, LIBRARY_FAILS))
JUDGE_SEEN(first_call_not_captured,
           failed_after_loading(e, VERDICT_LAUNCH_ERROR) && e->where->script == RELOADED_CAPTURED)
JUDGE_SEEN(pointers_in_the_file,
           failed_after_loading(e, VERDICT_CRASH) || failed(e, VERDICT_CRASH, LONG_SIDES))
JUDGE_SEEN(damaged_file_believed,
           failed(e, VERDICT_WRONG, SPOILT) && e->first_wrong < OTHER_VERSION)
JUDGE_SEEN(stale_file_believed, failed(e, VERDICT_WRONG, SPOILT) && e->first_wrong < FILES)
JUDGE_SEEN(key_without_transpose, wrong(e) && is_square(e) && e->where->size[TRANSPOSE])
JUDGE_SEEN(key_without_type, (wrong(e) || turned_down(e)) && is_square(e) && is_plain(e) &&
                                 e->where->size[TYPE] == LESSON6_BF16)
JUDGE_SEEN(says_unaligned,
           wrong(e) && is_square(e) && e->where->size[BIAS_AND_SUCH] && is_rounding(e))
JUDGE_SEEN(key_without_epilogue, wrong(e) && is_square(e) && !is_plain(e))
JUDGE_SEEN(parts_in_16_bits, wrong(e) && is_plain(e) && is_long_sum(e) && is_close(e))
JUDGE_SEEN(sums_in_half, wrong(e) && is_plain(e) && e->where->size[TYPE] == LESSON6_F16 &&
                             fabs(e->got - e->want) < 0x1p-8 * (1 + fabs(e->want)))
/* The first case that is not square has 17 rows. */
JUDGE_SEEN(rows_for_columns,
           (failed(e, VERDICT_OUT_OF_BOUNDS, ONE_CALL) && e->where->size[M] == 17) ||
               (wrong(e) && is_square(e) && is_plain(e)))
JUDGE_SEEN(key_without_sizes, failed(e, VERDICT_OUT_OF_BOUNDS, ONE_CALL) && e->where->size[M] != 17)
/* Nothing of ours is refused there. */
JUDGE_SEEN(saved_no_file, e->verdict == VERDICT_LAUNCH_ERROR && e->error == GEMM_NO_FILE)
JUDGE_SEEN(an_error_of_its_own, e->verdict == VERDICT_LAUNCH_ERROR)
JUDGE_SEEN(rounded_twice, wrong(e) && !is_plain(e) && is_rounding(e))

/* The first match counts: special mistakes come before more general ones. */
static const struct judge_mistake MISTAKES[] = {
    /* On a GPU the library splits sums of drawn cases as well. */
    {"parts_in_16_bits", parts_in_16_bits,
     "A long sum is off by more than one rounding, and shorter sums were right, as when the sum is "
     "split and its parts are rounded to 16 bits before they are added. Let the library reduce in "
     "the compute type only: CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, as in lt_candidates()."},
    JUDGE_RIGHT_FOR_THE_LIST,
    {"handle_each_call", handle_each_call,
     "A handle belongs to the context: making one takes 14 ms. If a capture failed, the call did "
     "something that invalidates a capture and reports no error itself: it made a handle, "
     "allocated memory, or waited. See which of the three your call does, and do it before the "
     "call, or not at all."},
    {"handle_of_first_call", handle_of_first_call,
     "The handle is made by the first call that needs it. A context that has loaded its plans "
     "knows the kind of problem, and a call of a known kind must not make a handle: making one "
     "takes 14 ms. Make it in lesson6_create."},
    {"check_each_call", check_each_call,
     "The library is asked more than once whether the same algorithm fits the same description, as "
     "when each call asks, or when several kinds of problem are computed in equal parts. The "
     "answer depends on nothing that changes from call to call: check a plan from a file once for "
     "each kind of part, then keep or drop it."},
    {"asks_when_loading", asks_when_loading,
     "The library is asked about more kinds of problems than the calls have, as when lesson6_load "
     "asks about each kind in the file. A cublasLtMatmulAlgo_t is plain data: save it, and check "
     "at most once whether it fits."},
    {"query_each_call", query_each_call,
     "The library is asked at least as often as there are calls, and most of the answers were "
     "given before. Keep the algorithm, and find it again by its key."},
    {"forgets_the_oldest", forgets_the_oldest,
     "The library is asked again about a kind of problem that was planned before thousands of "
     "others, as when a table has a fixed size, so that a new plan evicts an old one, or is used "
     "and not kept. A context must keep every plan that it has made, so let the table grow."},
    {"addresses_in_the_key", addresses_in_the_key,
     "The library is asked more often than there are kinds of problems. Usually the same shape at "
     "another address counts as new (a pointer's alignment belongs to the key, its address does "
     "not), or the context forgets plans after it has met many kinds."},
    {"forgets_when_loading", forgets_when_loading,
     "The library is asked once more than necessary. Usually a problem was known before the file "
     "was loaded, and is not known afterwards (a file's plans are added, and replace nothing), or "
     "one plan of the file is left out, such as the first or the last. Count the plans before and "
     "after lesson6_load."},
    {"promises_too_much", promises_too_much,
     "A product failed in a context with little or no workspace. Promise the library no more than "
     "lesson6_create was given; an algorithm that another context has found may need more than "
     "this one has. Or lesson6_create refused a pointer with 0 bytes, which is allowed."},
    {"key_without_room", key_without_room,
     "A product failed in a context without workspace that had loaded a file from a context with "
     "32 MiB. A plan may need more workspace than the context that loads it has: keep with each "
     "plan how much it needs (lt_check says so), and ask the library again where that is more than "
     "there is."},
    {"left_to_the_library", left_to_the_library,
     "The library was left to refuse what the contract refuses, and its error was passed on, which "
     "need not be cudaErrorInvalidValue. Check pointers, sides and flags before you ask the "
     "library: lt_is_askable() does that."},
    {"not_refused", not_refused,
     "The contract asks for an error here, and says which one. It lists a missing pointer, save_z, "
     "an activation that the library does not fuse, a side below 1, and a bias that contradicts "
     "its flag; a path that cannot be written gives cudaErrorUnknown."},
    {"another_error", another_error,
     "A save that fails returns cudaErrorUnknown. cudaErrorInvalidValue is for a missing pointer: "
     "keep the two apart, so that the caller knows which of them it was."},
    {"written_over_the_old", written_over_the_old,
     "A save must not write into the old file. A process may be killed between any two writes, "
     "whatever it checked before them, and then the file is neither the old one nor the new one. "
     "Write a file with another name in the same folder, then rename() it, which is atomic: "
     "plan_file_write() does that."},
    {"written_in_place", written_in_place,
     "A save was cut off after some bytes, as by a full disk or the end of the process. It must "
     "return cudaErrorUnknown (fclose() reports the failure), and the file must still be the old "
     "one: write a new file next to it, then rename() that. plan_file_write() does so."},
    {"stamp_not_as_said", stamp_not_as_said,
     "The file does not begin with the stamp that the contract describes: magic, version, the "
     "device's name with zeros to the end of its 256 bytes, bytes, checksum. Set the struct to "
     "zeros before you fill it; plan_file_write() does that."},
    {"file_not_opened", file_not_opened,
     "A process that had no file descriptor left could open no file, and its save went on all the "
     "same. Check what open, mkstemp and fopen return, and return cudaErrorUnknown."},
    {"shared_temporary_name", shared_temporary_name,
     "Two processes that saved to one path at the same time disturbed each other, as when both "
     "write to the same temporary name, such as PATH.tmp. Give each its own temporary file: "
     "mkstemp() makes one. plan_file_write() does that."},
    {"saved_without_a_name", saved_without_a_name,
     "The stamp needs the device's name, and a process that could not find it out saved a file "
     "that no load accepts, or returned the runtime's error. Check what cudaGetDevice and "
     "cudaGetDeviceProperties return, and return cudaErrorUnknown before you touch the file."},
    {"bound_of_the_table", bound_of_the_table,
     "A context met as many kinds of problem as it can hold, and then went wrong: a call reported "
     "success and did nothing, or kept no plan, or saving or loading is off by one. If a table has "
     "a limit, test it at the limit: in gemm, in save and in load."},
    {"loaded_plans_lost", loaded_plans_lost,
     "A context loaded a file, used none of its plans, and saved fewer plans than it had loaded. "
     "Save all that the context knows, including what no call has asked for yet: otherwise each "
     "process that saves forgets what earlier processes have learned."},
    {"refused_file_is_learnt", refused_file_is_learnt,
     "A file was refused, and yet the context's plans are not the same as before. Check the whole "
     "file first, and only then change the context."},
    {"last_elements_left", last_elements_left,
     "The last elements of Y were not written where Y does not begin at a multiple of 16 bytes, as "
     "when whole pieces of 16 bytes are counted from Y but handed out from the aligned address "
     "before it. The bytes between the two make one more piece."},
    {"not_destroyed", not_destroyed,
     "After lesson6_destroy an object of the library's is left: the handle, or a description of a "
     "plan that could not be made, had no room, or is no longer in any table. A server that keeps "
     "making contexts runs out of memory: each cublasLt...Create needs its Destroy, on every path "
     "out."},
    {"library_error_ignored", library_error_ignored,
     "The library refused something, and the call reported success, or nothing worked from there "
     "on. Return the library's error, and keep no half-made plan or context."},
    {"padding_left_stale", padding_left_stale,
     "A NaN that was in the workspace reached Y, as when a copy with longer rows, or with more "
     "rows, leaves old values in the padding. 0 times NaN is NaN: each time, set to zero all that "
     "a product reads outside the matrix, for both A and B."},
    {"key_cut_short", key_cut_short,
     "A problem with large sides was taken for another one, or was not found again. Is a side kept "
     "in too few bits, or a key cut off? Keep all 64 bits of each side. If only plans from a file "
     "were not found: does it hold all of them, or are no more than some number saved or loaded?"},
    {"key_without_shape", key_without_shape,
     "A plan that was made for one shape is wrong for any other, even a similar one: m, n and k "
     "belong to the key, each by itself. If the key is a hash, also compare what was hashed."},
    {"plans_not_in_the_file", plans_not_in_the_file,
     "The file that lesson6_save left holds no plan, only its stamp. What a process keeps in "
     "memory, in the context or in a static table, ends with it: the next process knows only what "
     "it finds in the file."},
    {"plans_not_loaded", plans_not_loaded,
     "A context that has loaded a file asks again about problems that the previous context had "
     "met. Are all plans saved, and kept under the same key by lesson6_load?"},
    {"workspace_each_call", workspace_each_call,
     "A call allocates memory, which costs more than most products of this mix. Use the workspace "
     "that lesson6_create was given."},
    {"waits_each_call", waits_each_call,
     "A call waits for its own product. The next work on the stream waits anyway, and the host "
     "could have gone on."},
    {"more_than_the_product", more_than_the_product,
     "There are more kernels than products: because of copies, of work after the product, or of "
     "products computed in parts, such as panels of columns or slabs of rows. Parts fill less of "
     "the device, and each is a launch. Padding pays off for large products with odd rows, and "
     "only a measurement can say from which size on."},
    {"one_algorithm_for_all_rows", one_algorithm_for_all_rows,
     "The calls do what they should, but take too long. Do you take the library's first candidate, "
     "or the fastest one that you measured? Is the number of rows part of the query and of the "
     "key? (For a thousand rows, an algorithm chosen for a few takes twice as long.) Do you offer "
     "the workspace?"},
    {"table_full", table_full,
     "The first kinds of problem worked, and a later one was refused for lack of memory: is the "
     "table of plans full? A server meets a hundred kinds and more, so let the table grow."},
    {"no_workspace_given", no_workspace_given,
     "A product with a long sum was refused. The library splits such sums if it may, and the parts "
     "are in the workspace: the call must provide the workspace that was promised in the query."},
    {"key_without_alignment", key_without_alignment,
     "The product fails where a pointer has a smaller alignment than before, as when an algorithm "
     "that fetches 16 bytes at a time is reused, or the library was not told: by default it "
     "assumes 256 bytes. The alignment of the pointers belongs to the key, and to the query "
     "(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES and so on)."},
    {"measures_in_capture", measures_in_capture,
     "While a stream is captured nothing runs, so nothing can be measured, waited for or "
     "allocated: ask cudaStreamIsCapturing, and take the library's first guess."},
    {"bias_in_the_plan", bias_in_the_plan,
     "The bias pointer is part of the call, not of the plan: a plan that keeps it uses the bias of "
     "an earlier call, whose memory may have been freed. Set the pointer in each call."},
    {"first_call_not_captured", first_call_not_captured,
     "A context had loaded the plan for this kind of problem, and yet its first call could not be "
     "captured into a graph. By then nothing should remain to be made, measured or freed: do in "
     "lesson6_load what invalidates a capture."},
    {"file_with_more_room_refused", file_with_more_room_refused,
     "lesson6_load refused an intact file because it came from a context with more workspace. "
     "Leave out a plan that needs more than this context has, or ask about it again when it is "
     "needed; keep the others, and return no error for the file."},
    {"good_file_refused", good_file_refused,
     "With a file that lesson6_save had just written, loading failed, or a call after it did. Was "
     "the file refused, or misread?"},
    {"pointers_in_the_file", pointers_in_the_file,
     "The process crashed in a case that saves a file and loads it. Descriptions of a product are "
     "pointers: in a file they mean nothing to another process, and within one process two "
     "contexts would destroy them. Save {key, algo}, which are plain data, and make the "
     "descriptions again from the key. If no pointer is in the file: is there room for more than a "
     "hundred kinds?"},
    {"damaged_file_believed", damaged_file_believed,
     "A damaged or incomplete file was accepted: compare the number of bytes and the checksum."},
    {"stale_file_believed", stale_file_believed,
     "A file from another version of the library, or from another device, was accepted: an "
     "algorithm is a number that means something else there."},
    {"sums_in_half", sums_in_half,
     "The results are off by more than one rounding, as when sums are kept in FP16 and lose a bit "
     "whenever they double. CUBLAS_COMPUTE_32F keeps them in FP32."},
    {"says_unaligned", says_unaligned,
     "A few results are off by a little more than one rounding, as when the product is rounded to "
     "16 bits before bias and activation. The library itself does that if it is told that pointers "
     "are aligned to 2 bytes: tell it their real alignment."},
    {"rounded_twice", rounded_twice,
     "A few results are off by a little more than one rounding, as when the product is rounded to "
     "16 bits and the activation is computed from that. In the epilogue the product is still in "
     "FP32."},
    {"key_without_transpose", key_without_transpose,
     "The same shape with another transpose is another problem: the flags belong to the key."},
    {"key_without_type", key_without_type,
     "FP16 and bfloat16 are two problems, although both have 16 bits: the type belongs to the "
     "key."},
    {"key_without_epilogue", key_without_epilogue,
     "Without activation and bias the product is right; with one of them it is not. Usually a plan "
     "for another activation, or for no bias, is reused: both belong to the key. Or the library is "
     "asked for another epilogue than the call needs: lt_epilogue() says which is which."},
    {"key_without_sizes", key_without_sizes,
     "Other shapes were right before, and this one accesses memory outside its buffers, as when it "
     "is computed with another shape's size: m, n and k all belong to the key, and to the "
     "description of each matrix."},
    {"rows_for_columns", rows_for_columns,
     "cuBLASLt stores matrices by columns, and a matrix stored by rows is the transpose of one "
     "stored by columns: ask for Y' = op(B)' op(A)', with the operands swapped. If they are "
     "swapped already, let A be the identity: then Y is B in either order; if it is not, a type, a "
     "size or a transpose is described wrongly."},
    {"room_in_32_bits", room_in_32_bits,
     "The mix asks no more than it may, but the case with 4 GiB does. Is the size of the workspace "
     "kept in 32 bits? There 2^32 bytes become 0, and a plan that needs some is dropped: use "
     "size_t for sizes. If the size is whole, compare the key that is looked up with those of the "
     "file."},
    {"saved_no_file", saved_no_file,
     "lesson6_save returned cudaSuccess, and there is no file at that path. Each save writes all "
     "that the context knows, whether or not that is new since the last one: the path may be "
     "another, and the old file may be gone."},
    {"an_error_of_its_own", an_error_of_its_own,
     "A function returned an error where none is allowed. If the library refused a product: does "
     "it have less workspace or alignment than was promised, or does a description fit no "
     "algorithm (row-major matrices take no bias)? If the error is your own: is a table full? A "
     "server meets a hundred kinds and more. Does a second context, at the same time or later, get "
     "its own memory?"},
};

const struct judge_mistakes GEMM_MISTAKES = JUDGE_ROWS(MISTAKES);
