/* Many small allocations: words built, joined, compared, freed.

     strings [THREADS [WORDS-PER-THREAD]]

   Threads share a table of counts under a lock. Prints words and letters. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 64 };

static uint64_t words, kinds[KINDS], letters;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static char *
make_word (uint64_t seed)
{
  size_t length = 3 + seed % 20;
  char *word = malloc (length + 1);
  for (size_t i = 0; i < length; i++)
    word[i] = (char)('a' + (seed >> i % 40) % 26);
  word[length] = 0;
  return word;
}

static char *
join (const char *a, const char *b)
{
  size_t left = strlen (a), right = strlen (b);
  char *both = malloc (left + right + 2);
  memcpy (both, a, left);
  both[left] = '-';
  memcpy (both + left + 1, b, right + 1);
  return both;
}

static unsigned
digest (const char *word)
{
  unsigned hash = 5381;
  while (*word)
    hash = hash * 33 ^ (unsigned char)*word++;
  return hash % KINDS;
}

static void *
work (void *arg)
{
  uint64_t seed = (uintptr_t)arg;
  char *last = make_word (seed);
  for (uint64_t i = 0; i < words; i++) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    char *word = make_word (seed >> 20), *both = join (last, word);
    unsigned kind = digest (both);
    pthread_mutex_lock (&lock);
    kinds[kind]++;
    letters += strlen (both) & 1;
    pthread_mutex_unlock (&lock);
    free (last);
    free (both);
    last = word;
  }
  free (last);
  return NULL;
}

int
main (int argc, char **argv)
{
  int threads = argc > 1 ? atoi (argv[1]) : 4;
  words = argc > 2 ? strtoull (argv[2], NULL, 10) : 1000000;
  pthread_t *ids = calloc ((size_t)threads, sizeof *ids);
  uint64_t total = 0;
  for (int i = 0; i < threads; i++)
    pthread_create (&ids[i], NULL, work, (void *)(uintptr_t)(i + 1));
  for (int i = 0; i < threads; i++)
    pthread_join (ids[i], NULL);
  for (int i = 0; i < KINDS; i++)
    total += kinds[i];
  printf ("%llu words, %llu odd\n", (unsigned long long)total,
          (unsigned long long)letters);
  free (ids);
  return 0;
}
