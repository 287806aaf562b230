/* blas.h - the device's part of libcublas besides products: the operations of ../blas/blas.h. */
#ifndef DEVICE_BLAS_H
#define DEVICE_BLAS_H

#include "device.h"

/* Is payload a call that can be computed? Else false, and exchange failed. */
bool blas_accept(struct exchange *exchange, const void *payload, uint64_t payload_bytes);
/* Carry out a WORK_BLAS; the client's lock is not held. Returns its modelled duration in ns. */
double blas_execute(struct client *client, struct work *work);

#endif
