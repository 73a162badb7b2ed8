/* Memory that is read or written in one go: by woven copies, or by functions of
   libc for the program.

     size_t n = OMEN_REAL (fread) (to, 1, size, file);
     omen_wrote (to, n, OMEN_PC);

   Each is a RANGE item with the bytes; nothing is logged if recording is
   disabled, so callers need not ask. Bytes are read when the call is made:
   exact under a schedule and for memory that no other thread writes meanwhile.
   What is longer than OMEN_RANGE_MOST is logged without its bytes. */
#ifndef OMEN_RUNTIME_HOOKS_RANGE_H
#define OMEN_RUNTIME_HOOKS_RANGE_H

#include "runtime/core/core.h"

/* Are accesses recorded, not only synchronisation? Accesses by libc are not in
   a program without woven code, where no others are. */
static inline bool
omen_watching (void)
{
  return omen_enabled () && omen_rt_woven && !omen_rt_options.sync_only;
}

enum {
  OMEN_RANGE_PIECE = 4096, /* longer ones go in pieces */
  OMEN_RANGE_MOST = 1 << 20
};

void omen_read (const void *from, size_t size, uint64_t pc);
void omen_wrote (const void *to, size_t size, uint64_t pc);
/* Logs a read of a string with its end, at most `most` bytes of it. Returns its
   length. */
size_t omen_read_text (const char *text, size_t most, uint64_t pc);
void omen_wrote_text (const char *text, uint64_t pc);
/* The same for wide characters. */
size_t omen_read_wide (const wchar_t *text, size_t most, uint64_t pc);
void omen_wrote_wide (const wchar_t *text, uint64_t pc);
/* It may have been changed by others: EXTERNAL. */
void omen_changed (const void *at, size_t size, uint64_t pc);

/* memmove with exact values: what is logged as read is what is written. */
void omen_move (void *to, const void *from, size_t size, uint64_t pc);

#endif
