/* Ids of sites and strings: given when something first refers to them. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"
#include "runtime/log/fused.h"
#include "wire/format.h"

#define ITEMS (OMEN_ITEM_END - OMEN_ITEM_FIRST)
/* An item of up to so many notes is one record. */

/* The kinds of items, as sites: ids 1 to ITEMS. */
omen_site omen_item_sites[ITEMS] = { { .kind = OMEN_ITEM_PART, .id = 1 },
#define OMEN_ITEM(name, numbered, parts)                                       \
  { .kind = OMEN_ITEM_##name, .id = OMEN_ITEM_##name - OMEN_ITEM_FIRST + 1 },
                                     OMEN_ITEMS (OMEN_ITEM)
#undef OMEN_ITEM
};

/* Strings by content: a table of ids with open addressing, and where in the
   strings' table each one is. Both are guarded by the tables' latch. */
static struct strings {
  uint32_t *slots; /* id + 1; 0: free */
  size_t slots_size, mask;
  uint32_t *starts;
  size_t starts_size;
  uint32_t count;
} strings;

enum { VARINT_MAX = 10 };

static uint64_t
hash_text (const char *text, size_t length)
{
  uint64_t h = UINT64_C (0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    h = (h ^ (uint8_t)text[i]) * UINT64_C (0x100000001b3);
  return h ^ h >> 29;
}

const char *
omen_string_text (uint32_t id, size_t *length)
{
  const uint8_t *p = omen_table_at (OMEN_TABLE_TEXT, strings.starts[id]);
  unsigned shift = 0;
  *length = *p & 0x7f;
  while (*p++ & 0x80)
    *length |= (size_t)(*p & 0x7f) << (shift += 7);
  return (const char *)p;
}

static uint32_t *
slot_of_string (const char *text, size_t length)
{
  uint64_t at = hash_text (text, length);
  for (;; at++) {
    uint32_t *slot = &strings.slots[at & strings.mask];
    size_t its;
    if (!*slot)
      return slot;
    const char *old = omen_string_text (*slot - 1, &its);
    if (its == length && omen_bytes_equal (old, text, length))
      return slot;
  }
}

static bool
more_slots (void)
{
  size_t size = 2 * strings.slots_size;
  uint32_t *old = strings.slots;
  size_t old_size = strings.slots_size;
  if (!size)
    size = 8192;
  uint32_t *slots = omen_pages (size);
  if (!slots)
    return false;
  strings.slots = slots;
  strings.slots_size = size;
  strings.mask = size / sizeof *slots - 1;
  for (uint32_t id = 0; id < strings.count; id++) {
    size_t length;
    const char *text = omen_string_text (id, &length);
    *slot_of_string (text, length) = id + 1;
  }
  if (old)
    omen_pages_free (old, old_size);
  return true;
}

static bool
have_room (void)
{
  size_t needed = (strings.count + 1) * sizeof *strings.starts;
  if (2 * needed > strings.slots_size && !more_slots ())
    return false;
  if (needed <= strings.starts_size)
    return true;
  uint32_t *starts = omen_grow (strings.starts, strings.starts_size, &needed);
  if (!starts)
    return false;
  strings.starts = starts;
  strings.starts_size = needed;
  return true;
}

/* A varint and the text, as one entry; short texts only need the stack. */
static bool
add_text (const char *text, size_t length)
{
  uint8_t small[256], *entry = small, *p;
  size_t size = length + VARINT_MAX;
  if (size > sizeof small && !(entry = omen_pages (size)))
    return false;
  p = omen_varint_put (entry, length);
  omen_bytes_copy (p, text, length);
  uint32_t id
      = omen_table_add (OMEN_TABLE_TEXT, entry, (size_t)(p - entry) + length);
  if (entry != small)
    omen_pages_free (entry, size);
  return id != OMEN_NONE;
}

/* The latch of the tables is held. */
uint32_t
omen_string_id_of (const char *text, size_t length)
{
  size_t start = omen_table_size (OMEN_TABLE_TEXT);
  if (!have_room () || start > UINT32_MAX)
    return OMEN_NONE;
  uint32_t *slot = slot_of_string (text, length);
  if (*slot)
    return *slot - 1;
  if (!add_text (text, length))
    return OMEN_NONE;
  strings.starts[strings.count] = (uint32_t)start;
  return (*slot = ++strings.count) - 1;
}

uint32_t
omen_string_id (const char *text)
{
  omen_busy_begin ();
  omen_latch_take (&omen_tables_latch);
  uint32_t id = omen_string_id_of (text, omen_bytes_length (text));
  omen_latch_give (&omen_tables_latch);
  omen_busy_end ();
  return id;
}

static uint32_t
string_at (const omen_site *site, int32_t distance)
{
  const char *text = (const char *)site + distance;
  return distance ? omen_string_id_of (text, omen_bytes_length (text))
                  : OMEN_NONE;
}

/* The site is in a new library: modules are listed before the site is written.
 */
static void
look_at_module (const omen_site *site)
{
  if (!omen_modules_have ((uintptr_t)site))
    omen_modules_stale = true;
}

/* The latch is held. The site has its id. */
static void
add_depend (const omen_depend *depend, uint32_t site)
{
  struct {
    omen_file_depend head;
    uint32_t on[OMEN_DEPEND_MAX];
  } entry = { .head = { .unit = (uintptr_t)depend + (uintptr_t)depend->unit,
                        .site = site,
                        .number = depend->number,
                        .flags = depend->flags,
                        .count = depend->count } };
  if (depend->count > OMEN_DEPEND_MAX)
    return;
  omen_bytes_copy ((uint8_t *)entry.on, depend->on,
                   depend->count * sizeof *entry.on);
  if (omen_table_add (OMEN_TABLE_DEPEND, &entry,
                      sizeof entry.head + depend->count * sizeof *entry.on)
      == OMEN_NONE)
    omen_give_up ("no memory");
}

/* The latch is held. A caller has a smaller id than what was inlined. */
static uint32_t
add_site (omen_site *site)
{
  const omen_site *caller = omen_site_caller (site);
  const omen_depend *depend = omen_site_depend (site);
  if (site->id)
    return site->id;
  omen_file_site entry = { .kind = site->kind,
                           .size = site->size,
                           .order = site->order,
                           .failure = site->failure,
                           .line = site->line,
                           .column = site->column };
  look_at_module (site);
  entry.caller = caller ? add_site ((omen_site *)caller) : 0;
  entry.function = string_at (site, site->function);
  entry.file = string_at (site, site->file);
  entry.name = depend ? OMEN_NONE : string_at (site, site->name);
  uint32_t index = omen_table_add (OMEN_TABLE_SITE, &entry, sizeof entry);
  if (index == OMEN_NONE) {
    omen_give_up ("no memory");
    return 1;
  }
  if (depend)
    add_depend (depend, index + 1);
  __atomic_store_n (&site->id, index + 1, __ATOMIC_RELEASE);
  return index + 1;
}

uint32_t
omen_site_id (omen_site *site)
{
  uint32_t id = __atomic_load_n (&site->id, __ATOMIC_ACQUIRE);
  if (OMEN_LIKELY (id))
    return id;
  omen_busy_begin ();
  omen_latch_take (&omen_tables_latch);
  id = add_site (site);
  omen_latch_give (&omen_tables_latch);
  omen_busy_end ();
  return id;
}

/* The latch is held. */
static uint32_t
add_block (omen_code_block *block)
{
  struct {
    omen_file_block head;
    omen_file_member members[OMEN_LOOP_MEMBERS];
  } entry = { { block->words, block->bases, block->loads, 0, block->count } };
  if (block->id)
    return block->id;
  for (unsigned i = 0; i < block->count; i++) {
    const omen_member *m = &block->members[i];
    entry.members[i]
        = (omen_file_member){ add_site ((omen_site *)((char *)block + m->site)),
                              m->offset,
                              m->constant,
                              m->base,
                              m->word,
                              m->shift,
                              m->weight };
  }
  uint32_t index = omen_table_add (OMEN_TABLE_BLOCK, &entry,
                                   sizeof entry.head
                                       + block->count * sizeof *entry.members);
  if (index == OMEN_NONE) {
    omen_give_up ("no memory");
    return 1;
  }
  __atomic_store_n (&block->id, index + 1, __ATOMIC_RELEASE);
  return index + 1;
}

uint32_t
omen_block_id (omen_code_block *block)
{
  uint32_t id = __atomic_load_n (&block->id, __ATOMIC_ACQUIRE);
  if (OMEN_LIKELY (id))
    return id;
  omen_busy_begin ();
  omen_latch_take (&omen_tables_latch);
  id = add_block (block);
  omen_latch_give (&omen_tables_latch);
  omen_busy_end ();
  return id;
}

omen_item_blocks omen_item_code[ITEMS];

bool
omen_is_item_block (const omen_code_block *block)
{
  const char *site = (const char *)block + block->members[0].site;
  return ((const omen_site *)site)->kind >= OMEN_ITEM_FIRST;
}

/* The note of the kind, then PARTs. */
static void
make_item_block (unsigned item, unsigned notes)
{
  omen_code_block *block = &omen_item_code[item][notes - 2].head;
  block->kind = OMEN_SITE_BLOCK;
  block->words = (uint8_t)(1 + 2 * notes);
  block->bases = (uint8_t)notes;
  block->count = notes;
  for (unsigned i = 0; i < notes; i++) {
    const omen_site *site = &omen_item_sites[i ? 0 : item];
    block->members[i].site = (int32_t)((const char *)site - (char *)block);
    block->members[i].base = (uint8_t)(1 + i);
    block->members[i].word = (uint8_t)(1 + notes + i);
  }
}

omen_atomic_block omen_atomic_code[OMEN_ATOMIC_BLOCKS],
    omen_look_code[OMEN_ATOMIC_BLOCKS];

/* What has no word is the constant 0. */
static void
make_atomic_block (omen_code_block *block, bool writes)
{
  static const uint8_t kinds[]
      = { OMEN_ITEM_ATOMIC, OMEN_ITEM_PART, OMEN_ITEM_PART };
  const uint8_t words[] = { 4, 0, writes ? 5 : 0 };
  block->kind = OMEN_SITE_BLOCK;
  block->words = writes ? 6 : 5;
  block->bases = OMEN_COUNT (kinds);
  block->count = OMEN_COUNT (kinds);
  for (unsigned i = 0; i < OMEN_COUNT (kinds); i++) {
    const omen_site *site = OMEN_ITEM_SITE (kinds[i]);
    block->members[i].site = (int32_t)((const char *)site - (char *)block);
    block->members[i].base = (uint8_t)(1 + i);
    block->members[i].word = words[i];
  }
}

bool
omen_sites_start (void)
{
  for (unsigned i = 0; i < OMEN_ATOMIC_BLOCKS; i++) {
    make_atomic_block (&omen_atomic_code[i].head, true);
    make_atomic_block (&omen_look_code[i].head, false);
  }
  for (unsigned i = 0; i < ITEMS; i++)
    for (unsigned notes = 2; notes <= OMEN_ITEM_NOTES; notes++)
      make_item_block (i, notes);
  omen_fused_start ();
  for (unsigned i = 0; i < ITEMS; i++) {
    omen_file_site entry = { .kind = omen_item_sites[i].kind,
                             .function = OMEN_NONE,
                             .file = OMEN_NONE,
                             .name = OMEN_NONE };
    if (omen_table_add (OMEN_TABLE_SITE, &entry, sizeof entry) == OMEN_NONE)
      return false;
  }
  return true;
}
