/* The state of threads, for calls that create, end and join them. */
#ifndef OMEN_RUNTIME_CORE_THREAD_H
#define OMEN_RUNTIME_CORE_THREAD_H

#include "runtime/core/core.h"

#define OMEN_THREAD_OBJECT(id) ((const volatile void *)(uintptr_t)(id))

/* A new thread: its creator calls new, the thread itself begin. NULL: no
   memory; `parent` NULL: not known. */
omen_self *omen_self_new (omen_self *parent);
bool omen_self_begin (omen_self *self);
void omen_self_drop (omen_self *self); /* it never began */
/* The creator learns the handle of the thread with that id, which libc stored
   at `at`; 0: no longer known. */
pthread_t omen_self_name (omen_self *self, uint32_t id, const pthread_t *at);

/* OMEN_NONE: not one of ours. */
uint32_t omen_self_id_of (pthread_t handle);
/* The thread that is about to be joined or detached. NULL: unknown, or not
   known yet; then ask again after it was `joined`. Its state is kept until
   unclaim. */
omen_self *omen_self_claim (pthread_t handle, bool joined);
/* It was joined or detached (`over`), or the call failed. */
void omen_self_unclaim (omen_self *self, bool over);

#endif
