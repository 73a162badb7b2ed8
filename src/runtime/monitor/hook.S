/* A function of a module that stands before one of a library comes here with its
   hook (include/omen-module.h) in r11 and everything else as its caller left it.

     frame, from rbp down     -8 hook, -16 the real function, -24 rax,
                              -72 … -32 rdi rsi rdx rcx r8 r9 in this order,
                              -208 … -80 xmm0 … xmm7
     after the call           -24 rax, -80 rdx, -96 xmm0, -112 xmm1

   omen_hook_enter returns the real function in rax, and in rdx whether its
   return is to be observed. If not, our frame is gone when it runs. If so, it is
   called with a copy of 16 words of arguments on the stack, more than any
   function of a library has. */
#define ARGUMENTS 128

        .text
        .globl  __omen_hook
        .type   __omen_hook, @function
__omen_hook:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq    $208, %rsp
        movq    %r11, -8(%rbp)
        movq    %rax, -24(%rbp)
        movq    %rdi, -72(%rbp)
        movq    %rsi, -64(%rbp)
        movq    %rdx, -56(%rbp)
        movq    %rcx, -48(%rbp)
        movq    %r8, -40(%rbp)
        movq    %r9, -32(%rbp)
        movups  %xmm0, -208(%rbp)
        movups  %xmm1, -192(%rbp)
        movups  %xmm2, -176(%rbp)
        movups  %xmm3, -160(%rbp)
        movups  %xmm4, -144(%rbp)
        movups  %xmm5, -128(%rbp)
        movups  %xmm6, -112(%rbp)
        movups  %xmm7, -96(%rbp)
        movq    %r11, %rdi
        leaq    -72(%rbp), %rsi
        leaq    16(%rbp), %rdx
        movq    8(%rbp), %rcx
        call    omen_hook_enter
        movq    %rax, -16(%rbp)
        movq    %rdx, %r10
        movq    -24(%rbp), %rax
        movq    -72(%rbp), %rdi
        movq    -64(%rbp), %rsi
        movq    -56(%rbp), %rdx
        movq    -48(%rbp), %rcx
        movq    -40(%rbp), %r8
        movq    -32(%rbp), %r9
        movups  -208(%rbp), %xmm0
        movups  -192(%rbp), %xmm1
        movups  -176(%rbp), %xmm2
        movups  -160(%rbp), %xmm3
        movups  -144(%rbp), %xmm4
        movups  -128(%rbp), %xmm5
        movups  -112(%rbp), %xmm6
        movups  -96(%rbp), %xmm7
        testq   %r10, %r10
        jnz     1f
        movq    -16(%rbp), %r11
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        jmp     *%r11
1:
        .cfi_restore_state
        subq    $ARGUMENTS, %rsp
        .set    offset, 0
        .rept   ARGUMENTS / 8
        movq    16+offset(%rbp), %r11
        movq    %r11, offset(%rsp)
        .set    offset, offset + 8
        .endr
        call    *-16(%rbp)
        addq    $ARGUMENTS, %rsp
        movq    %rax, -24(%rbp)
        movq    %rdx, -80(%rbp)
        movups  %xmm0, -96(%rbp)
        movups  %xmm1, -112(%rbp)
        movq    -8(%rbp), %rdi
        leaq    -72(%rbp), %rsi
        leaq    16(%rbp), %rdx
        movq    8(%rbp), %rcx
        movq    %rax, %r8
        call    omen_hook_leave
        movq    -24(%rbp), %rax
        movq    -80(%rbp), %rdx
        movups  -96(%rbp), %xmm0
        movups  -112(%rbp), %xmm1
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   __omen_hook, .-__omen_hook
        .section .note.GNU-stack, "", @progbits
