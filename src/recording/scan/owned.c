#include "recording/scan/owned.h"
#include "recording/scan/settled.h"
#include "wire/abi.h"

/* What uses a word: no thread, several threads, or the thread of this number;
   MADE: the word is part of a block or stack of that thread. */
enum { NO_THREAD, SHARED = 0x7fff, MADE = 0x8000 };

#define LARGE                                                                  \
  OMEN_HARD_OR (UINT64_C (1) << 10, UINT64_C (1) << 17) /* words               \
                                                         */
#define CHECK_EVERY 256u

/* ---- pages ---- */

/* Marks the words of large blocks; blocks of different threads may have used
   the same address one after the other. */
static void
fill_from_large_users (const omen_owned *own, omen_owned_page *page)
{
  uint64_t word = page->number * OMEN_OWNED_WORDS;
  for (size_t i = 0; i < own->large.count; i++) {
    const omen_owned_large *large = &own->large.data[i];
    for (unsigned k = 0; k < OMEN_OWNED_WORDS; k++)
      if (word + k >= large->first && word + k < large->end)
        page->users[k]
            = page->users[k] == NO_THREAD || page->users[k] == large->user
                  ? large->user
                  : SHARED;
  }
}

omen_owned_page *
omen_owned_page_of (omen_owned *own, uint64_t number)
{
  uint32_t *entry = omen_map_at (&own->index, number);
  if (*entry == OMEN_NONE) {
    omen_owned_page *page = omen_zalloc (1, sizeof *page);
    *entry = (uint32_t)own->pages.count;
    page->number = number;
    page->users = omen_zalloc (OMEN_OWNED_WORDS, sizeof *page->users);
    fill_from_large_users (own, page);
    OMEN_VEC_PUSH (own->pages, page);
  }
  return own->near[number % OMEN_OWNED_NEAR] = own->pages.data[*entry];
}

void
omen_owned_init (omen_owned *own)
{
  *own = (omen_owned){ 0 };
  omen_map_init (&own->index);
}

void
omen_owned_fini (omen_owned *own)
{
  for (size_t i = 0; i < own->pages.count; i++) {
    omen_free (own->pages.data[i]->users);
    omen_free (own->pages.data[i]);
  }
  OMEN_VEC_FINI (own->pages);
  OMEN_VEC_FINI (own->large);
  omen_map_fini (&own->index);
}

/* ---- the users of a word ---- */

/* The thread at work. */
typedef struct user {
  omen_owned *own;
  const omen_mappings *mappings;
  uint16_t id;                /* its number + 1 */
  omen_map stacks;            /* thread id -> entry of ranges */
  OMEN_VEC (uint64_t) ranges; /* first and last + 1 word of each stack */
  uint64_t stack, stack_end;  /* words */
  bool failed;
} user;

static void
use_word (user *u, uint64_t word)
{
  omen_owned_page *page = omen_owned_near (u->own, word / OMEN_OWNED_WORDS);
  uint16_t *by = &page->users[word % OMEN_OWNED_WORDS];
  if (OMEN_LIKELY ((*by & SHARED) == u->id))
    return;
  *by = *by != NO_THREAD                          ? SHARED
        : word >= u->stack && word < u->stack_end ? u->id | MADE
                                                  : u->id;
}

static void
use_words (user *u, uint64_t address, uint64_t length)
{
  uint64_t last = (address + length - 1) / 8;
  for (uint64_t word = address / 8; length && word <= last; word++)
    use_word (u, word);
}

static void
make_in (user *u, omen_owned_page *page, uint64_t first, uint64_t end)
{
  uint64_t word = page->number * OMEN_OWNED_WORDS;
  for (unsigned k = 0; k < OMEN_OWNED_WORDS; k++, word++) {
    uint16_t *by = &page->users[k];
    if (word >= first && word < end && (*by & SHARED) != u->id)
      *by = *by == NO_THREAD ? u->id | MADE : SHARED;
  }
}

static void
make_large (user *u, uint64_t first, uint64_t end)
{
  omen_owned *own = u->own;
  omen_owned_large large = { first, end, u->id | MADE };
  for (size_t i = 0; i < own->pages.count; i++)
    make_in (u, own->pages.data[i], first, end);
  for (size_t i = 0; i < own->large.count; i++)
    if (own->large.data[i].first == first && own->large.data[i].end == end
        && own->large.data[i].user == large.user)
      return;
  OMEN_VEC_PUSH (own->large, large);
}

/* Words that lie in the block wholly or in part. */
static void
make (user *u, uint64_t address, uint64_t length)
{
  uint64_t first = address / 8, end = (address + length - 1) / 8 + 1;
  if (!length || length > UINT32_MAX
      || omen_mappings_exposed (u->mappings, address))
    return;
  if (end - first >= LARGE) {
    make_large (u, first, end);
    return;
  }
  for (uint64_t page = first / OMEN_OWNED_WORDS;
       page <= (end - 1) / OMEN_OWNED_WORDS; page++)
    make_in (u, omen_owned_near (u->own, page), first, end);
}

/* ---- the walk ---- */

static void
set_thread (user *u, uint32_t id)
{
  uint32_t range = omen_map_get (&u->stacks, id);
  u->failed |= id + 1 >= SHARED;
  u->id = (uint16_t)(id + 1);
  u->stack = range == OMEN_NONE ? 0 : u->ranges.data[range];
  u->stack_end = range == OMEN_NONE ? 0 : u->ranges.data[range + 1];
}

/* Thread-local variables lie above the stack. */
static void
see_begin (user *u, const omen_item *item)
{
  omen_own_memory memory = omen_item_own_memory (item);
  uint64_t end = memory.locals ? memory.locals : memory.stack_end;
  *omen_map_at (&u->stacks, item->a) = (uint32_t)u->ranges.count;
  OMEN_VEC_PUSH (u->ranges, memory.stack / 8 + 1);
  OMEN_VEC_PUSH (u->ranges, end / 8);
  set_thread (u, (uint32_t)item->a);
}

static void
see_runtime (user *u, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_ITEM_RANGE_READ:
  case OMEN_ITEM_RANGE_WRITE:
    use_words (u, item->a, omen_item_length (item));
    return;
  case OMEN_ITEM_ATOMIC:
    use_words (u, item->a, 16);
    return;
  case OMEN_ITEM_ALLOC:
    make (u, item->a, omen_item_arg (item) & OMEN_ALLOC_SIZE);
    return;
  case OMEN_ITEM_THREAD_BEGIN:
    see_begin (u, item);
    return;
  case OMEN_ITEM_SWITCH:
    set_thread (u, (uint32_t)item->a);
    return;
  default:
    return;
  }
}

static void
see_turns (user *u, const omen_plan_member *m, const uint64_t *words,
           uint64_t turns)
{
  const omen_member as
      = { .constant = m->as.as.constant, .word = m->as.as.word };
  uint64_t step = omen_member_stride (&as, words);
  uint64_t address = words[m->as.as.base] + (uint64_t)(int64_t)m->as.as.offset;
  for (; turns; turns--, address += step)
    use_words (u, address, m->size);
}

static void
see_member (user *u, const omen_plan_member *m, const uint64_t *words)
{
  if (m->kind <= OMEN_SITE_STORE)
    use_words (u, omen_notes_address (&m->as, words), m->size);
  else if (m->kind == OMEN_SITE_STACK_ALLOC)
    make (u, omen_notes_address (&m->as, words), omen_plan_value (m, words));
}

static void
see_plan (user *u, const omen_plans *plans, const omen_note_piece *piece)
{
  const omen_plan_member *members = &plans->members.data[piece->plan->first];
  const uint64_t *words = piece->words;
  for (uint32_t i = 0; i < piece->notes; i++, words += piece->width)
    for (uint32_t k = 0; k < piece->plan->count; k++)
      if (piece->plan->loop)
        see_turns (u, &members[k], words, words[piece->width - 1]);
      else
        see_member (u, &members[k], words);
}

static void
see_thread (user *u, const omen_plans *plans, const omen_notes_file *file,
            const omen_notes_thread *thread, uint64_t *items)
{
  omen_pieces *pieces = omen_alloc (sizeof *pieces);
  omen_note_piece piece;
  unsigned steps = 0;
  omen_pieces_init (pieces, plans, thread);
  set_thread (u, thread->id == OMEN_NONE ? 0 : thread->id);
  while (!u->failed && omen_pieces_peek (pieces, &piece)) {
    if (piece.plan)
      see_plan (u, plans, &piece);
    else
      see_runtime (u, &piece.item);
    omen_pieces_pass (pieces);
    u->failed |= ++steps % CHECK_EVERY == 0 && file->limits
                 && omen_limits_over (file->limits, *items + pieces->items,
                                      file->reader->notes);
  }
  *items += pieces->items;
  u->failed |= pieces->wrong;
  omen_pieces_fini (pieces);
  omen_free (pieces);
}

static void
settle_page (omen_owned_page *page, const omen_settled *settled)
{
  uint64_t word = page->number * OMEN_OWNED_WORDS;
  for (unsigned k = 0; k < OMEN_OWNED_WORDS; k++, word++)
    if (page->users[k] & MADE && omen_settled_is (settled, 8 * word, 8))
      page->own[k / 64] |= UINT64_C (1) << k % 64;
  omen_free (page->users);
  page->users = NULL;
}

bool
omen_owned_find (omen_owned *own, const omen_plans *plans,
                 const omen_notes_file *file)
{
  user u = { .own = own, .mappings = &file->mappings };
  uint64_t items = 0;
  omen_map_init (&u.stacks);
  for (size_t t = 0; t < file->threads.count && !u.failed; t++)
    see_thread (&u, plans, file, &file->threads.data[t], &items);
  omen_map_fini (&u.stacks);
  OMEN_VEC_FINI (u.ranges);
  for (size_t i = 0; i < own->pages.count; i++)
    settle_page (own->pages.data[i], file->settled);
  OMEN_VEC_CLEAR (own->large);
  return !u.failed;
}

/* ---- what is wanted ---- */

static bool
is_wanted_word (omen_owned *own, uint64_t word)
{
  const omen_owned_page *page = omen_owned_near (own, word / OMEN_OWNED_WORDS);
  return page->wanted[word / 64 % (OMEN_OWNED_WORDS / 64)] >> word % 64 & 1;
}

bool
omen_owned_free (omen_owned *own, uint64_t address, uint64_t length)
{
  uint64_t last = (address + length - 1) / 8;
  for (uint64_t word = address / 8; length && word <= last; word++)
    if (!omen_owned_word (own, word) || is_wanted_word (own, word))
      return false;
  return true;
}

bool
omen_owned_want (omen_owned *own, uint64_t address, uint64_t length)
{
  uint64_t last = (address + length - 1) / 8;
  bool new = false;
  for (uint64_t word = address / 8; length && word <= last; word++) {
    omen_owned_page *page = omen_owned_near (own, word / OMEN_OWNED_WORDS);
    uint64_t bit = UINT64_C (1) << word % 64;
    uint64_t *wanted = &page->wanted[word / 64 % (OMEN_OWNED_WORDS / 64)];
    if (!omen_owned_word (own, word) || *wanted & bit)
      continue;
    *wanted |= bit;
    new = true;
  }
  return new;
}
