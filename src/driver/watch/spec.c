#include "driver/watch/spec.h"
#include "base/print.h"
#include "base/now.h"
#include "driver/message.h"
#include "driver/predict/stats.h"
#include "driver/recorded.h"
#include "driver/spec_speaks.h"
#include "driver/values.h"
#include "driver/verifying.h"
#include "report/report.h"
#include "load/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOON_MS = 10 };

/* Number of notes between looks, if many arrive. */
#define PIECE ((uint64_t)OMEN_HARD_OR (2000, OMEN_WATCH_EVENTS / 2))
/* How often reading a recording may start again from the beginning. */
#define MOST_AGAIN 16
/* Limit of looks after the program has ended. */
#define MOST_LAST 100000u

void
omen_watch_spec_init (omen_watch_spec *w, const omen_watch_request *request,
                      const char *output, omen_watch_action *action)
{
  *w = (omen_watch_spec){ .request = request,
                          .output = output,
                          .action = action };
  /* keep accesses of one thread to these variables: others may follow */
  w->keep = (omen_rebuild_options){ .keeps = omen_spec_list_names,
                                    .watches = omen_spec_list_watches,
                                    .context = &request->specs };
  omen_names_init (&w->keys);
}

void
omen_watch_spec_fini (omen_watch_spec *w)
{
  if (w->looking.child)
    omen_look_end (&w->looking, true);
  for (size_t i = 0; i < w->files.count; i++) {
    omen_live_close (w->files.data[i].live);
    omen_free (w->files.data[i].path);
  }
  OMEN_VEC_FINI (w->files);
  OMEN_VEC_FINI (w->found);
  omen_names_fini (&w->keys);
}

/* ---- recordings ---- */

omen_past_filter
omen_watch_spec_filter (const omen_watch_request *request)
{
  const omen_spec_list *specs = &request->specs;
  return (omen_past_filter){ .most = OMEN_WATCH_EVENTS,
                             .kinds = omen_spec_list_kinds (specs),
                             .variable = omen_spec_list_speaks_of,
                             .function = omen_spec_list_calls,
                             .watched = omen_spec_list_watches,
                             .starts = omen_spec_list_threads (specs),
                             .context = specs };
}

static omen_seen_file *
file_of (omen_watch_spec *w, const char *path)
{
  for (size_t i = 0; i < w->files.count; i++)
    if (!strcmp (w->files.data[i].path, path))
      return &w->files.data[i];
  OMEN_VEC_PUSH (w->files, ((omen_seen_file){ .path = omen_strdup (path),
                                              .overlap = OMEN_WATCH_OVERLAP }));
  return &OMEN_VEC_LAST (w->files);
}

static void
open_live (omen_watch_spec *w, omen_seen_file *file)
{
  omen_live_options options
      = { .filter = omen_watch_spec_filter (w->request), .rebuild = w->keep };
  omen_err err = { 0 };
  omen_live *before = file->live;
  file->live = omen_live_open (file->path, &options, before, &err);
  file->failed = !file->live;
  file->walked = 0;
  omen_live_close (before);
}

static void
add_counts (omen_watch_spec *w, const omen_seen_file *file)
{
  omen_live_counts counts = omen_live_count (file->live);
  w->bytes += counts.bytes;
  w->begun += counts.opened;
}

/* Do not look at the recording any more until the end. */
static void
give_up (omen_watch_spec *w, omen_seen_file *file, const char *why)
{
  if (*why && !w->request->quiet)
    omen_warn ("%s: %s: the rest of it is analysed only at the end", file->path,
               why);
  add_counts (w, file);
  omen_live_close (file->live);
  file->live = NULL;
  file->failed = true;
}

/* ---- looks ---- */

/* Number of events that are past for the next look. */
static uint64_t
past_of (const omen_seen_file *file)
{
  return file->walked > file->overlap ? file->walked - file->overlap : 0;
}

/* Set how far the look came, and how many events the next one walks again. If
   it took too long, it counts as part of the way, and the overlap is halved. If
   more notes are waiting, the next looks walk only the projection, so the
   overlap can be large. */
static void
move_on (omen_seen_file *file, const omen_look_outcome *seen, bool late)
{
  uint64_t way = past_of (file) + 2 * file->overlap;
  if (seen->undecided) {
    file->overlap = file->overlap > 128 ? file->overlap / 2 : 64;
    file->walked = way < seen->emitted ? way : seen->emitted;
    return;
  }
  file->walked = seen->emitted;
  if (late || file->overlap > OMEN_WATCH_WIDE / 2)
    file->overlap = late ? OMEN_WATCH_WIDE : OMEN_WATCH_WIDE / 2;
  else if (seen->seconds < OMEN_WATCH_SECONDS / 2
           && file->overlap < OMEN_WATCH_WIDE / 2)
    file->overlap *= 2;
}

static void
warn_gap (omen_watch_spec *w, const omen_seen_file *file,
          const omen_look_outcome *seen)
{
  bool gap = !seen->wide || seen->emitted > OMEN_WATCH_EVENTS + file->walked;
  if (gap && !w->gap && !w->request->quiet)
    omen_warn ("%s: more events than can be analysed while the program "
               "runs: some runs of it are analysed only at the end",
               file->path);
  w->gap |= gap;
}

/* The number of a report, which is added if it is new. */
static uint32_t
number_of_report (omen_watch_spec *w, const char *key)
{
  uint32_t id = omen_names_id (&w->keys, key, strlen (key));
  while (w->found.count < w->keys.count)
    OMEN_VEC_PUSH (w->found, 0);
  return id;
}

static void
report_verdict (void *context, const omen_watch_report *report)
{
  omen_watch_spec *w = context;
  number_of_report (w, report->key);
  omen_watch_report_tell (report, w->action);
}

/* Take the result of the current look, if it has ended. */
static void
end_look (omen_watch_spec *w, bool wait)
{
  omen_seen_file *file;
  const omen_look_outcome *seen = &w->looking.outcome;
  double took;
  if (!w->looking.child || !omen_look_end (&w->looking, wait))
    return;
  took = omen_now () - w->looking.start;
  w->next = omen_now () + (w->looking.look.late ? 0 : took);
  w->looks++;
  w->events += seen->events;
  w->bug |= seen->bug;
  file = file_of (w, w->looking.look.path);
  if (!seen->done || !file->live)
    return;
  warn_gap (w, file, seen);
  move_on (file, seen, w->looking.look.late);
  omen_live_past (file->live, past_of (file));
}

static void
begin_look (omen_watch_spec *w, omen_seen_file *file, int pid, bool more)
{
  omen_look look = { .request = w->request,
                     .path = file->path,
                     .first = !strcmp (file->path, w->output),
                     .late = more,
                     .pid = omen_action_pid (w->output, file->path, pid),
                     .keys = &w->keys,
                     .report = report_verdict,
                     .context = w };
  if (omen_look_begin (&w->looking, &look, file->live))
    file->notes = omen_live_count (file->live).notes;
}

/* Read part of what is new; true: more is available now. */
static bool
read_some (omen_watch_spec *w, omen_seen_file *file)
{
  bool more = false;
  omen_live_state state;
  if (!file->live && !file->failed)
    open_live (w, file);
  if (file->failed)
    return false;
  state = omen_live_read (file->live, PIECE, &more);
  file->over = state == OMEN_LIVE_OVER;
  if (state == OMEN_LIVE_FAILED || state == OMEN_LIVE_AGAIN)
    end_look (w, true);
  if (state == OMEN_LIVE_FAILED)
    give_up (w, file, omen_live_err (file->live));
  else if (state == OMEN_LIVE_AGAIN
           && omen_live_count (file->live).opened == MOST_AGAIN)
    give_up (w, file, "its modules change too often");
  else if (state == OMEN_LIVE_AGAIN) {
    open_live (w, file);
    return true;
  }
  return more;
}

/* Read what is new in a recording, and begin a look at it if none is running
   and it is time. True: more is available now. */
static bool
look_into (omen_watch_spec *w, omen_seen_file *file, int pid)
{
  bool more = read_some (w, file);
  end_look (w, false);
  if (file->failed)
    return false;
  if (!w->looking.child && omen_now () >= w->next
      && omen_live_count (file->live).notes > file->notes)
    begin_look (w, file, pid, more);
  if (file->over && strcmp (file->path, w->output)
      && omen_live_count (file->live).notes == file->notes)
    give_up (w, file, ""); /* there may be many processes */
  return more;
}

/* Look into all recordings, beginning with another one each time. */
static bool
look_around (omen_watch_spec *w, int pid)
{
  omen_recorded_files files = { 0 };
  bool more = false;
  omen_recorded_find (&files, w->output);
  w->turn++;
  for (size_t i = 0; i < files.count; i++) {
    size_t next = (w->turn + i) % files.count;
    more |= look_into (w, file_of (w, files.data[next]), pid);
  }
  omen_recorded_files_fini (&files);
  return more;
}

unsigned
omen_watch_spec_look (omen_watch_spec *w, int pid)
{
  bool more;
  omen_action_look (w->action);
  more = look_around (w, pid);
  omen_action_look (w->action);
  return more ? 0 : SOON_MS;
}

/* ---- the end ---- */

/* Was everything readable analysed? */
static bool
is_analysed (const omen_watch_spec *w)
{
  for (size_t i = 0; i < w->files.count; i++) {
    const omen_seen_file *file = &w->files.data[i];
    if (file->live && omen_live_count (file->live).notes > file->notes)
      return false;
  }
  return true;
}

/* Number of items in all recordings, after they have ended; reads them, since
   no look may have been early enough. */
static uint64_t
count_items (omen_watch_spec *w)
{
  omen_recorded_files files = { 0 };
  uint64_t items = 0;
  omen_recorded_find (&files, w->output);
  for (size_t i = 0; i < files.count; i++) {
    omen_seen_file *file = file_of (w, files.data[i]);
    while (read_some (w, file))
      ;
    if (file->live)
      items += omen_live_count (file->live).notes;
  }
  omen_recorded_files_fini (&files);
  return items;
}

/* Walk the whole run at the end only if it is not too long, since that needs
   memory for each event. */
static void
choose_end (omen_watch_spec *w)
{
  uint64_t items = w->request->no_verify ? 0 : count_items (w);
  bool too_long = items > w->request->whole;
  w->whole = !w->request->no_verify && !too_long;
  if (too_long && !w->request->quiet)
    omen_warn ("%s: %lu items are too many to walk the whole run (see "
               "--whole): only its last events are analysed once more",
               w->output, (unsigned long)items);
}

void
omen_watch_spec_finish (omen_watch_spec *w, int pid)
{
  bool more = true;
  end_look (w, true);
  choose_end (w);
  for (unsigned i = 0; !w->whole && i < MOST_LAST; i++) {
    w->next = 0;
    more = look_around (w, pid);
    end_look (w, true);
    omen_action_look (w->action);
    if (!more && is_analysed (w))
      return;
  }
}

/* One recording, whole. */
typedef struct last_look {
  omen_watch_spec *watch;
  const char *path;
  const omen_trace *trace;
  omen_verifying *verifying;
  omen_reporter *reporter;
  bool again;   /* skip verdicts that were already found */
  omen_err err; /* set if a witness does not verify */
} last_look;

static bool
verified (void *context, omen_finding *f, const omen_err *err)
{
  last_look *l = context;
  char key[OMEN_REPORT_TEXT];
  uint32_t number;
  if (err->set)
    return omen_err_set (&l->err, "",
                         "internal error: a %s witness does not verify: %s",
                         omen_finding_kind_text (f->kind), err->what);
  omen_watch_report_key (key, l->path, l->trace, f);
  number = number_of_report (l->watch, key);
  if (l->again && l->watch->found.data[number])
    return true;
  l->watch->found.data[number] = 1;
  if (f->status == OMEN_STATUS_PREDICTED)
    f->status = OMEN_STATUS_VERIFIED;
  omen_report_text (l->reporter, f, ++l->watch->findings, stderr);
  return true;
}

static bool
verify_last_finding (void *context, omen_finding *finding)
{
  last_look *l = context;
  return omen_verifying_take (l->verifying, finding);
}

/* Does it have reads whose value it does not use? As the last event of its
   thread such a read may see anything, but not on the lattice. */
static bool
has_loose_reads (const omen_property *p)
{
  for (uint32_t e = 0; e < p->events; e++)
    for (uint32_t i = 0; i < p->event[e].cut_count; i++) {
      const omen_cut *cut = &p->event[e].cuts[i];
      if (cut->kind == OMEN_CUT_GET && !cut->arg_count && !cut->returning
          && !cut->condition)
        return true;
    }
  return false;
}

/* Search for runs that the lattice omits: those that end with such a read. */
static void
search_loose (last_look *l, const omen_model *model, const omen_sink *sink)
{
  const omen_watch_request *request = l->watch->request;
  omen_predict_stats stats = { 0 };
  omen_predict_options options = {
    .jobs = 1,
    .asks = OMEN_DEFAULT_ASKS,
    .model = omen_has_values (l->trace) ? OMEN_MODEL_VALUE : OMEN_MODEL_RF,
    .timeout = request->timeout,
    .identity = omen_trace_identity (l->trace),
    .engine = { .budget = { .steps = OMEN_DEFAULT_STEPS }, .z3_seconds = 2 }
  };
  l->again = true;
  for (size_t i = 0; i < request->specs.predict.count; i++)
    for (uint32_t p = 0; p < request->specs.predict.data[i].count; p++) {
      omen_predict_spec one = request->specs.predict.data[i];
      one.properties += p;
      one.count = 1;
      options.spec = &one;
      if (has_loose_reads (one.properties))
        omen_predict_property (model, &options, sink, &stats);
    }
  omen_predict_stats_fini (&stats);
}

static void
judge_run (last_look *l, omen_predict_stats *stats, int *code)
{
  const omen_watch_request *request = l->watch->request;
  omen_sink sink = { verify_last_finding, NULL, l };
  omen_load_options options = { .rebuild = l->watch->keep };
  omen_err err = { 0 };
  omen_trace *trace = omen_load (l->path, &options, &err);
  omen_model *model = trace ? omen_model_new (trace, &err) : NULL;
  l->trace = trace;
  if (model)
    l->verifying = omen_verifying_new (trace, 1, verified, l, &err);
  if (l->verifying) {
    omen_verifying_specs (l->verifying, &request->specs);
    l->reporter = omen_reporter_new (trace);
    omen_look_walk (request, trace, model, true, &sink, stats);
    omen_verifying_finish (l->verifying);
    omen_verifying_free (l->verifying);
    l->verifying = omen_verifying_new (trace, 1, verified, l, &err);
  }
  if (l->verifying) {
    omen_verifying_specs (l->verifying, &request->specs);
    search_loose (l, model, &sink);
    omen_verifying_finish (l->verifying);
    omen_reporter_free (l->reporter);
    omen_verifying_free (l->verifying);
  } else
    *code = omen_fail (OMEN_EXIT_INPUT, &err);
  if (l->err.set)
    *code = omen_fail (OMEN_EXIT_BUG, &l->err);
  omen_model_free (model);
  omen_trace_free (trace);
}

static void
print_stats (omen_watch_spec *w)
{
  for (size_t i = 0; i < w->files.count; i++)
    if (w->files.data[i].live)
      add_counts (w, &w->files.data[i]);
  omen_print (
      stderr,
      "omen: %lu looks at %lu events; %lu bytes of recordings were read, "
      "%lu times from the beginning\n",
      (unsigned long)w->looks, (unsigned long)w->events,
      (unsigned long)w->bytes, (unsigned long)w->begun);
}

static void
print_spec_end (const omen_watch_spec *w)
{
  unsigned lost = 0;
  for (size_t i = 0; i < w->found.count; i++)
    lost += !w->found.data[i];
  omen_print (stderr, "omen: %u finding%s; %u report%s while the program ran",
              w->findings, w->findings == 1 ? "" : "s", w->reports,
              w->reports == 1 ? "" : "s");
  if (lost && w->whole)
    omen_print (stderr, ", %u not in the finished trace", lost);
  fputc ('\n', stderr);
}

void
omen_watch_spec_judge (omen_watch_spec *w, int *code)
{
  omen_recorded_files files = { 0 };
  int bad = w->bug ? OMEN_EXIT_BUG : OMEN_EXIT_NOTHING;
  w->reports = w->keys.count;
  omen_recorded_find (&files, w->output);
  for (size_t i = 0; i < files.count && w->whole; i++) {
    omen_predict_stats stats = { 0 };
    last_look l = { .watch = w, .path = files.data[i] };
    judge_run (&l, &stats, &bad);
    if (!w->request->quiet && stats.lattice.widths.count)
      omen_lattice_print (&stats.lattice);
    omen_predict_stats_fini (&stats);
  }
  omen_recorded_files_fini (&files);
  if (w->request->stats)
    print_stats (w);
  if (!w->request->quiet)
    print_spec_end (w);
  if (bad == OMEN_EXIT_BUG)
    *code = bad;
  else if (w->findings || (!w->whole && w->reports))
    *code = OMEN_EXIT_FINDINGS;
}
