#include "driver/explore/failing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST_SAID = 1 << 16, MOST_LINE = 120 };

/* Up to `most` bytes of a file, NUL-terminated; never NULL. */
static char *
text_of (const char *path, size_t most, size_t *length)
{
  FILE *in = fopen (path, "rbe");
  char *text = omen_alloc (most + 1);
  *length = in ? fread (text, 1, most, in) : 0;
  text[*length] = 0;
  if (in)
    fclose (in);
  return text;
}

static char *
said (const char *format, const char *text, int length)
{
  char *line = NULL;
  OMEN_REQUIRE (asprintf (&line, format, length, text) >= 0);
  char *own = omen_strdup (line);
  free (line);
  return own;
}

/* ---- sanitizers ---- */

/* "AddressSanitizer: heap-use-after-free", without the address that follows. */
static char *
name_of_report (const char *report)
{
  const char *end = strchrnul (report, '\n');
  const char *on = strstr (report, " on ");
  if (on && on < end)
    end = on;
  return said ("%.*s", report,
               end - report < MOST_LINE ? (int)(end - report) : MOST_LINE);
}

/* Finds "==4711==ERROR: AddressSanitizer: …" or "file.c:3:5: runtime error:
   …". */
static char *
report_in (const char *errors)
{
  const char *at = strstr (errors, "==ERROR: ");
  if (at && strstr (at, "Sanitizer"))
    return name_of_report (at + strlen ("==ERROR: "));
  if ((at = strstr (errors, ": runtime error: ")))
    return said ("UndefinedBehaviorSanitizer: %.*s",
                 at + strlen (": runtime error: "),
                 (int)strcspn (at + strlen (": runtime error: "), "\n"));
  return NULL;
}

/* ---- exit codes ---- */

static char *
differing_exit (const omen_failing *f, int status)
{
  char *text = NULL;
  if (!WIFEXITED (status) || !WIFEXITED (f->status)
      || WEXITSTATUS (status) == WEXITSTATUS (f->status))
    return NULL;
  OMEN_REQUIRE (asprintf (&text, "exit code %d, and %d in the first run",
                          WEXITSTATUS (status), WEXITSTATUS (f->status))
                >= 0);
  char *own = omen_strdup (text);
  free (text);
  return own;
}

/* ---- output ---- */

/* Describes the first line that differs. */
static char *
differing_output (const omen_failing *f, const char *printed, size_t length)
{
  size_t i = 0, line = 0, number = 1;
  char *text = NULL;
  if (length == f->length && !memcmp (printed, f->printed, length))
    return NULL;
  for (; i < length && i < f->length && printed[i] == f->printed[i]; i++)
    if (printed[i] == '\n') {
      line = i + 1;
      number++;
    }
  size_t now = strcspn (printed + line, "\n");
  size_t then = strcspn (f->printed + line, "\n");
  OMEN_REQUIRE (
      asprintf (&text,
                "line %zu of its output is '%.*s', and '%.*s' in "
                "the first run",
                number, now < MOST_LINE ? (int)now : MOST_LINE, printed + line,
                then < MOST_LINE ? (int)then : MOST_LINE, f->printed + line)
      >= 0);
  char *own = omen_strdup (text);
  free (text);
  return own;
}

/* ---- all of them ---- */

bool
omen_failing_look (omen_failing *f, const omen_runner *r, omen_ending *ending)
{
  size_t errors, length;
  char *text = text_of (r->errors, MOST_SAID, &errors);
  char *printed = text_of (r->output, f->output ? MOST_SAID : 0, &length);
  *ending = (omen_ending){ .how = report_in (text) };
  if (ending->how) {
    ending->said = text;
    ending->died = WIFSIGNALED (r->status) || WEXITSTATUS (r->status);
  } else
    omen_free (text);
  if (!f->begun) {
    f->begun = true;
    f->status = r->status;
    f->printed = printed;
    f->length = length;
    return ending->how;
  }
  if (!ending->how && !r->timed_out)
    ending->how = differing_exit (f, r->status);
  if (!ending->how && f->output && !r->timed_out && WIFEXITED (r->status))
    ending->how = differing_output (f, printed, length);
  omen_free (printed);
  return ending->how;
}

/* All of one member of the verdicts, or NULL if there is nothing. */
static char *
all_of (const omen_violations *verdicts, bool bindings)
{
  char *text;
  size_t length;
  FILE *out = open_memstream (&text, &length);
  OMEN_REQUIRE (out);
  for (size_t i = 0; i < verdicts->count; i++) {
    const omen_violation *v = &verdicts->data[i];
    const char *its = bindings ? v->binding : v->text;
    if (*its)
      fprintf (out, "%s%s", ftell (out) ? "; " : "", its);
  }
  fclose (out);
  char *own = length ? omen_strdup (text) : NULL;
  free (text);
  return own;
}

void
omen_failing_look_inside (omen_failing *f, omen_trace *trace,
                          omen_ending *ending)
{
  size_t count = trace ? trace->events.count : 0;
  if (ending->died && count && trace->death.thread == OMEN_NONE)
    trace->death.thread = trace->events.data[count - 1].thread;
  omen_violations_fini (&f->verdicts);
  if (!trace || !f->specs)
    return;
  omen_violated (trace, f->specs, &f->verdicts);
  ending->violated = all_of (&f->verdicts, false);
  ending->bound = all_of (&f->verdicts, true);
}

char *
omen_failing_text (int status, const omen_ending *ending)
{
  if (omen_ending_failed (ending))
    return omen_ending_text (ending);
  return omen_strdup (WIFSIGNALED (status) ? strsignal (WTERMSIG (status))
                                           : "no thread could go on");
}

void
omen_failing_fini (omen_failing *f)
{
  omen_free (f->printed);
  omen_violations_fini (&f->verdicts);
}
