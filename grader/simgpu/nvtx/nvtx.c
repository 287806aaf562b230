/* nvtx.c - libwarpquest-nvtx.so: tells the simulated device of a program's NVTX ranges.
 *
 * NVTX is headers alone: at its first call it loads the library that NVTX_INJECTION64_PATH names
 * (`simgpu run` sets it) and calls InitializeInjectionNvtx2, which puts its own functions into
 * NVTX's tables. Ours pass on pushes, pops, starts and ends over the connection that the program's
 * libcudart has to the device; ranges are missed until that is loaded. Marks, colours and
 * categories are not passed on.
 */
#include "../client/extension.h"

#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 512 };

/* What the handles of domains and registered strings point to. The default domain is NULL. */
struct nvtxDomainRegistration_st {
    char name[MOST_BYTES];
};

struct nvtxStringRegistration_st {
    char text[MOST_BYTES];
};

static atomic_uint_fast64_t started; /* ranges so far: their ids */
static _Thread_local int depth;      /* of pushed ranges */

/* --- To the device ---------------------------------------------------------------------------- */

static const struct simgpu_extension *find_device(void)
{
    static const char *const RUNTIMES[] = {"libcudart.so.13", "libcudart.so.12"};
    static _Atomic(const struct simgpu_extension *) device;
    const struct simgpu_extension *(*get)(void) = NULL;
    for (size_t i = 0; !device && i < sizeof RUNTIMES / sizeof *RUNTIMES; i++) {
        void *runtime = dlopen(RUNTIMES[i], RTLD_LAZY | RTLD_NOLOAD);
        if (runtime)
            *(void **)&get = dlsym(runtime, "simgpu_extension");
        if (get)
            device = get();
    }
    return device;
}

static void tell(enum request_kind kind, uint64_t id, const char *text)
{
    const struct simgpu_extension *device = find_device();
    struct call call = {.request = {.kind = kind}, .fd = -1};
    call.request.nvtx.id = id;
    call.payload = text;
    call.payload_bytes = text ? strlen(text) : 0;
    if (device)
        device->perform(&call);
}

/* --- Messages --------------------------------------------------------------------------------- */

/* Wide text as UTF-8 (RFC 3629, section 3), cut off where it does not fit. */
static void narrow(const wchar_t *wide, char *text)
{
    size_t used = 0;
    for (; wide && *wide && used + 5 < MOST_BYTES; wide++) {
        uint32_t c = (uint32_t)*wide;
        if (c < 0x80) {
            text[used++] = (char)c;
            continue;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        text[used++] = (char)((0xFF00 >> (more + 1) & 0xFF) | (c >> 6 * more & (0x3F >> more)));
        while (more-- > 0)
            text[used++] = (char)(0x80 | (c >> 6 * more & 0x3F));
    }
    text[used] = 0;
}

static void copy(const char *from, char *text)
{
    snprintf(text, MOST_BYTES, "%s", from ? from : "");
}

/* "domain:message", as nsys has it; the default domain is left out. */
static void message_of(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event, char *text)
{
    char message[MOST_BYTES] = "";
    if (event && event->messageType == NVTX_MESSAGE_TYPE_ASCII)
        copy(event->message.ascii, message);
    else if (event && event->messageType == NVTX_MESSAGE_TYPE_UNICODE)
        narrow(event->message.unicode, message);
    else if (event && event->messageType == NVTX_MESSAGE_TYPE_REGISTERED &&
             event->message.registered)
        copy(event->message.registered->text, message);
    snprintf(text, 2 * MOST_BYTES, "%s%s%s", domain ? domain->name : "", domain ? ":" : "",
             message);
}

/* --- Ranges ----------------------------------------------------------------------------------- */

static int push(const char *text)
{
    tell(REQUEST_RANGE_PUSH, 0, text);
    return depth++;
}

static int pop(void)
{
    if (depth == 0)
        return -1;
    tell(REQUEST_RANGE_POP, 0, NULL);
    return --depth;
}

static nvtxRangeId_t start(const char *text)
{
    uint64_t id = ++started;
    tell(REQUEST_RANGE_START, id, text);
    return id;
}

static void end(nvtxRangeId_t id)
{
    tell(REQUEST_RANGE_END, id, NULL);
}

static int NVTX_API domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    char text[2 * MOST_BYTES];
    message_of(domain, event, text);
    return push(text);
}

static int NVTX_API domain_pop(nvtxDomainHandle_t domain)
{
    (void)domain;
    return pop();
}

static nvtxRangeId_t NVTX_API domain_start(nvtxDomainHandle_t domain,
                                           const nvtxEventAttributes_t *event)
{
    char text[2 * MOST_BYTES];
    message_of(domain, event, text);
    return start(text);
}

static void NVTX_API domain_end(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
    (void)domain;
    end(id);
}

static int NVTX_API push_event(const nvtxEventAttributes_t *event)
{
    return domain_push(NULL, event);
}

static int NVTX_API push_text(const char *message)
{
    return push(message ? message : "");
}

static int NVTX_API push_wide(const wchar_t *message)
{
    char text[MOST_BYTES];
    narrow(message, text);
    return push(text);
}

static int NVTX_API pop_range(void)
{
    return pop();
}

static nvtxRangeId_t NVTX_API start_event(const nvtxEventAttributes_t *event)
{
    return domain_start(NULL, event);
}

static nvtxRangeId_t NVTX_API start_text(const char *message)
{
    return start(message ? message : "");
}

static nvtxRangeId_t NVTX_API start_wide(const wchar_t *message)
{
    char text[MOST_BYTES];
    narrow(message, text);
    return start(text);
}

static void NVTX_API end_range(nvtxRangeId_t id)
{
    end(id);
}

/* --- Domains and strings ---------------------------------------------------------------------- */

static nvtxDomainHandle_t NVTX_API create_domain(const char *name)
{
    nvtxDomainHandle_t domain = calloc(1, sizeof *domain);
    if (domain)
        copy(name, domain->name);
    return domain;
}

static nvtxDomainHandle_t NVTX_API create_domain_wide(const wchar_t *name)
{
    char text[MOST_BYTES];
    narrow(name, text);
    return create_domain(text);
}

static void NVTX_API destroy_domain(nvtxDomainHandle_t domain)
{
    free(domain);
}

/* Registered strings live as long as the program, as NVTX has it. */
static nvtxStringHandle_t NVTX_API register_text(nvtxDomainHandle_t domain, const char *text)
{
    nvtxStringHandle_t string = calloc(1, sizeof *string);
    (void)domain;
    if (string)
        copy(text, string->text);
    return string;
}

static nvtxStringHandle_t NVTX_API register_wide(nvtxDomainHandle_t domain, const wchar_t *text)
{
    char bytes[MOST_BYTES];
    narrow(text, bytes);
    return register_text(domain, bytes);
}

/* --- NVTX's tables ---------------------------------------------------------------------------- */

struct entry {
    unsigned place;
    NvtxFunctionPointer function;
};

#define ENTRY(place, function)                 \
    {                                          \
        place, (NvtxFunctionPointer)(function) \
    }

static const struct entry CORE[] = {
    ENTRY(NVTX_CBID_CORE_RangePushEx, push_event),   ENTRY(NVTX_CBID_CORE_RangePushA, push_text),
    ENTRY(NVTX_CBID_CORE_RangePushW, push_wide),     ENTRY(NVTX_CBID_CORE_RangePop, pop_range),
    ENTRY(NVTX_CBID_CORE_RangeStartEx, start_event), ENTRY(NVTX_CBID_CORE_RangeStartA, start_text),
    ENTRY(NVTX_CBID_CORE_RangeStartW, start_wide),   ENTRY(NVTX_CBID_CORE_RangeEnd, end_range),
};

static const struct entry CORE2[] = {
    ENTRY(NVTX_CBID_CORE2_DomainRangePushEx, domain_push),
    ENTRY(NVTX_CBID_CORE2_DomainRangePop, domain_pop),
    ENTRY(NVTX_CBID_CORE2_DomainRangeStartEx, domain_start),
    ENTRY(NVTX_CBID_CORE2_DomainRangeEnd, domain_end),
    ENTRY(NVTX_CBID_CORE2_DomainCreateA, create_domain),
    ENTRY(NVTX_CBID_CORE2_DomainCreateW, create_domain_wide),
    ENTRY(NVTX_CBID_CORE2_DomainDestroy, destroy_domain),
    ENTRY(NVTX_CBID_CORE2_DomainRegisterStringA, register_text),
    ENTRY(NVTX_CBID_CORE2_DomainRegisterStringW, register_wide),
};

static bool fill(const NvtxExportTableCallbacks *callbacks, NvtxCallbackModule module,
                 const struct entry *entries, size_t count)
{
    NvtxFunctionTable table;
    unsigned size;
    if (!callbacks->GetModuleFunctionTable(module, &table, &size))
        return false;
    for (size_t i = 0; i < count; i++)
        if (entries[i].place < size)
            *table[entries[i].place] = entries[i].function;
    return true;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table);

/* Called by NVTX; 1 for success. */
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table)
{
    const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
    return callbacks && callbacks->struct_size >= sizeof *callbacks &&
           fill(callbacks, NVTX_CB_MODULE_CORE, CORE, sizeof CORE / sizeof *CORE) &&
           fill(callbacks, NVTX_CB_MODULE_CORE2, CORE2, sizeof CORE2 / sizeof *CORE2);
}
