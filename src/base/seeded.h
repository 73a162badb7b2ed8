/* Bugs planted on purpose, to see that the tests catch them.

     if (count == n && !OMEN_BUG (7))     bug 7: the count is not looked at

   OMEN_BUG (n) is 0 in everything that is installed. A second copy of the
   sources, built for the tests alone with -DOMEN_SEEDED, has one bug switched
   on at a time through omen_seeded_bug (environment: OMEN_SEEDED_BUG). */
#ifndef OMEN_BASE_SEEDED_H
#define OMEN_BASE_SEEDED_H

#ifdef OMEN_SEEDED
extern int omen_seeded_bug;
#define OMEN_BUG(n) (omen_seeded_bug == (n))
#else
#define OMEN_BUG(n) 0
#endif

#endif
