#include "driver/input.h"
#include "driver/progress.h"
#include "witness/witness.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool
omen_input_has_beginning (const omen_trace *trace, int *code)
{
  omen_err err = { 0 };
  if (!trace->rebuilt.before)
    return true;
  omen_err_set (&err, omen_names_text (&trace->strings, trace->path),
                "its beginning was overwritten (--ring): what properties would "
                "have seen there is not known");
  return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
}

omen_trace *
omen_input_load (const char *path, const omen_load_options *options, int *code)
{
  omen_err err = { 0 };
  omen_load_options own = { 0 };
  omen_progress progress;
  omen_limits limits;
  if (options)
    own = *options;
  if (!own.rebuild.limits) {
    omen_progress_start (&progress, false);
    limits = omen_progress_limits (&progress, 0, 0, NULL);
    own.rebuild.limits = &limits;
  }
  omen_trace *trace = omen_load (path, &own, &err);
  if (own.rebuild.limits == &limits)
    omen_progress_clear (&progress);
  if (!trace) {
    *code = omen_fail (OMEN_EXIT_INPUT, &err);
    return NULL;
  }
  for (size_t i = 0; i < trace->warnings.count; i++)
    omen_warn ("%s",
               omen_names_text (&trace->strings, trace->warnings.data[i]));
  return trace;
}

/* Does the witness belong to this trace? */
static bool
is_of (const char *path, const omen_trace *trace)
{
  omen_witness witness;
  omen_err err = { 0 };
  omen_witness_init (&witness);
  bool good = omen_witness_load (&witness, trace, path, &err);
  omen_witness_fini (&witness);
  return good;
}

omen_trace *
omen_input_load_for (const char *path, const char *witness,
                     const omen_load_options *options, int *code)
{
  const omen_load_options all = { .rebuild.whole = true };
  const omen_load_options *tries[] = { options, NULL, &all };
  omen_trace *trace = NULL;
  for (size_t i = options ? 0 : 1; i < OMEN_COUNT (tries); i++) {
    omen_trace_free (trace);
    trace = omen_input_load (path, tries[i], code);
    if (!trace || is_of (witness, trace) || (i && !trace->rebuilt.settled))
      break;
  }
  return trace;
}

int
omen_input_refused (const omen_err *err)
{
  omen_err hinted = *err;
  size_t used = strlen (hinted.what);
  if (!err->io)
    snprintf (hinted.what + used, sizeof hinted.what - used,
              "; 'omen trace import --repair' mends that");
  return omen_fail (OMEN_EXIT_INPUT, &hinted);
}

#define TEXT_MAX (16u << 20)

static bool
read_all (FILE *in, const char *path, omen_text *text, omen_err *err)
{
  size_t got;
  do {
    OMEN_VEC_RESERVE (*text, text->count + 65536);
    got = fread (text->data + text->count, 1, 65536, in);
    text->count += got;
    if (text->count > TEXT_MAX)
      return omen_err_set (err, path, "more than %u MiB", TEXT_MAX >> 20);
  } while (got);
  return !ferror (in)
         || omen_err_io (err, path, "cannot read it: %s", strerror (errno));
}

bool
omen_input_text (const char *path, omen_text *text, omen_err *err)
{
  bool good;
  FILE *in;
  if (!strcmp (path, "-"))
    return read_all (stdin, "standard input", text, err);
  in = fopen (path, "rb");
  if (!in)
    return omen_err_io (err, path, "cannot open it: %s", strerror (errno));
  good = read_all (in, path, text, err);
  fclose (in);
  return good;
}
