/* Messages between ranks: a kind, a number and some bytes, received completely
   or not at all. */
#ifndef OMEN_DRIVER_RANKS_PACKET_H
#define OMEN_DRIVER_RANKS_PACKET_H

#include "base/now.h"

#include <stddef.h>
#include <stdint.h>

typedef enum omen_packet_kind {
  /* omen explore */
  OMEN_PACKET_RUN,   /* the plan of a run */
  OMEN_PACKET_ENDED, /* its result and files */
  /* omen predict: `number` is that of the shared step */
  OMEN_PACKET_READY, /* sent by a rank: ready, with the key of its work */
  OMEN_PACKET_WORK,  /* a range of pieces */
  OMEN_PACKET_DONE,  /* … and its result */
  OMEN_PACKET_ALL,   /* the results of all pieces */
  OMEN_PACKET_KINDS
} omen_packet_kind;

typedef struct omen_packet {
  omen_packet_kind kind;
  uint32_t number;
  uint64_t size;
  char *data; /* followed by a NUL; caller frees */
} omen_packet;

/* False: the connection is closed. */
bool omen_packet_send (int socket, omen_packet_kind kind, uint32_t number,
                       const void *data, size_t size);
/* False: the connection is closed, or *stop is set. */
bool omen_packet_get (int socket, omen_packet *frame,
                      const omen_stop_flag *stop);

#endif
