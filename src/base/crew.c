#include "base/crew.h"
#include "base/mem.h"

#include <pthread.h>

void
omen_crew_run (void *workers, size_t size, unsigned count,
               void *(*work) (void *worker))
{
  pthread_t *threads = omen_alloc (count * sizeof *threads);
  unsigned started = 1;
  OMEN_REQUIRE (count > 0 && size > 0);
  for (; started < count; started++)
    if (pthread_create (&threads[started], NULL, work,
                        (char *)workers + started * size))
      break;
  work (workers);
  while (--started > 0) {
    int failed = pthread_join (threads[started], NULL);
    OMEN_ASSERT (!failed);
  }
  omen_free (threads);
}
