/* The first part of a recording that is too long to be used as a whole. */
#include "recording/log/cursor.h"

/* The number of notes if each thread keeps at most that many. */
static uint64_t
notes_within (const omen_notes_file *file, uint64_t most)
{
  uint64_t notes = 0;
  for (size_t t = 0; t < file->threads.count; t++) {
    uint64_t own = file->threads.data[t].notes;
    notes += own < most ? own : most;
  }
  return notes;
}

static int
compare_times (const void *left, const void *right)
{
  const omen_chunk_time *a = left, *b = right;
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return a->chunk < b->chunk ? -1 : a->chunk > b->chunk;
}

void
omen_chunk_times_sort (omen_chunk_times *times)
{
  OMEN_VEC_SORT (*times, compare_times);
}

/* All chunks, in the order of their times. Those known ascend by thread and
   chunk. */
static omen_chunk_times
all_times (const omen_notes_file *file, const omen_chunk_times *known)
{
  omen_chunk_times all = { 0 };
  size_t next = 0;
  for (uint32_t t = 0; t < file->threads.count; t++) {
    uint64_t time = 0;
    for (uint32_t i = 0; i < file->threads.data[t].count; i++) {
      for (; next < known->count && known->data[next].thread == t
             && known->data[next].chunk == i;
           next++)
        if (known->data[next].time > time)
          time = known->data[next].time;
      OMEN_VEC_PUSH (all, ((omen_chunk_time){ time, t, i }));
    }
  }
  omen_chunk_times_sort (&all);
  return all;
}

/* Keeps so many chunks, or fewer: the part ends between two items. */
static void
cut_thread (const omen_notes_file *file, omen_notes_thread *thread,
            uint32_t chunks)
{
  const omen_chunk *last;
  if (chunks == thread->count)
    return;
  while (chunks && omen_notes_splits (file, thread, chunks))
    chunks--;
  last = chunks ? &thread->chunks[chunks - 1] : NULL;
  thread->count = chunks;
  thread->cut = thread->shortened = true;
  thread->notes = last ? last->header.first + last->header.count : 0;
}

/* Goes through the chunks of all threads in the order of their times, and cuts
   each thread after its last chunk in time. */
static void
shorten_by_time (omen_notes_file *file, uint64_t notes,
                 const omen_chunk_times *known)
{
  omen_chunk_times all = all_times (file, known);
  uint32_t *left = omen_zalloc (file->threads.count, sizeof *left);
  for (size_t i = 0; i < all.count; i++) {
    const omen_chunk_time *c = &all.data[i];
    uint32_t count
        = file->threads.data[c->thread].chunks[c->chunk].header.count;
    if (i && count > notes)
      break;
    notes -= count < notes ? count : notes;
    left[c->thread] = c->chunk + 1;
  }
  for (size_t t = 0; t < file->threads.count; t++)
    cut_thread (file, &file->threads.data[t], left[t]);
  omen_free (left);
  OMEN_VEC_FINI (all);
}

static void
shorten_evenly (omen_notes_file *file, uint64_t notes)
{
  uint64_t most = OMEN_FIRST_NOT (i, UINT64_C (0), file->reader->notes,
                                  notes_within (file, i) <= notes);
  for (size_t t = 0; t < file->threads.count; t++) {
    omen_notes_thread *thread = &file->threads.data[t];
    uint32_t i = 0;
    while (i < thread->count && thread->chunks[i].header.first < most)
      i++;
    cut_thread (file, thread, i);
  }
}

void
omen_notes_file_shorten (omen_notes_file *file, uint64_t notes,
                         const omen_chunk_times *times)
{
  if (times->count)
    shorten_by_time (file, notes, times);
  else
    shorten_evenly (file, notes);
  file->reader->lossy = true; /* the records that were left out may have done
                                 anything */
  omen_notes_depends_forget (&file->depends);
}
