/* socket.h - whole structures over a socket, for both ends of the protocol.
 *
 * A read or a write continues until all bytes have passed, through signals and short transfers.
 * False: the other end is gone, or the system refuses; then the socket is unusable.
 */
#ifndef SIMGPU_SOCKET_H
#define SIMGPU_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

bool socket_read(int socket, void *bytes, size_t size);
bool socket_write(int socket, const void *bytes, size_t size);

/* One after the other, of which the second may be empty: the other end is woken once for both. */
bool socket_write_both(int socket, const void *first, size_t first_size, const void *second,
                       size_t second_size);

/* With a file descriptor that travels along with the first byte. The sender keeps its own; the
 * receiver's, -1 when none came, belongs to the caller. */
bool socket_send_fd(int socket, const void *bytes, size_t size, int fd);
bool socket_read_fd(int socket, void *bytes, size_t size, int *fd);

/* A connection to the device process, at the socket that protocol.h says; -1 if there is none. */
int socket_to_device(void);

/* The process at the other end of a connection, as the kernel knows it; 0 when it does not say. */
pid_t socket_peer(int socket);

#endif
