/* as lmdb does: a file is mapped to be read and written with pwrite; the number
   of the last page is in the file, too, and a reader looks at it, and at what the other one has seen, without a lock
   omen: none, perhaps race */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 24 };

typedef struct page {
  uint64_t number, sum, words[32];
} page;

/* A reader's slot in the table of readers, which all may look at. */
typedef struct slot {
  volatile uint64_t page, looks;
} slot;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *map;
static int fd;
static uint64_t oldest; /* under m */
static slot slots[2];

static void *
writer (void *arg)
{
  static char room[PAGE];
  page *p = (page *)room;
  for (uint64_t n = 1; n < PAGES; n++) {
    p->number = n;
    p->sum = 0;
    for (unsigned i = 0; i < 32; i++)
      p->sum += p->words[i] = n * i;
    if (pwrite (fd, room, PAGE, (off_t)(n * PAGE)) != PAGE
        || pwrite (fd, &n, sizeof n, 0) != sizeof n)
      return NULL;
    pthread_mutex_lock (&m);
    oldest = n / 2;
    pthread_mutex_unlock (&m);
    usleep (100);
  }
  return arg;
}

__attribute__ ((noinline)) static uint64_t
check (const page *p)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < 32; i++)
    sum += p->words[i];
  return sum - p->sum;
}

/* What it reads is more than fits into one word: only the sum is recorded. */
__attribute__ ((noinline)) static uint64_t
begin (slot *mine, const slot *other)
{
  const volatile uint64_t *head = (const volatile uint64_t *)map;
  uint64_t last = head[0] + head[1] + other->page * 0 + other->looks * 0;
  mine->page = last;
  mine->looks++;
  return last;
}

static void *
reader (void *arg)
{
  slot *mine = arg;
  uint64_t last = 0;
  while (last < PAGES - 1) {
    pthread_mutex_lock (&m);
    uint64_t from = oldest;
    pthread_mutex_unlock (&m);
    last = begin (mine, mine == slots ? slots + 1 : slots);
    usleep (50);
    for (uint64_t n = from ? from : 1; n <= last; n++)
      if (check ((const page *)(map + n * PAGE)))
        return NULL;
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[3];
  void *ends[3];
  fd = memfd_create ("pages", 0);
  if (fd < 0 || ftruncate (fd, PAGE * PAGES))
    return 1;
  map = mmap (NULL, PAGE * PAGES, PROT_READ, MAP_SHARED, fd, 0);
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, i ? reader : writer,
                    i ? &slots[i - 1] : &slots[0]);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], &ends[i]);
  return !(ends[0] && ends[1] && ends[2]);
}
