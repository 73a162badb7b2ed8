#include "cmd/atomic_list.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef OMEN_VEC (char) bytes;

static bool
read_all (const char *path, bytes *text, omen_err *err)
{
  FILE *file = fopen (path, "r");
  size_t got = 1;
  bool ok;
  if (!file)
    return omen_err_io (err, path, "cannot open: %s", strerror (errno));
  while (got) {
    OMEN_VEC_RESERVE (*text, text->count + 4096);
    got = fread (text->data + text->count, 1, text->room - text->count, file);
    text->count += got;
  }
  ok = !ferror (file)
       || omen_err_io (err, path, "cannot read: %s", strerror (errno));
  fclose (file);
  return ok;
}

bool
omen_cmd_atomic (const char *which, omen_atomic *atomic, int *code)
{
  bytes text = { 0 };
  omen_err err = { 0 };
  omen_atomic_init (atomic, OMEN_ATOMIC_ALL);
  if (!which || !strcmp (which, "all"))
    return true;
  if (!strcmp (which, "steady") || !strcmp (which, "marked")) {
    atomic->mode
        = *which == 's' ? OMEN_ATOMIC_STEADY : OMEN_ATOMIC_MARKED;
    return true;
  }
  if (read_all (which, &text, &err))
    omen_atomic_parse (atomic, which, text.data, text.count, &err);
  OMEN_VEC_FINI (text);
  if (err.set)
    *code = omen_cmd_fail (OMEN_EXIT_USAGE, &err);
  return !err.set;
}
