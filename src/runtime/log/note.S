/* void __omen_note (uint64_t a, uint64_t b, omen_site *site)

   Calls omen_note_taken with the same arguments and keeps every general
   register but r11, as clang's preserve_most wants it. Woven code comes here
   when its buffer is full, so the pushes do not matter. */
	.text
	.globl	__omen_note
	.type	__omen_note, @function
__omen_note:
	.cfi_startproc
	endbr64
	.irp reg, rax, rcx, rdx, rsi, rdi, r8, r9, r10
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register rbp
	andq	$-16, %rsp
	cld
	call	omen_note_taken@PLT
	movq	%rbp, %rsp
	.cfi_def_cfa_register rsp
	popq	%rbp
	.cfi_adjust_cfa_offset -8
	.irp reg, r10, r9, r8, rdi, rsi, rdx, rcx, rax
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	ret
	.cfi_endproc
	.size	__omen_note, . - __omen_note
	.section .note.GNU-stack, "", @progbits
