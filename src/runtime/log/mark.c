/* Marks (recording.h): how far the log of each thread was written at one
   time. */
#include "runtime/core/core.h"
#include "runtime/log/ring.h"

enum { MOST = 4096 }; /* threads; with more there are no marks */

struct omen_tick_mark {
  uint32_t count;
  bool full;
  _Alignas (8) uint8_t chunk[OMEN_CHUNK_ROOM];
  omen_file_mark entries[MOST];
};
_Static_assert (offsetof (omen_tick_mark, entries)
                    == offsetof (omen_tick_mark, chunk) + OMEN_CHUNK_ROOM,
                "the header comes right before the entries");

static uint64_t marks; /* so far; protected by the latch of the threads */

omen_tick_mark *
omen_mark_new (uint32_t flags)
{
  omen_tick_mark *mark = omen_pages (sizeof *mark);
  if (!mark)
    return NULL;
  omen_mark_add (mark, OMEN_NONE, omen_threads_made ());
  mark->entries[0].flags = flags;
  return mark;
}

void
omen_mark_add (omen_tick_mark *mark, uint32_t thread, uint64_t notes)
{
  if (mark->count == MOST)
    mark->full = true;
  else
    mark->entries[mark->count++] = (omen_file_mark){ thread, 0, notes };
}

void
omen_mark_end (omen_tick_mark *mark, bool good)
{
  if (good && !mark->full)
    omen_file_mark_put (mark->chunk, marks++, mark->count,
                        mark->count * sizeof *mark->entries);
  omen_pages_free (mark, sizeof *mark);
}
