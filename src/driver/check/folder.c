#include "driver/check/folder.h"
#include "driver/check/spec_copy.h"
#include "driver/output.h"
#include "driver/recorded.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

typedef struct path {
  char text[4096];
} path;

static path
inside (const char *folder, const char *name)
{
  path p;
  int length = snprintf (p.text, sizeof p.text, "%s/%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof p.text)
    p.text[0] = 0; /* no valid file name */
  return p;
}

/* Is it a witness file, whose name is a number such as 3 or 3.2? */
static bool
is_witness (const char *name)
{
  return isdigit ((unsigned char)name[0])
         && !name[strspn (name, "0123456789.")];
}

/* Is it the recording of a further run, such as "run-2.omen" or
   "run-2.omen.4711"? */
static bool
is_further (const char *name)
{
  size_t digits
      = !strncmp (name, "run-", 4) ? strspn (name + 4, "0123456789") : 0;
  const char *rest = name + 4 + digits;
  return digits && !strncmp (rest, ".omen", 5)
         && !rest[5 + strspn (rest + 5, ".0123456789")];
}

/* Remove files of an earlier check. */
static void
remove_files (const char *folder, bool (*is_ours) (const char *name))
{
  DIR *open = opendir (folder);
  struct dirent *entry;
  if (!open)
    return;
  while ((entry = readdir (open)))
    if (is_ours (entry->d_name))
      unlink (inside (folder, entry->d_name).text);
  closedir (open);
}

char *
omen_check_folder_name (const char *pattern, const char *program)
{
  const char *slash = strrchr (program, '/');
  char *name = NULL;
  size_t size;
  FILE *out = open_memstream (&name, &size);
  OMEN_REQUIRE (out);
  for (; *pattern; pattern++)
    if (*pattern != '%')
      fputc (*pattern, out);
    else if (pattern[1] == 'n' && pattern++)
      fputs (slash ? slash + 1 : program, out);
    else if (pattern[1] == 'p' && pattern++)
      fprintf (out, "%ld", (long)getpid ());
    else {
      fputc ('%', out);
      pattern += pattern[1] == '%';
    }
  fclose (out);
  return name;
}

/* Create the parent directories. */
static bool
make_folders (const char *folder, omen_err *err)
{
  path p = inside (folder, "");
  for (char *at = p.text + 1; p.text[0] && (at = strchr (at, '/')); at++) {
    *at = 0;
    if (!omen_output_folder (p.text, err))
      return false;
    *at = '/';
  }
  return p.text[0] || omen_err_io (err, folder, "the name is too long");
}

/* Lock the directory: two checks at the same time would overwrite each other's
   report. */
static bool
lock_folder (const char *folder, int *lock, omen_err *err)
{
  *lock = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*lock < 0 || !flock (*lock, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
    return true; /* or the file system has no locks */
  return omen_err_io (err, folder,
                      "another omen check is writing there: each needs a "
                      "folder of its own, such as -o %s/%%n",
                      folder);
}

/* Remove recordings of further runs; files that are no traces are kept. */
static void
remove_runs (const char *folder)
{
  DIR *open = opendir (folder);
  struct dirent *entry;
  while (open && (entry = readdir (open))) {
    omen_err err = { 0 };
    if (is_further (entry->d_name))
      omen_recorded_clear (inside (folder, entry->d_name).text, &err);
  }
  if (open)
    closedir (open);
}

/* ---- whose it is ---- */

/* Marks directories that omen may clear. */
static const char mark[] = ".omen-check";

static bool
has_mark (const char *folder)
{
  struct stat info;
  return !lstat (inside (folder, mark).text, &info) && S_ISREG (info.st_mode);
}

static bool
is_empty (const char *folder)
{
  DIR *open = opendir (folder);
  struct dirent *entry;
  bool empty = open;
  while (empty && (entry = readdir (open)))
    empty = !strcmp (entry->d_name, ".") || !strcmp (entry->d_name, "..");
  if (open)
    closedir (open);
  return empty;
}

/* A symbolic link could lead to files of other users. */
static bool
is_no_link (const char *folder, const char *name, omen_err *err)
{
  struct stat info;
  return lstat (inside (folder, name).text, &info) || !S_ISLNK (info.st_mode)
         || omen_err_io (err, inside (folder, name).text,
                         "is a link, and is not written to");
}

static bool
write_mark (const char *folder, omen_err *err)
{
  static const char text[] = "Made by omen check, which may remove what is "
                             "here.\n";
  path p = inside (folder, mark);
  int fd = open (p.text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                 0600);
  bool good = fd >= 0
              && write (fd, text, sizeof text - 1) == (ssize_t)sizeof text - 1;
  int error = errno;
  if (fd >= 0)
    close (fd);
  return good
         || omen_err_io (err, p.text, "cannot be written: %s",
                         strerror (error));
}

/* Directories without the mark are left alone unless they are empty. */
static bool
make_ours (const char *folder, omen_err *err)
{
  if (has_mark (folder))
    return is_no_link (folder, "witness", err)
           && is_no_link (folder, "spec", err);
  if (!is_empty (folder))
    return omen_err_io (err, folder,
                        "has files in it, and was not made by omen check; name "
                        "a new folder with -o");
  return write_mark (folder, err);
}

bool
omen_check_folder_make (const char *folder, int *lock, omen_err *err)
{
  static const char *const files[] = { "findings.json", "report.html",
                                       "report.sarif", OMEN_EXPLORATION_FILE };
  path witnesses = inside (folder, "witness");
  if (!make_folders (folder, err) || !lock_folder (folder, lock, err)
      || !make_ours (folder, err)
      || !omen_recorded_clear (inside (folder, "run.omen").text, err)
      || !omen_output_folder (witnesses.text, err))
    return false;
  remove_runs (folder);
  remove_files (witnesses.text, is_witness);
  omen_spec_copy_remove (folder);
  for (size_t i = 0; i < OMEN_COUNT (files); i++)
    unlink (inside (folder, files[i]).text);
  return true;
}

bool
omen_check_folder_again (const char *folder, int *lock, omen_err *err)
{
  struct stat info;
  path witnesses = inside (folder, "witness");
  path known = inside (folder, OMEN_EXPLORATION_FILE);
  if (!has_mark (folder) || lstat (known.text, &info)
      || !S_ISREG (info.st_mode))
    return omen_err_io (err, folder,
                        "there is no exploration here that could go on");
  if (!lock_folder (folder, lock, err) || !make_ours (folder, err)
      || !omen_output_folder (witnesses.text, err))
    return false;
  remove_files (witnesses.text, is_witness);
  omen_spec_copy_remove (folder);
  return true;
}

/* Disk space reserved for the reports, but only a small part of what is
   free. */
#define RESERVE_MOST ((off_t)4 << 20)

int
omen_check_folder_reserve (const char *folder)
{
  path p = inside (folder, "reserve.XXXXXX");
  struct statvfs disk;
  int fd = mkostemp (p.text, O_CLOEXEC);
  if (fd < 0)
    return -1;
  unlink (p.text);
  off_t size = RESERVE_MOST;
  if (!fstatvfs (fd, &disk) && disk.f_bavail / 8 < RESERVE_MOST / disk.f_frsize)
    size = (off_t)(disk.f_bavail / 8 * disk.f_frsize);
  if (size > 0)
    posix_fallocate (fd, 0, size);
  return fd;
}

/* ---- one file ---- */

typedef struct writing {
  const omen_report *report;
  const char *folder;
  uint64_t undecided;
  const omen_report_run *run;  /* the run of the witness */
  const omen_finding *finding; /* the finding, or one of its instances */
} writing;

typedef bool (*writer) (const writing *w, FILE *out, omen_err *err);

static bool
write_file (const writing *w, const char *name, writer write, omen_err *err)
{
  path p = inside (w->folder, name);
  omen_output output;
  if (!omen_output_open (&output, p.text, false, err))
    return false;
  if (!write (w, output.file, err))
    return omen_output_abandon (&output, err);
  return omen_output_commit (&output, err);
}

static bool
write_witness (const writing *w, FILE *out, omen_err *err)
{
  return omen_witness_write (
      &w->finding->witness,
      w->finding->trace ? w->finding->trace : w->run->trace, out, err);
}

static bool
write_html (const writing *w, FILE *out, omen_err *err)
{
  return omen_report_html (w->report, out, err);
}

static bool
write_sarif (const writing *w, FILE *out, omen_err *err)
{
  return omen_report_sarif (w->report, out, err);
}

/* paths in findings.json are relative to its directory */
static void
set_trace (json_t *json, const omen_trace *trace)
{
  const char *name = omen_names_text (&trace->strings, trace->path);
  const char *slash = strrchr (name, '/');
  json_object_set_new (json, "trace", json_string (slash ? slash + 1 : name));
}

static void
add_findings (json_t *list, const omen_report_run *run)
{
  omen_reporter *reporter = omen_reporter_new (run->trace);
  for (size_t i = 0; i < run->findings->count; i++) {
    const omen_finding *finding = &run->findings->data[i];
    unsigned number = run->first + (unsigned)i;
    json_t *json = omen_report_json (reporter, finding, number);
    json_t *instances = omen_report_json_instances (json);
    OMEN_ASSERT (!finding->more.count
                 || json_array_size (instances)
                        == omen_finding_pairs (finding));
    set_trace (json, run->trace);
    for (size_t k = 1; k < omen_finding_pairs (finding); k++)
      if (omen_finding_pair (finding, k)->trace)
        set_trace (json_array_get (instances, k),
                   omen_finding_pair (finding, k)->trace);
    omen_report_json_witness (json, "witness", number);
    json_array_append_new (list, json);
  }
  omen_reporter_free (reporter);
}

static bool
write_json (const writing *w, FILE *out, omen_err *err)
{
  json_t *root = json_object (), *list = json_array ();
  for (size_t i = 0; i < w->report->count; i++)
    add_findings (list, &w->report->runs[i]);
  json_object_set_new (root, "findings", list);
  json_object_set_new (root, "complete", json_boolean (!w->report->unfinished));
  json_object_set_new (root, "undecided",
                       json_integer ((json_int_t)w->undecided));
  json_object_set_new (root, "stats", json_object ());
  if (w->report->explored)
    json_object_set (root, "explored", w->report->explored);
  json_dumpf (root, out, JSON_INDENT (1) | JSON_ENSURE_ASCII);
  fputc ('\n', out);
  json_decref (root);
  return !ferror (out)
         || omen_err_io (err, "", "cannot write the findings: %s",
                         strerror (errno));
}

/* ---- all of them ---- */

/* Write the witnesses of a finding and its instances. */
static bool
write_witnesses (writing *w, const omen_finding *finding, unsigned number,
                 omen_err *err)
{
  for (size_t k = 0; k < omen_finding_pairs (finding); k++) {
    char name[32], file[48];
    omen_report_witness_name (number, k, name);
    snprintf (file, sizeof file, "witness/%s", name);
    w->finding = omen_finding_pair (finding, k);
    if (!write_file (w, file, write_witness, err))
      return false;
  }
  return true;
}

/* Remove witnesses whose numbers are not used any more, since findings were
   combined. */
static void
remove_witnesses (const char *folder, unsigned last)
{
  DIR *open = opendir (folder);
  struct dirent *entry;
  while (open && (entry = readdir (open)))
    if (is_witness (entry->d_name) && strtoul (entry->d_name, NULL, 10) > last)
      unlink (inside (folder, entry->d_name).text);
  if (open)
    closedir (open);
}

bool
omen_check_folder_witnesses (const char *folder, const omen_report *report,
                             omen_err *err)
{
  writing w = { .report = report, .folder = folder };
  unsigned last = 0;
  for (size_t k = 0; k < report->count; k++) {
    w.run = &report->runs[k];
    for (size_t i = 0; i < w.run->findings->count; i++)
      if (!write_witnesses (&w, &w.run->findings->data[i],
                            w.run->first + (unsigned)i, err))
        return false;
    last = w.run->first + (unsigned)w.run->findings->count - 1;
  }
  remove_witnesses (inside (folder, "witness").text, last);
  return true;
}

bool
omen_check_folder_reports (const char *folder, const omen_report *report,
                           uint64_t undecided, omen_err *err)
{
  static const struct {
    const char *name;
    writer write;
  } files[] = { { "findings.json", write_json },
                { "report.sarif", write_sarif },
                { "report.html", write_html } };
  writing w = { .report = report, .folder = folder, .undecided = undecided };
  bool all = true;
  for (size_t i = 0; i < OMEN_COUNT (files); i++)
    all = write_file (&w, files[i].name, files[i].write, err) && all;
  return all;
}
