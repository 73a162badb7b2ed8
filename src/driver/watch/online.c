#include "driver/watch/online.h"
#include "base/print.h"
#include "base/now.h"
#include "driver/message.h"
#include "driver/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_SECONDS 0.1 /* between searches for new recordings */
enum { SOON_MS = 5, LATE_MS = 40, PIECES = 128 };

void
omen_online_init (omen_online *online, const char *output,
                  const omen_atomic *atomic, omen_watch_action *action,
                  bool discard)
{
  *online = (omen_online){
    .output = output, .atomic = atomic, .action = action, .discard = discard
  };
  omen_names_init (&online->keys);
}

static void
close_watched (omen_watched_process *w)
{
  omen_follow_close (w->follow);
  omen_sidetrack_free (w->sidetrack);
  omen_lookup_free (w->lookup);
  omen_free (w->path);
  omen_free (w);
}

void
omen_online_fini (omen_online *online)
{
  for (size_t i = 0; i < online->watched.count; i++)
    close_watched (online->watched.data[i]);
  OMEN_VEC_FINI (online->watched);
  omen_names_fini (&online->keys);
}

/* ---- a report ---- */

void
omen_online_key (char key[OMEN_ONLINE_KEY], const char *path, const char *error,
                 const char *block, const char *const locations[3])
{
  snprintf (key, OMEN_ONLINE_KEY, "%.1000s\n%s\n%.500s\n%.500s\n%.500s\n%.500s",
            path, error, block, locations[0], locations[1], locations[2]);
}

/* The texts of a report. */
typedef struct wording {
  const char *error, *block;
  char lock[OMEN_LOOKUP_MAX];
  char locations[3][OMEN_LOOKUP_MAX]; /* first, culprit, second */
  char line[4096];
} wording;

static void
put_line (const omen_watched_process *w, const omen_sidetrack_report *r,
          wording *t)
{
  const char *at[3];
  int length;
  for (int i = 0; i < 3; i++)
    at[i] = *t->locations[i] ? t->locations[i] : "an unknown place";
  length = snprintf (
      t->line, sizeof t->line,
      "%.500s may not be atomic: it acquires %.500s at %.500s and "
      "again at %.500s, "
      "T%u acquires it at %.500s (%s-error, unverified)",
      t->block, t->lock, at[0], at[2], r->culprit.event, at[1], t->error);
  for (uint32_t i = 1; i < r->blames && length < 3500; i++)
    length += snprintf (
        t->line + length, sizeof t->line - (size_t)length, "%s %.200s",
        i > 1 ? "," : "; nor",
        omen_follow_name (w->follow, r->blame[i].kind, r->blame[i].name));
  if (strcmp (w->path, w->online->output))
    snprintf (t->line + length, sizeof t->line - (size_t)length,
              " [process %d]", w->pid);
}

static void
act (const omen_watched_process *w, const wording *t)
{
  omen_action_call call = omen_action_begin (w->pid, t->line, "atomicity");
  omen_action_set (&call, "OMEN_ERROR", t->error);
  omen_action_set (&call, "OMEN_BLOCK", t->block);
  omen_action_set (&call, "OMEN_LOCK", t->lock);
  omen_action_set (&call, "OMEN_FIRST", t->locations[0]);
  omen_action_set (&call, "OMEN_CULPRIT", t->locations[1]);
  omen_action_set (&call, "OMEN_SECOND", t->locations[2]);
  omen_action_add (w->online->action, &call);
}

/* Two calls in one line are the same place for the user. */
static bool
is_new (omen_watched_process *w, const wording *t)
{
  const char *const at[3]
      = { t->locations[0], t->locations[1], t->locations[2] };
  char key[OMEN_ONLINE_KEY];
  uint32_t before = w->online->keys.count;
  omen_online_key (key, w->path, t->error, t->block, at);
  omen_names_id (&w->online->keys, key, strlen (key));
  return w->online->keys.count > before;
}

static void
report_error (void *context, const omen_sidetrack_report *r)
{
  omen_watched_process *w = context;
  const omen_trace *tables = omen_follow_tables (w->follow);
  const omen_sidetrack_site *sites[3] = { &r->first, &r->culprit, &r->second };
  wording t = { .error = omen_sidetrack_text (r->error),
                .block = omen_follow_name (w->follow, r->blame[0].kind,
                                           r->blame[0].name) };
  for (int i = 0; i < 3; i++)
    omen_lookup_code (w->lookup, tables,
                      omen_follow_pc (w->follow, sites[i]->location),
                      t.locations[i]);
  if (!is_new (w, &t))
    return;
  omen_lookup_object (w->lookup, tables,
                      omen_follow_address (w->follow, r->lock), t.lock);
  put_line (w, r, &t);
  omen_print (stderr, "omen: %s\n", t.line);
  act (w, &t);
}

/* ---- events ---- */

static bool
is_atomic (void *context, unsigned kind, uint32_t name, bool entry)
{
  const omen_watched_process *w = context;
  return omen_atomic_chosen (w->online->atomic, kind,
                             omen_follow_name (w->follow, kind, name), entry);
}

static void
take_event (void *context, const omen_event *event)
{
  const omen_watched_process *w = context;
  /* events are not kept; the thread number is passed as well, since thread ids
     are reused */
  omen_sidetrack_push (w->sidetrack, event,
                       omen_follow_thread_number (w->follow, event->thread));
}

static void
forget_lock (void *context, omen_lid lock)
{
  const omen_watched_process *w = context;
  omen_sidetrack_forget (w->sidetrack, lock);
}

/* ---- recordings ---- */

static void
watch (omen_online *online, const char *path, int pid)
{
  omen_watched_process *w = omen_zalloc (1, sizeof *w);
  omen_follow_sink sink = { take_event, forget_lock, w };
  omen_sidetrack_options options
      = { .atomic = is_atomic, .found = report_error, .context = w };
  omen_err err = { 0 };
  w->online = online;
  w->path = omen_strdup (path);
  w->pid = omen_action_pid (online->output, path, pid);
  w->sidetrack = omen_sidetrack_new (&options);
  w->lookup = omen_lookup_new ();
  w->follow = omen_follow_open (path, &sink, &err);
  if (!w->follow)
    omen_warn ("%s: %s", path, err.what);
  OMEN_VEC_PUSH (online->watched, w);
}

static bool
is_watched (const omen_online *online, const char *path)
{
  for (size_t i = 0; i < online->watched.count; i++)
    if (!strcmp (online->watched.data[i]->path, path))
      return true;
  return false;
}

static void
find_new (omen_online *online, int pid)
{
  omen_recorded_files files = { 0 };
  omen_recorded_find (&files, online->output);
  for (size_t i = 0; i < files.count; i++)
    if (!is_watched (online, files.data[i]))
      watch (online, files.data[i], pid);
  omen_recorded_files_fini (&files);
  online->searched = omen_now ();
}

/* Read part of what is new; true: more is available now. */
static bool
read_some (omen_watched_process *w, bool over, uint64_t *events)
{
  omen_err err = { 0 };
  bool more = true;
  for (int i = 0; w->follow && more && i < PIECES; i++) {
    if (omen_follow_read (w->follow, over, &more, &err))
      continue;
    omen_warn ("%s: %s: the rest of it is not watched", w->path, err.what);
    omen_follow_close (w->follow);
    w->follow = NULL;
  }
  if (!w->follow)
    return false;
  *events += omen_follow_count (w->follow).notes;
  if (w->online->discard)
    omen_follow_discard (w->follow);
  return more;
}

static bool
read_all (omen_online *online, bool over)
{
  uint64_t before = 0, after = 0;
  bool more = false;
  for (size_t i = 0; i < online->watched.count; i++) {
    omen_watched_process *w = online->watched.data[i];
    before += w->follow ? omen_follow_count (w->follow).notes : 0;
    more |= read_some (w, over, &after);
  }
  online->idle = after > before ? 0 : online->idle + 1;
  return more;
}

unsigned
omen_online_look (omen_online *online, int pid)
{
  bool more;
  if (omen_now () - online->searched >= LOOK_SECONDS || !online->watched.count)
    find_new (online, pid);
  more = read_all (online, false);
  omen_action_look (online->action);
  if (more)
    return 0;
  return online->idle < 20 ? SOON_MS : LATE_MS;
}

void
omen_online_finish (omen_online *online, int pid)
{
  find_new (online, pid);
  while (read_all (online, true))
    omen_action_look (online->action);
  for (size_t i = 0; i < online->watched.count; i++)
    if (online->watched.data[i]->follow)
      omen_follow_finish (online->watched.data[i]->follow);
}
