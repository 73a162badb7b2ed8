#include "recording/log/mappings.h"
#include "base/map.h"

/* A mapping whose object is known. */
typedef struct mapped {
  uint64_t device, inode, offset, address, length;
  size_t index;    /* in the list */
  uint64_t object; /* the same for all mappings of one object */
  bool private;
} mapped;

typedef struct settling {
  omen_mappings *mappings;
  OMEN_VEC (mapped) maps;
  omen_map objects; /* device and inode, mixed -> is it written, too? */
  bool spread;
} settling;

/* Beyond that, memory is not told apart: mappings of one object, and parts. */
enum { MOST_MAPS = 4096, MOST_PARTS = 1 << 20 };

bool
omen_mappings_add (omen_mappings *mappings, const omen_file_mapping *new)
{
  const uint64_t most = UINT64_C (1) << 62;
  if ((new->address | new->length | new->offset) & (OMEN_MAPPING_PAGE - 1)
      || new->address > most || new->length > most || new->offset > most)
    return false;
  OMEN_VEC_PUSH (mappings->list, *new);
  return true;
}

void
omen_mappings_fini (omen_mappings *mappings)
{
  OMEN_VEC_FINI (mappings->list);
  OMEN_VEC_FINI (mappings->parts);
  OMEN_VEC_FINI (mappings->exposed);
}

void
omen_mappings_give_up (omen_mappings *mappings)
{
  mappings->vague = true;
  OMEN_VEC_CLEAR (mappings->parts);
}

/* ---- what is mapped where ---- */

/* Two objects are one by chance: then more memory is exposed. */
static uint64_t
key_of (uint64_t device, uint64_t inode)
{
  uint64_t mix = (inode ^ device << 40) * UINT64_C (0x9e3779b97f4a7c15);
  return (mix ^ mix >> 32) >> 1;
}

static void
add_map (settling *s, const mapped *new)
{
  uint32_t *written
      = omen_map_at (&s->objects, key_of (new->device, new->inode));
  if (*written == OMEN_NONE)
    *written = 0;
  OMEN_VEC_PUSH (s->maps, *new);
}

/* What was mapped at the old address last. */
static void
add_moved (settling *s, mapped new, uint64_t old)
{
  for (size_t i = s->maps.count; i-- > 0;) {
    const mapped *m = &s->maps.data[i];
    if (m->private || old - m->address >= m->length)
      continue;
    new.device = m->device;
    new.inode = m->inode;
    new.offset = m->offset + (old - m->address);
    add_map (s, &new);
    return;
  }
  new.private = true; /* it is no memory of ours */
  new.device = new.inode = UINT64_MAX;
  OMEN_VEC_PUSH (s->maps, new);
}

static void
add (settling *s, size_t index)
{
  const omen_file_mapping *m = &s->mappings->list.data[index];
  mapped new
      = { m->device, m->inode, m->offset, m->address,
          m->length, index,    0,         m->kind == OMEN_MAPPING_PRIVATE };
  uint32_t written;
  switch (m->kind) {
  case OMEN_MAPPING_SHARED:
  case OMEN_MAPPING_PRIVATE:
    add_map (s, &new);
    return;
  case OMEN_MAPPING_MOVED:
    add_moved (s, new, m->offset);
    return;
  case OMEN_MAPPING_WRITTEN:
    written = omen_map_get (&s->objects, key_of (m->device, m->inode));
    if (written != OMEN_NONE)
      *omen_map_at (&s->objects, key_of (m->device, m->inode)) = 1;
    return;
  case OMEN_MAPPING_SPREAD:
    s->spread = true;
    return;
  default:
    return;
  }
}

/* ---- memory that was mapped more than once ---- */

static int
compare_addresses (uint64_t a, uint64_t b)
{
  return a < b ? -1 : a > b;
}

/* Private ones last; one object after the other, and in it the order of time.
 */
static int
compare_maps (const void *left, const void *right)
{
  const mapped *a = left, *b = right;
  int order = a->private - b->private;
  if (!order)
    order = compare_addresses (a->device, b->device);
  if (!order)
    order = compare_addresses (a->inode, b->inode);
  return order ? order : compare_addresses (a->index, b->index);
}

static bool
is_same_object (const mapped *a, const mapped *b)
{
  return a->private == b->private && a->device == b->device
         && a->inode == b->inode;
}

static int
compare_numbers (const void *left, const void *right)
{
  return compare_addresses (*(const uint64_t *)left, *(const uint64_t *)right);
}

static bool
covers (const mapped *m, uint64_t offset)
{
  return offset - m->offset < m->length;
}

static void
add_part (omen_mappings *mappings, const mapped *m, const mapped *first,
          uint64_t from, uint64_t to)
{
  omen_mapped_part part = { .start = m->address + (from - m->offset),
                            .end = m->address + (to - m->offset),
                            .first = first->address + (from - first->offset),
                            .offset = from,
                            .object = m->object };
  OMEN_VEC_PUSH (mappings->parts, part);
}

/* A stretch of the object that each mapping has all of, or nothing. */
static void
divide_stretch (omen_mappings *mappings, const mapped *maps, size_t count,
                uint64_t from, uint64_t to)
{
  const mapped *first = NULL;
  bool again = false;
  for (size_t i = 0; i < count; i++) {
    if (!covers (&maps[i], from))
      continue;
    if (first)
      add_part (mappings, &maps[i], first, from, to);
    again |= first != NULL;
    first = first ? first : &maps[i];
  }
  if (again)
    add_part (mappings, first, first, from, to);
  if (mappings->parts.count > MOST_PARTS)
    omen_mappings_give_up (mappings);
}

/* All mappings of one object. */
static void
divide (omen_mappings *mappings, const mapped *maps, size_t count)
{
  OMEN_VEC (uint64_t) bounds = { 0 };
  if (count > MOST_MAPS) {
    omen_mappings_give_up (mappings);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    OMEN_VEC_PUSH (bounds, maps[i].offset);
    OMEN_VEC_PUSH (bounds, maps[i].offset + maps[i].length);
  }
  OMEN_VEC_SORT (bounds, compare_numbers);
  for (size_t i = 0; i + 1 < bounds.count && !mappings->vague; i++)
    if (bounds.data[i] != bounds.data[i + 1])
      divide_stretch (mappings, maps, count, bounds.data[i],
                      bounds.data[i + 1]);
  OMEN_VEC_FINI (bounds);
}

static int
compare_parts (const void *left, const void *right)
{
  const omen_mapped_part *a = left, *b = right;
  int order = compare_addresses (a->start, b->start);
  if (!order)
    order = compare_addresses (a->end, b->end);
  return order ? order : compare_addresses (a->first, b->first);
}

static bool
goes_on (const omen_mapped_part *part, const omen_mapped_part *next)
{
  return next->object == part->object
         && next->offset - next->start == part->offset - part->start
         && next->first - next->start == part->first - part->start;
}

/* Joins parts that say the same. False: an address has two meanings. */
static bool
join_parts (omen_mappings *mappings)
{
  size_t kept = 0;
  OMEN_VEC_SORT (mappings->parts, compare_parts);
  for (size_t i = 0; i < mappings->parts.count; i++) {
    omen_mapped_part part = mappings->parts.data[i];
    omen_mapped_part *last = kept ? &mappings->parts.data[kept - 1] : NULL;
    bool apart = !last || last->end <= part.start;
    if (!apart && !goes_on (last, &part))
      return false;
    if (apart && !(last && last->end == part.start && goes_on (last, &part)))
      mappings->parts.data[kept++] = part;
    else if (last->end < part.end)
      last->end = part.end;
  }
  mappings->parts.count = kept;
  return true;
}

/* The first part that ends after the address. */
static size_t
part_after (const omen_mappings *mappings, uint64_t address)
{
  return OMEN_FIRST_NOT (i, 0, mappings->parts.count,
                         mappings->parts.data[i].end <= address);
}

/* Is the mapping where a part has something else? */
static bool
contradicts (const omen_mappings *mappings, const mapped *m)
{
  for (size_t i = part_after (mappings, m->address); i < mappings->parts.count;
       i++) {
    const omen_mapped_part *part = &mappings->parts.data[i];
    if (part->start - m->address >= m->length && part->start > m->address)
      return false;
    if (m->private || part->object != m->object
        || part->offset - part->start != m->offset - m->address)
      return true;
  }
  return false;
}

static void
find_parts (settling *s)
{
  omen_mappings *mappings = s->mappings;
  size_t end;
  OMEN_VEC_SORT (s->maps, compare_maps);
  for (size_t i = 0; i < s->maps.count && !mappings->vague; i = end) {
    mapped *first = &s->maps.data[i];
    for (end = i;
         end < s->maps.count && is_same_object (first, &s->maps.data[end]);)
      s->maps.data[end++].object = i;
    if (!first->private)
      divide (mappings, first, end - i);
  }
  if (!mappings->vague && !join_parts (mappings))
    omen_mappings_give_up (mappings);
  for (size_t i = 0; i < s->maps.count && mappings->parts.count; i++)
    if (contradicts (mappings, &s->maps.data[i]))
      omen_mappings_give_up (mappings);
}

/* ---- exposed memory ---- */

static bool
is_written (const settling *s, const mapped *m)
{
  return omen_map_get (&s->objects, key_of (m->device, m->inode)) == 1;
}

static int
compare_ranges (const void *left, const void *right)
{
  const omen_mapped_range *a = left, *b = right;
  return compare_addresses (a->start, b->start);
}

static void
find_exposed (settling *s)
{
  omen_mappings *mappings = s->mappings;
  size_t kept = 0;
  for (size_t i = 0; i < s->maps.count; i++) {
    const mapped *m = &s->maps.data[i];
    if ((s->spread && !m->private) || is_written (s, m))
      OMEN_VEC_PUSH (
          mappings->exposed,
          ((omen_mapped_range){ m->address, m->address + m->length }));
  }
  OMEN_VEC_SORT (mappings->exposed, compare_ranges);
  for (size_t i = 0; i < mappings->exposed.count; i++) {
    omen_mapped_range range = mappings->exposed.data[i];
    omen_mapped_range *last = kept ? &mappings->exposed.data[kept - 1] : NULL;
    if (!last || last->end < range.start)
      mappings->exposed.data[kept++] = range;
    else if (last->end < range.end)
      last->end = range.end;
  }
  mappings->exposed.count = kept;
}

void
omen_mappings_settle (omen_mappings *mappings)
{
  settling s = { .mappings = mappings };
  mappings->vague = mappings->list.count >= OMEN_MAPPINGS_MAX;
  omen_map_init (&s.objects);
  for (size_t i = 0; i < mappings->list.count; i++)
    add (&s, i);
  find_parts (&s);
  find_exposed (&s);
  OMEN_VEC_FINI (s.maps);
  omen_map_fini (&s.objects);
}

/* ---- questions ---- */

const omen_mapped_part *
omen_mappings_find (const omen_mappings *mappings, uint64_t address)
{
  size_t i = part_after (mappings, address);
  return i < mappings->parts.count && mappings->parts.data[i].start <= address
             ? &mappings->parts.data[i]
             : NULL;
}

uint64_t
omen_mappings_first (const omen_mappings *mappings, uint64_t address)
{
  const omen_mapped_part *part = omen_mappings_find (mappings, address);
  return part ? part->first + (address - part->start) : address;
}

bool
omen_mappings_overlap (const omen_mappings *mappings, uint64_t address,
                       uint64_t length)
{
  size_t i = part_after (mappings, address);
  return length && i < mappings->parts.count
         && (mappings->parts.data[i].start <= address
             || mappings->parts.data[i].start - address < length);
}

bool
omen_mappings_exposed (const omen_mappings *mappings, uint64_t address)
{
  size_t i = OMEN_FIRST_NOT (k, 0, mappings->exposed.count,
                             mappings->exposed.data[k].end <= address);
  return i < mappings->exposed.count
         && mappings->exposed.data[i].start <= address;
}
