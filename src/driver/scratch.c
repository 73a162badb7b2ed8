#include "driver/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *
usual_folder (void)
{
  const char *folder = secure_getenv ("TMPDIR");
  return folder && *folder ? folder : "/tmp";
}

bool
omen_scratch_open (omen_scratch *scratch, const char *where, omen_err *err)
{
  char real[PATH_MAX];
  where = where ? where : usual_folder ();
  scratch->folder[0] = 0;
  if (!realpath (where, real)
      || snprintf (scratch->folder, sizeof scratch->folder, "%s/omen.XXXXXX",
                   real)
             >= (int)sizeof scratch->folder
      || !mkdtemp (scratch->folder)) {
    scratch->folder[0] = 0;
    return omen_err_io (err, where, "cannot make a folder: %s",
                        strerror (errno));
  }
  scratch->guard = omen_guard_start (NULL, scratch->folder);
  return true;
}

void
omen_scratch_file (const omen_scratch *scratch, const char *name, char *path,
                   size_t room)
{
  int size = snprintf (path, room, "%s/%s", scratch->folder, name);
  OMEN_REQUIRE (*scratch->folder && size > 0 && (size_t)size < room);
}

FILE *
omen_scratch_write (const char *path)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                 0600);
  FILE *file = fd < 0 ? NULL : fdopen (fd, "w");
  if (fd >= 0 && !file)
    close (fd);
  return file;
}

void
omen_scratch_close (omen_scratch *scratch)
{
  DIR *open = *scratch->folder ? opendir (scratch->folder) : NULL;
  struct dirent *entry;
  while (open && (entry = readdir (open)))
    unlinkat (dirfd (open), entry->d_name, 0); /* fails for . and .. */
  if (open)
    closedir (open);
  if (*scratch->folder) {
    rmdir (scratch->folder);
    omen_guard_end (&scratch->guard);
  }
  scratch->folder[0] = 0;
}
