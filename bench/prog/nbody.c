/* Bodies that attract each other; a barrier parts computing from moving.

     nbody [THREADS [STEPS]]

   Prints the sum of the positions. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 400 };

static struct body {
  double x, y, z, vx, vy, vz, mass;
} bodies[BODIES];
static pthread_barrier_t barrier;
static int threads, steps;

static void
attract (struct body *to, const struct body *from)
{
  double dx = from->x - to->x, dy = from->y - to->y, dz = from->z - to->z;
  double square = dx * dx + dy * dy + dz * dz + 0.01;
  double force = from->mass / (square * sqrt (square));
  to->vx += dx * force;
  to->vy += dy * force;
  to->vz += dz * force;
}

static void
move (struct body *b)
{
  b->x += b->vx * 0.001;
  b->y += b->vy * 0.001;
  b->z += b->vz * 0.001;
}

static void *
simulate (void *arg)
{
  int first = (int)(intptr_t)arg;
  for (int step = 0; step < steps; step++) {
    for (int i = first; i < BODIES; i += threads)
      for (int j = 0; j < BODIES; j++)
        if (i != j)
          attract (&bodies[i], &bodies[j]);
    pthread_barrier_wait (&barrier);
    for (int i = first; i < BODIES; i += threads)
      move (&bodies[i]);
    pthread_barrier_wait (&barrier);
  }
  return NULL;
}

int
main (int argc, char **argv)
{
  threads = argc > 1 ? atoi (argv[1]) : 4;
  steps = argc > 2 ? atoi (argv[2]) : 300;
  pthread_t *ids = calloc ((size_t)threads, sizeof *ids);
  double sum = 0;
  for (int i = 0; i < BODIES; i++)
    bodies[i] = (struct body){
      .x = i, .y = i * 2 % 7, .z = i * 3 % 11, .mass = 1 + i % 3
    };
  pthread_barrier_init (&barrier, NULL, (unsigned)threads);
  for (int i = 0; i < threads; i++)
    pthread_create (&ids[i], NULL, simulate, (void *)(intptr_t)i);
  for (int i = 0; i < threads; i++)
    pthread_join (ids[i], NULL);
  for (int i = 0; i < BODIES; i++)
    sum += bodies[i].x + bodies[i].y + bodies[i].z;
  printf ("%.6f\n", sum);
  free (ids);
  return 0;
}
