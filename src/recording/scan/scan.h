/* The first walk over all notes of a recorder's file: checks every item, so
   that later walks need not, and learns what is asked about the whole. */
#ifndef OMEN_RECORDING_SCAN_SCAN_H
#define OMEN_RECORDING_SCAN_SCAN_H

#include "wire/item_numbers.h"
#include "recording/log/cursor.h"
#include "recording/scan/barriers.h"

typedef struct omen_notes_summary {
  uint64_t items;
  bool times;       /* there are TIME items */
  omen_map forked;  /* thread id -> 1: there is a FORK of it */
  omen_map pcs;     /* of calls -> 1 */
  omen_map takers;  /* pc of a call that takes a lock -> is it outside? */
  omen_map readers; /* (queue, number / 2) -> how many items read
                       that number */
  omen_map frees;   /* address -> how many FREE items of it */
  uint64_t *first;  /* by queue (item_numbers.h): the least key there is, or
                       UINT64_MAX */
  omen_arrivals arrivals; /* at barriers */
  bool gaps;              /* notes are missing */
  bool died;              /* of a signal */
} omen_notes_summary;

/* The same, piece by piece, of a file in which all is as it should be; what
   woven code noted is not looked at (omen_settled_find looks). False: look
   closer, or a limit of the file was reached. */
bool omen_notes_scan_fast (omen_notes_file *file, omen_notes_summary *summary);
/* After a fast scan: is what woven code noted as it should be, too? */
bool omen_notes_right (omen_notes_file *file);
/* Sets `notes` of every thread: what can be used of it. False: failed. If a
   limit is reached it stops, and only `items` of the summary is right. The
   summary is the caller's to fini in any case, as it is above. */
bool omen_notes_scan (omen_notes_file *file, omen_notes_summary *summary);
/* The same in steps, of a file that grows: nothing is known yet; then, again
   and again, the notes of the thread from `from` on. The end of what can be
   used. */
void omen_notes_summary_init (omen_notes_summary *summary);
uint64_t omen_notes_scan_more (omen_notes_file *file,
                               const omen_notes_thread *thread, uint64_t from,
                               omen_notes_summary *summary);
void omen_notes_summary_fini (omen_notes_summary *summary);

/* The next item, if there is one and it is right; else *wrong says what is not,
   or is NULL at the end. */
bool omen_notes_next_right (omen_note_cursor *cursor, omen_item *item,
                            const char **wrong);

/* Is the item as its kind should be? Its site is in the table. */
bool omen_item_right (const omen_notes_file *file, const omen_item *item);

/* Does an ATOMIC item only read? (A compare that failed does.) */
bool omen_item_atomic_reads (const omen_notes_file *file,
                             const omen_item *item);

/* The numbers of an item. */
unsigned omen_item_needs (const omen_notes_file *file, const omen_item *item,
                          omen_item_need needs[2]);
/* The same as places: all of a queue are in the order of these. */
unsigned omen_item_keys (const omen_notes_file *file, const omen_item *item,
                         omen_item_need keys[2]);

#endif
