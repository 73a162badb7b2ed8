#include "driver/output.h"
#include "base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file to remove if a signal terminates us; also ensures one output at a
   time. */
static const char *volatile unfinished;
static const int fatal[] = { SIGINT, SIGTERM, SIGHUP };
static void (*before[OMEN_COUNT (fatal)]) (int);

void
omen_output_forget (void)
{
  const char *path = unfinished;
  if (path)
    unlink (path);
}

static void
remove_and_die (int number)
{
  omen_output_forget ();
  signal (number, SIG_DFL);
  raise (number);
}

/* Leaves signals alone that are ignored (by nohup, for example) or have a
   handler. */
static void
guard (const char *temporary)
{
  OMEN_REQUIRE (!unfinished);
  unfinished = temporary;
  for (size_t i = 0; i < OMEN_COUNT (fatal); i++) {
    before[i] = signal (fatal[i], remove_and_die);
    if (before[i] != SIG_DFL)
      signal (fatal[i], before[i]);
  }
}

static void
unguard (void)
{
  for (size_t i = 0; unfinished && i < OMEN_COUNT (fatal); i++)
    signal (fatal[i], before[i]);
  unfinished = NULL;
}

static const char *
name_of (const omen_output *output)
{
  return output->path ? output->path : "standard output";
}

static void
end_output (omen_output *output)
{
  if (output->file && output->file != stdout)
    fclose (output->file);
  if (output->temporary)
    unlink (output->temporary);
  unguard ();
  omen_free (output->temporary);
  omen_free (output->path);
  memset (output, 0, sizeof *output);
}

static bool
output_failed (omen_output *output, int error, omen_err *err)
{
  omen_err_io (err, name_of (output), "cannot write: %s", strerror (error));
  end_output (output);
  return false;
}

static bool
open_temporary (omen_output *output, omen_err *err)
{
  size_t length = strlen (output->path);
  int fd;
  output->temporary = omen_alloc (length + sizeof ".XXXXXX");
  memcpy (output->temporary, output->path, length);
  strcpy (output->temporary + length, ".XXXXXX");
  fd = mkostemp (output->temporary, 0);
  if (fd < 0) {
    int error = errno;
    omen_free (output->temporary);
    output->temporary = NULL;
    return output_failed (output, error, err);
  }
  guard (output->temporary);
  output->file = fdopen (fd, "wb");
  return output->file || output_failed (output, errno, err);
}

bool
omen_output_open (omen_output *output, const char *path, bool binary,
                  omen_err *err)
{
  struct stat status;
  OMEN_REQUIRE (!unfinished);
  memset (output, 0, sizeof *output);
  if (!strcmp (path, "-")) {
    output->file = stdout;
    return !binary || !isatty (STDOUT_FILENO)
           || omen_err_io (err, "standard output",
                           "not writing binary data to a terminal; use -o");
  }
  /* Follow links, so that these are preserved. */
  char *real = realpath (path, NULL);
  output->path = omen_strdup (real ? real : path);
  free (real);
  if (stat (output->path, &status) || S_ISREG (status.st_mode))
    return open_temporary (output, err);
  output->file = fopen (output->path, "wb");
  return output->file || output_failed (output, errno, err);
}

static bool
finish_output (omen_output *output)
{
  FILE *file = output->file;
  bool right = !fflush (file) && !ferror (file);
  output->file = NULL;
  if (file != stdout && fclose (file))
    right = false;
  return right
         && (!output->temporary || !rename (output->temporary, output->path));
}

bool
omen_output_commit (omen_output *output, omen_err *err)
{
  OMEN_REQUIRE (output->file);
  if (!finish_output (output))
    return output_failed (output, errno, err);
  unguard ();
  omen_free (output->temporary);
  output->temporary = NULL; /* it was renamed */
  end_output (output);
  return true;
}

bool
omen_output_abandon (omen_output *output, omen_err *err)
{
  if (err->set && !err->where[0]) {
    snprintf (err->where, sizeof err->where, "%s", name_of (output));
    err->io = true;
  }
  end_output (output);
  return false;
}

bool
omen_output_folder (const char *path, omen_err *err)
{
  struct stat info;
  OMEN_REQUIRE (path);
  if (!mkdir (path, 0700))
    return true;
  if (errno != EEXIST)
    return omen_err_io (err, path, "cannot make the folder: %s",
                        strerror (errno));
  return (!stat (path, &info) && S_ISDIR (info.st_mode))
         || omen_err_io (err, path, "this is no folder");
}
