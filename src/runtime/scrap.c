#include "runtime/scrap.h"
#include "runtime/abi.h"
#include "runtime/call.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>

OMEN_ABI_TLS uint64_t *__omen_cursor;
OMEN_ABI_TLS uint64_t __omen_depth;

enum { SCRAP_WORDS = 512, SCRAP_BYTES = 2 * OMEN_NOTE_SPAN };

static pthread_key_t key;
static int key_state; /* 0: none, 1: being made, 2: made */
static OMEN_ABI_TLS char *scrap;
static OMEN_ABI_TLS bool tried; /* to get a scrap: once in a thread's life */

static void
drop_scrap (void *at)
{
  __omen_cursor = NULL;
  scrap = NULL;
  omen_call (SYS_munmap, (long)at, SCRAP_BYTES, 0, 0, 0, 0);
}

/* pthread_once is interposed. */
static bool
have_key (void)
{
  int none = 0;
  if (__atomic_compare_exchange_n (&key_state, &none, 1, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    tried = true;
    if (!pthread_key_create (&key, drop_scrap))
      __atomic_store_n (&key_state, 2, __ATOMIC_RELEASE);
  }
  return __atomic_load_n (&key_state, __ATOMIC_ACQUIRE) == 2;
}

/* Room for two spans, so that the first half of one lies inside; of the rest no
   page is ever touched. */
static void
find_scrap (void)
{
  if (!have_key ())
    return;
  tried = true;
  long at = omen_call (SYS_mmap, 0, SCRAP_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at < 0 && at > -4096)
    return;
  if (pthread_setspecific (key, (void *)at))
    drop_scrap ((void *)at);
  else
    scrap = (char *)at;
}

void
omen_scrap_use (void)
{
  if (omen_cursor_ready (__omen_cursor))
    return;
  if (!tried) {
    int saved = errno;
    find_scrap ();
    errno = saved;
  }
  if (scrap) {
    uintptr_t half = (uintptr_t)scrap + OMEN_NOTE_SPAN - 1;
    half = half / OMEN_NOTE_SPAN * OMEN_NOTE_SPAN + OMEN_NOTE_HALF;
    __omen_cursor = (uint64_t *)half - SCRAP_WORDS;
  }
}
