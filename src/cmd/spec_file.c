#include "cmd/spec_file.h"
#include "cmd/cmd.h"
#include "cmd/offline.h"
#include "monitor/own.h"

#include <dlfcn.h>
#include <errno.h>
#include <omen-module.h>
#include <stdio.h>
#include <string.h>

#define SIZE_MAX_ (16u << 20)

typedef OMEN_VEC (char) bytes;

static bool
read_all (FILE *in, const char *path, bytes *text, omen_err *err)
{
  size_t got;
  do {
    OMEN_VEC_RESERVE (*text, text->count + 65536);
    got = fread (text->data + text->count, 1, 65536, in);
    text->count += got;
    if (text->count > SIZE_MAX_)
      return omen_err_set (err, path, "a property file of more than %u MiB",
                           SIZE_MAX_ >> 20);
  } while (got);
  return !ferror (in)
         || omen_err_io (err, path, "cannot read it: %s", strerror (errno));
}

static bool
read_file (const char *path, bytes *text, omen_err *err)
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

/* FNV-1a */
static uint64_t
identity_of (const bytes *text)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < text->count; i++)
    hash = (hash ^ (unsigned char)text->data[i]) * 0x100000001b3u;
  return hash;
}

/* ---- monitor: "file.c" ---- */

static bool
is_own (const omen_formula *f)
{
  return f->machine.engine == &omen_engine_own;
}

static bool
has_own (const omen_spec_file *file)
{
  for (uint32_t p = 0; p < file->compiled->count; p++)
    for (uint32_t f = 0; f < file->compiled->properties[p].formulas; f++)
      if (is_own (&file->compiled->properties[p].formula[f]))
        return true;
  return false;
}

static bool
bind_own (omen_spec_file *file, const omen_offline *c, omen_err *err)
{
  for (uint32_t p = 0; p < file->compiled->count; p++)
    for (uint32_t f = 0; f < file->compiled->properties[p].formulas; f++) {
      const omen_own_monitor *own = c->properties[p].formula[f].own;
      if (!is_own (&file->compiled->properties[p].formula[f]))
        continue;
      if (!omen_own_complete (own))
        return omen_spec_fail (
            file->spec,
            file->spec->properties.data[p].formulas.data[f].offset, err,
            "the table of this monitor has no step, no verdict, or states of "
            "more than %d bytes",
            OMEN_OWN_BYTES_MAX);
      omen_compiled_own (file->compiled, p, f, own);
    }
  return true;
}

static bool
load_own (omen_spec_file *file, int *code)
{
  omen_offline c;
  omen_err err = { 0 };
  if (!has_own (file))
    return true;
  if (!omen_offline_open (&c, file, OMEN_MODULE_OFFLINE, code))
    return false;
  file->library = c.library;
  if (bind_own (file, &c, &err))
    return true;
  *code = omen_cmd_fail (OMEN_EXIT_INPUT, &err);
  return false;
}

bool
omen_spec_file_load (omen_spec_file *file, const char *path, int *code)
{
  omen_err err = { 0 };
  bytes text = { 0 };
  *file = (omen_spec_file){ 0 };
  if (read_file (path, &text, &err))
    file->spec = omen_spec_parse (path, text.data, text.count, &err);
  if (file->spec)
    file->compiled = omen_spec_compile (file->spec, &err);
  file->identity = identity_of (&text);
  OMEN_VEC_FINI (text);
  if (!file->compiled)
    *code = omen_cmd_fail (OMEN_EXIT_INPUT, &err);
  else if (load_own (file, code))
    return true;
  omen_spec_file_fini (file);
  return false;
}

void
omen_spec_file_fini (omen_spec_file *file)
{
  omen_compiled_free (file->compiled);
  omen_spec_free (file->spec);
  if (file->library)
    dlclose (file->library);
  *file = (omen_spec_file){ 0 };
}
