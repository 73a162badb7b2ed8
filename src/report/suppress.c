#include "report/suppress.h"
#include "report/reporter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct line {
  omen_finding_kind kind;
  bool top;
  char *pattern;
} line;

struct omen_suppressions {
  OMEN_VEC (line) lines;
};

/* ---- patterns ---- */

/* Does `text` begin with the pattern? The usual matcher with backtracking to
   the last star. */
static bool
match_here (const char *pattern, const char *text)
{
  const char *star = NULL, *back = NULL;
  for (;;) {
    if (*pattern == '*') {
      star = ++pattern;
      back = text;
    } else if (!*pattern || (*pattern == '$' && !pattern[1])) {
      if (!*pattern || !*text)
        return true;
      if (!star)
        return false;
      pattern = star;
      text = ++back;
    } else if (*text && *text == *pattern) {
      pattern++;
      text++;
    } else if (star && *back) {
      pattern = star;
      text = ++back;
    } else
      return false;
  }
}

bool
omen_suppress_match (const char *pattern, const char *text)
{
  if (*pattern == '^')
    return match_here (pattern + 1, text);
  for (;; text++) {
    if (match_here (pattern, text))
      return true;
    if (!*text)
      return false;
  }
}

/* ---- reading ---- */

static bool
is_passed_over (const char *word)
{
  return !strcmp (word, "thread") || !strcmp (word, "signal")
         || !strcmp (word, "called_from_lib");
}

static bool
find_kind (const char *word, line *into)
{
  if (!strcmp (word, "race_top")) {
    into->top = true;
    word = "race";
  } else if (!strcmp (word, "mutex"))
    word = "misuse";
  for (int kind = 0; kind < OMEN_FINDINGS; kind++)
    if (!strcmp (word, omen_finding_kind_text (kind))) {
      into->kind = kind;
      return true;
    }
  return false;
}

static char *
trimmed (char *text)
{
  char *end = text + strlen (text);
  while (end > text && strchr (" \t\r\n", end[-1]))
    *--end = 0;
  return text + strspn (text, " \t");
}

static bool
take_line (omen_suppressions *list, char *text, const char *path,
           unsigned long number, omen_err *err)
{
  line new = { 0 };
  char *colon;
  text = trimmed (text);
  if (!*text || *text == '#')
    return true;
  colon = strchr (text, ':');
  if (!colon || !colon[1])
    return omen_err_at (err, path, number,
                        "expected 'kind:pattern', found '%s'", text);
  *colon = 0;
  if (is_passed_over (text))
    return true;
  if (!find_kind (text, &new))
    return omen_err_at (err, path, number, "'%s' is no kind of finding", text);
  new.pattern = omen_strdup (colon + 1);
  OMEN_VEC_PUSH (list->lines, new);
  return true;
}

static bool
read_lines (omen_suppressions *list, FILE *file, const char *path,
            omen_err *err)
{
  char *text = NULL;
  size_t room = 0;
  unsigned long number = 0;
  bool ok = true;
  while (ok && getline (&text, &room, file) >= 0)
    ok = take_line (list, text, path, ++number, err);
  free (text);
  if (ok && ferror (file))
    ok = omen_err_io (err, path, "cannot be read: %s", strerror (errno));
  return ok;
}

omen_suppressions *
omen_suppressions_load (const char *path, omen_err *err)
{
  FILE *file = fopen (path, "re");
  omen_suppressions *list;
  if (!file) {
    omen_err_io (err, path, "cannot be opened: %s", strerror (errno));
    return NULL;
  }
  list = omen_zalloc (1, sizeof *list);
  if (!read_lines (list, file, path, err)) {
    omen_suppressions_free (list);
    list = NULL;
  }
  fclose (file);
  return list;
}

void
omen_suppressions_free (omen_suppressions *list)
{
  if (!list)
    return;
  for (size_t i = 0; i < list->lines.count; i++)
    omen_free (list->lines.data[i].pattern);
  OMEN_VEC_FINI (list->lines);
  omen_free (list);
}

/* ---- use ---- */

static bool
fits_event (const line *l, omen_reporter *reporter, omen_eid e)
{
  const omen_trace *trace = reporter->trace;
  if (omen_suppress_match (l->pattern, omen_trace_location (trace, e)))
    return true;
  omen_reporter_stack (reporter, e);
  for (size_t i = 0; i < reporter->stack.count; i++) {
    const omen_frame *frame = &reporter->stack.data[i];
    if (frame->function != OMEN_NONE
        && omen_suppress_match (
            l->pattern, omen_names_text (&trace->names[OMEN_OPERAND_FUNCTION],
                                         frame->function)))
      return true;
    if (l->top)
      return false;
    if (frame->location != OMEN_NONE
        && omen_suppress_match (
            l->pattern, omen_names_text (&trace->locations, frame->location)))
      return true;
  }
  return false;
}

static bool
line_fits (const line *l, omen_reporter *reporter, const omen_finding *finding)
{
  if (l->kind != finding->kind)
    return false;
  if (!l->top
      && omen_suppress_match (l->pattern,
                              omen_reporter_subject (reporter, finding)))
    return true;
  omen_reporter_events (reporter, finding);
  for (size_t i = 0; i < reporter->events.count; i++)
    if (fits_event (l, reporter, reporter->events.data[i]))
      return true;
  return false;
}

bool
omen_suppressed (omen_suppressions *list, omen_reporter *reporter,
                 const omen_finding *finding)
{
  for (size_t i = 0; list && i < list->lines.count; i++)
    if (line_fits (&list->lines.data[i], reporter, finding))
      return true;
  return false;
}
