/* The two passes. */
#include "weave/depend.h"
#include "weave/plan.h"

#include <llvm-c/Analysis.h>
#include <stdlib.h>
#include <string.h>

/* OMEN_WEAVE in the environment, a list of words: `attributes` (set by omen cc:
   clang has put sanitize_thread on functions, so one without it is marked
   no_sanitize("thread")), `no-markers`, `calls` (every note is a call, as in
   unoptimised code; for comparison), `depend` (find dependences; omen cc
   --depend), `only-events` (property events and nothing else). */
bool
omen_weave_option (const char *word)
{
  const char *words = secure_getenv ("OMEN_WEAVE");
  return words && strstr (words, word);
}

bool
omen_weave_is_woven (const omen_weave *w, LLVMValueRef function)
{
  return !LLVMIsDeclaration (function)
         && LLVMGetLinkage (function) != LLVMAvailableExternallyLinkage
         && !omen_weave_has (w, function, OMEN_ATTR_DISABLE)
         && !omen_weave_has (w, function, OMEN_ATTR_NAKED);
}

static bool
any_chosen (const omen_weave *w)
{
  for (LLVMValueRef f = LLVMGetFirstFunction (w->module); f;
       f = LLVMGetNextFunction (f))
    if (omen_weave_has (w, f, OMEN_ATTR_SANITIZE_THREAD))
      return true;
  return false;
}

/* Keeps the optimiser from merging calls on different lines. */
static void
keep_calls_apart (omen_weave *w, LLVMValueRef function)
{
  LLVMAttributeRef nomerge = LLVMCreateEnumAttribute (
      w->context, w->attributes[OMEN_ATTR_NOMERGE], 0);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i))
      if (LLVMIsACallInst (i) && !LLVMIsAIntrinsicInst (i))
        LLVMAddCallSiteAttribute (i, LLVMAttributeFunctionIndex, nomerge);
}

/* Module metadata: the attributes are the weaver's, not clang's. */
static const char all_chosen[] = "omen.all";

bool
omen_weave_markers (LLVMModuleRef module, bool in_line)
{
  omen_weave w;
  omen_weave_plan plan;
  bool only_events = omen_weave_option ("only-events");
  omen_weave_init (&w, module);
  omen_plan_read (&plan);
  w.plan = &plan;
  bool all = !omen_weave_option ("attributes") && !any_chosen (&w);
  if (all)
    LLVMGetOrInsertNamedMetadata (module, all_chosen, strlen (all_chosen));
  bool markers = !only_events && !omen_weave_option ("no-markers");
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f;
       f = LLVMGetNextFunction (f)) {
    if (LLVMIsDeclaration (f))
      continue;
    if (all)
      omen_weave_give (&w, f, OMEN_ATTR_SANITIZE_THREAD);
    omen_weave_take (&w, f, OMEN_ATTR_MEMORY);
    keep_calls_apart (&w, f);
    omen_weave_join_points (&w, f);
    if (in_line && !only_events
        && omen_weave_has (&w, f, OMEN_ATTR_SANITIZE_THREAD))
      omen_weave_hide (&w, f);
    if (markers)
      omen_weave_mark (&w, f);
  }
  omen_weave_watched (&w);
  omen_plan_fini (&plan);
  omen_weave_fini (&w);
  return true;
}

static void
weave_call (omen_weave *w, LLVMValueRef call)
{
  enum omen_intrinsic what = omen_weave_intrinsic (w, call);
  if (omen_weave_is_loop_note (call)) {
    omen_weave_loop_note (w, call);
    return;
  }
  switch (what) {
  case OMEN_IN_MEMCPY:
  case OMEN_IN_MEMCPY_INLINE:
  case OMEN_IN_MEMMOVE:
    omen_weave_copy (w, call);
    return;
  case OMEN_IN_MEMSET:
  case OMEN_IN_MEMSET_INLINE:
    omen_weave_fill (w, call);
    return;
  case OMEN_IN_MASKED_LOAD:
  case OMEN_IN_MASKED_STORE:
  case OMEN_IN_GATHER:
  case OMEN_IN_SCATTER:
    omen_weave_lanes (w, call, what);
    return;
  default:
    break;
  }
  if (!LLVMIsAInlineAsm (LLVMGetCalledValue (call)))
    omen_weave_arguments (w, call);
  else if (LLVMIsACallInst (call))
    omen_weave_assembly (w, call);
}

static void
weave_instruction (omen_weave *w, LLVMValueRef i, bool plain)
{
  omen_depend_at (w, i);
  if (omen_weave_marker (w, i) != OMEN_MARKS)
    omen_weave_lower (w, i);
  else if (omen_weave_is_atomic (i))
    omen_weave_atomic (w, i);
  else if (!plain)
    return;
  else if (LLVMIsALoadInst (i))
    omen_weave_load (w, i);
  else if (LLVMIsAStoreInst (i))
    omen_weave_store (w, i);
  else if (LLVMIsACallInst (i) || LLVMIsAInvokeInst (i))
    weave_call (w, i);
}

/* Analyses of a function that must precede the weaving of any. */
static void
prepare_function (omen_weave *w, LLVMValueRef function)
{
  omen_weave_gather (w, function);
  omen_weave_find_unshared (w, function);
  omen_weave_trim (w, function);
}

/* Weaving adds instructions and splits blocks, so instructions are collected
   first. */
static void
weave_function (omen_weave *w, LLVMValueRef function, bool in_line)
{
  omen_weave_list work = { 0 }, leaves = { 0 }, replaced = { 0 };
  bool sanitized = omen_weave_has (w, function, OMEN_ATTR_SANITIZE_ADDRESS);
  bool copy = omen_shim_is_plain_copy (function);
  bool plain = omen_weave_has (w, function, OMEN_ATTR_SANITIZE_THREAD);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i)) {
      omen_weave_list_add (&work, i);
      if (plain)
        omen_weave_find_use (w, i);
      if (!copy && omen_weave_may_leave (w, i))
        omen_weave_list_add (&leaves, i);
      if (sanitized && omen_weave_is_replaced (i))
        omen_weave_list_add (&replaced, i);
    }
  omen_weave_find_levels (w, function);
  if (plain)
    omen_weave_stack (w, function);
  for (size_t i = 0; i < work.count; i++)
    weave_instruction (w, work.items[i], plain);
  omen_weave_list_fini (&work);
  omen_weave_map_fini (&w->uses);
  if (in_line && !omen_weave_has (w, function, OMEN_ATTR_OPTNONE)) {
    omen_weave_tails (w, function);
    omen_weave_blocks (w, function);
  }
  for (size_t i = 0; i < leaves.count; i++)
    omen_weave_leave (w, leaves.items[i]);
  omen_weave_list_fini (&leaves);
  for (size_t i = 0; i < replaced.count; i++)
    omen_weave_replaced (w, replaced.items[i]);
  omen_weave_list_fini (&replaced);
  if (!copy)
    omen_weave_callback (w, function);
  omen_weave_take (w, function, OMEN_ATTR_MEMORY);
  OMEN_CHECK (!LLVMVerifyFunction (function, LLVMPrintMessageAction));
}

/* A function's uninstrumented copy (plain_copy.cpp). */
static void
weave_plain (omen_weave *w, LLVMValueRef function)
{
  LLVMValueRef next;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i; i = next) {
      next = LLVMGetNextInstruction (i);
      if (omen_weave_marker (w, i) != OMEN_MARKS)
        omen_weave_unmark (w, i);
    }
  weave_function (w, function, false);
}

/* If the attributes are clang's, its own thread sanitizer runs after the
   weaver: it must find no function to instrument and no constructor to add. */
static void
stop_thread_sanitizer (omen_weave *w)
{
  static const char constructor[] = "tsan.module_ctor";
  bool ours = LLVMGetNamedMetadata (w->module, all_chosen, strlen (all_chosen));
  for (LLVMValueRef f = LLVMGetFirstFunction (w->module); f;
       f = LLVMGetNextFunction (f)) {
    omen_weave_take (w, f, OMEN_ATTR_SANITIZE_THREAD);
    if (!ours && !LLVMIsDeclaration (f))
      omen_weave_give (w, f, OMEN_ATTR_DISABLE);
  }
  if (!ours && !LLVMGetNamedFunction (w->module, constructor))
    LLVMAddFunction (w->module, constructor,
                     LLVMFunctionType (w->none, NULL, 0, false));
}

static void
sign (omen_weave *w, const char *name, const char *words)
{
  LLVMValueRef text
      = LLVMConstStringInContext2 (w->context, words, strlen (words), false);
  LLVMValueRef global = LLVMAddGlobal (w->module, LLVMTypeOf (text), name);
  LLVMSetInitializer (global, text);
  LLVMSetLinkage (global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant (global, true);
  LLVMSetSection (global, OMEN_ABI_SECTION);
  omen_shim_keep (w->module, global);
}

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF (name)

/* A word with the address of a symbol that only runtimes of this ABI version
   have, so that linking others fails. It is writable, since the linker might
   resolve a constant by a copy relocation. */
static void
need_runtime (omen_weave *w)
{
  LLVMTypeRef byte = LLVMInt8TypeInContext (w->context);
  LLVMValueRef needed
      = LLVMAddGlobal (w->module, byte, TEXT (OMEN_ABI_NEED (OMEN_ABI_AGE)));
  LLVMValueRef global
      = LLVMAddGlobal (w->module, LLVMTypeOf (needed), "__omen_needs");
  LLVMSetInitializer (global, needed);
  LLVMSetLinkage (global, LLVMPrivateLinkage);
  omen_shim_keep (w->module, global);
}

bool
omen_weave_accesses (LLVMModuleRef module, bool in_line)
{
  omen_weave w;
  if (LLVMGetNamedGlobal (module, "__omen_abi"))
    return false;
  omen_weave_init (&w, module);
  bool only_events = omen_weave_option ("only-events");
  in_line = in_line && !omen_weave_option ("calls");
  omen_weave_unhide (&w);
  omen_weave_find_unshared_globals (&w);
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f;
       f = LLVMGetNextFunction (f))
    if (!only_events && omen_weave_is_woven (&w, f))
      prepare_function (&w, f);
  if (!only_events)
    omen_weave_list_escaping (&w);
  if (!only_events && omen_weave_option ("depend"))
    omen_depend_find (&w);
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f;
       f = LLVMGetNextFunction (f))
    if (!only_events && omen_weave_is_woven (&w, f)) {
      if (omen_shim_is_plain_copy (f))
        weave_plain (&w, f);
      else
        weave_function (&w, f, in_line);
    }
  omen_weave_lower_join_points (&w);
  omen_shim_switch_plain_copies (module);
  stop_thread_sanitizer (&w);
  sign (&w, "__omen_abi", OMEN_ABI_TEXT);
  if (only_events)
    sign (&w, "__omen_only_events", OMEN_ABI_ONLY_EVENTS);
  need_runtime (&w);
  omen_weave_fini (&w);
  return true;
}
