#include "base/tape.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void
omen_tape_bytes (omen_tape *t, void *data, size_t size)
{
  if (t->ok && size)
    t->ok = t->reading ? fread (data, 1, size, t->file) == size
                       : fwrite (data, 1, size, t->file) == size;
  if (!t->ok && t->reading)
    memset (data, 0, size);
}

size_t
omen_tape_count (omen_tape *t, size_t count)
{
  struct stat info = { .st_size = (off_t)t->memory };
  uint64_t number = count;
  omen_tape_bytes (t, &number, sizeof number);
  if (t->reading
      && ((!t->memory && fstat (fileno (t->file), &info))
          || number > (uint64_t)info.st_size)) {
    t->ok = false;
    number = 0;
  }
  return number;
}

void
omen_tape_map (omen_tape *t, omen_map *map)
{
  size_t count = omen_tape_count (t, map->count);
  for (size_t i = 0; t->reading && t->ok && i < count; i++) {
    omen_map_entry entry;
    omen_tape_bytes (t, &entry.key, sizeof entry.key);
    omen_tape_bytes (t, &entry.value, sizeof entry.value);
    t->ok = t->ok && entry.key != OMEN_MAP_NO_KEY;
    if (t->ok)
      *omen_map_at (map, entry.key) = entry.value;
  }
  for (uint32_t i = 0; !t->reading && map->count && i <= map->mask; i++)
    if (map->entries[i].key != OMEN_MAP_NO_KEY) {
      omen_tape_bytes (t, &map->entries[i].key, sizeof map->entries[i].key);
      omen_tape_bytes (t, &map->entries[i].value, sizeof map->entries[i].value);
    }
}

void
omen_tape_text (omen_tape *t, char **text, size_t *length)
{
  bool there = *text;
  omen_tape_bytes (t, &there, sizeof there);
  *length = omen_tape_count (t, there ? *length : 0);
  if (t->reading)
    *text = t->ok && there ? calloc (1, *length + 1) : NULL;
  if (*text)
    omen_tape_bytes (t, *text, *length);
}
