/* A file that grows, followed: the events as text, in the order told.

     following f;
     following_init (&f);
     following_write (&f, bytes, count);    and read what is new
     following_end (&f);
     f.text                                 "T0 acq 0\nT1 fork 2\n"
     following_fini (&f);

   Locks and threads are ids; functions and labels are names. */
#ifndef OMEN_TEST_FOLLOWING_H
#define OMEN_TEST_FOLLOWING_H

#include "online/follow.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FOLLOWING_TEXT = 65536 };

typedef struct following {
  int fd;
  omen_follow *follow;
  omen_err err;
  char text[FOLLOWING_TEXT];
  size_t used;
  unsigned forgotten;
} following;

static inline void
following_event (void *context, const omen_event *e)
{
  following *f = context;
  char name[64];
  if (e->kind == OMEN_ENTER || e->kind == OMEN_EXIT || e->kind == OMEN_BEGIN
      || e->kind == OMEN_END)
    snprintf (name, sizeof name, "%s",
              omen_follow_name (f->follow,
                                e->kind == OMEN_ENTER || e->kind == OMEN_EXIT
                                    ? OMEN_ENTER
                                    : OMEN_BEGIN,
                                e->object));
  else
    snprintf (name, sizeof name, "%u", e->object);
  f->used += (size_t)snprintf (f->text + f->used, FOLLOWING_TEXT - f->used,
                               "T%u %s %s\n", e->thread,
                               omen_kind_text (e->kind), name);
  OMEN_REQUIRE (f->used < FOLLOWING_TEXT);
}

static inline void
following_forget (void *context, omen_lid lock)
{
  following *f = context;
  (void)lock;
  f->forgotten++;
}

static inline void
following_init (following *f)
{
  omen_follow_sink sink = { following_event, following_forget, f };
  *f = (following){ .fd = memfd_create ("following", 0) };
  OMEN_REQUIRE (f->fd >= 0);
  f->follow = omen_follow_new (dup (f->fd), "made.omen", &sink, &f->err);
}

/* False: it failed. */
static inline bool
following_read (following *f, bool over)
{
  bool more = true, good = true;
  while (more && good)
    good = omen_follow_read (f->follow, over, &more, &f->err);
  return good;
}

static inline bool
following_write (following *f, const void *bytes, size_t count)
{
  OMEN_REQUIRE (write (f->fd, bytes, count) == (ssize_t)count);
  return following_read (f, false);
}

static inline bool
following_end (following *f)
{
  bool good = following_read (f, true);
  if (good)
    omen_follow_finish (f->follow);
  return good;
}

static inline void
following_fini (following *f)
{
  omen_follow_close (f->follow);
  close (f->fd);
}

#endif
