/* Fields of every sort. The two threads take turns, so that each way to compile and
   record it sees the same. */
#include <pthread.h>
#include <string.h>

typedef struct inner {
  short small;
  int x;
} inner;

struct config {
  int limit;
  unsigned short port;
  inner inner;
  union {
    int word;
    char byte[4];
  } either;
  struct {
    int hidden;
  };
  unsigned ready : 1, mode : 3;
  int depth : 4;
  volatile int late;
};

typedef struct row {
  int key;
  long value[2];
} row;

struct config cfg;
row table[8];
int grid[2][3];
static struct {
  int used, size;
} stats;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn = 1;

static void
count (int by)
{
  static int calls;
  calls += by;
}

static void *
run (void *argument)
{
  int n = (int)(long)argument;
  pthread_mutex_lock (&m);
  while (turn != n)
    pthread_cond_wait (&turned, &m);
  cfg.port = (unsigned short)(79 + n);
  cfg.inner.x = n;
  cfg.either.byte[1] = (char)n;
  cfg.hidden = 7;
  cfg.mode = 5;
  cfg.depth = -n;
  table[n + 2].value[1] = 10 * n;
  table[5].key = -n;
  stats.used += n;
  grid[1][n] = -n;
  count (n);
  turn++;
  pthread_cond_broadcast (&turned);
  pthread_mutex_unlock (&m);
  return NULL;
}

int
main (void)
{
  static struct config fresh;
  pthread_t one, two;
  pthread_create (&one, NULL, run, (void *)1);
  pthread_create (&two, NULL, run, (void *)2);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  cfg = fresh;
  stats.size = cfg.port;
  return stats.used != 3;
}
