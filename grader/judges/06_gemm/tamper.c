/* tamper.c - lesson 6, in the grader: what becomes of a file on its way from process to process.
 *
 * Its plans stay as they are. So a submission that believes the file finds them, and asks the
 * library nothing.
 */
#include "judges/06_gemm/parts.h"
#include "judges/06_gemm/problem.h"

#include <string.h>

void gemm_tamper(const struct judge_case *problem, uint64_t seed, unsigned char *bytes,
                 size_t *size)
{
    struct lesson6_stamp stamp;
    if (*size < sizeof stamp)
        return;
    memcpy(&stamp, bytes, sizeof stamp);
    size_t letters = strnlen(stamp.device, sizeof stamp.device);
    if (letters == 0)
        return; /* no device wrote it */
    switch ((enum tampering)problem->tampers) {
    case CHECKSUM_WRONG: stamp.checksum ^= UINT64_C(1) << judge_draw(&seed, 0, 63); break;
    case BYTE_ADDED: bytes[(*size)++] = (unsigned char)judge_draw(&seed, 0, 255); break;
    case VERSION_WRONG: stamp.library_version ^= (uint64_t)judge_draw(&seed, 1, 1000); break;
    case DEVICE_WRONG: stamp.device[judge_draw(&seed, 0, (int64_t)letters - 1)] ^= 1; break;
    default: break;
    }
    memcpy(bytes, &stamp, sizeof stamp);
}
