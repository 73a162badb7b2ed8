/* Objects for HAPPENS_BEFORE and HAPPENS_AFTER that are not memory of the
   program: pipes, sockets, signals, the outside. Their addresses lie beyond
   those of any program and are given in the order of first use, since inodes
   differ from run to run.

   One fact can be stored about an object, as a number other than 0, for
   example the count of changes at which it became known. Safe in signal
   handlers; memory is static. When the table is full an object is a hash, and
   no facts are stored about it. */
#ifndef OMEN_RUNTIME_HOOKS_ORDER_OBJECT_H
#define OMEN_RUNTIME_HOOKS_ORDER_OBJECT_H

#include <stdint.h>

enum omen_order_kind {
  OMEN_ORDER_OUTSIDE = 1, /* everything outside this process */
  OMEN_ORDER_NOTHING,     /* has no HAPPENS_BEFORE */
  OMEN_ORDER_SIGNAL,      /* its number */
  OMEN_ORDER_CANCEL,      /* the thread */
  OMEN_ORDER_EXIT,        /* functions registered for the end */
  OMEN_ORDER_EVENTFD,     /* the descriptor's number */
  OMEN_ORDER_PIPE,        /* inode, device */
  OMEN_ORDER_FILE,        /* inode, device */
  OMEN_ORDER_PAIR,        /* inode of the end that writes */
  OMEN_ORDER_SOCKET       /* from, to: hashes of addresses */
};

const void *omen_order_object (enum omen_order_kind kind, uint64_t a,
                               uint64_t b);
/* Its position in the order of first use, from 1 on; 0: it is a hash. And the
   reverse; NULL for 0. */
uint32_t omen_order_nth (const void *object);
const void *omen_order_nth_object (uint32_t nth);
/* 0: nothing. */
uint32_t omen_order_known (const void *object);
void omen_order_know (const void *object, uint32_t since);

#endif
