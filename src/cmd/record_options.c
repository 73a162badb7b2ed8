#include "cmd/record_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char docs[]
    = "Run a program and write down what its threads do.\v"
      "PROGRAM is one that omen cc or omen c++ compiled. Of any other program "
      "only synchronisation is recorded, which is enough for deadlocks and "
      "misuse of locks. Statically linked programs cannot be recorded. "
      "Standard input, output and error, signals and the exit status are the "
      "program's own; omen's words go to standard error.\n\n"
      "The trace is readable by its owner only. If the program crashes or is "
      "killed, the trace has what was written until then. A process that the "
      "program forks, or a woven program that it starts, records to a file of "
      "its own beside the first: run.omen.PID. Files that an earlier recording "
      "left under these names are removed first; other files are never "
      "overwritten. A device or a named pipe is written to as it is.\n\n"
      "Schedules: free leaves the threads to the machine. The others let one "
      "thread run at a time; the trace is exact then, and the same schedule "
      "gives the same run again. random:SEED switches at random places, "
      "pct:SEED,D seldom and at D - 1 decisive ones, for errors that need D "
      "events in a certain order, rr goes round in short turns. A thread that "
      "blocks in the kernel does not hold up the others.\n\n"
      "A program that something else starts takes the same options from the "
      "environment:\n\n"
      "  OMEN_OPTIONS=\"-o /tmp/run.omen --schedule random:7\"\n\n"
      "The exit status is the program's. It is 127 if there is no such program "
      "and 126 if it cannot be run or recorded.";

enum {
  KEY_STREAM = 1000,
  KEY_GLOBAL,
  KEY_SYNC,
  KEY_SIZE,
  KEY_RING,
  KEY_VALUES,
  KEY_SAMPLED,
  KEY_STUCK,
  KEY_SCHEDULE,
  KEY_FOR,
  KEY_SPEC
};

static const struct argp_option options[] = {
  { "output", 'o', "FILE", 0, "Where the trace goes (run.omen)", 0 },
  { "schedule", KEY_SCHEDULE, "KIND", 0,
    "free (the default), random:SEED, pct:SEED,D or rr", 0 },
  { "spec", KEY_SPEC, "FILE", 0,
    "A property file for later: accesses to variables that it speaks of stay in "
    "the trace, also those that one thread alone uses; may be given again" },
  { "for", KEY_FOR, "TIME", 0,
    "End the program with SIGTERM after TIME: 30s, 500ms, 2m, 1h; if it dies "
    "of that, the exit status is 0",
    0 },
  { "max-size", KEY_SIZE, "BYTES", 0,
    "Stop recording when the trace is that large: 100M, 2G; the program goes "
    "on",
    0 },
  { "ring", KEY_RING, NULL, 0,
    "With --max-size: keep the newest part, not the oldest. It is analysed from "
    "a moment on at which all threads stood still: a woven program that runs "
    "freely is stopped for less than a millisecond now and then, unless some "
    "thread stays in code that is not woven",
    0 },
  { "sync-only", KEY_SYNC, NULL, 0,
    "Only synchronisation: no memory accesses", 0 },
  { "no-values", KEY_VALUES, NULL, 0,
    "Leave the values of accesses out of the trace", 0 },
  { "sampled", KEY_SAMPLED, NULL, 0,
    "Record parts compiled with -fsanitize=thread without a schedule, too: "
    "their values are then what memory held shortly before or after",
    0 },
  { "end-stuck", KEY_STUCK, NULL, 0,
    "End the program when every thread waits for another one's lock, end, "
    "notification or post, and nothing from outside can help (omen check "
    "always does)",
    0 },
  { "stream", KEY_STREAM, NULL, 0,
    "Write early, for somebody who reads the trace while the program runs", 0 },
  { "global-log", KEY_GLOBAL, NULL, 0,
    "One log for all threads under a lock: slower, as older tools record", 0 },
  { "quiet", 'q', NULL, 0, "No summary", 0 },
  { 0 }
};

/* ---- values ---- */
static bool
read_unit (const char *text, const char *const *names,
           const uint64_t *factors, uint64_t *number)
{
  char *end;
  errno = 0;
  if (!isdigit ((unsigned char)*text))
    return false;
  unsigned long long n = strtoull (text, &end, 10);
  for (size_t i = 0; names[i] && !errno; i++)
    if (!strcmp (end, names[i]))
      return !__builtin_mul_overflow (n, factors[i], number) && *number;
  return false;
}

static bool
read_time (const char *text, uint64_t *ms)
{
  static const char *const names[] = { "", "s", "ms", "m", "h", NULL };
  static const uint64_t factors[] = { 1000, 1000, 1, 60000, 3600000 };
  return read_unit (text, names, factors, ms);
}

static bool
read_size (const char *text)
{
  static const char *const names[]
      = { "", "k", "K", "m", "M", "g", "G", NULL };
  static const uint64_t factors[]
      = { 1, 1 << 10, 1 << 10, 1 << 20, 1 << 20, 1 << 30, 1 << 30 };
  uint64_t bytes;
  return read_unit (text, names, factors, &bytes);
}

/* Behind a number that fits in 64 bits; NULL if there is none. */
static const char *
skip_number (const char *text)
{
  char *end;
  errno = 0;
  if (!isdigit ((unsigned char)*text))
    return NULL;
  (void)strtoull (text, &end, 10);
  return errno ? NULL : end;
}

static bool
is_schedule (const char *text)
{
  const char *end = NULL;
  if (!strcmp (text, "free") || !strcmp (text, "rr"))
    return true;
  if (!strncmp (text, "random:", 7))
    end = skip_number (text + 7);
  else if (!strncmp (text, "pct:", 4)) {
    end = skip_number (text + 4);
    end = end && *end == ',' ? skip_number (end + 1) : NULL;
  }
  return end && !*end;
}

/* ---- the command line ---- */
void
omen_record_check (omen_record_request *r, struct argp_state *state)
{
  if (r->max_size && !read_size (r->max_size))
    argp_error (state, "--max-size is a number of bytes such as 100M, not '%s'",
                r->max_size);
  if (r->time && !read_time (r->time, &r->limit_ms))
    argp_error (state, "--for is a time such as 30s, not '%s'", r->time);
  if (r->schedule && !is_schedule (r->schedule))
    argp_error (state,
                "--schedule is free, random:SEED, pct:SEED,D or rr, not '%s'",
                r->schedule);
  if (r->ring && !r->max_size)
    argp_error (state, "--ring needs --max-size");
  if (!r->program)
    argp_error (state, "no program given");
}

static bool *
flag_of (omen_record_request *r, int key)
{
  switch (key) {
  case KEY_STREAM:
    return &r->stream;
  case KEY_GLOBAL:
    return &r->global_log;
  case KEY_SYNC:
    return &r->sync_only;
  case KEY_RING:
    return &r->ring;
  case KEY_VALUES:
    return &r->no_values;
  case KEY_SAMPLED:
    return &r->sampled;
  case KEY_STUCK:
    return &r->end_stuck;
  case 'q':
    return &r->quiet;
  default:
    return NULL;
  }
}

static error_t
parse (int key, char *arg, struct argp_state *state)
{
  omen_record_request *r = state->input;
  bool *flag = flag_of (r, key);
  if (flag)
    *flag = true;
  else if (key == 'o')
    omen_cmd_once (state, "--output", &r->output, arg);
  else if (key == KEY_SIZE)
    omen_cmd_once (state, "--max-size", &r->max_size, arg);
  else if (key == KEY_SPEC)
    OMEN_VEC_PUSH (r->specs, arg);
  else if (key == KEY_FOR)
    omen_cmd_once (state, "--for", &r->time, arg);
  else if (key == KEY_SCHEDULE)
    omen_cmd_once (state, "--schedule", &r->schedule, arg);
  else if (key == ARGP_KEY_ARG) { /* the rest is the program's */
    r->program = state->argv + state->next - 1;
    state->next = state->argc;
  } else if (key == ARGP_KEY_END) {
    r->output = r->output ? r->output : "run.omen";
    if (!*r->output)
      argp_error (state, "--output needs the name of a file");
    omen_record_check (r, state);
  } else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

const struct argp omen_record_argp
    = { options, parse, "[--] PROGRAM [ARGUMENT...]", docs };

/* ---- for the program ---- */
typedef struct text {
  char *at;
  size_t length;
} text;

/* A word; the runtime takes a backslash as "the next one as it is". */
static void
put_word (text *t, const char *word)
{
  if (t->length)
    t->at[t->length++] = ' ';
  for (; *word; word++) {
    if (strchr (" \t\n\\", *word))
      t->at[t->length++] = '\\';
    t->at[t->length++] = *word;
  }
  t->at[t->length] = 0;
}

static void
put_value (text *t, const char *name, const char *value)
{
  if (!value)
    return;
  put_word (t, name);
  put_word (t, value);
}

char *
omen_record_environment (const omen_record_request *r)
{
  static const struct {
    int key;
    const char *name;
  } flags[] = { { KEY_GLOBAL, "--global-log" }, { KEY_SYNC, "--sync-only" },
                { KEY_RING, "--ring" },         { KEY_VALUES, "--no-values" },
                { KEY_STREAM, "--stream" },     { KEY_SAMPLED, "--sampled" },
                { KEY_STUCK, "--end-stuck" } };
  char *folder = *r->output == '/' ? NULL : getcwd (NULL, 0);
  size_t room = 256 + 2 * (strlen (r->output) + (folder ? strlen (folder) : 0))
                + (r->max_size ? strlen (r->max_size) : 0)
                + 2 * (r->schedule ? strlen (r->schedule) : 0);
  char *path = omen_alloc (room);
  text t = { omen_alloc (room), 0 };
  snprintf (path, room, "%s%s%s", folder ? folder : "", folder ? "/" : "",
            r->output);
  put_value (&t, "--output", path);
  put_value (&t, "--max-size", r->max_size);
  put_value (&t, "--schedule", r->schedule);
  for (size_t i = 0; i < OMEN_COUNT (flags); i++)
    if (*flag_of ((omen_record_request *)r, flags[i].key))
      put_word (&t, flags[i].name);
  free (folder);
  omen_free (path);
  return t.at;
}
