/* An empty runtime: a program linked with it behaves as the plain one. For
   programs linked with -static, which cannot be recorded. */
#include "wire/abi.h"

#include <omen-module.h>

#define __OMEN__ 1 /* the annotations are functions of ours */
#include <omen.h>

uint32_t __omen_disabled = 1;
uint32_t __omen_loops;

void
__omen_loop (void *block, ...)
{
}

void
omen_note_taken (uint64_t a, uint64_t b, omen_site *site)
{
  __omen_cursor = OMEN_CURSOR_DISABLED;
}

void
__omen_lane (const volatile void *addr, uint64_t value, omen_site *site)
{
}

uint64_t
__omen_atomic_peek (const volatile void *addr)
{
  return 0;
}

uint32_t
__omen_atomic_load (const volatile void *addr, uint64_t value, omen_site *site,
                    uint64_t ticket)
{
  return 1;
}

uint64_t
__omen_atomic_begin (const volatile void *addr)
{
  return 0;
}

void
__omen_atomic_store (const volatile void *addr, uint64_t value, omen_site *site,
                     uint64_t ticket)
{
}

void
__omen_atomic_rmw (const volatile void *addr, uint64_t old, uint64_t value,
                   omen_site *site, uint64_t ticket)
{
}

void
__omen_atomic_cas (const volatile void *addr, uint64_t old, uint64_t value,
                   omen_site *site, uint64_t ticket, uint32_t done)
{
}

void
__omen_atomic_wide (const volatile void *addr, omen_site *site, uint64_t ticket,
                    uint64_t old_low, uint64_t old_high, uint64_t low,
                    uint64_t high, uint32_t done)
{
}

void
__omen_memcpy (void *to, const void *from, uint64_t size, omen_site *site,
               uint32_t what)
{
  __builtin_memcpy (to, from, size);
}

void
__omen_memmove (void *to, const void *from, uint64_t size, omen_site *site,
                uint32_t what)
{
  __builtin_memmove (to, from, size);
}

void
__omen_memset (void *to, uint32_t byte, uint64_t size, omen_site *site)
{
  __builtin_memset (to, (int)byte, size);
}

void *
__omen_out (const volatile void *callee, void *slot, uint32_t direct)
{
  uint64_t home = direct ? OMEN_SLOT_HOME : (uintptr_t)callee;
  __atomic_store_n ((uint64_t *)slot, home, __ATOMIC_RELAXED);
  return NULL;
}

void
__omen_in (void *library)
{
}

void
__omen_back (void *library)
{
}

/* There are no monitors to run. */
uint32_t __omen_moments;

void
__omen_moment (void *moment, const void *values)
{
}

/* The functions of include/omen.h, so that programs link. */
#pragma GCC visibility push(default)

void
__omen_note_begin (const char *label)
{
}

void
__omen_note_end (const char *label)
{
}

void
__omen_note_before (const volatile void *addr)
{
}

void
__omen_note_after (const volatile void *addr)
{
}

void
__omen_note_ignore_begin (void)
{
}

void
__omen_note_ignore_end (void)
{
}

void
__omen_note_dead (const volatile void *p)
{
}

void
__omen_note_event (const char *text, unsigned count, unsigned pointers,
                   unsigned long long a, unsigned long long b,
                   unsigned long long c, unsigned long long d,
                   unsigned long long e, unsigned long long f,
                   unsigned long long g, unsigned long long h)
{
}

void
__omen_module_add (omen_spec_module *module)
{
}

void
omen_message (const char *format, ...)
{
}

#pragma GCC visibility pop
