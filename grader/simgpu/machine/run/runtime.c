/* runtime.c - what kernels may call on the device: printf, malloc, free. */
#include "machine_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Text ------------------------------------------------------------------------------------- */

bool print_text(struct warp *warp, const struct op *op, int lane, uint64_t address, char *text,
                size_t size)
{
    for (size_t i = 0; i + 1 < size; i++) {
        if (!access_read_lane(warp, op, lane, address + i, &text[i], 1))
            return false;
        if (text[i] == 0)
            return true;
    }
    text[size - 1] = 0;
    return true;
}

static void append(struct launch *launch, const char *text, size_t length)
{
    if (launch->printed_bytes + length > launch->context->printf_bytes)
        return; /* the buffer is full: a device drops what does not fit, too */
    if (launch->printed_bytes + length > launch->printed_room) {
        size_t room = 2 * launch->printed_room + length + 256;
        char *grown = realloc(launch->printed, room);
        if (!grown)
            return;
        launch->printed = grown;
        launch->printed_room = room;
    }
    memcpy(launch->printed + launch->printed_bytes, text, length);
    launch->printed_bytes += length;
}

/* --- printf ----------------------------------------------------------------------------------- */

static const char FLAGS[] = "-+ #0123456789.*"; /* with width and precision */

/* The conversion at format ("%-8.3f"): its length, or 0 if it is none that printf knows. */
static size_t conversion_length(const char *format, char *conversion, bool *is_long)
{
    size_t length = 1 + strspn(format + 1, FLAGS);
    size_t modifiers = strspn(format + length, "hlLqjzt");
    *is_long = memchr(format + length, 'l', modifiers) || memchr(format + length, 'j', modifiers) ||
               memchr(format + length, 'z', modifiers) || memchr(format + length, 't', modifiers);
    length += modifiers;
    *conversion = format[length];
    bool known = *conversion && strchr("diouxXeEfFgGaAcsp%", *conversion);
    return known && length < 40 ? length + 1 : 0;
}

struct arguments {
    struct warp *warp;
    const struct op *op;
    int lane;
    uint64_t next;
};

/* Arguments lie at their natural alignment; floats were promoted to double. */
static uint64_t next_argument(struct arguments *arguments, uint32_t bytes)
{
    uint64_t value = 0;
    arguments->next = (arguments->next + bytes - 1) / bytes * bytes;
    access_read_lane(arguments->warp, arguments->op, arguments->lane, arguments->next, &value,
                     bytes);
    arguments->next += bytes;
    return value;
}

/* No line is as wide as that, and what is left of it is not shown. */
static int most_wide(long width)
{
    enum { MOST_WIDE = 5000 };
    return (int)(width > MOST_WIDE ? MOST_WIDE : width < -MOST_WIDE ? -MOST_WIDE : width);
}

/* "%-8.3" of "%-*.*f", whose stars stand for arguments; a precision below 0 is as good as none. */
static void write_flags(struct arguments *arguments, const char *format, char *piece, size_t size)
{
    size_t used = 0, count = 1 + strspn(format + 1, FLAGS);
    for (size_t i = 0; i < count && used + 16 < size; i++) {
        bool is_number = format[i] >= '1' && format[i] <= '9';
        if (format[i] != '*' && !is_number) {
            piece[used++] = format[i];
            continue;
        }
        char *end;
        int value = is_number ? most_wide(strtol(format + i, &end, 10))
                              : most_wide((int)next_argument(arguments, 4));
        i = is_number ? (size_t)(end - format) - 1 : i;
        bool is_precision = piece[used - 1] == '.';
        if (is_precision && value < 0)
            used--;
        else
            used += (size_t)snprintf(piece + used, size - used, "%d", value);
    }
    piece[used] = 0;
}

static int format_one(struct arguments *arguments, const char *format, char conversion,
                      bool is_long, char *out, size_t size)
{
    char flags[128], piece[sizeof flags + 4], text[512];
    uint64_t bits;
    double number;
    write_flags(arguments, format, flags, sizeof flags);
    switch (conversion) {
    case '%': return snprintf(out, size, "%%");
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'c':
        bits = next_argument(arguments, is_long ? 8 : 4);
        if (!is_long && (conversion == 'd' || conversion == 'i'))
            bits = (uint64_t)(int64_t)(int32_t)bits;
        snprintf(piece, sizeof piece, "%s%s%c", flags, conversion == 'c' ? "" : "ll", conversion);
        return conversion == 'c' ? snprintf(out, size, piece, (int)bits)
                                 : snprintf(out, size, piece, (long long)bits);
    case 'p': return snprintf(out, size, "0x%" PRIx64, next_argument(arguments, 8));
    case 's':
        bits = next_argument(arguments, 8);
        if (bits == 0)
            return snprintf(out, size, "(null)");
        if (!print_text(arguments->warp, arguments->op, arguments->lane, bits, text, sizeof text))
            return 0;
        snprintf(piece, sizeof piece, "%ss", flags);
        return snprintf(out, size, piece, text);
    default:
        bits = next_argument(arguments, 8);
        memcpy(&number, &bits, sizeof number);
        snprintf(piece, sizeof piece, "%s%c", flags, conversion);
        return snprintf(out, size, piece, number);
    }
}

int print_format(struct warp *warp, const struct op *op, int lane, uint64_t format,
                 uint64_t arguments_address)
{
    char text[1024], line[4096];
    size_t used = 0;
    int count = 0;
    struct arguments arguments = {warp, op, lane, arguments_address};
    struct launch *launch = block_launch(warp);
    if (!print_text(warp, op, lane, format, text, sizeof text))
        return -1;
    for (const char *at = text; *at && used + 600 < sizeof line;) {
        char conversion;
        bool is_long;
        size_t length = *at == '%' ? conversion_length(at, &conversion, &is_long) : 0;
        if (!length) {
            line[used++] = *at++;
            continue;
        }
        int wrote =
            format_one(&arguments, at, conversion, is_long, line + used, sizeof line - used);
        used += wrote < 0                            ? 0
                : (size_t)wrote < sizeof line - used ? (size_t)wrote
                                                     : sizeof line - used - 1;
        count += conversion != '%';
        at += length;
    }
    pthread_mutex_lock(&launch->lock);
    append(launch, line, used);
    pthread_mutex_unlock(&launch->lock);
    return count;
}

/* --- The heap --------------------------------------------------------------------------------- */

uint64_t heap_allocate(struct warp *warp, uint64_t size_bytes)
{
    struct sim_context *context = block_launch(warp)->context;
    struct sim_error error;
    uint64_t used = atomic_fetch_add(&context->heap_used_bytes, size_bytes);
    if (size_bytes == 0 || used + size_bytes > context->heap_bytes) {
        atomic_fetch_sub(&context->heap_used_bytes, size_bytes);
        return 0;
    }
    return sim_allocate(context, size_bytes, SIM_MEMORY_DEVICE, "made by malloc in a kernel",
                        &error);
}

void heap_free(struct warp *warp, const struct op *op, int lane, uint64_t address)
{
    struct sim_context *context = block_launch(warp)->context;
    struct sim_range range;
    struct sim_error error;
    if (address == 0)
        return;
    if (!sim_find(context, address, &range) || range.address != address ||
        !sim_free(context, address, &error)) {
        fault_raise(warp, op, SIM_FAULT_USE_AFTER_FREE, lane,
                    "frees 0x%" PRIx64 ", which malloc did not give or which was freed before",
                    address);
        return;
    }
    atomic_fetch_sub(&context->heap_used_bytes, range.size_bytes);
}
