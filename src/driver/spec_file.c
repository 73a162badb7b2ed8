#include "driver/spec_file.h"
#include "driver/input.h"
#include "driver/module/offline.h"
#include "driver/spec_join.h"
#include "monitor/own.h"

#include <dlfcn.h>
#include <omen-module.h>

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
            file->spec, file->spec->properties.data[p].formulas.data[f].offset,
            err,
            "the table of this monitor has no step, no verdict, or states of "
            "more than %d bytes",
            OMEN_OWN_BYTES_MAX);
      omen_compiled_own (file->compiled, p, f, own);
    }
  return true;
}

static bool
load_own (omen_spec_file *file, bool only_look, int *code)
{
  omen_offline c;
  omen_err err = { 0 };
  if (!has_own (file))
    return true;
  if (only_look)
    return omen_offline_compile (file, code);
  if (!omen_offline_open (&c, file, OMEN_MODULE_OFFLINE, &file->parts, code))
    return false;
  file->library = c.library;
  bind_own (file, &c, &err);
  return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
}

static bool
load_text (omen_spec_file *file, const char *path, const omen_text *text,
           bool only_look, int *code)
{
  omen_err err = { 0 };
  file->spec = omen_spec_parse (path, text->data, text->count, &err);
  if (file->spec)
    file->compiled = omen_spec_compile (file->spec, &err);
  /* FNV-1a */
  file->identity = 0xcbf29ce484222325u;
  for (size_t i = 0; i < text->count; i++)
    file->identity
        = (file->identity ^ (unsigned char)text->data[i]) * 0x100000001b3u;
  if (!file->compiled)
    *code = omen_fail (OMEN_EXIT_INPUT, &err);
  return file->compiled && load_own (file, only_look, code);
}

static bool
load_spec (omen_spec_file *file, const char *path, bool only_look, int *code)
{
  omen_err err = { 0 };
  omen_text text = { 0 };
  bool good;
  *file = (omen_spec_file){ 0 };
  good = omen_input_text (path, &text, &err)
             ? load_text (file, path, &text, only_look, code)
             : omen_succeeded (&err, OMEN_EXIT_INPUT, code);
  OMEN_VEC_FINI (text);
  if (!good)
    omen_spec_file_fini (file);
  return good;
}

bool
omen_spec_file_load_all (omen_spec_file *file, const char *const *paths,
                         size_t count, int *code)
{
  omen_text text = { 0 };
  bool good;
  OMEN_REQUIRE (count);
  if (count == 1)
    return load_spec (file, paths[0], false, code);
  *file = (omen_spec_file){ 0 };
  for (size_t i = 0; i < count; i++)
    OMEN_VEC_PUSH (file->joined, omen_strdup (paths[i]));
  good = omen_spec_join (paths, count, &text, &file->hashes, code)
         && load_text (file, paths[0], &text, false, code);
  OMEN_VEC_FINI (text);
  if (!good)
    omen_spec_file_fini (file);
  return good;
}

bool
omen_spec_file_weavable (const omen_spec_file *file, int *code)
{
  const omen_spec *spec = file->spec;
  omen_err err = { 0 };
  for (size_t p = 0; p < spec->properties.count; p++) {
    const omen_spec_property *property = &spec->properties.data[p];
    for (size_t i = 0; !err.set && i < property->predicates.count; i++)
      if (property->beside >> i & 1)
        omen_spec_fail (spec, property->predicates.data[i].condition->offset,
                        &err,
                        "only traces know what comes right before what; "
                        "compile the program without this file, and give it to "
                        "check, predict or spec run");
  }
  return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
}

bool
omen_spec_file_look (omen_spec_file *file, const char *path, int *code)
{
  return load_spec (file, path, true, code);
}

bool
omen_spec_file_load (omen_spec_file *file, const char *path, int *code)
{
  return load_spec (file, path, false, code);
}

void
omen_spec_file_fini (omen_spec_file *file)
{
  omen_compiled_free (file->compiled);
  omen_spec_free (file->spec);
  if (file->library)
    dlclose (file->library);
  for (size_t i = 0; i < file->parts.count; i++)
    omen_free (file->parts.data[i]);
  OMEN_VEC_FINI (file->parts);
  for (size_t i = 0; i < file->joined.count; i++)
    omen_free (file->joined.data[i]);
  OMEN_VEC_FINI (file->joined);
  OMEN_VEC_FINI (file->hashes);
  *file = (omen_spec_file){ 0 };
}
