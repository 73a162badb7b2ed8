#ifndef OMEN_NODE_H
#define OMEN_NODE_H

struct node {
  int count;
  struct node *next;
};

static inline void
bump (struct node *n)
{
  n->count++; /* the race */
}

#endif
