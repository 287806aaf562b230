/* client_note.c - what is recorded about a client: calls, and the error that ends it. */
#include "device.h"

#include <stdio.h>

void client_add(struct client *client, uint64_t *sum, uint64_t amount)
{
    pthread_mutex_lock(&client->device->lock);
    *sum += client->is_watched ? amount : 0;
    pthread_mutex_unlock(&client->device->lock);
}

void client_count(struct client *client, uint64_t *calls)
{
    client_add(client, calls, 1);
}

static void add_alive(struct client *client, enum simgpu_object object, int64_t count)
{
    pthread_mutex_lock(&client->device->lock);
    client->device->calls.alive[object] += client->is_watched ? count : 0;
    pthread_mutex_unlock(&client->device->lock);
}

void client_made(struct client *client, enum simgpu_object object)
{
    add_alive(client, object, 1);
}

void client_gave_back(struct client *client, enum simgpu_object object)
{
    add_alive(client, object, -1);
}

void client_break(struct client *client, int error, const char *message)
{
    if (client->error)
        return;
    client->error = error;
    snprintf(client->error_message, sizeof client->error_message, "%s", message);
}
