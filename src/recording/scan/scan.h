/* The first walk over all notes of a recording: checks every item, so that
   later walks need not, and summarizes the whole. */
#ifndef OMEN_RECORDING_SCAN_SCAN_H
#define OMEN_RECORDING_SCAN_SCAN_H

#include "wire/item_numbers.h"
#include "recording/log/cursor.h"
#include "recording/scan/barriers.h"

typedef struct omen_notes_summary {
  uint64_t items;
  bool times;                   /* there are TIME items */
  omen_chunk_times chunk_times; /* found by omen_notes_scan_fast */
  omen_map forked;              /* thread id -> 1: it has a FORK */
  omen_map pcs;                 /* of calls -> 1 */
  omen_map takers;  /* pc of an acquiring call -> is it uninstrumented? */
  omen_map readers; /* (queue, number / 2) -> the number of items that read that
                       number */
  omen_map frees;   /* address -> the number of its FREE items */
  uint64_t *first; /* by queue (item_numbers.h): the least key, or UINT64_MAX */
  omen_arrivals arrivals; /* at barriers */
  bool gaps;              /* notes are missing */
  bool died;              /* of a signal */
} omen_notes_summary;

/* The same, piece by piece, for a well-formed file; addresses of woven code are
   not checked (omen_settled_find does it). False: use omen_notes_scan, or a
   limit of the file was reached. */
bool omen_notes_scan_fast (omen_notes_file *file, omen_notes_summary *summary);
/* After a fast scan: are the notes of woven code well-formed, too? */
bool omen_notes_right (omen_notes_file *file);
/* Sets `notes` of every thread to the number of usable notes. False: failed. It
   stops at a limit; then only `items` of the summary is valid. The caller must
   fini the summary in any case, also after omen_notes_scan_fast. */
bool omen_notes_scan (omen_notes_file *file, omen_notes_summary *summary);
/* The same in steps, for a file that grows: start with an empty summary, then
   pass each thread's new notes, beginning at `from`. Returns the end of the
   usable notes. */
void omen_notes_summary_init (omen_notes_summary *summary);
uint64_t omen_notes_scan_more (omen_notes_file *file,
                               const omen_notes_thread *thread, uint64_t from,
                               omen_notes_summary *summary);
void omen_notes_summary_fini (omen_notes_summary *summary);

/* The next item, if there is one and it is well-formed; otherwise *wrong says
   what is not, or is NULL at the end. */
bool omen_notes_next_right (omen_note_cursor *cursor, omen_item *item,
                            const char **wrong);

/* Is the item well-formed for its kind? Its site must be in the table. */
bool omen_item_right (const omen_notes_file *file, const omen_item *item);

/* Does an ATOMIC item only read? (A failed compare-exchange does.) */
bool omen_item_atomic_reads (const omen_notes_file *file,
                             const omen_item *item);

/* The numbers of an item. */
unsigned omen_item_needs (const omen_notes_file *file, const omen_item *item,
                          omen_item_need needs[2]);
/* The same as sort keys: items of a queue are ordered by them. */
unsigned omen_item_keys (const omen_notes_file *file, const omen_item *item,
                         omen_item_need keys[2]);

#endif
