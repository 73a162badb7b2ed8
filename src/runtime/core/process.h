/* Identifies a process of a run in a way that is the same in other runs
   (omen_file_process of wire/recording.h).

     omen_process_begin (argv);      once, before anything is written
     omen_process_fork ();           before each fork
     omen_process_forked ();         in its child */
#ifndef OMEN_RUNTIME_CORE_PROCESS_H
#define OMEN_RUNTIME_CORE_PROCESS_H

#include <stdint.h>

typedef struct omen_process {
  uint64_t exact, loose;
} omen_process;

extern omen_process omen_process_mine;

void omen_process_begin (char **argv);
void omen_process_fork (void);
void omen_process_forked (void);

#endif
