#include "driver/check/spec_copy.h"
#include "driver/output.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IDENTITY = 16 }; /* digits */

typedef struct copying {
  char own[PATH_MAX];  /* DIR/spec/IDENTITY, with or without .mop */
  char from[PATH_MAX]; /* absolute path of the property file */
  size_t shared;       /* length of the directory prefix common to all files */
} copying;

/* ---- one file ---- */

static bool
copy_bytes (FILE *out, const char *from, omen_err *err)
{
  char bytes[65536];
  size_t size;
  FILE *in = fopen (from, "re");
  if (!in)
    return omen_err_io (err, from, "cannot be read: %s", strerror (errno));
  while ((size = fread (bytes, 1, sizeof bytes, in)))
    fwrite (bytes, 1, size, out);
  bool good = !ferror (in);
  fclose (in);
  return good || omen_err_io (err, from, "cannot be read");
}

/* Copy the file `from`, or write the text of a property file, which may have
   come from standard input. */
static bool
write_file (const char *to, const char *from, const omen_spec *spec,
            omen_err *err)
{
  omen_output output;
  if (!omen_output_open (&output, to, false, err))
    return false;
  if (spec)
    fwrite (spec->text, 1, spec->size, output.file);
  else if (!copy_bytes (output.file, from, err))
    return omen_output_abandon (&output, err);
  return omen_output_commit (&output, err);
}

static bool
make_folders_of (const copying *c, const char *path, omen_err *err)
{
  char folder[PATH_MAX];
  snprintf (folder, sizeof folder, "%s", path);
  for (char *at = folder + strlen (c->own); (at = strchr (at, '/')); at++) {
    *at = 0;
    if (!omen_output_folder (folder, err))
      return false;
    *at = '/';
  }
  return true;
}

/* ---- where they go ---- */

static void
find_shared (copying *c, const omen_spec_parts *parts)
{
  c->shared = (size_t)(strrchr (c->from, '/') - c->from) + 1;
  for (size_t i = 0; i < parts->count; i++) {
    while (strncmp (parts->data[i], c->from, c->shared))
      do
        c->shared--;
      while (c->from[c->shared - 1] != '/');
  }
}

static bool
place (const copying *c, const char *file, char to[PATH_MAX], omen_err *err)
{
  int size = snprintf (to, PATH_MAX, "%s/%s", c->own, file + c->shared);
  return (size > 0 && size < PATH_MAX)
         || omen_err_io (err, file, "its copy would have too long a name");
}

static bool
copy_part (const copying *c, const char *file, const omen_spec *spec,
           omen_err *err)
{
  char to[PATH_MAX];
  return place (c, file, to, err) && make_folders_of (c, to, err)
         && write_file (to, file, spec, err);
}

static bool
copy_with_parts (copying *c, const omen_spec_file *file, omen_err *err)
{
  char link[PATH_MAX], to[PATH_MAX];
  const char *folder = strrchr (c->own, '/');
  find_shared (c, &file->parts);
  bool good = copy_part (c, c->from, file->spec, err);
  for (size_t i = 0; good && i < file->parts.count; i++)
    good = copy_part (c, file->parts.data[i], NULL, err);
  if (!good || !place (c, c->from, to, err))
    return false;
  snprintf (link, sizeof link, "%.*s.mop", PATH_MAX - 5, c->own);
  return !symlink (to + (folder + 1 - c->own), link)
         || omen_err_io (err, link, "cannot be made: %s", strerror (errno));
}

static bool
copy (const char *folder, const omen_spec_file *file, omen_err *err)
{
  copying c = { .shared = 0 };
  snprintf (c.own, sizeof c.own, "%s/spec/%016" PRIx64, folder, file->identity);
  if (file->parts.count && realpath (file->spec->path, c.from))
    return copy_with_parts (&c, file, err);
  strncat (c.own, ".mop", sizeof c.own - strlen (c.own) - 1);
  return write_file (c.own, NULL, file->spec, err);
}

bool
omen_spec_copy_all (const char *folder, const omen_spec_list *specs,
                    omen_err *err)
{
  char path[PATH_MAX];
  snprintf (path, sizeof path, "%s/spec", folder);
  bool good = !specs->files.count || omen_output_folder (path, err);
  for (size_t i = 0; good && i < specs->files.count; i++)
    good = copy (folder, &specs->files.data[i], err);
  return good;
}

/* ---- later ---- */

static int
remove_one (const char *path, const struct stat *info, int type, struct FTW *at)
{
  return remove (path);
}

static bool
is_copy (const char *name)
{
  return strspn (name, "0123456789abcdef") == IDENTITY
         && (!name[IDENTITY] || !strcmp (name + IDENTITY, ".mop"));
}

void
omen_spec_copy_remove (const char *folder)
{
  char path[PATH_MAX];
  struct dirent *entry;
  snprintf (path, sizeof path, "%s/spec", folder);
  size_t length = strlen (path);
  DIR *open = opendir (path);
  while (open && (entry = readdir (open)))
    if (is_copy (entry->d_name)) {
      snprintf (path + length, sizeof path - length, "/%s", entry->d_name);
      nftw (path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    }
  if (open)
    closedir (open);
}

void
omen_spec_copy_find (const char *folder, uint64_t identity, char path[PATH_MAX])
{
  char copy[PATH_MAX];
  snprintf (copy, sizeof copy, "%s/spec/%016" PRIx64 ".mop", folder, identity);
  if (!realpath (copy, path))
    *path = 0;
}
