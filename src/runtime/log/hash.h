/* XXH3-64, the checksum of chunks:

     header->checksum = omen_hash (payload, size); */
#ifndef OMEN_RUNTIME_LOG_HASH_H
#define OMEN_RUNTIME_LOG_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t omen_hash (const void *bytes, size_t size);

#endif
