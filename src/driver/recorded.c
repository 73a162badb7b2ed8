#include "driver/recorded.h"

#include "wire/format.h"
#include "wire/recording.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---- */

/* Is it "run.omen.123" or "run.omen.123.2" (of other processes) for
   "run.omen"? */
static bool
is_beside (const char *name, const char *first)
{
  size_t length = strlen (first);
  if (strncmp (name, first, length) || name[length] != '.')
    return false;
  name += length;
  for (unsigned parts = 0; *name == '.'; parts++) {
    if (!isdigit ((unsigned char)*++name) || parts == 2)
      return false;
    while (isdigit ((unsigned char)*name))
      name++;
  }
  return !*name;
}

static bool
is_trace (const char *path)
{
  omen_file_header h;
  struct stat info;
  int fd = open (path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  bool is = fd >= 0 && !fstat (fd, &info) && S_ISREG (info.st_mode)
            && (!info.st_size
                || (read (fd, &h, sizeof h) >= (ssize_t)sizeof h.magic
                    && !memcmp (h.magic, OMEN_FILE_MAGIC, sizeof h.magic)));
  if (fd >= 0)
    close (fd);
  return is;
}

static int
compare_recordings (const void *a, const void *b)
{
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  size_t m = strlen (x), n = strlen (y); /* run.omen.9 before run.omen.10 */
  return m != n ? (m < n ? -1 : 1) : strcmp (x, y);
}

static void
find_beside (omen_recorded_files *files, const char *folder, const char *first,
             const char *prefix)
{
  DIR *all = opendir (folder);
  struct dirent *entry;
  while (all && (entry = readdir (all))) {
    if (!is_beside (entry->d_name, first))
      continue;
    size_t room = strlen (prefix) + strlen (entry->d_name) + 1;
    char *path = omen_alloc (room);
    snprintf (path, room, "%s%s", prefix, entry->d_name);
    if (is_trace (path))
      OMEN_VEC_PUSH (*files, path);
    else
      omen_free (path);
  }
  if (all)
    closedir (all);
}

void
omen_recorded_find (omen_recorded_files *files, const char *output)
{
  char *prefix = omen_strdup (output), *slash = strrchr (prefix, '/');
  const char *first = slash ? output + (slash - prefix) + 1 : output;
  *(slash ? slash + 1 : prefix) = 0;
  if (is_trace (output))
    OMEN_VEC_PUSH (*files, omen_strdup (output));
  find_beside (files, slash ? prefix : ".", first, prefix);
  OMEN_VEC_SORT (*files, compare_recordings);
  omen_free (prefix);
}

void
omen_recorded_files_fini (omen_recorded_files *files)
{
  for (size_t i = 0; i < files->count; i++)
    omen_free (files->data[i]);
  OMEN_VEC_FINI (*files);
}

bool
omen_recorded_clear (const char *output, omen_err *err)
{
  omen_recorded_files files = { 0 };
  struct stat info;
  bool there = !stat (output, &info);
  if (there && S_ISDIR (info.st_mode))
    return omen_err_io (err, output, "is a folder");
  if (there && !S_ISREG (info.st_mode))
    return true;
  if (there && !is_trace (output))
    return omen_err_io (err, output, "is no trace, and is not overwritten");
  omen_recorded_find (&files, output);
  for (size_t i = 0; i < files.count && !err->set; i++)
    if (unlink (files.data[i]))
      omen_err_io (err, files.data[i], "cannot be replaced: %s",
                   strerror (errno));
  omen_recorded_files_fini (&files);
  return !err->set;
}

/* ---- contents ---- */
typedef struct reader {
  int fd;
  uint64_t at;
  omen_recorded *recorded;
  omen_recorded_files strings;
  OMEN_VEC (uint32_t) paths; /* string ids of modules */
} reader;

static bool
next_header (reader *r, omen_chunk_header *h)
{
  if (pread (r->fd, h, sizeof *h, (off_t)r->at) != (ssize_t)sizeof *h
      || h->magic != OMEN_CHUNK_MAGIC)
    return false;
  r->at += sizeof *h;
  return h->stored <= r->recorded->bytes
         && r->at <= r->recorded->bytes - h->stored;
}

static uint8_t *
payload (const reader *r, const omen_chunk_header *h)
{
  uint8_t *bytes = omen_alloc ((size_t)h->stored + 1);
  if (h->flags & OMEN_CHUNK_LZ4
      || pread (r->fd, bytes, h->stored, (off_t)r->at) != (ssize_t)h->stored) {
    omen_free (bytes);
    return NULL;
  }
  return bytes;
}

/* Reads a varint at *p; UINT64_MAX if it does not end before `end`. */
static uint64_t
varint (const uint8_t **p, const uint8_t *end)
{
  uint64_t n = 0;
  for (unsigned shift = 0; *p < end && shift < 63; shift += 7) {
    uint8_t byte = *(*p)++;
    n |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80)
      return n;
  }
  return UINT64_MAX;
}

static void
take_strings (reader *r, const omen_chunk_header *h)
{
  uint8_t *bytes = h->first == r->strings.count ? payload (r, h) : NULL;
  const uint8_t *p = bytes, *end = bytes ? bytes + h->stored : NULL;
  for (uint32_t i = 0; bytes && i < h->count; i++) {
    uint64_t length = varint (&p, end);
    if (length > (uint64_t)(end - p))
      break;
    char *text = omen_alloc ((size_t)length + 1);
    memcpy (text, p, (size_t)length);
    text[length] = 0;
    OMEN_VEC_PUSH (r->strings, text);
    p += length;
  }
  omen_free (bytes);
}

static void
take_modules (reader *r, const omen_chunk_header *h)
{
  uint8_t *bytes = h->count ? payload (r, h) : NULL;
  size_t step = h->count ? h->stored / h->count : 0;
  for (uint32_t i = 0;
       bytes && step >= sizeof (omen_file_module) && i < h->count; i++) {
    omen_file_module entry;
    memcpy (&entry, bytes + i * step, sizeof entry);
    OMEN_VEC_PUSH (r->paths, entry.path);
  }
  omen_free (bytes);
}

static void
take_process (reader *r, const omen_chunk_header *h)
{
  uint8_t *bytes
      = h->stored >= sizeof (omen_file_process) ? payload (r, h) : NULL;
  omen_file_process process;
  if (bytes) {
    memcpy (&process, bytes, sizeof process);
    r->recorded->exact = process.exact;
    r->recorded->loose = process.loose;
  }
  omen_free (bytes);
}

/* Count the notes of the batch, and skip them. */
static void
take_batch (reader *r, const omen_chunk_header *h)
{
  uint8_t *bytes
      = h->stored >= sizeof (omen_file_batch) ? payload (r, h) : NULL;
  omen_file_batch batch;
  if (bytes) {
    memcpy (&batch, bytes, sizeof batch);
    if (batch.bytes <= r->recorded->bytes - r->at - h->stored) {
      r->recorded->notes += batch.notes;
      r->at += batch.bytes;
    }
  }
  omen_free (bytes);
}

static void
take_chunk (reader *r, const omen_chunk_header *h)
{
  if (h->kind == OMEN_CHUNK_NOTES)
    r->recorded->notes += h->count;
  else if (h->kind == OMEN_CHUNK_BATCH)
    take_batch (r, h);
  else if (h->kind == OMEN_CHUNK_THREADS)
    r->recorded->threads += h->count;
  else if (h->kind == OMEN_CHUNK_END)
    r->recorded->complete = true;
  else if (h->kind == OMEN_CHUNK_MODULES)
    take_modules (r, h);
  else if (h->kind == OMEN_CHUNK_PROGRAM)
    take_process (r, h);
  else if (h->kind == OMEN_CHUNK_NAMES && h->stream == OMEN_TABLE_STRINGS)
    take_strings (r, h);
}

static void
name_modules (reader *r)
{
  for (size_t i = 0; i < r->paths.count; i++) {
    uint32_t path = r->paths.data[i];
    if (path < r->strings.count)
      OMEN_VEC_PUSH (r->recorded->modules, omen_strdup (r->strings.data[path]));
  }
}

bool
omen_recorded_count (omen_recorded *recorded, const char *path)
{
  reader r = { .fd = open (path, O_RDONLY | O_CLOEXEC), .recorded = recorded };
  omen_file_header header;
  omen_chunk_header h;
  struct stat info;
  *recorded = (omen_recorded){ 0 };
  bool ok = r.fd >= 0 && !fstat (r.fd, &info)
            && read (r.fd, &header, sizeof header) == (ssize_t)sizeof header
            && !memcmp (header.magic, OMEN_FILE_MAGIC, sizeof header.magic);
  if (ok) {
    recorded->bytes = (uint64_t)info.st_size;
    posix_fadvise (r.fd, 0, 0, POSIX_FADV_RANDOM);
    for (r.at = header.size; next_header (&r, &h); r.at += h.stored)
      take_chunk (&r, &h);
    name_modules (&r);
  }
  if (r.fd >= 0)
    close (r.fd);
  omen_recorded_files_fini (&r.strings);
  OMEN_VEC_FINI (r.paths);
  return ok;
}

void
omen_recorded_fini (omen_recorded *recorded)
{
  omen_recorded_files_fini (&recorded->modules);
}

bool
omen_recorded_is_cut (const char *path)
{
  omen_recorded recorded = { 0 };
  bool cut = omen_recorded_count (&recorded, path) && !recorded.complete;
  omen_recorded_fini (&recorded);
  return cut;
}
