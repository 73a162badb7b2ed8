// omen.h, and what programs already say to others.
//: begin 1
//: end 1
//: hb 4
//: ha 3
//: acq 1
//: rel 1
//: racq 1
//: rrel 1
//? begin(transfer)
//? emit(omen_dead,p=&box)
#include <omen.h>
#include <stdio.h>

void AnnotateHappensBefore (const char *file, int line, const volatile void *at);
void AnnotateHappensAfter (const char *file, int line, const volatile void *at);
void AnnotateRWLockCreate (const char *file, int line, const volatile void *at);
void AnnotateRWLockAcquired (const char *file, int line,
                             const volatile void *at, long writing);
void AnnotateRWLockReleased (const char *file, int line,
                             const volatile void *at, long writing);
void __tsan_acquire (void *at);
void __tsan_release (void *at);
void __tsan_mutex_pre_lock (void *at, unsigned flags);
void __tsan_mutex_post_lock (void *at, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock (void *at, unsigned flags);
void __tsan_mutex_post_unlock (void *at, unsigned flags);

static int box, mine, theirs;

int
main (void)
{
  OMEN_ATOMIC_BEGIN ("transfer");
  OMEN_HAPPENS_BEFORE (&box);
  OMEN_HAPPENS_AFTER (&box);
  OMEN_ATOMIC_END ("transfer");
  OMEN_IGNORE_BEGIN ();
  box = 1;
  OMEN_IGNORE_END ();
  OMEN_EVENT (create, &box, 3);
  OMEN_DEAD (&box);
  AnnotateHappensBefore (__FILE__, __LINE__, &box);
  AnnotateHappensAfter (__FILE__, __LINE__, &box);
  AnnotateRWLockCreate (__FILE__, __LINE__, &mine);
  AnnotateRWLockAcquired (__FILE__, __LINE__, &mine, 0);
  AnnotateRWLockReleased (__FILE__, __LINE__, &mine, 0);
  __tsan_release (&box);
  __tsan_acquire (&box);
  __tsan_mutex_pre_lock (&theirs, 0);
  __tsan_mutex_post_lock (&theirs, 0, 1);
  __tsan_mutex_pre_unlock (&theirs, 0);
  __tsan_mutex_post_unlock (&theirs, 0);
  puts ("told");
  return 0;
}
