/* A binary search tree under one global lock.

     tree [THREADS [OPERATIONS-PER-THREAD]]

   Each thread inserts and looks up keys; prints whether the tree is in order
   and how many keys the threads found that they had put there. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  uint64_t key, hits;
  struct node *left, *right;
};

static struct node *root;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t operations, found;

static struct node **
place (uint64_t key)
{
  struct node **link = &root;
  while (*link && (*link)->key != key)
    link = key < (*link)->key ? &(*link)->left : &(*link)->right;
  return link;
}

static void
insert (uint64_t key)
{
  struct node **link = place (key);
  if (!*link) {
    *link = calloc (1, sizeof **link);
    (*link)->key = key;
  }
  (*link)->hits++;
}

static void *
work (void *arg)
{
  uint64_t seed = (uintptr_t)arg * 0x9e3779b97f4a7c15U + 1, last = 0, mine = 0;
  for (uint64_t i = 0; i < operations; i++) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    uint64_t key = (seed >> 33) % 100000 + 1;
    pthread_mutex_lock (&lock);
    if (i % 4 == 0)
      insert (last = key);
    else
      mine += *place (last) != NULL;
    pthread_mutex_unlock (&lock);
  }
  pthread_mutex_lock (&lock);
  found += mine;
  pthread_mutex_unlock (&lock);
  return NULL;
}

static int
in_order (const struct node *node, uint64_t low, uint64_t high)
{
  return !node
         || (node->key > low && node->key < high
             && in_order (node->left, low, node->key)
             && in_order (node->right, node->key, high));
}

int
main (int argc, char **argv)
{
  int threads = argc > 1 ? atoi (argv[1]) : 4;
  operations = argc > 2 ? strtoull (argv[2], NULL, 10) : 1000000;
  pthread_t *ids = calloc ((size_t)threads, sizeof *ids);
  for (int i = 0; i < threads; i++)
    pthread_create (&ids[i], NULL, work, (void *)(uintptr_t)(i + 1));
  for (int i = 0; i < threads; i++)
    pthread_join (ids[i], NULL);
  printf ("%s, %llu found\n",
          in_order (root, 0, UINT64_MAX) ? "in order" : "BROKEN",
          (unsigned long long)found);
  free (ids);
  return 0;
}
