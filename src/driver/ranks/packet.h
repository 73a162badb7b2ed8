/* What ranks say to each other, over connections: a kind, a number and some
   bytes, whole or not at all. */
#ifndef OMEN_DRIVER_RANKS_PACKET_H
#define OMEN_DRIVER_RANKS_PACKET_H

#include "base/now.h"

#include <stddef.h>
#include <stdint.h>

typedef enum omen_packet_kind {
  /* omen explore */
  OMEN_PACKET_RUN,   /* the plan of a run */
  OMEN_PACKET_ENDED, /* how it ended, and its files */
  /* omen predict: `number` counts what is shared */
  OMEN_PACKET_READY, /* who am I, and what do I ask? */
  OMEN_PACKET_WORK,  /* from which piece to which */
  OMEN_PACKET_DONE,  /* … and what came of it */
  OMEN_PACKET_ALL,   /* what came of all pieces */
  OMEN_PACKET_KINDS
} omen_packet_kind;

typedef struct omen_packet {
  omen_packet_kind kind;
  uint32_t number;
  uint64_t size;
  char *data; /* omen_free it; a 0 follows */
} omen_packet;

/* False: the other end is gone. */
bool omen_packet_send (int socket, omen_packet_kind kind, uint32_t number,
                       const void *data, size_t size);
/* The same, or *stop is set. */
bool omen_packet_get (int socket, omen_packet *frame,
                      const omen_stop_flag *stop);

#endif
