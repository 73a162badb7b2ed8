/* Makes a trace of a recorder's file, from end to end. */
#include "recording/rebuild.h"
#include "trace/ids.h"
#include "trace/part.h"
#include "recording/ring/late.h"
#include "trace/private.h"
#include "recording/events/events.h"
#include "recording/scan/extract.h"
#include "recording/scan/settled.h"

/* The number of reads whose value no write in the file can have stored. Entries
   of size 0 are cuts, where the writer is merely unknown. */
static uint64_t
count_outside (const omen_rebuilt *order)
{
  const omen_outside *cut = NULL;
  uint64_t count = 0;
  for (size_t i = 0; i < order->outside.count; i++) {
    const omen_outside *o = &order->outside.data[i];
    if (!o->size)
      cut = o;
    else
      count += !cut || cut->thread != o->thread || cut->position != o->position;
  }
  return count;
}

/* Stores the counts in the trace and warns about what was left out. */
static void
sum_up (const omen_notes_file *file, const omen_rebuilt *order,
        omen_trace *trace)
{
  omen_rebuild_counts *counts = &trace->rebuilt;
  counts->outside = count_outside (order);
  counts->late = order->late;
  counts->ended = order->ended;
  counts->unused = order->unused;
  counts->unknown = order->unknown;
  counts->unexplained = order->cuts;
  if (order->unused && !counts->cut) {
    omen_trace_warn (trace,
                     "%lu of %lu notes are not used: %lu threads end early, at "
                     "a read or sequence number that nothing explains",
                     (unsigned long)order->unused,
                     (unsigned long)file->reader->notes,
                     (unsigned long)order->ended);
  }
  if (order->cuts)
    omen_trace_warn (trace,
                     "the values of %lu reads were written by nothing in the "
                     "file: each is placed after all that was recorded before "
                     "it, and before the rest",
                     (unsigned long)order->cuts);
  if (file->mappings.vague)
    omen_trace_warn (
        trace, "files are mapped at addresses that had other memory, too, "
               "or several times in a row: which accesses are to the same "
               "memory is not known");
  if (order->loops)
    omen_trace_warn (trace,
                     "%lu of them are of loops that were logged as a whole: "
                     "record with --exact-loops to see more",
                     (unsigned long)order->loops);
  if (file->helped)
    trace->flags |= OMEN_TRACE_HELPED;
}

/* May accesses to settled memory be needed? They are where dependences are
   recorded, since values flow through it, and for requested variables. */
static bool
wants_settled (const omen_notes_file *file, const omen_rebuild_options *options)
{
  bool asked = options->whole || options->all || options->keeps
               || file->depends.list.count;
  for (size_t i = 0; i < file->objects.count && !asked; i++)
    asked = file->objects.data[i].kept;
  return asked;
}

/* Memory that uninstrumented code may have written is not settled. */
static void
open_outside (omen_notes_file *file, const omen_rebuilt *order)
{
  for (size_t i = 0; file->settled && i < order->outside.count; i++)
    omen_settled_open (file->settled, order->outside.data[i].address,
                       order->outside.data[i].size);
}

/* Scans without limits, as the remaining ones are for what comes after. */
static bool
scan_whole (omen_notes_file *file, omen_notes_summary *summary)
{
  omen_limits *limits = file->limits;
  bool scanned;
  file->limits = NULL;
  scanned = omen_notes_scan (file, summary);
  file->limits = limits;
  return scanned;
}

/* Can no finding be possible? Then no events are needed. */
static bool
is_clean (const omen_notes_file *file, const omen_rebuild_options *options)
{
  return options->mistakes && file->settled
         && !omen_settled_candidates (file->settled);
}

/* Of the time that is left: for scanning, for dropping what cannot matter, and
   for all else that is done with notes. */
#define SCAN_SHARE 0.5
#define EXTRACT_SHARE 0.4
#define MERGE_SHARE 0.6
/* The costs of extracting and of merging a note, as multiples of the cost of
   scanning it. */
enum { EXTRACT_COST = 3, MERGE_COST = 16 };

/* How much of a piece of work that takes so many seconds can be done in a share
   of the time that is left: at most 1. */
static double
affordable (const omen_limits *limits, double seconds, double share,
            double forced)
{
  double left;
  if (forced > 0)
    return forced;
  if (!limits || limits->deadline.at <= 0)
    return 1;
  left = (limits->deadline.at - omen_now ()) * share;
  return left >= seconds ? 1 : left > 0 ? left / seconds : 0;
}

/* What forks them may be left out. */
static void
note_forked (omen_notes_file *file, const omen_notes_summary *summary)
{
  for (size_t t = 0; t < file->threads.count; t++)
    file->threads.data[t].forked
        |= omen_map_get (&summary->forked, file->threads.data[t].id) == 1;
}

/* A limit was hit while scanning: shortens the file to a part that can still be
   merged. */
static bool
scan_part (omen_notes_file *file, omen_notes_summary *summary)
{
  note_forked (file, summary);
  omen_notes_file_shorten (file, summary->items / MERGE_COST,
                           &(omen_chunk_times){ 0 });
  omen_notes_summary_fini (summary);
  return scan_whole (file, summary);
}

/* Shortens the file to a part of it, and scans that. Memory that is settled in
   the whole file is settled in the part, too. */
static bool
scan_again (omen_notes_file *file, omen_notes_summary *summary, double part)
{
  file->limits->hit = OMEN_LIMIT_TIME;
  note_forked (file, summary);
  omen_notes_file_shorten (file, (uint64_t)((double)file->reader->notes * part),
                           &summary->chunk_times);
  omen_notes_summary_fini (summary);
  omen_limits_begin (file->limits, "scanning notes", SCAN_SHARE);
  return omen_notes_scan_fast (file, summary);
}

/* Drops notes that cannot matter, and then those that there is no time to
   merge. */
static bool
extract (omen_notes_file *file, const double *parts,
         omen_notes_summary *summary, double seconds)
{
  double part = affordable (file->limits, EXTRACT_COST * seconds, EXTRACT_SHARE,
                            parts[OMEN_PART_SCANNED]);
  if (part < 1 && !scan_again (file, summary, part))
    return false;
  seconds *= part;
  if (!omen_extract (file)) {
    double merged = affordable (file->limits, MERGE_COST * seconds, MERGE_SHARE,
                                parts[OMEN_PART_EXTRACTED]);
    return merged >= 1 || scan_again (file, summary, part * merged);
  }
  seconds *= (double)omen_extracted (file) / (double)(summary->items + 1);
  part = affordable (file->limits, MERGE_COST * seconds, MERGE_SHARE,
                     parts[OMEN_PART_EXTRACTED]);
  if (part < 1) {
    file->limits->hit = OMEN_LIMIT_TIME;
    note_forked (file, summary);
    omen_extract_shorten (file, part);
  }
  return true;
}

/* True: the fast scan suffices for the later passes. */
static bool
scan_fast (omen_notes_file *file, const omen_rebuild_options *options,
           omen_notes_summary *summary)
{
  double start = omen_now (), part;
  if (!omen_notes_scan_fast (file, summary))
    return false;
  if (!summary->died)
    file->settled = omen_settled_find (file, summary);
  if (file->settled)
    return is_clean (file, options)
           || extract (file, options->parts, summary, omen_now () - start);
  part = affordable (file->limits, MERGE_COST * (omen_now () - start),
                     MERGE_SHARE, options->parts[OMEN_PART_SCANNED]);
  return (part >= 1 || scan_again (file, summary, part))
         && omen_notes_right (file);
}

static bool
scan (omen_notes_file *file, const omen_rebuild_options *options,
      omen_notes_summary *summary)
{
  const omen_limits *limits = file->limits;
  bool fast = !file->late && !wants_settled (file, options)
              && !file->mappings.parts.count;
  if (file->late)
    return scan_whole (file, summary);
  omen_limits_begin (file->limits, "scanning notes", SCAN_SHARE);
  if (options->parts[OMEN_PART_EVENLY] > 0) {
    file->limits->hit = OMEN_LIMIT_TIME;
    omen_notes_summary_init (summary);
    summary->items = (uint64_t)((double)file->reader->notes * MERGE_COST
                                * options->parts[OMEN_PART_EVENLY]);
    return scan_part (file, summary);
  }
  if (fast && scan_fast (file, options, summary))
    return true;
  if (fast && limits && limits->hit)
    return scan_part (file, summary);
  if (fast)
    omen_notes_summary_fini (summary);
  if (file->reader->failed) {
    omen_notes_summary_init (summary);
    return false;
  }
  if (!omen_notes_scan (file, summary))
    return false;
  return !limits || !limits->hit || scan_part (file, summary);
}

/* Atomicity violations are never excluded alone: reducibility is known only of
   functions that neither notify nor wait and whose accesses are guarded, and
   then everything is excluded (is_clean). */
static unsigned
excluded_by (unsigned candidates)
{
  unsigned excluded = 0;
  if (candidates & OMEN_MAY_MISUSE)
    return 0;
  if (!(candidates & OMEN_MAY_RACE))
    excluded |= OMEN_NO_RACES;
  if (!(candidates & OMEN_MAY_DEADLOCK))
    excluded |= OMEN_NO_DEADLOCKS;
  return excluded;
}

static bool
make_order (omen_notes_file *file, const omen_rebuild_options *options,
            omen_rebuilt *order)
{
  omen_notes_summary summary;
  bool made = scan (file, options, &summary);
  if (made)
    omen_notes_unify (file);
  file->reader->trace->rebuilt.clean = made && is_clean (file, options);
  if (file->settled && options->mistakes)
    file->reader->trace->rebuilt.excluded
        = excluded_by (omen_settled_candidates (file->settled));
  if (made && !file->reader->trace->rebuilt.clean)
    made = omen_rebuild_order (file, &summary, order);
  open_outside (file, order);
  file->reader->trace->rebuilt.items = summary.items;
  omen_notes_summary_fini (&summary);
  return made;
}

/* Renumbers the trace and seals it: ids were assigned as events were emitted,
   and initial values are known only at the end but come first in the text. */
static omen_trace *
seal (omen_trace *trace, omen_err *err)
{
  trace = omen_trace_renumber_take (trace);
  if (omen_trace_seal (trace, err)) {
    omen_trace_warn_part (trace);
    return trace;
  }
  omen_trace_free (trace);
  return NULL;
}

/* Adds the places of variables that were requested when recording. */
static void
keep_asked (const omen_notes_file *file, const omen_trace *trace,
            omen_ids *stays)
{
  const omen_names *variables = &trace->names[OMEN_OPERAND_VARIABLE];
  omen_names asked;
  omen_names_init (&asked);
  for (size_t i = 0; i < file->objects.count; i++)
    if (file->objects.data[i].kept) {
      const omen_name *name = &trace->strings.names[file->objects.data[i].name];
      omen_names_id (&asked, name->text, name->length);
    }
  for (omen_pid p = 0; asked.count && p < trace->places.count; p++) {
    const omen_name *name = &variables->names[trace->places.data[p].variable];
    if (omen_names_find (&asked, name->text, name->length) != OMEN_NONE)
      OMEN_VEC_PUSH (*stays, p);
  }
  omen_names_fini (&asked);
}

static void
keep_named (const omen_trace *trace, const omen_rebuild_options *options,
            omen_ids *stays)
{
  const omen_names *names = &trace->names[OMEN_OPERAND_VARIABLE];
  for (omen_pid place = 0; place < trace->places.count; place++)
    if (options->keeps (
            options->context,
            omen_names_text (names, trace->places.data[place].variable)))
      OMEN_VEC_PUSH (*stays, place);
}

/* Updates the number of past events after some were dropped. */
static void
count_past (omen_trace *trace, const omen_ids *moved)
{
  uint64_t past = trace->rebuilt.past, left = 0;
  for (size_t e = 0; e < past; e++)
    left += !moved->count || moved->data[e] != OMEN_NONE;
  trace->rebuilt.past = left;
}

/* Drops events on variables of a single thread and renumbers the others. */
static void
drop_private (const omen_notes_file *file, const omen_rebuild_options *options,
              omen_trace *trace, const omen_ids *uses,
              omen_depending *depending, bool depends, omen_stacks *stacks)
{
  omen_privacy request
      = { &depending->stays, uses, file->settled, options->all };
  uint64_t dropped;
  omen_ids moved = { 0 };
  if (options->keeps)
    keep_named (trace, options, &depending->stays);
  keep_asked (file, trace, &depending->stays);
  dropped = omen_trace_drop_private (
      trace, &request,
      depends || stacks->list.count || trace->rebuilt.past ? &moved : NULL);
  if (!options->all)
    trace->rebuilt.private = dropped;
  count_past (trace, &moved);
  if (depends)
    omen_depending_settle (depending, trace, moved.data);
  omen_stacks_settle (stacks, trace, moved.data);
  OMEN_VEC_FINI (moved);
}

omen_trace *
omen_rebuild_settle (const omen_notes_file *file, const omen_rebuilt *order,
                     const omen_rebuild_options *options, omen_trace *trace,
                     omen_stacks *stacks, omen_err *err)
{
  omen_depending depending;
  omen_depending_init (&depending, &file->depends);
  drop_private (file, options, trace, &(omen_ids){ 0 }, &depending, false,
                stacks);
  omen_depending_fini (&depending);
  sum_up (file, order, trace);
  return seal (trace, err);
}

static void
make_events (omen_notes_file *file, const omen_rebuilt *order,
             const omen_rebuild_options *options, omen_trace *trace)
{
  omen_depending depending;
  omen_stacks stacks;
  omen_start start;
  omen_ids uses = { 0 };
  bool depends = file->depends.list.count;
  omen_stacks_init (&stacks);
  omen_depending_init (&depending, &file->depends);
  omen_start_init (&start);
  if (file->late)
    omen_start_find (file, order, &start);
  omen_rebuild_events (file, order, file->late ? &start : NULL, trace,
                       depends ? &depending : NULL, &stacks, &uses);
  omen_start_fini (&start);
  drop_private (file, options, trace, &uses, &depending, depends, &stacks);
  OMEN_VEC_FINI (uses);
  omen_depending_fini (&depending);
  omen_stacks_fini (&stacks);
}

static bool
names_it (const omen_notes_file *file, const omen_data_object *object,
          bool (*names) (const void *, const char *), const void *context)
{
  const omen_names *strings = &file->reader->trace->strings;
  uint32_t both[] = { object->name, object->shape.source };
  for (size_t k = 0; names && k < OMEN_COUNT (both); k++)
    if (both[k] != OMEN_NONE
        && names (context, omen_names_text (strings, both[k])))
      return true;
  return false;
}

/* Adds the variables requested now to those requested when recording. */
static void
ask_for (omen_notes_file *file, const omen_rebuild_options *options)
{
  for (size_t i = 0; i < file->objects.count; i++) {
    omen_data_object *object = &file->objects.data[i];
    object->kept |= names_it (file, object, options->keeps, options->context);
    object->watched
        |= names_it (file, object, options->watches, options->context);
  }
}

bool
omen_rebuild (omen_binary_reader *reader, const omen_rebuild_options *options)
{
  omen_notes_file file;
  omen_rebuilt order = { 0 };
  bool made = omen_notes_file_init (&file, reader);
  file.limits = options->limits;
  file.afterlife = options->afterlife;
  if (made)
    omen_notes_late (&file);
  if (made)
    ask_for (&file, options);
  made = made && make_order (&file, options, &order);
  /* known before events are made: those of parts claim less */
  if (made && (order.unused || file.flags & OMEN_RECORDING_RING))
    reader->trace->flags |= OMEN_TRACE_PARTIAL;
  if (made && !reader->trace->rebuilt.clean)
    make_events (&file, &order, options, reader->trace);
  if (made) {
    omen_trace_fit (reader->trace, options->limits);
    sum_up (&file, &order, reader->trace);
    reader->trace = seal (reader->trace, reader->err);
    made = reader->trace;
  }
  omen_rebuilt_fini (&order);
  omen_settled_free (file.settled);
  omen_notes_file_fini (&file);
  return made;
}
