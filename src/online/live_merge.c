/* Marks: what is merged, what is emitted, the trace. */
#include "online/live_state.h"

/* ---- the parts ---- */

static void
begin_merge (omen_live *live)
{
  live->begun = true;
  omen_merge_init (&live->merge, &live->tail.file, &live->summary, &live->order,
                   OMEN_LIVE_THREADS);
  live->merge.live = true;
  omen_stacks_init (&live->stacks);
  omen_emitter_init (&live->emitter, &live->tail.file, live->tail.reader.trace,
                     &live->stacks, &live->options.filter);
  live->emitter.live = true;
  live->emitter.outside_end = UINT64_MAX; /* anything may change unseen */
}

void
omen_live_fini_merge (omen_live *live)
{
  if (!live->begun)
    return;
  omen_merge_fini (&live->merge);
  omen_rebuilt_fini (&live->order);
  omen_emitter_fini (&live->emitter);
  omen_stacks_fini (&live->stacks);
}

void
omen_live_scan (omen_live *live)
{
  for (uint32_t t = 0; t < live->threads.count; t++) {
    omen_live_thread *thread = &live->threads.data[t];
    thread->scanned = omen_notes_scan_more (&live->tail.file,
                                            &live->tail.file.threads.data[t],
                                            thread->scanned, &live->summary);
  }
  if (live->tail.reader.failed)
    live->state = OMEN_LIVE_FAILED;
  else if (omen_live_is_wrong (live))
    live->state = OMEN_LIVE_AGAIN;
  else if (live->threads.count) {
    omen_live_name (live);
    if (!live->begun)
      begin_merge (live);
  }
}

static bool
is_one_log (const omen_live *live)
{
  return live->tail.file.threads.data[0].id == OMEN_NONE;
}

static void
emit_part (omen_live *live, const omen_rebuilt *part)
{
  for (size_t i = 0; i < part->runs.count; i++)
    live->counts.emitted += part->runs.data[i].notes;
  omen_emitter_part (&live->emitter, part);
}

/* Merge the notes up to the previous mark, emit what was merged at that
   mark. */
void
omen_live_mark (omen_live *live)
{
  omen_rebuilt part;
  live->unmarked = 0;
  omen_live_scan (live);
  if (!live->begun || live->state != OMEN_LIVE_GOOD)
    return;
  for (uint32_t t = 0; t < live->threads.count; t++) {
    omen_live_thread *thread = &live->threads.data[t];
    live->tail.file.threads.data[t].notes
        = is_one_log (live) ? thread->scanned : thread->marked;
    thread->marked = thread->scanned;
  }
  live->merge.round++;
  omen_merge_more (&live->merge);
  omen_merge_take (&live->merge, is_one_log (live) ? 0 : live->lag, &part);
  emit_part (live, &part);
  omen_rebuilt_fini (&part);
}

/* ---- the trace ---- */

omen_trace *
omen_live_trace (omen_live *live, omen_err *err)
{
  omen_trace *trace;
  if (!live->begun || live->state == OMEN_LIVE_FAILED
      || live->state == OMEN_LIVE_AGAIN) {
    omen_err_set (err, live->tail.path, "nothing was recorded yet");
    return NULL;
  }
  live->tail.reader.lossy = live->state != OMEN_LIVE_OVER;
  for (uint32_t t = 0; t < live->threads.count; t++)
    live->tail.file.threads.data[t].notes = live->threads.data[t].scanned;
  omen_merge_more (&live->merge);
  omen_merge_settle (&live->merge);
  emit_part (live, &live->order);
  omen_emitter_end (&live->emitter);
  trace = live->tail.reader.trace;
  live->tail.reader.trace = NULL;
  trace->rebuilt.items = live->summary.items;
  if (live->tail.reader.lossy)
    trace->flags |= OMEN_TRACE_PARTIAL;
  return omen_rebuild_settle (&live->tail.file, &live->order,
                              &live->options.rebuild, trace, &live->stacks,
                              err);
}
