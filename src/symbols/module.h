/* One module of a recorded program, by libdw.

     omen_elf *elf = omen_elf_open (path, build_id, base);     NULL: not there
     omen_elf_code (elf, pc, frames, &count);
     omen_elf_objects (elf, visit, data);
     omen_elf_close (elf);                                                    */
#ifndef OMEN_SYMBOLS_MODULE_H
#define OMEN_SYMBOLS_MODULE_H

#include "base/defs.h"

typedef struct omen_elf omen_elf;

/* Strings are valid until the module is closed; NULL if unknown. */
typedef struct omen_elf_frame {
  const char *function, *file;
  unsigned line;
} omen_elf_frame;

enum { OMEN_ELF_FRAMES = 32 };

/* `build_id` in hexadecimal (NULL: any); `base`: load address. */
omen_elf *omen_elf_open (const char *path, const char *build_id, uint64_t base);
void omen_elf_close (omen_elf *elf);

/* The call that returns to the address, and the functions it is inlined into,
   innermost first; returns how many. */
unsigned omen_elf_code (omen_elf *elf, uint64_t address,
                        omen_elf_frame frames[OMEN_ELF_FRAMES]);

/* Was some of it compiled by omen cc? */
bool omen_elf_is_woven (omen_elf *elf);

/* Visit every source file of every unit: its name in frames, and its path. */
typedef void (*omen_elf_visit_source) (void *data, const char *name,
                                       const char *path);
void omen_elf_sources (omen_elf *elf, omen_elf_visit_source visit, void *data);

/* Visit every writable variable with a static address. `confined`: only woven
   code that names the variable can write it. */
typedef void (*omen_elf_visit) (void *data, const char *name, uint64_t address,
                                uint64_t size, bool confined);
void omen_elf_objects (omen_elf *elf, omen_elf_visit visit, void *data);

/* Visit every thread-local variable of a program (not of a library); its
   address is the distance below the thread pointer. */
void omen_elf_thread_locals (omen_elf *elf, omen_elf_visit visit, void *data);

#endif
