#include "driver/spec_join.h"
#include "driver/module/module.h"
#include "driver/module/plan_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static omen_spec *
read_one (const char *path, int *code)
{
  omen_err err = { 0 };
  omen_text text = { 0 };
  omen_spec *spec = NULL;
  if (omen_input_text (path, &text, &err))
    spec = omen_spec_parse (path, text.data, text.count, &err);
  OMEN_VEC_FINI (text);
  if (!spec)
    *code = omen_fail (OMEN_EXIT_INPUT, &err);
  return spec;
}

/* Mark the origin of the following text. */
static void
put_mark (FILE *out, const omen_spec *spec, size_t offset)
{
  omen_place_in_file at;
  omen_spec_place (spec, offset, &at);
  fprintf (out, "#line %u ", at.line);
  omen_module_quote (out, at.path);
  fprintf (out, "\n%*s", (int)at.column - 1, "");
}

static void
put_all (FILE *out, omen_spec *const *specs, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    put_mark (out, specs[i], 0);
    fwrite (specs[i]->text, 1, specs[i]->preamble, out);
    putc ('\n', out);
  }
  for (size_t i = 0; i < count; i++) {
    put_mark (out, specs[i], specs[i]->preamble);
    fwrite (specs[i]->text + specs[i]->preamble, 1,
            specs[i]->size - specs[i]->preamble, out);
    putc ('\n', out);
  }
}

bool
omen_spec_join (const char *const *paths, size_t count, omen_text *text,
                omen_spec_hashes *hashes, int *code)
{
  omen_spec **specs = omen_zalloc (count, sizeof *specs);
  char *bytes = NULL;
  size_t size = 0, read = 0;
  FILE *out;
  while (read < count && (specs[read] = read_one (paths[read], code)))
    OMEN_VEC_PUSH (*hashes, omen_spec_hash (specs[read++]));
  out = read == count ? open_memstream (&bytes, &size) : NULL;
  if (out) {
    put_all (out, specs, count);
    fclose (out);
  }
  for (size_t i = 0; i < size; i++)
    OMEN_VEC_PUSH (*text, bytes[i]);
  for (size_t i = 0; i < read; i++)
    omen_spec_free (specs[i]);
  omen_free (specs);
  free (bytes);
  return out;
}
