/* A buffer of text, each operation under its lock. Appending one buffer to another
   asks for the length first and then for so many characters, and the other one may
   become shorter in between.

   buffer [ROUNDS]: so many pages are printed before. */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct buffer {
  pthread_mutex_t lock;
  char text[64];
  int length;
} buffer;

OBJECT (buffer, source, { PTHREAD_MUTEX_INITIALIZER, "abc", 3 })
OBJECT (buffer, target, { .lock = PTHREAD_MUTEX_INITIALIZER })

static int
buffer_length (buffer *b)
{
  pthread_mutex_lock (&b->lock);
  int length = b->length;
  pthread_mutex_unlock (&b->lock);
  return length;
}

static void
buffer_get (buffer *b, char *into, int count)
{
  pthread_mutex_lock (&b->lock);
  if (count > b->length) {
    fprintf (stderr, "%d characters of %d\n", count, b->length);
    abort ();
  }
  memcpy (into, b->text, (size_t)count);
  pthread_mutex_unlock (&b->lock);
}

static void
buffer_truncate (buffer *b, int length)
{
  pthread_mutex_lock (&b->lock);
  b->length = length;
  pthread_mutex_unlock (&b->lock);
}

static void
buffer_append (buffer *to, buffer *from)
{
  pthread_mutex_lock (&to->lock);
  int length = buffer_length (from);
  if (to->length + length <= (int)sizeof to->text) {
    buffer_get (from, to->text + to->length, length);
    to->length += length;
  }
  pthread_mutex_unlock (&to->lock);
}

static void *
writer (void *arg)
{
  work ();
  buffer_append (THE (target), THE (source));
  return arg;
}

static void *
cleaner (void *arg)
{
  work ();
  usleep (20000); /* until the line is old */
  buffer_truncate (THE (source), 0);
  return arg;
}

int
main (int argc, char **argv)
{
  run_both (argc, argv, writer, cleaner);
  printf ("%d characters, %ld pages\n", THE (target)->length, work_done);
  return 0;
}
