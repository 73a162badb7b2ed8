/* Objects compiled with -fsanitize=thread, by gcc or clang, call
   ThreadSanitizer before each access:

     __tsan_write4 (p);     we remember p
     *p = 7;
     __tsan_read4 (q);      … and here, or in any other call of ours, note that
     x = *q;                4 bytes at p were written, 7; then that q is read

   So what is noted as written is what memory holds a little later, and what is
   noted as read is what it held a little earlier: exact where no other thread
   runs meanwhile, that is under a schedule. */
#ifndef OMEN_RUNTIME_HOOKS_TSAN_H
#define OMEN_RUNTIME_HOOKS_TSAN_H

#include "runtime/core/rt.h"

/* Logs the thread's pending write, if there is one: the store has been executed
   by now. Called through omen_enabled (), which every interposed function
   begins with. */
void omen_tsan_settle (void);

#endif
