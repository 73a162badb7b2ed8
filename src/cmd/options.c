#include "cmd/options.h"
#include "cmd/cmd.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

/* *slot = arg; refuses a repeated option. */
static void
keep_argument (struct argp_state *state, const char *option, const char **slot,
               const char *arg)
{
  if (*slot)
    omen_cmd_error (state, "%s given twice", option);
  *slot = arg;
}

bool
omen_option_take (struct argp_state *state, const omen_option_slot *slots,
                  int key, const char *arg)
{
  size_t children = 0;
  bool taken = false;
  for (; slots->kind; slots++) {
    void *field = (char *)state->input + slots->offset;
    if (slots->key != key)
      continue;
    taken = true;
    if (slots->kind == OMEN_SLOT_CHILD)
      state->child_inputs[children++] = field;
    else if (slots->kind == OMEN_SLOT_FLAG)
      *(bool *)field = true;
    else
      keep_argument (state, slots->name, field, arg);
  }
  return taken;
}

bool
omen_option_number (struct argp_state *state, const char *name,
                    const char *text, uint64_t least, uint64_t most,
                    uint64_t *value)
{
  char *end;
  unsigned long long n;
  OMEN_REQUIRE (least <= most);
  if (!text)
    return false;
  errno = 0;
  n = strtoull (text, &end, 10);
  if (errno || end == text || *end || *text == '-' || n < least || n > most)
    omen_cmd_error (state, "%s takes a number from %llu to %llu, not '%s'",
                    name, (unsigned long long)least, (unsigned long long)most,
                    text);
  *value = n;
  return true;
}

bool
omen_option_seconds (struct argp_state *state, const char *name,
                     const char *text, double *value)
{
  char *end;
  if (!text)
    return false;
  *value = strtod (text, &end);
  if (end == text || *end || !isfinite (*value) || *value <= 0)
    omen_cmd_error (state, "%s takes a number of seconds, not '%s'", name,
                    text);
  return true;
}

bool
omen_option_word (struct argp_state *state, const char *name, const char *text,
                  const char *const *words, size_t count, unsigned *value)
{
  char known[200];
  size_t length = 0;
  if (!text)
    return false;
  for (size_t i = 0; i < count; i++) {
    if (!strcmp (text, words[i])) {
      *value = (unsigned)i;
      return true;
    }
    length += (size_t)snprintf (known + length, sizeof known - length, "%s%s",
                                !i              ? ""
                                : i < count - 1 ? ", "
                                                : " or ",
                                words[i]);
    OMEN_ASSERT (length < sizeof known);
  }
  omen_cmd_error (state, "%s is %s, not '%s'", name, known, text);
  return false;
}

/* A number with a unit; 0 if it is malformed. */
static bool
read_unit (const char *text, const char *const *names, const uint64_t *factors,
           uint64_t *number)
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
read_size (const char *text, uint64_t *bytes)
{
  static const char *const names[] = { "", "k", "K", "m", "M", "g", "G", NULL };
  static const uint64_t factors[]
      = { 1, 1 << 10, 1 << 10, 1 << 20, 1 << 20, 1 << 30, 1 << 30 };
  return read_unit (text, names, factors, bytes);
}

/* The text after a number that fits in 64 bits; NULL if there is none. */
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

/* ---- shared options ---- */

enum {
  KEY_ATOMIC = 0x1000, /* commands begin below */
  KEY_BREADTH,
  KEY_FAIL_ON,
  KEY_GROUP,
  KEY_MEMORY,
  KEY_SOURCE_PATH,
  KEY_TIMEOUT,
  KEY_SCHEDULE,
  KEY_FOR,
  KEY_EXACT,
  KEY_GRACE,
  KEY_SIZE
};

/* An argp of one option that takes a value: `read` puts it into `input`. */
#define VALUED(id, key, word, arg, group, text, read)                          \
  static const struct argp_option id##_options[]                               \
      = { { word, key, arg, 0, text, group }, { 0 } };                         \
  static error_t parse_##id (int seen, char *typed, struct argp_state *state)  \
  {                                                                            \
    if (seen != key)                                                           \
      return ARGP_ERR_UNKNOWN;                                                 \
    once (state, "--" word);                                                   \
    read (state, "--" word, typed, state->input);                              \
    return 0;                                                                  \
  }                                                                            \
  const struct argp omen_option_##id                                           \
      = { .options = id##_options, .parser = parse_##id };

/* Refuses a repeated option; state->hook belongs to this child alone. */
static void
once (struct argp_state *state, const char *name)
{
  static char given;
  if (state->hook)
    omen_cmd_error (state, "%s given twice", name);
  state->hook = &given;
}

static void
read_text (struct argp_state *state, const char *name, const char *typed,
           omen_option_text *text)
{
  (void)state, (void)name;
  *text = typed;
}

static void
read_name (struct argp_state *state, const char *name, const char *typed,
           omen_option_text *text)
{
  if (!*typed)
    omen_cmd_error (state, "%s needs the name of a file", name);
  *text = typed;
}

static void
read_breadth (struct argp_state *state, const char *name, const char *typed,
              omen_option_choice *choice)
{
  uint64_t cuts = 0;
  if (strcmp (typed, "all"))
    omen_option_number (state, name, typed, 1, UINT32_MAX, &cuts);
  *choice = (omen_option_choice){ typed, (unsigned)cuts };
}

/* The index of a word among those that a list may have; OMEN_NONE: unknown. */
static unsigned
word_of (const char *text, size_t length, const char *(*word) (unsigned),
         unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    if (strlen (word (i)) == length && !strncmp (word (i), text, length))
      return i;
  return OMEN_NONE;
}

static const char *
kind_word (unsigned kind)
{
  return omen_finding_kind_text (kind);
}

static const char *
level_word (unsigned severity)
{
  return omen_severity_text (severity);
}

/* "race,deadlock", or "warning". */
static void
read_fail_on (struct argp_state *state, const char *name, const char *typed,
              omen_fail_on *on)
{
  unsigned level = word_of (typed, strlen (typed), level_word, OMEN_SEVERITIES);
  on->kinds = 0;
  if (level != OMEN_NONE) {
    on->least = level;
    return;
  }
  do {
    size_t length = strcspn (typed, ",");
    unsigned kind = word_of (typed, length, kind_word, OMEN_FINDINGS);
    if (kind == OMEN_NONE)
      omen_cmd_error (
          state,
          "%s: '%.*s' is neither a kind of finding nor, alone, a level "
          "(error, warning, note)",
          name, (int)length, typed);
    else
      on->kinds |= 1u << kind;
    typed += length;
  } while (*typed++);
}

static void
read_format (struct argp_state *state, const char *name, const char *typed,
             bool *json)
{
  static const char *const words[] = { "text", "json" };
  unsigned word = 0;
  omen_option_word (state, name, typed, words, OMEN_COUNT (words), &word);
  *json = word;
}

static void
read_group (struct argp_state *state, const char *name, const char *typed,
            omen_option_choice *choice)
{
  static const char *const words[]
      = { "location", "event", "variable", "none", "cause" };
  _Static_assert (OMEN_COUNT (words) == OMEN_GROUP_CAUSE + 1,
                  "a word for each omen_group_by");
  omen_option_word (state, name, typed, words, OMEN_COUNT (words),
                    &choice->value);
  choice->text = typed;
}

static void
read_jobs (struct argp_state *state, const char *name, const char *typed,
           unsigned *jobs)
{
  uint64_t n = 1;
  omen_option_number (state, name, typed, 1, 1024, &n);
  *jobs = (unsigned)n;
}

static void
read_model (struct argp_state *state, const char *name, const char *typed,
            omen_option_choice *choice)
{
  const char *words[OMEN_MODELS];
  for (unsigned i = 0; i < OMEN_MODELS; i++)
    words[i] = omen_model_text (i);
  omen_option_word (state, name, typed, words, OMEN_MODELS, &choice->value);
  choice->text = typed;
}

static void
read_memory (struct argp_state *state, const char *name, const char *typed,
             uint64_t *bytes)
{
  if (!read_size (typed, bytes))
    omen_cmd_error (state, "%s is a number of bytes such as 2G, not '%s'", name,
                    typed);
}

VALUED (
    atomic, KEY_ATOMIC, "atomic", "WHICH", OMEN_ANALYSIS_OPTIONS,
    "Blocks meant to be atomic: all (marked blocks and all functions but "
    "main and thread entries, the default of --engine sidetrack and "
    "observed), steady (the same without functions in which a thread waited "
    "for another: the default elsewhere), marked (begin … end "
    "only), or as a FILE says, with a function a line, or -FUNCTION to "
    "leave it out",
    read_text)
VALUED (breadth, KEY_BREADTH, "breadth", "N", OMEN_ANALYSIS_OPTIONS,
        "At most N cuts on a level of the lattice, or all (the default; omen "
        "watch: 10000)",
        read_breadth)
VALUED (fail_on, KEY_FAIL_ON, "fail-on", "WHAT", 0,
        "What makes the exit code 1: findings of these kinds "
        "(race,deadlock,…), or of this level and above (error, the default, "
        "warning or note)",
        read_fail_on)
VALUED (format, 'f', "format", "FORMAT", 0, "text (the default) or json",
        read_format)
VALUED (group, KEY_GROUP, "group", "BY", OMEN_ANALYSIS_OPTIONS,
        "One report for each cause (the default), location (pair), event, "
        "variable, or none (omen check: cause, or variable: findings with a "
        "common cause are reported one by one)",
        read_group)
VALUED (
    jobs, 'j', "jobs", "N", OMEN_ANALYSIS_OPTIONS,
    "Worker threads, at most 1024 (default: 1; omen check: as many as there "
    "are processors)",
    read_jobs)
VALUED (memory, KEY_MEMORY, "memory", "SIZE", OMEN_ANALYSIS_OPTIONS,
        "What the analysis may use, such as 2G (default: three quarters of "
        "what is free); if a trace needs more, its first part is analysed, "
        "which is said",
        read_memory)
VALUED (model, 'm', "model", "MODEL", OMEN_ANALYSIS_OPTIONS,
        "What a read must see: rf, value (the default if the trace has "
        "values), sliced (knows more of programs compiled with omen cc "
        "--depend) or lattice (omen predict only)",
        read_model)
VALUED (output, 'o', "output", "OUT", 0,
        "Where to write; - is standard output (the default; omen trace import: "
        "beside FILE)",
        read_text)
VALUED (recorded, 'o', "output", "FILE", 0,
        "Keep the trace in FILE (default: run.omen; omen watch keeps none)",
        read_name)
VALUED (timeout, KEY_TIMEOUT, "timeout", "SECONDS", OMEN_ANALYSIS_OPTIONS,
        "Time limit for each kind of question about a trace, loading it "
        "included; what is open then is undecided (default: no limit; omen "
        "check: 60)",
        omen_option_seconds)

static const struct argp_option all_options[]
    = { { "all", 'a', NULL, 0, OMEN_OPTION_ALL, OMEN_ANALYSIS_OPTIONS },
        { 0 } };

static error_t
parse_all (int key, char *arg, struct argp_state *state)
{
  bool *all = state->input;
  (void)arg;
  if (key != 'a')
    return ARGP_ERR_UNKNOWN;
  *all = true;
  return 0;
}

const struct argp omen_option_all
    = { .options = all_options, .parser = parse_all };

static const struct argp_option quiet_options[]
    = { { "quiet", 'q', NULL, 0,
          "Print less: no summary (omen check: only the summary)", 0 },
        { 0 } };

static error_t
parse_quiet (int key, char *arg, struct argp_state *state)
{
  bool *quiet = state->input;
  (void)arg;
  if (key != 'q')
    return ARGP_ERR_UNKNOWN;
  *quiet = true;
  return 0;
}

const struct argp omen_option_quiet
    = { .options = quiet_options, .parser = parse_quiet };

static const struct argp_option specs_options[] = {
  { "spec", 's', "FILE", 0,
    "A property file; may be given again (omen monitor: one file). Its C is "
    "run: do not run specs that you do not trust",
    0 },
  { 0 }
};

static error_t
parse_specs (int key, char *arg, struct argp_state *state)
{
  omen_spec_list *specs = state->input;
  if (key != 's')
    return ARGP_ERR_UNKNOWN;
  OMEN_VEC_PUSH (specs->paths, arg);
  return 0;
}

const struct argp omen_option_specs
    = { .options = specs_options, .parser = parse_specs };

static const struct argp_option source_paths_options[]
    = { { "source-path", KEY_SOURCE_PATH, "DIR", 0,
          "Look for source files below DIR, too, by the longest end of their "
          "path that is there; FROM=TO: those below FROM are below TO now; may "
          "be given again",
          0 },
        { 0 } };

static error_t
parse_source_paths (int key, char *arg, struct argp_state *state)
{
  omen_source_paths *paths = state->input;
  if (key != KEY_SOURCE_PATH)
    return ARGP_ERR_UNKNOWN;
  if (!*arg || *arg == '=')
    omen_cmd_error (state, "--source-path needs a folder");
  OMEN_VEC_PUSH (*paths, arg);
  return 0;
}

const struct argp omen_option_source_paths
    = { .options = source_paths_options, .parser = parse_source_paths };

static const struct argp_option recording_options[] = {
  { "schedule", KEY_SCHEDULE, "KIND", 0,
    "free (the default), random:SEED, pct:SEED,D or rr (omen check: of the "
    "first run)",
    OMEN_RECORDING_OPTIONS },
  { "for", KEY_FOR, "TIME", 0,
    "End the program with SIGTERM after TIME: 30s, 500ms, 2m, 1h",
    OMEN_RECORDING_OPTIONS },
  { "exit-grace", KEY_GRACE, "TIME", 0,
    "When the program ends by exit or by the end of main, let its other threads "
    "run on for at most TIME (default 200ms; 0: not at all); not longer than "
    "until all of them are blocked or have ended",
    OMEN_RECORDING_OPTIONS },
  { "max-size", KEY_SIZE, "BYTES", 0,
    "Stop recording when the trace is that large: 100M, 2G; the program "
    "goes on (default: a quarter of what is free on the disk)",
    OMEN_RECORDING_OPTIONS },
  { "exact-loops", KEY_EXACT, NULL, 0,
    "Record each access of every loop, with its value: slower. Without it a "
    "long loop whose addresses go in equal steps is one record, and if such a "
    "loop races, its thread is used only up to there. --spec implies this "
    "option",
    OMEN_RECORDING_OPTIONS },
  { 0 }
};

static error_t
parse_recording (int key, char *arg, struct argp_state *state)
{
  omen_record_request *r = state->input;
  switch (key) {
  case KEY_SCHEDULE:
    keep_argument (state, "--schedule", &r->schedule, arg);
    if (!is_schedule (arg))
      omen_cmd_error (
          state, "--schedule is free, random:SEED, pct:SEED,D or rr, not '%s'",
          arg);
    return 0;
  case KEY_FOR:
    if (r->limit_ms)
      omen_cmd_error (state, "--for given twice");
    if (!read_time (arg, &r->limit_ms))
      omen_cmd_error (state, "--for is a time such as 30s, not '%s'", arg);
    return 0;
  case KEY_GRACE:
    keep_argument (state, "--exit-grace", &r->exit_grace, arg);
    if (strcmp (arg, "0") && !read_time (arg, &(uint64_t){ 0 }))
      omen_cmd_error (
          state, "--exit-grace is a time such as 200ms, or 0, not '%s'", arg);
    return 0;
  case KEY_SIZE:
    keep_argument (state, "--max-size", &r->max_size, arg);
    if (!read_size (arg, &(uint64_t){ 0 }))
      omen_cmd_error (
          state, "--max-size is a number of bytes such as 100M, not '%s'", arg);
    return 0;
  case KEY_EXACT:
    r->exact_loops = true;
    return 0;
  case ARGP_KEY_ARG: /* the rest is the program's */
    r->program = state->argv + state->next - 1;
    state->next = state->argc;
    return 0;
  case ARGP_KEY_END:
    if (!r->program)
      omen_cmd_error (state, "no program given");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp omen_option_recording
    = { .options = recording_options, .parser = parse_recording };

void
omen_option_analysis (struct argp_state *state, const omen_option_choice *model,
                      const omen_option_choice *group,
                      omen_check_request *check)
{
  check->model_given = model->text;
  check->options.model = (omen_model_name)model->value;
  if (check->options.model == OMEN_MODEL_LATTICE)
    omen_cmd_error (state, "--model is rf, value or sliced, not '%s'",
                    model->text);
  check->by_cause = group->value == OMEN_GROUP_CAUSE;
  if (!check->by_cause && group->value != OMEN_GROUP_VARIABLE)
    omen_cmd_error (state, "--group is cause or variable, not '%s'",
                    group->text);
}
