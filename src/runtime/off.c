/* The empty answers: a woven program linked with these does what the plain one
   does.

   Notes go to a scrap of memory, a page or two for each thread, that is
   written over and over: cheaper than a call for each. */
#include "runtime/abi.h"

#define __OMEN__ 1 /* the annotations are functions of ours */
#include <omen.h>

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>

OMEN_ABI_TLS omen_note *__omen_cursor;
OMEN_ABI_TLS uint64_t __omen_depth;

enum { SCRAP_NOTES = 170, SCRAP_BYTES = 2 * OMEN_NOTE_SPAN };

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool have_key;
static OMEN_ABI_TLS char *scrap;
static OMEN_ABI_TLS bool tried; /* to get a scrap: once in a thread's life */

static void
drop_scrap (void *at)
{
  __omen_cursor = NULL;
  scrap = NULL;
  munmap (at, SCRAP_BYTES);
}

static void
make_key (void)
{
  have_key = !pthread_key_create (&key, drop_scrap);
}

/* Room for two spans, so that one boundary lies inside; of the rest no page is
   ever touched. */
static void
find_scrap (void)
{
  tried = true;
  pthread_once (&once, make_key);
  if (!have_key)
    return;
  void *at = mmap (NULL, SCRAP_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    return;
  if (pthread_setspecific (key, at))
    munmap (at, SCRAP_BYTES);
  else
    scrap = at;
}

void
omen_note_taken (uint64_t a, uint64_t b, omen_site *site)
{
  if ((uintptr_t)__omen_cursor % OMEN_NOTE_SPAN)
    return;
  if (!tried) {
    int saved = errno;
    find_scrap ();
    errno = saved;
  }
  if (scrap) {
    uintptr_t end = (uintptr_t)scrap + SCRAP_BYTES;
    end -= end % OMEN_NOTE_SPAN;
    __omen_cursor = (omen_note *)end - SCRAP_NOTES;
  }
}

void
__omen_lane (const volatile void *addr, uint64_t value, omen_site *site)
{
}

uint64_t
__omen_atomic_peek (const volatile void *addr)
{
  return 0;
}

uint32_t
__omen_atomic_load (const volatile void *addr, uint64_t value,
                    omen_site *site, uint64_t ticket)
{
  return 1;
}

uint64_t
__omen_atomic_begin (const volatile void *addr)
{
  return 0;
}

void
__omen_atomic_store (const volatile void *addr, uint64_t value,
                     omen_site *site, uint64_t ticket)
{
}

void
__omen_atomic_rmw (const volatile void *addr, uint64_t old, uint64_t value,
                   omen_site *site, uint64_t ticket)
{
}

void
__omen_atomic_cas (const volatile void *addr, uint64_t old, uint64_t value,
                   omen_site *site, uint64_t ticket, uint32_t done)
{
}

void
__omen_atomic_wide (const volatile void *addr, omen_site *site,
                    uint64_t ticket, uint64_t old_low, uint64_t old_high,
                    uint64_t low, uint64_t high, uint32_t done)
{
}

void
__omen_memcpy (void *to, const void *from, uint64_t size, omen_site *site,
               uint32_t what)
{
  __builtin_memcpy (to, from, size);
}

void
__omen_memmove (void *to, const void *from, uint64_t size, omen_site *site,
                uint32_t what)
{
  __builtin_memmove (to, from, size);
}

void
__omen_memset (void *to, uint32_t byte, uint64_t size, omen_site *site)
{
  __builtin_memset (to, (int)byte, size);
}

/* include/omen.h; there so that programs find a definition when they link. */
#pragma GCC visibility push(default)

void
__omen_note_begin (const char *label)
{
}

void
__omen_note_end (const char *label)
{
}

void
__omen_note_before (const volatile void *addr)
{
}

void
__omen_note_after (const volatile void *addr)
{
}

void
__omen_note_ignore_begin (void)
{
}

void
__omen_note_ignore_end (void)
{
}

void
__omen_note_dead (const volatile void *p)
{
}

void
__omen_note_event (const char *text, unsigned count, unsigned pointers,
                   unsigned long long a, unsigned long long b,
                   unsigned long long c, unsigned long long d,
                   unsigned long long e, unsigned long long f,
                   unsigned long long g, unsigned long long h)
{
}

#pragma GCC visibility pop
