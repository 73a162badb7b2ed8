/* OMEN_OPTIONS: the options of omen record, separated by blanks.

     OMEN_OPTIONS="-o run.omen --max-size=100M --for 30s" ./prog

   A value follows its option as the next word or after "=". A backslash takes
   what special meaning the next character has. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"

omen_options omen_rt_options = { .output = "run.omen", .exit_grace_ms = 200 };

enum { WORD_MAX = OMEN_PATH_MAX, RING_LEAST = 1 << 20 };
static char word[WORD_MAX];

/* Copies the next word of *text to `word`; false at the end. A word that is too
   long is cut, and then refused as a value. */
static bool
next_word (const char **text)
{
  const char *p = *text;
  size_t length = 0;
  while (*p == ' ' || *p == '\t' || *p == '\n')
    p++;
  if (!*p)
    return false;
  for (; *p && *p != ' ' && *p != '\t' && *p != '\n'; p++) {
    if (*p == '\\' && p[1])
      p++;
    if (length < WORD_MAX - 1)
      word[length++] = *p;
  }
  word[length] = 0;
  *text = p;
  return true;
}

static bool
text_is (const char *text, const char *name)
{
  size_t length = omen_bytes_length (name);
  return omen_bytes_length (text) == length
         && omen_bytes_equal (text, name, length);
}

/* A number, then one of the units: each has a name, a blank and its factor in
   `factors`. */
typedef struct unit {
  const char *name;
  uint64_t factor;
} unit;

static bool
read_number (const char *text, const unit *units, uint64_t *number)
{
  uint64_t n = 0;
  if (*text < '0' || *text > '9')
    return false;
  for (; *text >= '0' && *text <= '9'; text++)
    if (__builtin_mul_overflow (n, 10, &n)
        || __builtin_add_overflow (n, (uint64_t)(*text - '0'), &n))
      return false;
  for (; units->name; units++)
    if (text_is (text, units->name))
      return !__builtin_mul_overflow (n, units->factor, number) && *number;
  return false;
}

static bool
read_size (const char *text)
{
  static const unit units[]
      = { { "", 1 },        { "K", 1 << 10 }, { "M", 1 << 20 },
          { "G", 1 << 30 }, { "k", 1 << 10 }, { "m", 1 << 20 },
          { "g", 1 << 30 }, { NULL, 0 } };
  return read_number (text, units, &omen_rt_options.max_size);
}

static bool
read_time (const char *text, uint64_t *ms)
{
  static const unit units[] = { { "", 1000 },   { "s", 1000 },    { "ms", 1 },
                                { "m", 60000 }, { "h", 3600000 }, { NULL, 0 } };
  return read_number (text, units, ms);
}

static bool
read_limit (const char *text)
{
  return read_time (text, &omen_rt_options.limit_ms);
}

static bool
read_grace (const char *text)
{
  if (text_is (text, "0")) {
    omen_rt_options.exit_grace_ms = 0;
    return true;
  }
  return read_time (text, &omen_rt_options.exit_grace_ms);
}

static bool
keep_text (char *to, size_t room, const char *text)
{
  size_t size = omen_bytes_length (text) + 1;
  if (size == 1 || size > room)
    return false;
  omen_bytes_copy (to, text, size);
  return true;
}

static bool
read_output (const char *text)
{
  return keep_text (omen_rt_options.output, OMEN_PATH_MAX - 1, text);
}

static bool
read_schedule (const char *text)
{
  if (text_is (text, "free"))
    return true;
  return keep_text (omen_rt_options.schedule, sizeof omen_rt_options.schedule,
                    text);
}

static bool
read_monitor (const char *text)
{
  return keep_text (omen_rt_options.monitor, sizeof omen_rt_options.monitor,
                    text);
}

static bool
read_serve (const char *text)
{
  static const unit none[] = { { "", 1 }, { NULL, 0 } };
  return read_number (text, none, &omen_rt_options.serve);
}

static const struct option {
  const char *name;
  bool *flag;
  bool (*read) (const char *);
  const char *wrong;
} options[] = {
  { "-o", NULL, read_output, "-o needs the name of a file" },
  { "--output", NULL, read_output, "--output needs the name of a file" },
  { "--global-log", &omen_rt_options.global_log, NULL, NULL },
  { "--sync-only", &omen_rt_options.sync_only, NULL, NULL },
  { "--no-values", &omen_rt_options.no_values, NULL, NULL },
  { "--sampled", &omen_rt_options.sampled, NULL, NULL },
  { "--ring", &omen_rt_options.ring, NULL, NULL },
  { "--stream", &omen_rt_options.stream, NULL, NULL },
  { "--end-stuck", &omen_rt_options.end_stuck, NULL, NULL },
  { "--note-output", &omen_rt_options.note_output, NULL, NULL },
  { "--exact-loops", &omen_rt_options.exact_loops, NULL, NULL },
  { "--max-size", NULL, read_size,
    "--max-size needs a number of bytes, such as 100M" },
  { "--for", NULL, read_limit, "--for needs a time, such as 30s" },
  { "--exit-grace", NULL, read_grace,
    "--exit-grace needs a time, such as 200ms, or 0" },
  { "--serve", NULL, read_serve, "--serve needs the number of a socket" },
  { "--monitor", NULL, read_monitor, "--monitor needs the name of a file" },
  { "--schedule", NULL, read_schedule,
    "--schedule needs the kind of schedule" },
};

/* Cuts an option word after its name; returns where its value begins. */
static char *
cut_value (void)
{
  for (char *p = word; *p; p++)
    if (*p == '=') {
      *p = 0;
      return p + 1;
    }
  return NULL;
}

static const char *
read_option (const char **text)
{
  char *value = cut_value ();
  for (size_t i = 0; i < OMEN_COUNT (options); i++) {
    const struct option *option = &options[i];
    if (!text_is (word, option->name))
      continue;
    if (option->flag) {
      *option->flag = true;
      return value ? "an option that takes no value has one" : NULL;
    }
    if (!value && next_word (text))
      value = word;
    return value && option->read (value) ? NULL : option->wrong;
  }
  return "there is an option that omen does not know";
}

const char *
omen_options_read (const char *text)
{
  const char *wrong = NULL;
  while (!wrong && next_word (&text))
    wrong = read_option (&text);
  if (!wrong && omen_rt_options.ring && !omen_rt_options.max_size)
    wrong = "--ring needs --max-size";
  if (!wrong && omen_rt_options.ring && omen_rt_options.max_size < RING_LEAST)
    wrong = "--ring needs a --max-size of 1M or more";
  return wrong;
}
