#include "driver/watch/look.h"
#include "base/now.h"
#include "driver/message.h"
#include "driver/spec_speaks.h"
#include "driver/verifying.h"
#include "driver/watch/spec.h"
#include "online/projection.h"
#include "witness/observe.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void
omen_look_walk (const omen_watch_request *request, const omen_trace *trace,
                const omen_model *model, bool last, const omen_sink *sink,
                omen_predict_stats *stats)
{
  omen_predict_options options
      = { .jobs = 1,
          .model = OMEN_MODEL_LATTICE,
          .breadth = request->breadth,
          .from = (uint32_t)trace->rebuilt.past,
          .runs = last,
          .timeout = last ? request->timeout : OMEN_WATCH_SECONDS,
          .identity = omen_trace_identity (trace) };
  for (size_t i = 0; i < request->specs.predict.count; i++) {
    options.spec = &request->specs.predict.data[i];
    omen_predict_property (model, &options, sink, stats);
  }
}

/* ---- the pipe ---- */

typedef enum message { REPORT = 1, OUTCOME } message;

/* False at the end. */
static bool
move_all (int fd, char *at, size_t size, bool out)
{
  while (size) {
    ssize_t done = out ? write (fd, at, size) : read (fd, at, size);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    at += done;
    size -= (size_t)done;
  }
  return true;
}

static bool
put_bytes (int fd, const void *bytes, size_t size)
{
  return move_all (fd, (char *)bytes, size, true);
}

static bool
read_all (int fd, void *bytes, size_t size)
{
  return move_all (fd, bytes, size, false);
}

static bool
put_message (int fd, message kind, const void *bytes, size_t size)
{
  return put_bytes (fd, &kind, sizeof kind) && put_bytes (fd, bytes, size);
}

/* ---- the child ---- */

typedef struct view {
  const omen_look *look;
  int to;
  const omen_trace *trace;
  omen_verifying *verifying;
  uint64_t identity;   /* of the trace */
  omen_names reported; /* by this look */
  omen_look_outcome outcome;
} view;

static bool
is_new (view *s, const char *key)
{
  uint32_t before = s->reported.count;
  return omen_names_find (s->look->keys, key, strlen (key)) == OMEN_NONE
         && omen_names_id (&s->reported, key, strlen (key)) == before;
}

static bool
verified (void *context, omen_finding *f, const omen_err *err)
{
  view *s = context;
  omen_watch_report report;
  if (err->set) {
    s->outcome.bug = true;
    omen_warn ("internal error: a %s witness does not verify: %s",
               omen_finding_kind_text (f->kind), err->what);
    return false;
  }
  omen_watch_report_key (report.key, s->look->path, s->trace, f);
  if (!is_new (s, report.key))
    return true;
  omen_watch_report_make (&report, s->look->path, s->look->first, s->look->pid,
                          s->trace, f);
  return put_message (s->to, REPORT, &report, sizeof report);
}

/* Verify the finding, and take ownership of it. The verifier is made at the
   first finding, since that costs time for the whole trace. */
static bool
verify (view *s, omen_finding *finding)
{
  omen_err err = { 0 };
  if (!s->verifying) {
    s->verifying = omen_verifying_new (s->trace, 1, verified, s, &err);
    if (s->verifying)
      omen_verifying_specs (s->verifying, &s->look->request->specs);
  }
  if (s->verifying)
    return omen_verifying_take (s->verifying, finding);
  omen_finding_fini (finding);
  return false;
}

static bool
verify_seen_finding (void *context, omen_finding *finding)
{
  return verify (context, finding);
}

/* All runs of the events. */
static void
walk_wide (view *s)
{
  omen_sink sink = { verify_seen_finding, NULL, s };
  omen_predict_stats stats = { 0 };
  omen_err err = { 0 };
  omen_model *model = omen_model_new (s->trace, &err);
  double start = omen_now ();
  if (model)
    omen_look_walk (s->look->request, s->trace, model, false, &sink, &stats);
  s->outcome.undecided = stats.undecided;
  s->outcome.seconds = omen_now () - start;
  s->outcome.wide = true;
  omen_predict_stats_fini (&stats);
  omen_model_free (model);
}

/* ---- runs of the projection ---- */

typedef struct projected_look {
  view *view;
  const omen_projection *projection;
} projected_look;

/* Claimed events of the projection become those of the whole trace. An emit
   that reports an access counts as that access there, but as itself in a
   projection that has no accesses to the variable. */
static void
lift_claim (const projected_look *n, omen_claim *claim)
{
  const omen_property *property
      = omen_spec_list_property (&n->view->look->request->specs, claim->about);
  omen_observer *observer
      = property ? omen_observer_new (n->view->trace, property) : NULL;
  for (size_t i = 0; i < claim->events.count; i++) {
    omen_eid e = n->projection->origin.data[claim->events.data[i]];
    claim->events.data[i]
        = observer ? omen_observer_stands_for (observer, e) : e;
  }
  omen_observer_free (observer);
}

/* Does the sequence have the claimed events in their order? Not if an access
   comes after the emit that reports it: the walk of all runs finds that. */
static bool
is_in_order (const omen_witness *w)
{
  size_t next = 0;
  for (size_t i = 0; i < w->sequence.count; i++)
    next += next < w->claim.events.count
            && w->sequence.data[i] == w->claim.events.data[next];
  return next == w->claim.events.count;
}

static bool
take_projected (void *context, omen_finding *finding)
{
  const projected_look *n = context;
  omen_witness *w = &finding->witness;
  omen_projection_lift (n->projection, &w->sequence);
  lift_claim (n, &w->claim);
  if (!is_in_order (w)) {
    omen_finding_fini (finding);
    return true;
  }
  w->identity = n->view->identity;
  w->trace_events = (uint32_t)n->view->trace->events.count;
  return verify (n->view, finding);
}

/* Walk the projection. False: there is none (projection.h), or a property has
   parallel events: whether events are adjacent can be decided only in the whole
   trace. */
static bool
walk_projected (view *s)
{
  omen_past_filter filter = omen_watch_spec_filter (s->look->request);
  bool parallel = omen_spec_list_parallel (&s->look->request->specs);
  projected_look n
      = { s, parallel ? NULL : omen_projection_new (s->trace, &filter) };
  omen_sink sink = { take_projected, NULL, &n };
  omen_predict_stats stats = { 0 };
  omen_err err = { 0 };
  omen_model *model
      = n.projection ? omen_model_new (n.projection->trace, &err) : NULL;
  if (model)
    omen_look_walk (s->look->request, n.projection->trace, model, false, &sink,
                    &stats);
  omen_predict_stats_fini (&stats);
  omen_model_free (model);
  omen_projection_free ((omen_projection *)n.projection);
  return model;
}

/* Walk the projection first, which is small, then all runs, unless more notes
   are waiting or the trace is too long. A recording that does not load, as it
   is not finished, is left for the next look. */
static void
see (view *s, omen_live *live)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_live_trace (live, &err);
  s->trace = trace;
  if (!trace)
    return;
  s->outcome.emitted = trace->rebuilt.emitted;
  s->outcome.events = trace->events.count - trace->rebuilt.past;
  s->identity = omen_trace_identity (trace);
  s->outcome.done = true;
  if ((!walk_projected (s) || !s->look->late)
      && s->outcome.events <= OMEN_WATCH_WIDE)
    walk_wide (s);
  if (s->verifying)
    omen_verifying_finish (s->verifying);
  omen_verifying_free (s->verifying);
  omen_trace_free (trace);
}

static _Noreturn void
be_child (const omen_look *look, omen_live *live, int to)
{
  view s = { .look = look, .to = to };
  omen_names_init (&s.reported);
  see (&s, live);
  put_message (to, OUTCOME, &s.outcome, sizeof s.outcome);
  _exit (0); /* without the parent's exit handlers */
}

/* ---- the parent ---- */

bool
omen_look_begin (omen_looking *looking, const omen_look *look, omen_live *live)
{
  int ends[2];
  OMEN_REQUIRE (!looking->child);
  if (pipe (ends))
    return false;
  fflush (NULL);
  looking->child = fork ();
  if (!looking->child) {
    close (ends[0]);
    be_child (look, live, ends[1]);
  }
  close (ends[1]);
  if (looking->child < 0) {
    close (ends[0]);
    looking->child = 0;
    return false;
  }
  looking->look = *look;
  looking->from = ends[0];
  looking->outcome = (omen_look_outcome){ 0 };
  looking->start = omen_now ();
  return true;
}

static bool
has_something (int from, bool wait)
{
  struct pollfd one = { .fd = from, .events = POLLIN };
  int seen;
  do
    seen = poll (&one, 1, wait ? -1 : 0);
  while (seen < 0 && errno == EINTR);
  return seen;
}

/* False: that was all. */
static bool
take_message (omen_looking *looking)
{
  omen_watch_report report;
  message kind;
  if (!read_all (looking->from, &kind, sizeof kind))
    return false;
  if (kind == OUTCOME)
    return read_all (looking->from, &looking->outcome, sizeof looking->outcome);
  if (!read_all (looking->from, &report, sizeof report))
    return false;
  looking->look.report (looking->look.context, &report);
  return true;
}

bool
omen_look_end (omen_looking *looking, bool wait)
{
  OMEN_REQUIRE (looking->child);
  do
    if (!has_something (looking->from, wait))
      return false;
  while (take_message (looking));
  close (looking->from);
  while (waitpid (looking->child, NULL, 0) < 0 && errno == EINTR)
    continue;
  looking->child = 0;
  return true;
}
