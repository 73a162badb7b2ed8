#include "driver/ranks/share.h"
#include "driver/message.h"
#include "driver/ranks/packet.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Several per rank, since some take longer than others. */
enum { PORTIONS_A_RANK = 16 };

/* Pieces that are computed together. */
typedef struct portion {
  uint32_t first, end;
  bool given;
  char *answer;
  size_t size;
} portion;

typedef struct span {
  uint32_t first, end;
} span;

/* Identifies the work; all ranks must have the same. */
static uint64_t
key_of_work (const omen_share_work *work)
{
  uint64_t key = work->pieces;
  for (const char *at = work->what; *at; at++)
    key = key * 1099511628211u + (uint8_t)*at;
  return key;
}

/* Compute the answer for pieces [first, end), allocated with malloc. */
static void
compute_answer (const omen_share_work *work, uint32_t first, uint32_t end,
                char **data, size_t *size)
{
  FILE *file = open_memstream (data, size);
  OMEN_REQUIRE (file);
  omen_archive archive = { .file = file, .ok = true };
  work->some (work->context, first, end, &archive);
  OMEN_REQUIRE (!fclose (file) && archive.ok);
}

static void
take_archived (const omen_share_work *work, char *data, size_t size)
{
  FILE *file = fmemopen (data, size, "r");
  OMEN_REQUIRE (file);
  omen_archive archive = { file, true, true, size };
  work->take (work->context, &archive);
  fclose (file);
}

/* ---- rank 0 ---- */

typedef struct leading {
  omen_ranks_share *share;
  const omen_share_work *work;
  size_t *at; /* by link: index of its current portion, or `count` */
  /* for the thread that works for rank 0, and the one that coordinates */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  portion *portions;
  size_t count, done;
  int bell[2]; /* gets a byte for each portion computed here */
} leading;

static portion *
next_portion (leading *l)
{
  for (size_t i = 0; i < l->count; i++)
    if (!l->portions[i].given) {
      l->portions[i].given = true;
      return &l->portions[i];
    }
  return NULL;
}

static portion *
next_for_link (leading *l)
{
  pthread_mutex_lock (&l->lock);
  portion *p = next_portion (l);
  pthread_mutex_unlock (&l->lock);
  return p;
}

/* Waits, since the portion of a rank that dies is returned. NULL: all are
   done. */
static portion *
next_for_own (leading *l)
{
  portion *p;
  pthread_mutex_lock (&l->lock);
  while (!(p = next_portion (l)) && l->done < l->count)
    pthread_cond_wait (&l->changed, &l->lock);
  pthread_mutex_unlock (&l->lock);
  return p;
}

static void
finish_portion (leading *l, portion *p, char *data, size_t size)
{
  pthread_mutex_lock (&l->lock);
  p->answer = data;
  p->size = size;
  l->done++;
  pthread_cond_signal (&l->changed);
  pthread_mutex_unlock (&l->lock);
}

static bool
all_done (leading *l)
{
  pthread_mutex_lock (&l->lock);
  bool all = l->done == l->count;
  pthread_mutex_unlock (&l->lock);
  return all;
}

static void *
do_own (void *arg)
{
  leading *l = arg;
  portion *p;
  while ((p = next_for_own (l))) {
    char *data;
    size_t size;
    compute_answer (l->work, p->first, p->end, &data, &size);
    finish_portion (l, p, data, size);
    (void)!write (l->bell[1], "", 1);
  }
  return NULL;
}

static void
lose_link (leading *l, size_t link)
{
  omen_rank_link *its = &l->share->ranks->links.data[link];
  omen_warn ("rank %u is gone; the other ranks do its work", its->rank);
  close (its->socket);
  its->socket = -1;
  pthread_mutex_lock (&l->lock);
  if (l->at[link] < l->count)
    l->portions[l->at[link]].given = false;
  pthread_cond_signal (&l->changed);
  pthread_mutex_unlock (&l->lock);
  l->at[link] = l->count;
}

static void
give_portion (leading *l, size_t link)
{
  portion *p = next_for_link (l);
  if (!p)
    return;
  span its = { p->first, p->end };
  l->at[link] = (size_t)(p - l->portions);
  if (!omen_packet_send (l->share->ranks->links.data[link].socket,
                         OMEN_PACKET_WORK, l->share->steps, &its, sizeof its))
    lose_link (l, link);
}

/* A rank is ready for this step, or for an earlier one. If its work differs
   (because its time ran out elsewhere), it is of no use. */
static void
take_ready (leading *l, size_t link, const omen_packet *f)
{
  uint64_t key;
  memcpy (&key, f->data, sizeof key);
  if (f->number == l->share->steps && key != key_of_work (l->work))
    lose_link (l, link);
  else if (f->number == l->share->steps)
    give_portion (l, link);
}

static void
take_answer (leading *l, size_t link, const omen_packet *f)
{
  char *data = malloc (f->size);
  OMEN_REQUIRE (data);
  memcpy (data, f->data, f->size);
  finish_portion (l, &l->portions[l->at[link]], data, f->size);
  l->at[link] = l->count;
  give_portion (l, link);
}

static void
take_packet (leading *l, size_t link)
{
  omen_packet f = { 0 };
  if (!omen_packet_get (l->share->ranks->links.data[link].socket, &f, NULL))
    lose_link (l, link);
  else if (f.kind == OMEN_PACKET_READY && f.size == sizeof (uint64_t))
    take_ready (l, link, &f);
  else if (f.kind == OMEN_PACKET_DONE && f.size && l->at[link] < l->count)
    take_answer (l, link, &f);
  else
    lose_link (l, link);
  omen_free (f.data);
}

/* Coordinate until all portions are done. */
static void
lead (leading *l, struct pollfd *fds)
{
  size_t links = l->share->ranks->links.count;
  char rung[64];
  while (!all_done (l)) {
    for (size_t i = 0; i < links; i++)
      fds[i]
          = (struct pollfd){ l->share->ranks->links.data[i].socket, POLLIN, 0 };
    fds[links] = (struct pollfd){ l->bell[0], POLLIN, 0 };
    if (poll (fds, links + 1, -1) < 0)
      continue;
    for (size_t i = 0; i < links; i++)
      if (fds[i].revents)
        take_packet (l, i);
    if (fds[links].revents)
      (void)!read (l->bell[0], rung, sizeof rung);
  }
}

/* Send the answers of all portions, each after its size. */
static void
send_all (leading *l)
{
  char *data = NULL;
  size_t size;
  FILE *to = open_memstream (&data, &size);
  OMEN_REQUIRE (to);
  for (size_t i = 0; i < l->count; i++) {
    uint64_t its = l->portions[i].size;
    fwrite (&its, sizeof its, 1, to);
    fwrite (l->portions[i].answer, 1, its, to);
  }
  OMEN_REQUIRE (!fclose (to));
  for (size_t i = 0; i < l->share->ranks->links.count; i++) {
    int socket = l->share->ranks->links.data[i].socket;
    if (socket >= 0
        && !omen_packet_send (socket, OMEN_PACKET_ALL, l->share->steps, data,
                              size))
      lose_link (l, i);
  }
  free (data);
}

static void
make_portions (leading *l)
{
  size_t links = l->share->ranks->links.count;
  uint32_t pieces = l->work->pieces, first = 0;
  uint32_t size = pieces / (uint32_t)(PORTIONS_A_RANK * (links + 1)) + 1;
  l->count = (pieces + size - 1) / size;
  l->portions = omen_zalloc (l->count, sizeof *l->portions);
  for (size_t i = 0; i < l->count; i++, first += size)
    l->portions[i]
        = (portion){ .first = first,
                     .end = pieces - first < size ? pieces : first + size };
  l->at = omen_alloc ((links + 1) * sizeof *l->at);
  for (size_t i = 0; i < links; i++)
    l->at[i] = l->count;
}

static void
run_leading (omen_ranks_share *share, const omen_share_work *work)
{
  leading l = { .share = share,
                .work = work,
                .lock = PTHREAD_MUTEX_INITIALIZER,
                .changed = PTHREAD_COND_INITIALIZER };
  struct pollfd *fds = omen_zalloc (share->ranks->links.count + 1, sizeof *fds);
  pthread_t own;
  make_portions (&l);
  OMEN_REQUIRE (!pipe2 (l.bell, O_CLOEXEC));
  if (pthread_create (&own, NULL, do_own, &l))
    do_own (&l); /* other ranks have to wait then */
  else {
    lead (&l, fds);
    pthread_join (own, NULL);
  }
  send_all (&l);
  for (size_t i = 0; i < l.count; i++) {
    take_archived (work, l.portions[i].answer, l.portions[i].size);
    free (l.portions[i].answer);
  }
  close (l.bell[0]);
  close (l.bell[1]);
  omen_free (l.portions);
  omen_free (l.at);
  omen_free (fds);
}

/* ---- the others ---- */

static void
do_portion (const omen_ranks_share *share, const omen_share_work *work,
            const omen_packet *f)
{
  span its;
  char *data;
  size_t size;
  memcpy (&its, f->data, sizeof its);
  OMEN_REQUIRE (its.first < its.end && its.end <= work->pieces);
  compute_answer (work, its.first, its.end, &data, &size);
  omen_packet_send (share->ranks->links.data[0].socket, OMEN_PACKET_DONE,
                    share->steps, data, size);
  free (data);
}

static void
take_all (const omen_share_work *work, const omen_packet *f)
{
  for (uint64_t at = 0; at < f->size;) {
    uint64_t size;
    memcpy (&size, f->data + at, sizeof size);
    take_archived (work, f->data + at + sizeof size, size);
    at += sizeof size + size;
  }
}

static void
run_helping (omen_ranks_share *share, const omen_share_work *work)
{
  uint64_t key = key_of_work (work);
  int socket = share->ranks->links.data[0].socket;
  omen_packet_send (socket, OMEN_PACKET_READY, share->steps, &key, sizeof key);
  for (;;) {
    omen_packet f;
    if (!omen_packet_get (socket, &f, NULL))
      _exit (0);
    bool all = f.kind == OMEN_PACKET_ALL;
    if (f.kind == OMEN_PACKET_WORK && f.size == sizeof (span))
      do_portion (share, work, &f);
    else if (all)
      take_all (work, &f);
    omen_free (f.data);
    if (all)
      return;
  }
}

/* ---- all of them ---- */

static void
share_run (omen_share *its, const omen_share_work *work)
{
  omen_ranks_share *share = (omen_ranks_share *)its;
  share->steps++;
  if (!work->pieces)
    return;
  if (share->ranks->rank)
    run_helping (share, work);
  else
    run_leading (share, work);
}

void
omen_ranks_share_init (omen_ranks_share *share, omen_ranks *ranks)
{
  *share = (omen_ranks_share){ .share.run = share_run, .ranks = ranks };
}
