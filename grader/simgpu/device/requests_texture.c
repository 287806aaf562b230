/* requests_texture.c - texture and surface objects. Their memory is the program's own, made and
 * filled by other requests: this file only says how it is read. */
#include "device.h"

#include <string.h>

void request_texture_create(struct exchange *exchange)
{
    const struct texture_request *asked = &exchange->request.texture;
    struct sim_error error;
    struct sim_texture texture = {.address = asked->address,
                                  .pitch = asked->pitch,
                                  .slice = asked->slice,
                                  .width = asked->width,
                                  .height = asked->height,
                                  .depth = asked->depth,
                                  .channels = asked->channels,
                                  .channel_bits = asked->channel_bits,
                                  .texel_kind = asked->texel_kind,
                                  .is_surface = asked->is_surface != 0,
                                  .is_linear = asked->is_linear != 0,
                                  .normalised_coordinates = asked->normalised_coordinates != 0,
                                  .normalised_values = asked->normalised_values != 0,
                                  .filters = asked->filters != 0,
                                  .srgb = asked->srgb != 0};
    memcpy(texture.mode, asked->mode, sizeof texture.mode);
    memcpy(texture.border, asked->border, sizeof texture.border);
    uint64_t handle = sim_texture_new(exchange->client->context, &texture, &error);
    if (!handle && error.code == SIM_UNSUPPORTED)
        exchange_fail(exchange, CUDA_INVALID_VALUE, error.message);
    else if (!handle)
        exchange_fail_as(exchange, &error);
    else
        client_made(exchange->client, SIMGPU_TEXTURE);
    exchange->reply.value[0] = handle;
}

/* Launches that are queued may still read it. */
void request_texture_destroy(struct exchange *exchange)
{
    hold_end_for(exchange->client, 0);
    work_drain(exchange->line, 0);
    if (!sim_texture_free(exchange->client->context, exchange->request.texture_handle.handle,
                          exchange->request.texture_handle.is_surface != 0))
        exchange_fail(exchange, CUDA_INVALID_VALUE, "there is no such texture or surface object");
    else
        client_gave_back(exchange->client, SIMGPU_TEXTURE);
}
