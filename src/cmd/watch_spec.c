#include "cmd/watch_spec.h"
#include "base/now.h"
#include "cmd/cmd.h"
#include "cmd/lattice_stats.h"
#include "cmd/recorded.h"
#include "cmd/spec_speaks.h"
#include "cmd/verifying.h"
#include "report/report.h"
#include "trace/load.h"
#include "trace/rebuild.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SOON_MS = 10, LINE = 2048 };

/* One look at one recording. */
typedef struct sight {
  omen_watch_spec *watch;
  const char *path;
  int pid;
  bool last; /* the program is over */
  omen_seen_file *file; /* or NULL */
  const omen_trace *trace;
  omen_verifying *verifying;
  omen_reporter *reporter; /* the last time */
  omen_err err;            /* a witness that does not verify */
} sight;

void
omen_watch_spec_init (omen_watch_spec *w, const omen_watch_request *request,
                      const char *output, omen_watch_action *action)
{
  *w = (omen_watch_spec){ .request = request, .output = output,
                          .action = action };
  /* these stay even while just one thread has used them: others may come */
  w->keep = (omen_rebuild_keep){ omen_spec_list_names, &request->specs };
  omen_rebuild_keeps = &w->keep;
  omen_names_init (&w->keys);
}

void
omen_watch_spec_fini (omen_watch_spec *w)
{
  omen_rebuild_keeps = NULL;
  for (size_t i = 0; i < w->files.count; i++)
    omen_free (w->files.data[i].path);
  OMEN_VEC_FINI (w->files);
  OMEN_VEC_FINI (w->found);
  omen_names_fini (&w->keys);
}

/* ---- a report ---- */

static void
put_binding (const omen_about *about, char text[LINE])
{
  size_t used = 0;
  text[0] = 0;
  for (size_t i = 0; i < about->binding.count && used < LINE - 300; i++)
    used += (size_t)snprintf (text + used, LINE - used, "%s%.100s=%.150s",
                              i ? ", " : "", about->binding.data[i].name,
                              about->binding.data[i].value);
}

/* What makes two reports the same; the number of the key. */
static uint32_t
key_of (const sight *s, const omen_finding *f, bool *new)
{
  const omen_claim *claim = &f->witness.claim;
  omen_names *keys = &s->watch->keys;
  uint32_t before = keys->count, id;
  char key[LINE];
  snprintf (key, sizeof key, "%.800s\n%.200s\n%u\n%.100s\n%.500s", s->path,
            claim->about->property, claim->word, claim->about->category,
            omen_trace_location (s->trace, OMEN_VEC_LAST (claim->events)));
  id = omen_names_id (keys, key, strlen (key));
  *new = id == before;
  if (*new)
    OMEN_VEC_PUSH (s->watch->found, 0);
  return id;
}

static char *
variable (const char *name, const char *value)
{
  size_t room = strlen (name) + strlen (value) + 2;
  char *text = omen_alloc (room);
  snprintf (text, room, "%s=%s", name, value);
  return text;
}

static void
act (const sight *s, const omen_finding *f, const char *line,
     const char *binding)
{
  const omen_about *about = f->witness.claim.about;
  omen_eid last = OMEN_VEC_LAST (f->witness.claim.events);
  char pid[16];
  omen_action_call call;
  snprintf (pid, sizeof pid, "%d", s->pid);
  call = (omen_action_call){
    { variable ("OMEN_PID", pid), variable ("OMEN_FINDING", line),
      variable ("OMEN_KIND", "property"),
      variable ("OMEN_PROPERTY", about->property),
      variable ("OMEN_CATEGORY", about->category),
      variable ("OMEN_BINDING", binding),
      variable ("OMEN_LOCATION", omen_trace_location (s->trace, last)), NULL,
      NULL }
  };
  omen_action_add (s->watch->action, &call);
}

static void
tell_now (const sight *s, const omen_finding *f)
{
  const omen_about *about = f->witness.claim.about;
  omen_eid last = OMEN_VEC_LAST (f->witness.claim.events);
  char binding[LINE], line[2 * LINE], process[40] = "";
  put_binding (about, binding);
  if (strcmp (s->path, s->watch->output))
    snprintf (process, sizeof process, " [process %d]", s->pid);
  snprintf (line, sizeof line,
            "property %.200s: another run of what has happened comes to %.100s "
            "(%.50s) at %.500s%s%.1000s%s",
            about->property, about->category, about->logic,
            omen_trace_location (s->trace, last), *binding ? ", for " : "",
            binding, process);
  fprintf (stderr, "omen: %s\n", line);
  act (s, f, line, binding);
}

/* ---- a look ---- */

static bool
verified (void *context, omen_finding *f, const omen_err *err)
{
  sight *s = context;
  uint32_t key;
  bool new;
  if (err->set)
    return omen_err_set (&s->err, "",
                         "internal error: a %s witness does not verify: %s",
                         omen_finding_kind_text (f->kind), err->what);
  key = key_of (s, f, &new);
  if (new && !s->last)
    tell_now (s, f);
  if (s->last) {
    s->watch->found.data[key] = 1;
    f->status = OMEN_STATUS_VERIFIED;
    omen_report_text (s->reporter, f, ++s->watch->findings, stderr);
  }
  return true;
}

static bool
take (void *context, omen_finding *finding)
{
  sight *s = context;
  return omen_verifying_take (s->verifying, finding);
}

/* Events that the next look takes for past. */
static uint64_t
past_of (const omen_seen_file *file)
{
  return file->walked > file->overlap ? file->walked - file->overlap : 0;
}

/* How far it came: if it took too long, part of the way, and the next ones look
   less far back. */
static void
move_on (omen_seen_file *file, uint64_t events, double seconds,
         const omen_predict_stats *stats)
{
  uint64_t way = past_of (file) + 2 * file->overlap;
  if (stats->undecided) {
    file->overlap = file->overlap > 128 ? file->overlap / 2 : 64;
    file->walked = way < events ? way : events;
    return;
  }
  file->walked = events;
  if (seconds < OMEN_WATCH_SECONDS / 10
      && file->overlap < OMEN_WATCH_EVENTS / 2)
    file->overlap *= 2;
}

static void
walk (sight *s, const omen_model *model, omen_predict_stats *stats)
{
  const omen_watch_request *request = s->watch->request;
  omen_sink sink = { take, NULL, s };
  omen_predict_options options
      = { .jobs = 1,
          .model = OMEN_MODEL_LATTICE,
          .breadth = request->breadth_cuts,
          .from = (uint32_t)s->trace->rebuilt.past,
          .runs = s->last,
          .timeout = s->last ? request->timeout_seconds : OMEN_WATCH_SECONDS,
          .identity = omen_trace_identity (s->trace) };
  double start = omen_now ();
  for (size_t i = 0; i < request->specs.predict.count; i++) {
    options.spec = &request->specs.predict.data[i];
    omen_predict_property (model, &options, &sink, stats);
  }
  omen_verifying_finish (s->verifying);
  if (s->file)
    move_on (s->file, s->trace->rebuilt.told, omen_now () - start, stats);
}

/* The recording; while the program runs, without what is past. */
static omen_trace *
load (const sight *s, omen_err *err)
{
  const omen_spec_list *specs = &s->watch->request->specs;
  omen_past_wish wish = { .most = OMEN_WATCH_EVENTS,
                          .kinds = omen_spec_list_kinds (specs),
                          .variable = omen_spec_list_speaks_of,
                          .function = omen_spec_list_calls,
                          .context = specs };
  omen_trace *trace;
  if (!s->file)
    return omen_trace_load (s->path, err);
  wish.events = past_of (s->file);
  omen_rebuild_past = &wish;
  trace = omen_trace_load (s->path, err);
  omen_rebuild_past = NULL;
  return trace;
}

/* Too much of it is not past, or came since the last time? */
static bool
is_too_much (const sight *s, const omen_trace *trace)
{
  omen_watch_spec *w = s->watch;
  uint64_t told = trace->rebuilt.told;
  bool much = trace->events.count - trace->rebuilt.past > 4 * OMEN_WATCH_EVENTS;
  bool gap = told > OMEN_WATCH_EVENTS + s->file->walked;
  if ((much || gap) && !w->gap && !w->request->quiet)
    omen_cmd_warn ("%s: more happens than can be looked at while the program "
                   "runs: some of it is left for the end",
                   s->path);
  w->gap |= much || gap;
  return much;
}

/* What there is of the recording. Of one that is not finished, whatever does not
   load is left for the next time. */
static void
look_at (sight *s, omen_predict_stats *stats, int *code)
{
  omen_err err = { 0 };
  omen_trace *trace = load (s, &err);
  bool good = trace && !(s->file && is_too_much (s, trace));
  omen_model *model = good ? omen_model_new (trace, &err) : NULL;
  s->trace = trace;
  if (model)
    s->verifying = omen_verifying_new (trace, 1, verified, s, &err);
  if (s->verifying) {
    omen_verifying_specs (s->verifying, &s->watch->request->specs);
    s->reporter = s->last ? omen_reporter_new (trace) : NULL;
    walk (s, model, stats);
    omen_reporter_free (s->reporter);
    omen_verifying_free (s->verifying);
  } else if (s->last)
    *code = omen_cmd_fail (OMEN_EXIT_INPUT, &err);
  if (s->err.set)
    *code = omen_cmd_fail (OMEN_EXIT_BUG, &s->err);
  omen_model_free (model);
  omen_trace_free (trace);
}

/* ---- recordings ---- */

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

/* "run.omen.123" is that of process 123. */
static int
pid_of (const omen_watch_spec *w, const char *path, int pid)
{
  size_t length = strlen (w->output);
  return path[length] == '.' ? atoi (path + length + 1) : pid;
}

/* Is there something new that is not too much? */
static bool
has_grown (omen_watch_spec *w, const char *path)
{
  omen_seen_file *file = file_of (w, path);
  struct stat now;
  if (stat (path, &now) || (uint64_t)now.st_size <= file->bytes)
    return false;
  file->bytes = (uint64_t)now.st_size;
  if (file->bytes <= OMEN_WATCH_MOST)
    return true;
  if (!w->too_long)
    omen_cmd_warn ("%s: too long to be looked at again while the program runs",
                   path);
  w->too_long = true;
  return false;
}

/* What is new in all recordings. */
static void
look_around (omen_watch_spec *w, int pid)
{
  omen_recorded_files files = { 0 };
  omen_recorded_find (&files, w->output);
  for (size_t i = 0; i < files.count; i++) {
    omen_predict_stats stats = { 0 };
    sight s = { .watch = w, .path = files.data[i],
                .pid = pid_of (w, files.data[i], pid) };
    int code;
    if (has_grown (w, files.data[i])) {
      s.file = file_of (w, files.data[i]);
      look_at (&s, &stats, &code);
    }
    omen_predict_stats_fini (&stats);
  }
  omen_recorded_files_fini (&files);
}

unsigned
omen_watch_spec_look (omen_watch_spec *w, int pid)
{
  double start = omen_now ();
  omen_action_look (w->action);
  if (start < w->next)
    return (unsigned)((w->next - start) * 1000) + 1;
  look_around (w, pid);
  w->next = omen_now () + 2 * (omen_now () - start);
  omen_action_look (w->action);
  return SOON_MS;
}

/* ---- the end ---- */

void
omen_watch_spec_finish (omen_watch_spec *w, int pid)
{
  if (w->request->no_verify)
    look_around (w, pid);
}

static void
summarise (const omen_watch_spec *w)
{
  unsigned lost = 0;
  for (size_t i = 0; i < w->found.count; i++)
    lost += !w->found.data[i];
  fprintf (stderr, "omen: %u finding%s; %u report%s while the program ran",
           w->findings, w->findings == 1 ? "" : "s", w->reports,
           w->reports == 1 ? "" : "s");
  if (lost && !w->request->no_verify)
    fprintf (stderr, ", %u not in the finished trace", lost);
  fputc ('\n', stderr);
}

void
omen_watch_spec_judge (omen_watch_spec *w, int pid, int *code)
{
  omen_recorded_files files = { 0 };
  int bad = OMEN_EXIT_NOTHING;
  w->reports = w->keys.count;
  omen_recorded_find (&files, w->output);
  for (size_t i = 0; i < files.count && !w->request->no_verify; i++) {
    omen_predict_stats stats = { 0 };
    sight s = { .watch = w, .path = files.data[i], .last = true,
                .pid = pid_of (w, files.data[i], pid) };
    look_at (&s, &stats, &bad);
    if (!w->request->quiet && stats.lattice.widths.count)
      omen_lattice_print (&stats.lattice);
    omen_predict_stats_fini (&stats);
  }
  omen_recorded_files_fini (&files);
  if (!w->request->quiet)
    summarise (w);
  if (bad == OMEN_EXIT_BUG)
    *code = bad;
  else if (w->findings || (w->request->no_verify && w->reports))
    *code = OMEN_EXIT_FINDINGS;
}
