#include "disturb.h"

#include "trace/text.h"
#include "io/text_read.h"

#include <stdlib.h>
#include <string.h>

typedef OMEN_VEC (char *) lines;

/* The event of a line, or NULL for init lines. */
static const char *
operation (const char *line)
{
  const char *bar = strchr (line, '|');
  return bar && line[0] != '*' ? bar + 1 : NULL;
}

static bool
is_lock_line (const char *line)
{
  static const char *const words[] = { "acq(", "racq(", "rel(", "rrel(" };
  const char *op = operation (line);
  for (size_t i = 0; op && i < OMEN_COUNT (words); i++)
    if (!strncmp (op, words[i], strlen (words[i])))
      return true;
  return false;
}

/* Of the same lines, one lock operation earlier, or given to the thread of
   another line. */
static void
disturb_lines (oracle_random *random, lines *l)
{
  unsigned n = (unsigned)l->count, from, to;
  for (unsigned tries = 0; tries < 50; tries++) {
    from = oracle_below (random, n);
    to = oracle_below (random, from + 1);
    if (!is_lock_line (l->data[from]) || !operation (l->data[to]))
      continue;
    if (oracle_chance (random, 70)) {
      char *line = l->data[from];
      for (unsigned i = from; i > to; i--)
        l->data[i] = l->data[i - 1];
      l->data[to] = line;
    } else {
      char *line = l->data[from], *other = l->data[to], *made;
      int thread = (int)(operation (other) - other);
      if (asprintf (&made, "%.*s%s", thread, other, operation (line)) < 0)
        abort ();
      free (line);
      l->data[from] = made;
    }
    return;
  }
}

static omen_trace *
parse_lines (const lines *l)
{
  char *text = NULL;
  size_t size;
  omen_err err = { 0 };
  omen_trace *trace;
  FILE *out = open_memstream (&text, &size);
  for (size_t i = 0; i < l->count; i++)
    fprintf (out, "%s\n", l->data[i]);
  fclose (out);
  trace = omen_text_parse ("disturbed", text, size, &err);
  free (text);
  return trace;
}

omen_trace *
disturbed (const omen_trace *trace, oracle_random *random)
{
  char *text = NULL, *save;
  size_t size;
  omen_err err = { 0 };
  lines l = { 0 };
  omen_trace *made;
  FILE *out = open_memstream (&text, &size);
  omen_text_write (trace, out, &err);
  fclose (out);
  for (char *line = strtok_r (text, "\n", &save); line;
       line = strtok_r (NULL, "\n", &save))
    OMEN_VEC_PUSH (l, strdup (line));
  disturb_lines (random, &l);
  made = parse_lines (&l);
  for (size_t i = 0; i < l.count; i++)
    free (l.data[i]);
  OMEN_VEC_FINI (l);
  free (text);
  return made;
}
