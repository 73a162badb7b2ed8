#include "recording/ring/late.h"
#include "wire/abi.h"
#include "recording/log/cursor.h"
#include "recording/ring/cut.h"

/* Is it one log of all threads that is in order, because it was recorded under
   a schedule? (In a common log of threads that ran freely plain accesses may be
   out of order.) */
static bool
is_in_order (const omen_notes_file *file)
{
  return file->threads.count == 1 && file->threads.data[0].id == OMEN_NONE
         && file->flags & OMEN_RECORDING_EXACT;
}

/* A ring loses the oldest records, and thus how the first thread began: it
   writes its log before it creates another thread. */
static bool
has_beginning (const omen_notes_file *file)
{
  for (size_t t = 0; t < file->threads.count; t++) {
    const omen_notes_thread *thread = &file->threads.data[t];
    if (thread->id == 0 || thread->id == OMEN_NONE)
      return !thread->start;
  }
  return false;
}

/* ---- one log: in the order in which it happened ---- */

static bool
is_switch (const omen_notes_file *file, const omen_raw_note *note)
{
  return note->site < file->sites.count
         && file->sites.data[note->site].kind == OMEN_ITEM_SWITCH;
}

/* The thread of the first records is known from the first SWITCH on. */
static bool
start_one_log (omen_notes_file *file)
{
  omen_notes_thread *log = &file->threads.data[0];
  omen_note_cursor cursor;
  bool found = false;
  omen_cursor_init (&cursor, file, log);
  while (!found
         && (cursor.at < cursor.notes.count || omen_cursor_fill (&cursor))) {
    found = is_switch (file, &cursor.notes.data[cursor.at]);
    cursor.at += !found;
  }
  if (found)
    log->start = omen_cursor_position (&cursor);
  omen_cursor_fini (&cursor);
  return found;
}

/* ---- threads that ran freely ---- */

static bool
has_accesses (const omen_notes_file *file)
{
  for (size_t i = 1; i < file->sites.count; i++) {
    unsigned kind = file->sites.data[i].kind;
    if (kind == OMEN_SITE_LOAD || kind == OMEN_SITE_STORE
        || kind == OMEN_SITE_EXTERNAL)
      return true;
  }
  return false;
}

/* Plain accesses have no numbers: they need a safepoint of the recorder. If
   there is none, accesses by libc are left out, too. */
static bool
start_at_mark (omen_notes_file *file)
{
  file->blind = !has_accesses (file);
  file->ambiguous = !file->blind;
  return file->blind ? omen_notes_cut (file)
                     : omen_notes_cut_at_safepoint (file);
}

/* ---- all ---- */

void
omen_notes_late (omen_notes_file *file)
{
  omen_trace *trace = file->reader->trace;
  OMEN_ASSERT (!file->late);
  if (!(file->flags & OMEN_RECORDING_RING) || !file->threads.count
      || has_beginning (file))
    return;
  file->late = true;
  trace->flags |= OMEN_TRACE_PARTIAL; /* nothing in it is certainly misuse */
  bool found = is_in_order (file) ? start_one_log (file) : start_at_mark (file);
  if (!found)
    omen_trace_warn (trace,
                     "the beginning was overwritten, and what is left has no "
                     "safepoint to begin at: none of it is used");
  for (size_t t = 0; t < file->threads.count; t++) {
    omen_notes_thread *thread = &file->threads.data[t];
    if (!found)
      thread->start = thread->notes;
    trace->rebuilt.before += thread->start;
  }
}
