/* attribute.c - the rules that all ..SetAttribute and ..GetAttribute functions share: the size has
 * to be the attribute's own; asked with size 0, a getter tells the size.
 */
#include "blaslt.h"

#include <string.h>

static const struct attribute *find(const struct attribute *list, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].number == number)
            return &list[i];
    return NULL;
}

cublasStatus_t attribute_set(void *descriptor, const struct attribute *list, size_t count,
                             int number, const void *from, size_t bytes)
{
    const struct attribute *attribute = find(list, count, number);
    if (!attribute || !from || bytes != attribute->bytes)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((char *)descriptor + attribute->offset, from, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t attribute_copy(const void *value, size_t value_bytes, void *to, size_t bytes,
                              size_t *written)
{
    if (bytes == 0) {
        if (!written)
            return CUBLAS_STATUS_INVALID_VALUE;
        *written = value_bytes;
        return CUBLAS_STATUS_SUCCESS;
    }
    if (!to || bytes != value_bytes)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(to, value, bytes);
    if (written)
        *written = bytes;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t attribute_get(const void *descriptor, const struct attribute *list, size_t count,
                             int number, void *to, size_t bytes, size_t *written)
{
    const struct attribute *attribute = find(list, count, number);
    if (!attribute)
        return CUBLAS_STATUS_INVALID_VALUE;
    return attribute_copy((const char *)descriptor + attribute->offset, attribute->bytes, to, bytes,
                          written);
}
