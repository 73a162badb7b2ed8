/* For inputs that are binary files: most of what is changed in them is made
   right again (lengths, checksums), or all would be refused for these. */
#ifndef OMEN_TEST_FUZZ_MEND_H
#define OMEN_TEST_FUZZ_MEND_H

#include "../unit/binary_file.h"

size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t room)
    __attribute__ ((weak));
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t room,
                                unsigned seed);

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t room, unsigned seed)
{
  size = LLVMFuzzerMutate (data, size, room);
  if (seed % 4)
    file_repair (data, size);
  return size;
}

#endif
