/* What text_write.c and text_blocks.c share. Private to them. */
#ifndef OMEN_TRACE_TEXT_WRITER_H
#define OMEN_TRACE_TEXT_WRITER_H

#include "trace/text.h"

#include <string.h>

/* Which block the reader takes a bare name for, at the current position of the
   writer. Needed only for traces with allocs, or with several blocks of one
   name. */
typedef struct omen_text_blocks omen_text_blocks;

/* NULL if bare names are never ambiguous. */
omen_text_blocks *omen_text_blocks_new (const omen_trace *trace);
void omen_text_blocks_free (omen_text_blocks *blocks);
/* v is about to be written (`fresh`: as the operand of an alloc). The number to
   write after `~`, or OMEN_NONE if its bare name suffices. */
uint32_t omen_text_blocks_mention (omen_text_blocks *blocks, omen_vid v,
                                   bool fresh);

typedef struct omen_writer {
  const omen_trace *trace;
  omen_text_blocks
      *blocks; /* NULL: bare names mean the last block of the trace */
  omen_line line;
} omen_writer;

#endif
