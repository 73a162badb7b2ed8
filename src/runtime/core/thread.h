/* The state of threads, for those who make, end and join them. */
#ifndef OMEN_RUNTIME_CORE_THREAD_H
#define OMEN_RUNTIME_CORE_THREAD_H

#include "runtime/core/core.h"

#define OMEN_THREAD_OBJECT(id) ((const volatile void *)(uintptr_t)(id))

/* A new thread: its maker calls new, the thread itself begin. NULL: no memory;
   `parent` NULL: not known. */
omen_self *omen_self_new (omen_self *parent);
bool omen_self_begin (omen_self *self);
void omen_self_drop (omen_self *self); /* it never began */
/* The maker learns the handle of the thread with that id, which libc has put
   at `at`; 0: not known any more. */
pthread_t omen_self_name (omen_self *self, uint32_t id, const pthread_t *at);

/* OMEN_NONE: not one of ours. */
uint32_t omen_self_id_of (pthread_t handle);
/* The same for one who is going to join or detach it; NULL: not one of ours, or
   not yet known to be: then it is after it was `joined`. The state stays until
   unclaim. */
omen_self *omen_self_claim (pthread_t handle, bool joined);
/* It was joined or detached (`over`), or that failed. */
void omen_self_unclaim (omen_self *self, bool over);

#endif
