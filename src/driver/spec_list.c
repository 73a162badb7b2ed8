#include "driver/spec_list.h"
#include "driver/message.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The path of a file before number `before` with a property of this name, or
   NULL. */
static const char *
where_named (const omen_spec_list *list, size_t before, const char *name)
{
  for (size_t i = 0; i < before; i++)
    for (uint32_t p = 0; p < list->predict.data[i].count; p++)
      if (!strcmp (list->predict.data[i].properties[p].name, name))
        return list->paths.data[i];
  return NULL;
}

/* Names of properties must be unique, since findings name properties, not
   files. */
static bool
names_are_new (const omen_spec_list *list, size_t number, int *code)
{
  const omen_predict_spec *spec = &list->predict.data[number];
  omen_err err = { 0 };
  for (uint32_t p = 0; !err.set && p < spec->count; p++) {
    const char *name = spec->properties[p].name;
    const char *other = where_named (list, number, name);
    if (other)
      omen_err_set (&err, list->paths.data[number], "property %s is in %s, too",
                    name, other);
  }
  return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
}

/* ---- folders ---- */

static int
is_property_file (const struct dirent *entry)
{
  size_t length = strlen (entry->d_name);
  return length > 4 && !strcmp (entry->d_name + length - 4, ".mop");
}

/* Add the property files in the directory, sorted by name. */
static bool
add_folder (omen_spec_list *list, const char *path, int *code)
{
  struct dirent **entries;
  int count = scandir (path, &entries, is_property_file, alphasort);
  omen_err err = { 0 };
  for (int i = 0; i < count; i++) {
    size_t length = strlen (path) + strlen (entries[i]->d_name) + 2;
    char *name = omen_alloc (length);
    snprintf (name, length, "%s/%s", path, entries[i]->d_name);
    OMEN_VEC_PUSH (list->paths, name);
    OMEN_VEC_PUSH (list->owned, name);
    free (entries[i]);
  }
  if (count >= 0)
    free (entries);
  if (count <= 0)
    omen_err_set (&err, path, "a folder without property files (*.mop)");
  return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
}

static bool
is_folder (const char *path)
{
  struct stat info;
  return !stat (path, &info) && S_ISDIR (info.st_mode);
}

bool
omen_spec_list_expand (omen_spec_list *list, int *code)
{
  size_t count = list->paths.count;
  const char **given = omen_alloc ((count + 1) * sizeof *given);
  bool good = true;
  for (size_t i = 0; i < count; i++)
    given[i] = list->paths.data[i];
  OMEN_VEC_CLEAR (list->paths);
  for (size_t i = 0; good && i < count; i++)
    if (is_folder (given[i]))
      good = add_folder (list, given[i], code);
    else
      OMEN_VEC_PUSH (list->paths, given[i]);
  omen_free (given);
  return good;
}

bool
omen_spec_list_load (omen_spec_list *list, int *code)
{
  OMEN_REQUIRE (!list->files.count);
  if (!omen_spec_list_expand (list, code))
    return false;
  for (size_t i = 0; i < list->paths.count; i++) {
    omen_spec_file file;
    omen_predict_spec spec;
    if (!omen_spec_file_load (&file, list->paths.data[i], code))
      return false;
    spec = (omen_predict_spec){ file.compiled->properties, file.compiled->count,
                                file.identity };
    OMEN_VEC_PUSH (list->files, file);
    OMEN_VEC_PUSH (list->predict, spec);
    if (!names_are_new (list, i, code))
      return false;
  }
  OMEN_ASSERT (list->predict.count == list->paths.count);
  return true;
}

void
omen_spec_list_fini (omen_spec_list *list)
{
  for (size_t i = 0; i < list->files.count; i++)
    omen_spec_file_fini (&list->files.data[i]);
  OMEN_VEC_FINI (list->files);
  OMEN_VEC_FINI (list->predict);
  OMEN_VEC_FINI (list->paths);
  for (size_t i = 0; i < list->owned.count; i++)
    omen_free (list->owned.data[i]);
  OMEN_VEC_FINI (list->owned);
}

const omen_property *
omen_spec_list_property (const omen_spec_list *list, const omen_about *about)
{
  for (size_t i = 0; i < list->predict.count; i++) {
    const omen_predict_spec *spec = &list->predict.data[i];
    for (uint32_t p = 0; spec->identity == about->spec && p < spec->count; p++)
      if (!strcmp (spec->properties[p].name, about->property))
        return &spec->properties[p];
  }
  return NULL;
}

void
omen_spec_list_give (const omen_spec_list *list, omen_verifier *verifier)
{
  for (size_t i = 0; i < list->files.count; i++) {
    const omen_compiled *c = list->files.data[i].compiled;
    omen_property_file file
        = { c->properties, c->written, c->count, list->files.data[i].identity };
    omen_verifier_properties (verifier, &file);
  }
}
