/* Answers the symbol queries of monitored programs (monitor/symbol_queue.h) in
   a separate thread while they run.

     omen_symbol_server server;
     omen_symbol_server_start (&server, path);    of the tally
     … the program runs …
     omen_symbol_server_stop (&server);

   If it cannot be started, locations are printed as addresses. */
#ifndef OMEN_DRIVER_MODULE_SYMBOL_SERVER_H
#define OMEN_DRIVER_MODULE_SYMBOL_SERVER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct omen_symbol_server {
  struct omen_tally *tally; /* NULL: not started */
  size_t bytes;
  bool stop;
  pthread_t thread;
} omen_symbol_server;

void omen_symbol_server_start (omen_symbol_server *server, const char *path);
void omen_symbol_server_stop (omen_symbol_server *server);

#endif
