#include "base/archive.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void
omen_archive_bytes (omen_archive *t, void *data, size_t size)
{
  if (t->ok && size)
    t->ok = t->reading ? fread (data, 1, size, t->file) == size
                       : fwrite (data, 1, size, t->file) == size;
  if (!t->ok && t->reading)
    memset (data, 0, size);
}

void
omen_archive_bool (omen_archive *t, bool *value)
{
  uint8_t byte = *value;
  omen_archive_bytes (t, &byte, sizeof byte);
  t->ok = t->ok && byte <= 1;
  *value = byte == 1;
}

size_t
omen_archive_count (omen_archive *t, size_t count)
{
  struct stat info = { .st_size = (off_t)t->memory };
  uint64_t number = count;
  omen_archive_bytes (t, &number, sizeof number);
  if (t->reading
      && ((!t->memory && fstat (fileno (t->file), &info))
          || number > (uint64_t)info.st_size)) {
    t->ok = false;
    number = 0;
  }
  return number;
}

void
omen_archive_map (omen_archive *t, omen_map *map)
{
  size_t count = omen_archive_count (t, map->count);
  for (size_t i = 0; t->reading && t->ok && i < count; i++) {
    omen_map_entry entry;
    omen_archive_bytes (t, &entry.key, sizeof entry.key);
    omen_archive_bytes (t, &entry.value, sizeof entry.value);
    t->ok = t->ok && entry.key != OMEN_MAP_NO_KEY;
    if (t->ok)
      *omen_map_at (map, entry.key) = entry.value;
  }
  for (uint32_t i = 0; !t->reading && map->count && i <= map->mask; i++)
    if (map->entries[i].key != OMEN_MAP_NO_KEY) {
      omen_archive_bytes (t, &map->entries[i].key, sizeof map->entries[i].key);
      omen_archive_bytes (t, &map->entries[i].value,
                          sizeof map->entries[i].value);
    }
}

void
omen_archive_text (omen_archive *t, char **text, size_t *length)
{
  bool there = *text;
  omen_archive_bool (t, &there);
  *length = omen_archive_count (t, there ? *length : 0);
  if (t->reading)
    *text = t->ok && there ? calloc (1, *length + 1) : NULL;
  if (*text)
    omen_archive_bytes (t, *text, *length);
}
