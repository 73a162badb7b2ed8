#include "report/finder.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

_Static_assert (OMEN_PATH_MAX >= PATH_MAX, "as realpath wants it");

typedef struct finder {
  const omen_source_paths *paths;
  char *found; /* "": nothing found yet */
  bool several;
} finder;

static bool
is_below (const char *path, const char *folder)
{
  char real[OMEN_PATH_MAX];
  size_t length = realpath (folder, real) ? strlen (real) : 0;
  return length
         && (length == 1
             || (!strncmp (path, real, length) && path[length] == '/'));
}

/* Record the path if it is a file in the folder (NULL: anywhere), after
   resolving links and `..`. */
static bool
take_if_file (finder *f, const char *path, const char *folder)
{
  char real[OMEN_PATH_MAX];
  struct stat info;
  if (stat (path, &info) || !S_ISREG (info.st_mode) || !realpath (path, real)
      || (folder && !is_below (real, folder)))
    return false;
  if (*f->found && strcmp (f->found, real))
    f->several = true;
  memcpy (f->found, real, strlen (real) + 1);
  return true;
}

static bool
take_joined (finder *f, const char *folder, const char *rest)
{
  char path[OMEN_PATH_MAX];
  int size = snprintf (path, sizeof path, "%s/%s", folder, rest);
  return (size_t)size < sizeof path && take_if_file (f, path, folder);
}

/* Try the first FROM=TO whose FROM is a prefix of the path. */
static bool
take_mapped (finder *f, const char *path)
{
  for (size_t i = 0; f->paths && i < f->paths->count; i++) {
    const char *from = f->paths->data[i], *to = strchr (from, '=');
    size_t length = to ? (size_t)(to - from) : 0;
    while (length && from[length - 1] == '/')
      length--;
    if (to && !strncmp (path, from, length) && path[length] == '/'
        && take_joined (f, to + 1, path + length + 1))
      return true;
  }
  return false;
}

/* Try the ends of the path in each DIR; leading `.` and `..` are skipped. */
static bool
take_below (finder *f, const char *path)
{
  for (const char *end = path; end; end = strchr (end, '/')) {
    end += strspn (end, "/");
    if (!strncmp (end, "./", 2) || !strncmp (end, "../", 3))
      continue;
    for (size_t i = 0; f->paths && i < f->paths->count; i++)
      if (!strchr (f->paths->data[i], '=')
          && take_joined (f, f->paths->data[i], end))
        return true;
  }
  return false;
}

static bool
take_as_said (finder *f, const char *path)
{
  return take_if_file (f, path, NULL);
}

static bool
take_from_here (finder *f, const char *path)
{
  return take_if_file (f, path, ".");
}

static bool
any_way (finder *f, const omen_trace *trace, const char *name)
{
  static bool (*const ways[]) (finder *f, const char *path)
      = { take_mapped, take_as_said, take_from_here, take_below };
  for (size_t way = 0; way < OMEN_COUNT (ways); way++) {
    bool any = false;
    for (size_t i = 0; i < trace->sources.count; i++) {
      const omen_source_file *source = &trace->sources.data[i];
      if ((ways[way] != take_as_said || source->trusted)
          && !strcmp (omen_names_text (&trace->strings, source->name), name))
        any |= ways[way](f, omen_names_text (&trace->strings, source->path));
    }
    if (any)
      return true;
  }
  return take_mapped (f, name) || take_below (f, name)
         || take_from_here (f, name);
}

bool
omen_source_find (const omen_trace *trace, const omen_source_paths *paths,
                  const char *name, size_t length, char path[OMEN_PATH_MAX])
{
  finder f = { paths, path, false };
  char text[OMEN_PATH_MAX];
  path[0] = 0;
  if (!length || length >= sizeof text)
    return false;
  memcpy (text, name, length);
  text[length] = 0;
  return any_way (&f, trace, text) && !f.several;
}
