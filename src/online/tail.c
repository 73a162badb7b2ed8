#include "online/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file is mapped with room to grow to this size; nothing is read beyond its
   end. */
#define MOST_BYTES ((size_t)1 << 36)
/* Attempts in a row that find no valid chunk before that is an error: it may
   still be being written. */
#define MOST_RETRIES 200
#define PAGE ((uint64_t)4096)
/* Least amounts released at a time. */
#define DROP_LEAST ((uint64_t)1 << 20)
#define DISCARD_LEAST ((uint64_t)1 << 16)

bool
omen_tail_open (omen_tail *tail, int fd, const char *path, omen_err *err)
{
  void *map = fd < 0 ? MAP_FAILED
                     : mmap (NULL, MOST_BYTES, PROT_READ,
                             MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (map == MAP_FAILED) {
    omen_err_io (err, path, "cannot open: %s", strerror (errno));
    if (fd >= 0)
      close (fd);
    return false;
  }
  *tail = (omen_tail){ .path = omen_strdup (path), .fd = fd, .map = map };
  tail->reader = (omen_binary_reader){ .path = tail->path,
                                       .data = tail->map,
                                       .err = &tail->err,
                                       .trace = omen_trace_new (path) };
  omen_notes_file_init (&tail->file, &tail->reader);
  return true;
}

void
omen_tail_close (omen_tail *tail)
{
  omen_notes_file_fini (&tail->file);
  omen_trace_free (tail->reader.trace);
  OMEN_VEC_FINI (tail->reader.strings);
  OMEN_VEC_FINI (tail->reader.hints);
  munmap ((void *)tail->map, MOST_BYTES);
  close (tail->fd);
  omen_free (tail->path);
}

bool
omen_tail_fail (omen_tail *tail, const char *what)
{
  if (!tail->err.set)
    omen_err_set (&tail->err, tail->path, "byte %lu: %s",
                  (unsigned long)tail->at, what);
  return false;
}

/* Is the next chunk complete? */
static omen_chunk_state
look_at_chunk (omen_tail *tail, omen_chunk *chunk)
{
  omen_file_header header;
  omen_chunk_state state;
  if (!tail->at) {
    state = omen_file_look (tail->map, tail->reader.size, &header);
    if (state != OMEN_CHUNK_WHOLE)
      return state;
    tail->at = header.size;
    tail->file.blocks.apart = header.features & OMEN_FEATURE_APART;
    tail->file.blocks.chains = header.features & OMEN_FEATURE_CHAINS;
    tail->file.blocks.tags = header.features & OMEN_FEATURE_TAGS;
  }
  chunk->offset = tail->at;
  if (tail->reader.size < tail->at)
    return OMEN_CHUNK_SHORT;
  state = omen_chunk_look (tail->map + tail->at, tail->reader.size - tail->at,
                           &chunk->header);
  return state == OMEN_CHUNK_WHOLE && !omen_chunk_intact (&tail->reader, chunk)
             ? OMEN_CHUNK_BROKEN
             : state;
}

omen_tail_state
omen_tail_next (omen_tail *tail, bool over, omen_chunk *chunk)
{
  struct stat info;
  omen_chunk_state state;
  if (tail->err.set)
    return OMEN_TAIL_FAILED;
  if (fstat (tail->fd, &info) || (uint64_t)info.st_size > MOST_BYTES) {
    omen_tail_fail (tail, "too long a file");
    return OMEN_TAIL_FAILED;
  }
  tail->reader.size = (size_t)info.st_size;
  state = look_at_chunk (tail, chunk);
  if (state != OMEN_CHUNK_BROKEN) {
    tail->retries = 0;
    if (state == OMEN_CHUNK_SHORT)
      return OMEN_TAIL_NONE;
    return chunk->header.kind == OMEN_CHUNK_END ? OMEN_TAIL_END
                                                : OMEN_TAIL_CHUNK;
  }
  if (!over && ++tail->retries < MOST_RETRIES)
    return OMEN_TAIL_NONE;
  omen_tail_fail (tail, "no chunk begins here");
  return OMEN_TAIL_FAILED;
}

void
omen_tail_pass (omen_tail *tail, const omen_chunk *chunk)
{
  tail->at += sizeof chunk->header + chunk->header.stored;
}

/* A released range that is read again uses memory again, so the last one is
   released once more. */
void
omen_tail_drop (omen_tail *tail)
{
  uint64_t end = tail->at & ~(PAGE - 1), from = tail->dropped;
  if (end <= from + DROP_LEAST)
    return;
  from -= from > DROP_LEAST ? DROP_LEAST : from;
  madvise ((void *)(tail->map + from), end - from, MADV_DONTNEED);
  tail->dropped = end;
}

/* The first page stays: it says what the file is. */
void
omen_tail_discard (omen_tail *tail)
{
  uint64_t end = tail->at & ~(PAGE - 1);
  if (!tail->discarded)
    tail->discarded = PAGE;
  if (end < tail->discarded + DISCARD_LEAST)
    return;
  (void)!fallocate (tail->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    (off_t)tail->discarded, (off_t)(end - tail->discarded));
  tail->discarded = end;
}
