/* XXH3-64 of chunks, in the quickest form that the processor runs:

     header->checksum = omen_hash (payload, size); */
#ifndef OMEN_RUNTIME_HASH_H
#define OMEN_RUNTIME_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t omen_hash_form (const void *bytes, size_t size);
omen_hash_form omen_hash;

/* Its compiled forms, each OMEN_HASH; those that this processor runs, the
   quickest first; NULL: no more. All give the same. */
omen_hash_form omen_hash_any, omen_hash_v3, omen_hash_v4;
omen_hash_form *omen_hash_form_at (unsigned i);

#endif
