/* Finds the libc functions that ours replace, without dlsym: that one allocates
   and frees, and so would call ours (or another interposer's, such as
   AddressSanitizer) while the real function is being looked up. Reading the
   symbol tables of the loaded objects needs no memory and takes a microsecond.

   The first object after our own that defines the name counts, in its default
   version, as for RTLD_NEXT. Objects loaded by dlopen come last. */
#include "runtime/core/bytes.h"
#include "runtime/core/core.h"

#include <elf.h>
#include <link.h>

extern const omen_real_slot __start_omen_reals[], __stop_omen_reals[];

typedef struct wanted {
  const char *name;
  uint32_t hash;
  uintptr_t here; /* the address in the object after which the search begins */
  bool past_here;
  void *found;
} wanted;

/* -- One object ---------------------------------------------------------- */

typedef struct symbols {
  uintptr_t base;
  const ElfW (Sym) * table;
  const char *names;
  const uint16_t *versions; /* or NULL */
  const uint32_t *hash;     /* DT_GNU_HASH, or NULL */
} symbols;

static uint32_t
hash_of_symbol (const char *name)
{
  uint32_t hash = 5381;
  for (; *name; name++)
    hash = hash * 33 + (unsigned char)*name;
  return hash;
}

/* glibc has added the load address to these pointers in most objects. */
static const void *
address (uintptr_t base, uintptr_t value)
{
  return (const void *)(value < base ? base + value : value);
}

static symbols
symbols_of (uintptr_t base, const ElfW (Dyn) * dynamic)
{
  symbols s = { .base = base };
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    const void *at = address (base, dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_SYMTAB)
      s.table = at;
    else if (dynamic->d_tag == DT_STRTAB)
      s.names = at;
    else if (dynamic->d_tag == DT_VERSYM)
      s.versions = at;
    else if (dynamic->d_tag == DT_GNU_HASH)
      s.hash = at;
  }
  return s;
}

/* The address of the function. An IFUNC symbol is called to choose one. */
static void *
function_of (const symbols *s, const ElfW (Sym) * symbol)
{
  void *at = (void *)(s->base + symbol->st_value);
  if (ELF64_ST_TYPE (symbol->st_info) == STT_GNU_IFUNC)
    return ((void *(*)(void))at) ();
  return ELF64_ST_TYPE (symbol->st_info) == STT_FUNC ? at : NULL;
}

static bool
is_wanted_symbol (const symbols *s, uint32_t index, const wanted *w)
{
  enum { OLD_VERSION = 0x8000 };
  const ElfW (Sym) *symbol = &s->table[index];
  const char *name = s->names + symbol->st_name;
  size_t length = omen_bytes_length (w->name);
  return symbol->st_shndx != SHN_UNDEF
         && !(s->versions && s->versions[index] & OLD_VERSION)
         && omen_bytes_length (name) == length
         && omen_bytes_equal (name, w->name, length);
}

/* The GNU hash table: sizes, a Bloom filter, buckets, and the hashes of each
   bucket's symbols in a row, the last one marked by bit 0. */
static void *
look_up (const symbols *s, const wanted *w)
{
  const uint32_t buckets = s->hash[0], first = s->hash[1], filter = s->hash[2];
  const uint32_t *bucket = s->hash + 4 + 2 * filter;
  const uint32_t *hashes = bucket + buckets;
  uint32_t index = bucket[w->hash % buckets];
  if (index < first)
    return NULL;
  for (;; index++) {
    uint32_t hash = hashes[index - first];
    if ((hash | 1) == (w->hash | 1) && is_wanted_symbol (s, index, w))
      return function_of (s, &s->table[index]);
    if (hash & 1)
      return NULL;
  }
}

/* -- All objects --------------------------------------------------------- */

static bool
is_in_object (const struct dl_phdr_info *info, uintptr_t here)
{
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && here >= start
        && here < start + part->p_memsz)
      return true;
  }
  return false;
}

static int
visit_module (struct dl_phdr_info *info, size_t size, void *at)
{
  wanted *w = at;
  if (!w->past_here) {
    w->past_here = is_in_object (info, w->here);
    return 0;
  }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_DYNAMIC)
      continue;
    symbols s = symbols_of (info->dlpi_addr,
                            (const void *)(info->dlpi_addr + part->p_vaddr));
    if (s.hash && s.hash[0] && s.table && s.names)
      w->found = look_up (&s, w);
  }
  return w->found != NULL;
}

void *
omen_real_after (const char *name, const void *address)
{
  wanted w = { .name = name,
               .hash = hash_of_symbol (name),
               .here = (uintptr_t)address };
  omen_quiet_begin ();
  dl_iterate_phdr (visit_module, &w);
  omen_quiet_end ();
  return w.found;
}

void *
omen_real_find (const char *name)
{
  return omen_real_after (name, (const void *)(uintptr_t)omen_real_find);
}

/* Undefined symbols have no hash; they come first. */
static int
visit_users (struct dl_phdr_info *info, size_t size, void *at)
{
  wanted *w = at;
  if (is_in_object (info, w->here)
      || is_in_object (info, (uintptr_t)omen_real_find))
    return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *part = &info->dlpi_phdr[i];
    symbols s;
    if (part->p_type != PT_DYNAMIC)
      continue;
    s = symbols_of (info->dlpi_addr,
                    (const void *)(info->dlpi_addr + part->p_vaddr));
    for (uint32_t k = 1; s.hash && s.table && s.names && k < s.hash[1]; k++) {
      const char *name = s.names + s.table[k].st_name;
      size_t length = omen_bytes_length (w->name);
      if (omen_bytes_length (name) == length
          && omen_bytes_equal (name, w->name, length))
        return 1;
    }
  }
  return 0;
}

bool
omen_real_is_used (const char *name, const void *address)
{
  wanted w = { .name = name, .here = (uintptr_t)address };
  return dl_iterate_phdr (visit_users, &w);
}

/* -- the C library -------------------------------------------------------- */

uintptr_t omen_libc_from, omen_libc_size;

static int
look_for_libc (struct dl_phdr_info *info, size_t size, void *at)
{
  uintptr_t inside = *(uintptr_t *)at;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && inside - start < part->p_memsz) {
      omen_libc_from = start;
      omen_libc_size = part->p_memsz;
      return 1;
    }
  }
  return 0;
}

void
omen_real_start (void)
{
  for (const omen_real_slot *s = __start_omen_reals; s < __stop_omen_reals; s++)
    if (!*s->slot)
      *s->slot = omen_real_find (s->name);
  uintptr_t inside = (uintptr_t)omen_real_find ("fclose");
  dl_iterate_phdr (look_for_libc, &inside);
}
