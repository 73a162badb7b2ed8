/* pthread_cancel orders threads: what precedes it happens before what the
   cancelled thread does while it unwinds.

     pthread_cleanup_push (omen_cancelled, NULL);
     … a call in which a thread may be cancelled …
     pthread_cleanup_pop (0);

   The object of HAPPENS_BEFORE and HAPPENS_AFTER is the cancelled thread
   (channel.h). */
#ifndef OMEN_RUNTIME_HOOKS_CANCEL_H
#define OMEN_RUNTIME_HOOKS_CANCEL_H

/* The calling thread unwinds: logged once, by the first caller. */
void omen_cancelled (void *unused);
/* pthread_testcancel, which notes it. */
void omen_cancel_test (void);

#endif
