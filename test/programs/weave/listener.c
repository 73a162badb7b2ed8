/* A runtime that writes down what woven code reports, as text, in the file
   $LISTEN_LOG: "LINE EVENT", for example "12 load4 g 5". With LISTEN_NOTES=N
   it gives threads buffers of N notes, so that the path in line is used;
   without, every note comes by call. With LISTEN_DISABLED it wants none. One
   thread at a time.

   Of loads that come as a sum the values are found as a loader does it: by
   keeping the bytes of the variables as stores leave them. The sum is checked
   against them. The lines of such loads are written to the file $LISTEN_SUMS.
 */
#include "wire/abi.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

OMEN_ABI_TLS uint64_t *__omen_cursor;
OMEN_ABI_TLS uint64_t __omen_depth;
OMEN_ABI_TLS void *__omen_inside;
uint32_t __omen_disabled, __omen_loops;
OMEN_ABI_SERVED (OMEN_ABI_SERVE_)

enum { ACCESSES = 1, MARKERS = 2, LIVES = 4 };
static struct {
  uintptr_t at;
  size_t size;
  const char *name;
  unsigned char *bytes; /* as far as noted */
} names[64];
static int names_count, listening;
static FILE *out, *sums;
static uint64_t *buffer; /* its first word */
static char *stack[256]; /* functions entered */
static unsigned depth, outer[256]; /* outer: of what was not inlined */

__attribute__ ((constructor)) static void
start (void)
{
  __omen_disabled = getenv ("LISTEN_DISABLED") != NULL;
  __omen_loops = getenv ("LISTEN_LOOPS") != NULL;
}

void listen_name (const volatile void *addr, size_t size, const char *name);
void listen_to (int what);

/* The name of an address, or NULL. */
static const char *
name_of (uintptr_t addr)
{
  static char text[128];
  for (int i = 0; i < names_count; i++)
    if (addr - names[i].at < names[i].size) {
      size_t offset = addr - names[i].at;
      snprintf (text, sizeof text, offset ? "%s+%zu" : "%s", names[i].name,
                offset);
      return text;
    }
  return NULL;
}

/* Where the bytes of [addr, addr + size) are kept, or NULL. */
static unsigned char *
bytes_of (uintptr_t addr, size_t size)
{
  for (int i = 0; i < names_count; i++)
    if (addr - names[i].at < names[i].size
        && names[i].at + names[i].size - addr >= size)
      return names[i].bytes + (addr - names[i].at);
  return NULL;
}

static void
keep_bytes (uintptr_t addr, uint64_t value, size_t size)
{
  unsigned char *bytes = bytes_of (addr, size);
  if (bytes)
    memcpy (bytes, &value, size);
}

/* What others than notes may have changed. */
static void
look_again (void)
{
  for (int i = 0; i < names_count; i++)
    memcpy (names[i].bytes, (const void *)names[i].at, names[i].size);
}

static const char *
value_of (uint64_t value)
{
  static char text[2][128];
  static int turn;
  const char *name = value ? name_of (value) : NULL;
  turn = !turn;
  if (name)
    snprintf (text[turn], sizeof *text, "&%.*s", (int)sizeof *text - 2, name);
  else
    snprintf (text[turn], sizeof *text, "%" PRIu64, value);
  return text[turn];
}

static const char *
order_of (unsigned order)
{
  static const char *const texts[] = { "sc", "rlx", "acq", "rel", "acq_rel" };
  return texts[order];
}

/* Only the first word of "name\nfile\nline". */
static char *
function_of (const omen_site *site)
{
  char *text = strdup (omen_site_function (site));
  text[strcspn (text, "\n")] = 0;
  return text;
}

static void
log_access (const omen_site *site, const char *kind, uint64_t addr,
            uint64_t value)
{
  const char *name = name_of (addr);
  if (!(listening & ACCESSES) || !name)
    return;
  fprintf (out, "%u %s%u %s ", site->line, kind, site->size, name);
  fprintf (out, "%s\n", value_of (value));
}

static void
leave (unsigned to, unsigned line)
{
  for (; depth > to; depth--) {
    if ((listening & MARKERS) && stack[depth])
      fprintf (out, "%u exit %s\n", line, stack[depth]);
    free (stack[depth]);
    stack[depth] = NULL; /* those that were entered before we listened */
  }
}

static unsigned
depth_of (uint64_t noted)
{
  return (unsigned)noted + (noted & OMEN_DEPTH_INNER ? outer[depth] : 0);
}

static void
enter (const omen_site *site, unsigned to)
{
  leave (to - 1, site->line);
  outer[to] = omen_site_caller (site) ? outer[depth] : to;
  depth = to;
  stack[depth] = function_of (site);
  if (listening & MARKERS)
    fprintf (out, "%u enter %s\n", site->line, stack[depth]);
}

static void
log_life (const omen_site *site, const char *kind, uint64_t size)
{
  if (listening & LIVES)
    fprintf (out, "%u %s %s %" PRIu64 "\n", site->line, kind,
             omen_site_name (site), size);
}

static void
log_note (const omen_note *note)
{
  const omen_site *site = note->site;
  switch (site->kind) {
  case OMEN_SITE_LOAD:
    log_access (site, "load", note->a, note->b);
    break;
  case OMEN_SITE_STORE:
    keep_bytes (note->a, note->b, site->size);
    log_access (site, "store", note->a, note->b);
    break;
  case OMEN_SITE_ENTER:
    enter (site, depth_of (note->a));
    break;
  case OMEN_SITE_EXIT:
    leave (depth_of (note->a) - 1, site->line);
    break;
  case OMEN_SITE_LANDED:
    leave (depth_of (note->a), site->line);
    break;
  case OMEN_SITE_STACK_ALLOC:
    log_life (site, "alloc", note->b);
    break;
  case OMEN_SITE_STACK_FREE:
    log_life (site, "free", note->b);
    break;
  case OMEN_SITE_EXTERNAL:
    if ((listening & ACCESSES) && name_of (note->a))
      fprintf (out, "%u external %s %" PRIu64 "\n", site->line,
               name_of (note->a), note->b);
    break;
  case OMEN_SITE_FENCE:
    if (listening & ACCESSES)
      fprintf (out, "%u fence %s\n", site->line, order_of (site->order));
    break;
  case OMEN_SITE_CALLED:
    if (!note->a)
      fprintf (out, "%u BAD call from nowhere\n", site->line);
    break;
  default:
    fprintf (out, "%u BAD note of kind %u\n", site->line, site->kind);
  }
}

/* The value of a load that is part of a sum, and what it adds. False: nothing
   is known of that place. */
static bool
find_value (const omen_member *m, omen_note *note, uint64_t *sum)
{
  const unsigned char *bytes = bytes_of (note->a, note->site->size);
  note->b = 0;
  if (sums)
    fprintf (sums, "%u\n", note->site->line);
  if (!bytes)
    return false;
  memcpy (&note->b, bytes, note->site->size);
  *sum += omen_weights[m->weight - 1] * note->b;
  return true;
}

static void
log_block (const omen_code_block *block, const uint64_t *words)
{
  uint64_t sum = 0;
  bool weighted = false, known = true;
  for (unsigned i = 0; i < block->count; i++) {
    const omen_member *m = &block->members[i];
    omen_note note = { (omen_site *)((uintptr_t)block + (uintptr_t)m->site),
                       (m->base ? words[m->base] : OMEN_DEPTH_INNER)
                           + (uint64_t)m->offset,
                       m->constant };
    note.a += omen_member_way (m, words);
    if (m->weight) {
      weighted = true;
      known &= find_value (m, &note, &sum);
    } else if (m->word)
      note.b = words[m->word] >> m->shift;
    if (m->word && note.site->kind <= OMEN_SITE_STORE && note.site->size < 8)
      note.b &= (UINT64_C (1) << 8 * note.site->size) - 1;
    log_note (&note);
  }
  if (weighted && known && sum != words[block->words - 1] && out)
    fprintf (
        out, "%u BAD sum\n",
        ((omen_site *)((uintptr_t)block + (uintptr_t)block->members[0].site))
            ->line);
}

static void
drain (void)
{
  if (!buffer)
    return;
  for (uint64_t *at = buffer; at < __omen_cursor;) {
    const omen_code_block *block = (const omen_code_block *)at[0];
    if (block->kind == OMEN_SITE_BLOCK) {
      log_block (block, at);
      at += block->words;
    } else {
      log_note ((const omen_note *)at);
      at += sizeof (omen_note) / 8;
    }
  }
  __omen_cursor = buffer;
}

void
omen_note_taken (uint64_t a, uint64_t b, omen_site *site)
{
  int saved = errno;
  omen_note note = { site, a, b };
  drain ();
  if (out)
    log_note (&note);
  errno = saved;
}

void
listen_to (int what)
{
  const char *path = getenv ("LISTEN_LOG"), *notes = getenv ("LISTEN_NOTES");
  if (!out)
    out = fopen (path ? path : "/dev/null", "w");
  if (!sums && getenv ("LISTEN_SUMS"))
    sums = fopen (getenv ("LISTEN_SUMS"), "w");
  if (notes && !buffer) {
    uintptr_t at
        = (uintptr_t)mmap (NULL, 2 * OMEN_NOTE_SPAN, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    at = (at + OMEN_NOTE_SPAN - 1) / OMEN_NOTE_SPAN * OMEN_NOTE_SPAN;
    buffer = (uint64_t *)(at + OMEN_NOTE_HALF) - 3 * atoi (notes);
    __omen_cursor = buffer;
  }
  drain ();
  look_again ();
  listening = what;
  fflush (out);
}

void
listen_name (const volatile void *addr, size_t size, const char *name)
{
  names[names_count].at = (uintptr_t)addr;
  names[names_count].size = size;
  names[names_count].name = name;
  names[names_count].bytes = malloc (size);
  names_count++;
}

/* Nothing is known of the values of a loop that is noted whole: "?". */
static void
log_turn (const omen_code_block *block, const uint64_t *words, uint64_t turn)
{
  for (unsigned i = 0; i < block->count; i++) {
    const omen_member *m = &block->members[i];
    const omen_site *site
        = (const omen_site *)((uintptr_t)block + (uintptr_t)m->site);
    uint64_t at = words[m->base] + (uint64_t)m->offset
                  + turn * omen_member_stride (m, words);
    const char *name = name_of (at);
    if ((listening & ACCESSES) && name)
      fprintf (out, "%u %s%u %s ?\n", site->line,
               site->kind == OMEN_SITE_LOAD ? "load" : "store", site->size,
               name);
  }
}

void
__omen_loop (void *block, ...)
{
  const omen_code_block *b = block;
  uint64_t words[OMEN_BLOCK_WORDS];
  va_list note;
  drain ();
  va_start (note, block);
  for (unsigned i = 1; i < b->words; i++)
    words[i] = va_arg (note, uint64_t);
  va_end (note);
  if (b->kind != OMEN_SITE_BLOCK || b->loads != OMEN_BLOCK_LOOP
      || b->bases != b->words - 1 || !words[b->words - 1])
    fprintf (out, "0 BAD loop\n");
  for (uint64_t turn = 0; turn < words[b->words - 1]; turn++)
    log_turn (b, words, turn);
  look_again ();
}

void
__omen_lane (const volatile void *addr, uint64_t value, omen_site *site)
{
  omen_note note = { site, (uintptr_t)addr, value };
  drain ();
  if (addr)
    log_note (&note);
}

/* Tickets are checked: each opening call is closed by its own. Every other
   atomic load is refused once, so that it is made again. */
static uint64_t ticket, open_ticket;
static const volatile void *open_addr;
static unsigned peeks;

uint64_t
__omen_atomic_begin (const volatile void *addr)
{
  drain ();
  if (open_ticket && out)
    fprintf (out, "0 BAD begin within begin\n");
  open_addr = addr;
  return open_ticket = ++ticket;
}

uint64_t
__omen_atomic_peek (const volatile void *addr)
{
  return __omen_atomic_begin (addr);
}

static void
close_ticket (const volatile void *addr, const omen_site *site, uint64_t t)
{
  drain ();
  if ((t != open_ticket || addr != open_addr) && out)
    fprintf (out, "%u BAD ticket\n", site->line);
  open_ticket = 0;
  look_again ();
}

/* A new line "LINE kindSIZE name", if it is to be logged. */
static int
starts_line (const omen_site *site, const char *kind, const volatile void *addr)
{
  const char *name = name_of ((uintptr_t)addr);
  if (!(listening & ACCESSES) || !name)
    return 0;
  fprintf (out, "%u %s%u %s ", site->line, kind, site->size, name);
  return 1;
}

uint32_t
__omen_atomic_load (const volatile void *addr, uint64_t value, omen_site *site,
                    uint64_t t)
{
  close_ticket (addr, site, t);
  if (peeks++ % 2 == 0)
    return 0;
  if (starts_line (site, "ar", addr))
    fprintf (out, "%s %s\n", value_of (value), order_of (site->order));
  return 1;
}

void
__omen_atomic_store (const volatile void *addr, uint64_t value, omen_site *site,
                     uint64_t t)
{
  close_ticket (addr, site, t);
  if (starts_line (site, "aw", addr))
    fprintf (out, "%s %s\n", value_of (value), order_of (site->order));
}

void
__omen_atomic_rmw (const volatile void *addr, uint64_t old, uint64_t value,
                   omen_site *site, uint64_t t)
{
  close_ticket (addr, site, t);
  if (starts_line (site, "rmw", addr))
    fprintf (out, "%s:%s %s\n", value_of (old), value_of (value),
             order_of (site->order));
}

void
__omen_atomic_cas (const volatile void *addr, uint64_t old, uint64_t value,
                   omen_site *site, uint64_t t, uint32_t done)
{
  close_ticket (addr, site, t);
  if (!starts_line (site, done ? "cas" : "casfail", addr))
    return;
  if (done)
    fprintf (out, "%s:%s %s\n", value_of (old), value_of (value),
             order_of (site->order));
  else
    fprintf (out, "%s %s\n", value_of (old), order_of (site->failure));
}

void
__omen_atomic_wide (const volatile void *addr, omen_site *site, uint64_t t,
                    uint64_t old_low, uint64_t old_high, uint64_t low,
                    uint64_t high, uint32_t done)
{
  static const char *const kinds[] = { "ar", "aw", "rmw", "cas" };
  close_ticket (addr, site, t);
  if (starts_line (site, kinds[site->kind - OMEN_SITE_ATOMIC_LOAD], addr))
    fprintf (out, "%" PRIu64 ",%" PRIu64 ":%" PRIu64 ",%" PRIu64 " %u %s\n",
             old_low, old_high, low, high, done, order_of (site->order));
}

static void
log_range (const char *kind, uint64_t to, uint64_t from, uint64_t size,
           const omen_site *site, uint32_t what)
{
  drain ();
  look_again ();
  if (!(listening & ACCESSES) || (!name_of (to) && !name_of (from)))
    return;
  fprintf (out, "%u %s %" PRIu64, site->line, kind, size);
  if (what & OMEN_ABI_FROM)
    fprintf (out, " from %s", name_of (from) ? name_of (from) : "?");
  if (what & OMEN_ABI_TO)
    fprintf (out, " to %s", name_of (to) ? name_of (to) : "?");
  fputc ('\n', out);
}

void
__omen_memcpy (void *to, const void *from, uint64_t size, omen_site *site,
               uint32_t what)
{
  memcpy (to, from, size);
  log_range ("memcpy", (uintptr_t)to, (uintptr_t)from, size, site, what);
}

void
__omen_memmove (void *to, const void *from, uint64_t size, omen_site *site,
                uint32_t what)
{
  memmove (to, from, size);
  log_range ("memmove", (uintptr_t)to, (uintptr_t)from, size, site, what);
}

void
__omen_memset (void *to, uint32_t byte, uint64_t size, omen_site *site)
{
  memset (to, (int)byte, size);
  log_range ("memset", (uintptr_t)to, byte, size, site, OMEN_ABI_TO);
}

/* All code is woven, as far as it knows. */
void *
__omen_out (const volatile void *callee, void *slot, uint32_t direct)
{
  *(uint64_t *)slot = direct ? OMEN_SLOT_HOME : (uintptr_t)callee;
  return NULL;
}

void
__omen_in (void *library)
{
  (void)library;
}

void
__omen_back (void *library)
{
  (void)library;
}
