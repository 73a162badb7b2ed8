#include "driver/module/build.h"
#include "base/print.h"
#include "driver/module/clang.h"
#include "driver/message.h"
#include "driver/home.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

/* ---- the folder ---- */

bool
omen_workshop_open (omen_workshop *shop, omen_err *err)
{
  if (!omen_scratch_open (&shop->scratch, NULL, err))
    return false;
  omen_scratch_file (&shop->scratch, "module.c", shop->source, PATH_MAX);
  omen_scratch_file (&shop->scratch, "module.o", shop->module, PATH_MAX);
  omen_scratch_file (&shop->scratch, "errors", shop->errors, PATH_MAX);
  omen_scratch_file (&shop->scratch, "state", shop->state, PATH_MAX);
  omen_scratch_file (&shop->scratch, "parts", shop->parts, PATH_MAX);
  return true;
}

void
omen_workshop_close (omen_workshop *shop)
{
  omen_scratch_close (&shop->scratch);
}

/* ---- the compiler ---- */

static void
add_include (omen_cc_args *args, const char *path, const char *option)
{
  char *copy = omen_strdup (path);
  omen_args_add (args, option, dirname (copy));
  omen_free (copy);
}

static bool
prepare_compiler (omen_cc_args *args, const omen_module_order *order,
                  omen_err *err)
{
  char *header = omen_home_find (OMEN_HOME_MODULE_HEADER, err);
  if (!header)
    return false;
  omen_args_add (args, "%s", omen_clang_find (order->cxx));
  omen_args_add (args, "-x%s", order->cxx ? "c++" : "c");
  omen_args_add (args, "%s", "-D_GNU_SOURCE");
  for (size_t i = 0; order->flags && i < order->flags->count; i++)
    omen_args_add (args, "%s", order->flags->data[i]);
  add_include (args, header, "-idirafter%s");
  add_include (args, order->file->spec->path, "-I%s");
  for (size_t i = 1; i < order->file->joined.count; i++)
    add_include (args, order->file->joined.data[i], "-I%s");
  omen_free (header);
  return true;
}

static bool
write_source (omen_workshop *shop, omen_err *err, FILE **out)
{
  *out = omen_scratch_write (shop->source);
  return *out
         || omen_err_io (err, shop->source, "cannot write: %s",
                         strerror (errno));
}

static bool
finish_source (omen_workshop *shop, FILE *out, omen_err *err)
{
  bool good = !ferror (out);
  good &= !fclose (out);
  return good
         || omen_err_io (err, shop->source, "cannot write: %s",
                         strerror (errno));
}

/* ---- types without a declaration ---- */

/* Collect the types that do not compile; the compiler reports their lines. */
static void
read_unknown (const char *path, const omen_texts *types, omen_texts *unknown)
{
  static const char file[] = "omen-types:"; /* FILE:LINE:COLUMN: error: … */
  char line[4096];
  FILE *in = fopen (path, "r");
  while (in && fgets (line, sizeof line, in)) {
    unsigned long number;
    if (strncmp (line, file, sizeof file - 1) || !strstr (line, ": error:"))
      continue;
    number = strtoul (line + sizeof file - 1, NULL, 10);
    if (number && number <= types->count)
      OMEN_VEC_PUSH (*unknown, types->data[number - 1]);
  }
  if (in)
    fclose (in);
}

static bool
find_unknown (omen_workshop *shop, const omen_module_order *order,
              omen_texts *unknown, omen_err *err)
{
  omen_cc_args args = { 0 };
  omen_texts types = { 0 };
  FILE *out;
  bool good
      = prepare_compiler (&args, order, err) && write_source (shop, err, &out);
  omen_module_types (order->file->spec, &types);
  if (good) {
    omen_module_write_types (out, order->file->spec, &types);
    good = finish_source (shop, out, err);
  }
  if (good && types.count) {
    omen_args_add (&args, "%s", "-fsyntax-only");
    omen_args_add (&args, "%s", "-ferror-limit=0");
    omen_args_add (&args, "%s", "-fno-caret-diagnostics");
    omen_args_add (&args, "%s", shop->source);
    good = omen_clang_run (&args, shop->scratch.folder, err) >= 0;
    read_unknown (shop->errors, &types, unknown);
  }
  omen_args_fini (&args);
  OMEN_VEC_FINI (types);
  return good;
}

/* ---- what it consists of ---- */

/* Reads the next name of a make rule, in which backslashes escape the next
   character; NULL at the end. */
static char *
next_name (FILE *in)
{
  OMEN_VEC (char) name = { 0 };
  int c = getc (in);
  while (c != EOF && (!isspace (c) || !name.count)) {
    int next = c == '\\' ? getc (in) : 0;
    if (c == '\\' && next != '\n')
      OMEN_VEC_PUSH (name, (char)next);
    else if (c == '$')
      OMEN_VEC_PUSH (name, (char)getc (in)); /* $$ */
    else if (!next && !isspace (c))
      OMEN_VEC_PUSH (name, (char)c);
    c = getc (in);
  }
  char *text = name.count ? omen_alloc (name.count + 1) : NULL;
  if (text) {
    memcpy (text, name.data, name.count);
    text[name.count] = 0;
  }
  OMEN_VEC_FINI (name);
  return text;
}

/* Read the files that were included, except the generated one. */
static void
read_parts (const omen_workshop *shop, omen_spec_parts *parts)
{
  FILE *in = fopen (shop->parts, "re");
  char *name = in ? next_name (in) : NULL, real[PATH_MAX]; /* the target */
  while (name) {
    omen_free (name);
    name = next_name (in);
    if (name && realpath (name, real) && strcmp (real, shop->source))
      OMEN_VEC_PUSH (*parts, omen_strdup (real));
  }
  if (in)
    fclose (in);
}

/* ---- all of it ---- */

/* Indent the compiler's messages, since they quote the spec and must not look
   like messages of omen. */
static void
show_errors (const char *path)
{
  FILE *in = fopen (path, "re");
  char *line = NULL;
  size_t room = 0;
  for (ssize_t n; in && (n = getline (&line, &room, in)) > 0;) {
    fputs ("  ", stderr);
    omen_print_source (stderr, line, (size_t)n - (line[n - 1] == '\n'));
    fputc ('\n', stderr);
  }
  free (line);
  if (in)
    fclose (in);
}

static bool
is_library (omen_module_form form)
{
  return form == OMEN_MODULE_PRELOADED || omen_module_is_offline (form);
}

static bool
compile (omen_workshop *shop, const omen_module_order *order, int *status,
         omen_err *err)
{
  omen_cc_args args = { 0 };
  bool good = prepare_compiler (&args, order, err);
  if (good) {
    omen_args_add (&args, "%s", "-O2");
    omen_args_add (&args, "%s", "-g");
    omen_args_add (&args, "%s", "-fPIC");
    omen_args_add (&args, "%s", "-fexceptions");
    omen_args_add (&args, "%s", is_library (order->form) ? "-shared" : "-c");
    if (is_library (order->form))
      omen_args_add (&args, "%s", "-Wl,-z,lazy");
    omen_args_add (&args, "%s", shop->source);
    omen_args_add (&args, "%s", "-o");
    omen_args_add (&args, "%s", shop->module);
    if (order->parts) {
      omen_args_add (&args, "%s", "-MMD");
      omen_args_add (&args, "%s", "-MF");
      omen_args_add (&args, "%s", shop->parts);
    }
    *status = omen_clang_run (&args, shop->scratch.folder, err);
    good = *status >= 0;
    show_errors (shop->errors);
  }
  omen_args_fini (&args);
  return good;
}

bool
omen_module_build (omen_workshop *shop, const omen_module_order *order,
                   int *code)
{
  static const omen_texts none = { 0 };
  omen_texts unknown = { 0 };
  omen_module_source source
      = { order->file, order->form, order->imports ? order->imports : &none,
          &unknown };
  omen_err err = { 0 };
  FILE *out;
  int status = 0;
  bool good = find_unknown (shop, order, &unknown, &err)
              && write_source (shop, &err, &out);
  if (good) {
    omen_module_write (out, &source);
    good = finish_source (shop, out, &err)
           && compile (shop, order, &status, &err);
  }
  OMEN_VEC_FINI (unknown);
  if (good && !status && order->parts)
    read_parts (shop, order->parts);
  if (good && status)
    omen_err_set (&err, order->file->spec->path,
                  "its C does not compile (see above)");
  return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
}
