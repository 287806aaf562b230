/* client_note.c - what those who serve a client note of it: calls, and the error that ends it. */
#include "device.h"

#include <stdio.h>

void client_count(struct client *client, uint64_t *calls)
{
    pthread_mutex_lock(&client->device->lock);
    *calls += !client->in_control;
    pthread_mutex_unlock(&client->device->lock);
}

void client_break(struct client *client, int error, const char *message)
{
    if (client->error)
        return;
    client->error = error;
    snprintf(client->error_message, sizeof client->error_message, "%s", message);
}
