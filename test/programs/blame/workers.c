/* A pool that starts its workers when there is work: the state of a worker is
   set before its thread starts, and under its lock afterwards. */
#include <pthread.h>
#include <stdlib.h>
enum state { IDLE, RUN, EXIT };
struct coder;
struct worker {
  enum state state;
  size_t in, out;
  struct coder *coder;
  struct worker *next;
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  pthread_t thread;
};
struct coder {
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  struct worker *free;
  struct worker workers[4];
  unsigned started, done;
};
static void *
worker_main (void *arg)
{
  struct worker *w = arg;
  for (;;) {
    enum state state;
    pthread_mutex_lock (&w->mutex);
    while (w->state == IDLE)
      pthread_cond_wait (&w->cond, &w->mutex);
    state = w->state;
    pthread_mutex_unlock (&w->mutex);
    if (state == EXIT)
      return NULL;
    pthread_mutex_lock (&w->mutex);
    w->out = w->in + 1;
    w->state = IDLE;
    pthread_mutex_unlock (&w->mutex);
    pthread_mutex_lock (&w->coder->mutex);
    w->next = w->coder->free;
    w->coder->free = w;
    w->coder->done++;
    pthread_cond_signal (&w->coder->cond);
    pthread_mutex_unlock (&w->coder->mutex);
  }
}
static struct worker *
start_worker (struct coder *c)
{
  struct worker *w = &c->workers[c->started];
  pthread_mutex_init (&w->mutex, NULL);
  pthread_cond_init (&w->cond, NULL);
  w->state = IDLE;
  w->coder = c;
  w->in = w->out = 0;
  w->next = NULL;
  pthread_create (&w->thread, NULL, worker_main, w);
  c->started++;
  return w;
}
static struct worker *
get_worker (struct coder *c)
{
  struct worker *w;
  pthread_mutex_lock (&c->mutex);
  w = c->free;
  if (w)
    c->free = w->next;
  pthread_mutex_unlock (&c->mutex);
  if (!w)
    w = start_worker (c);
  pthread_mutex_lock (&w->mutex);
  w->state = RUN;
  w->in++;
  pthread_cond_signal (&w->cond);
  pthread_mutex_unlock (&w->mutex);
  return w;
}
static void
finish (struct coder *c, unsigned n)
{
  pthread_mutex_lock (&c->mutex);
  while (c->done < n)
    pthread_cond_wait (&c->cond, &c->mutex);
  pthread_mutex_unlock (&c->mutex);
  for (unsigned i = 0; i < c->started; i++) {
    struct worker *w = &c->workers[i];
    pthread_mutex_lock (&w->mutex);
    w->state = EXIT;
    pthread_cond_signal (&w->cond);
    pthread_mutex_unlock (&w->mutex);
    pthread_join (w->thread, NULL);
  }
}
int
main (void)
{
  struct coder *c = calloc (1, sizeof *c);
  pthread_mutex_init (&c->mutex, NULL);
  pthread_cond_init (&c->cond, NULL);
  for (int i = 0; i < 3; i++)
    get_worker (c);
  finish (c, 3);
  return 0;
}
