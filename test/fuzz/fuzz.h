/* What a fuzz target fuzz_X.c implements: one call, any bytes, no crash and no
   leak. Linked with libFuzzer (-Dfuzzers=true) or with driver.c, which feeds
   it the kept inputs: test/fuzz/corpus/X and test/data/regress/X.* */
#ifndef OMEN_TEST_FUZZ_H
#define OMEN_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#endif
