/* The runtime must not call what it interposes, least of all memcpy and its
   kin, which compilers call on their own account. So in every file of the
   runtime these names mean functions of ours (plain.c), except in files that
   define OMEN_INTERPOSES first. Unit tests of single files use libc's. */
#ifndef OMEN_RUNTIME_CORE_PLAIN_H
#define OMEN_RUNTIME_CORE_PLAIN_H

#if defined OMEN_RUNTIME && !defined OMEN_INTERPOSES
__asm__ ("memcpy = omen_plain_memcpy\n"
         "memmove = omen_plain_memmove\n"
         "memset = omen_plain_memset\n"
         "memcmp = omen_plain_memcmp\n"
         "strlen = omen_plain_strlen\n"
         "strnlen = omen_plain_strnlen\n"
         "strchr = omen_plain_strchr\n"
         "clock_gettime = omen_plain_clock_gettime\n"
         "syscall = omen_plain_syscall\n");
#endif

#endif
