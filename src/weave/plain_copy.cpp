// Uninstrumented copies of functions, as the optimiser left them, for processes
// that log no accesses (record --sync-only, a woven program run by itself):
//
//   f:          if (__omen_disabled) return f.plain (...);      what is woven
//   f.plain:    the original code, in which only atomics are woven
//
// __omen_disabled never changes while woven code runs, so plain copies call
// each other directly. Without them each stretch would test the cursor, and
// loops would have been unrolled for notes, which costs a fifth of the time of
// short ones.
#include "weave/passes.h"

#include <llvm-c/Core.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

extern "C" {
bool omen_shim_is_plain_copy (LLVMValueRef function);
void omen_shim_switch_plain_copies (LLVMModuleRef module);
}

namespace {
// Attribute of a copy; its value is the name of the original.
const char of_whom[] = "omen-plain-of";
const char flag[] = "__omen_disabled";

// Arguments in memory that a tail call would have to copy.
bool
is_argument_awkward (const llvm::Argument &argument)
{
  return argument.hasPassPointeeByValueCopyAttr ()
         || argument.hasSwiftErrorAttr ();
}

// It may synchronise, which only woven code logs (range.c).
bool
is_assembly (const llvm::Instruction &i)
{
  auto *call = llvm::dyn_cast<llvm::CallBase> (&i);
  return call && call->isInlineAsm () && call->mayReadOrWriteMemory ();
}

bool
can_be_copied (const llvm::Function &function)
{
  return !function.isDeclaration () && !function.isVarArg ()
         && !function.hasAvailableExternallyLinkage ()
         && llvm::none_of (function.args (), is_argument_awkward)
         && llvm::none_of (function,
                           [] (const llvm::BasicBlock &block) {
                             return block.hasAddressTaken ();
                           })
         && llvm::none_of (llvm::instructions (function), is_assembly);
}

// Cold code has no copy: its speed does not matter.
bool
is_worth_it (const llvm::Function &function)
{
  return function.hasFnAttribute (llvm::Attribute::SanitizeThread)
         && !function.hasFnAttribute (llvm::Attribute::Naked)
         && !function.hasFnAttribute (
             llvm::Attribute::DisableSanitizerInstrumentation)
         && !function.hasFnAttribute (llvm::Attribute::Cold)
         && !function.hasOptNone () && !function.hasOptSize ();
}

llvm::Function *
copy_of (llvm::Function &function)
{
  llvm::ValueToValueMapTy values;
  llvm::Function *copy = llvm::CloneFunction (&function, values);
  copy->setName (function.getName () + ".plain");
  copy->setLinkage (llvm::GlobalValue::InternalLinkage);
  copy->setVisibility (llvm::GlobalValue::DefaultVisibility);
  copy->setComdat (function.getComdat ());
  copy->setDSOLocal (true);
  copy->removeFnAttr (llvm::Attribute::SanitizeThread);
  copy->removeFnAttr (llvm::Attribute::AlwaysInline);
  copy->addFnAttr (llvm::Attribute::NoInline);
  copy->addFnAttr (of_whom, function.getName ());
  return copy;
}

using Copies = llvm::DenseMap<const llvm::Function *, llvm::Function *>;

// Calls copies directly, unless the linker may choose another definition of the
// callee.
void
call_plain_copies (llvm::Function &plain, const Copies &copies)
{
  for (llvm::Instruction &i : llvm::instructions (plain)) {
    auto *call = llvm::dyn_cast<llvm::CallBase> (&i);
    llvm::Function *callee = call ? call->getCalledFunction () : nullptr;
    llvm::Function *copy = callee ? copies.lookup (callee) : nullptr;
    if (copy && !callee->isInterposable () && !callee->hasComdat ())
      call->setCalledFunction (copy);
  }
}

llvm::GlobalVariable *
find_flag (llvm::Module &module)
{
  auto *type = llvm::Type::getInt32Ty (module.getContext ());
  return llvm::cast<llvm::GlobalVariable> (
      module.getOrInsertGlobal (flag, type));
}

// Keeps allocas at the start of the function, where they are static.
llvm::BasicBlock *
put_before (llvm::BasicBlock &body)
{
  auto *head = llvm::BasicBlock::Create (body.getContext (), "",
                                         body.getParent (), &body);
  for (llvm::Instruction &i : llvm::make_early_inc_range (body)) {
    auto *local = llvm::dyn_cast<llvm::AllocaInst> (&i);
    if (local && llvm::isa<llvm::ConstantInt> (local->getArraySize ()))
      local->moveBefore (*head, head->end ());
  }
  return head;
}

void
build_tail_call (llvm::IRBuilder<> &builder, llvm::Function &function,
                 llvm::Function &plain)
{
  llvm::SmallVector<llvm::Value *, 8> arguments;
  for (llvm::Argument &argument : function.args ())
    arguments.push_back (&argument);
  llvm::CallInst *call = builder.CreateCall (&plain, arguments);
  call->setTailCallKind (llvm::CallInst::TCK_MustTail);
  call->setCallingConv (function.getCallingConv ());
  call->setAttributes (
      function.getAttributes ().removeFnAttributes (function.getContext ()));
  if (call->getType ()->isVoidTy ())
    builder.CreateRetVoid ();
  else
    builder.CreateRet (call);
}

void
choose_at_start (llvm::Function &function, llvm::Function &plain)
{
  llvm::BasicBlock &body = function.getEntryBlock ();
  llvm::LLVMContext &context = function.getContext ();
  llvm::BasicBlock *head = put_before (body);
  auto *other = llvm::BasicBlock::Create (context, "", &function, &body);
  llvm::IRBuilder<> builder (head);
  if (llvm::DISubprogram *scope = function.getSubprogram ())
    builder.SetCurrentDebugLocation (
        llvm::DILocation::get (context, scope->getLine (), 0, scope));
  llvm::Value *value = builder.CreateLoad (builder.getInt32Ty (),
                                           find_flag (*function.getParent ()));
  builder.CreateCondBr (builder.CreateIsNotNull (value), other, &body,
                        llvm::MDBuilder (context).createBranchWeights (1, 1));
  builder.SetInsertPoint (other);
  build_tail_call (builder, function, plain);
}
}

llvm::PreservedAnalyses
omen::PlainCopies::run (llvm::Module &module, llvm::ModuleAnalysisManager &)
{
  llvm::SmallVector<llvm::Function *, 32> chosen;
  Copies copies;
  for (llvm::Function &function : module)
    if (is_worth_it (function) && can_be_copied (function))
      chosen.push_back (&function);
  for (llvm::Function *function : chosen)
    copies[function] = copy_of (*function);
  for (llvm::Function *function : chosen)
    call_plain_copies (*copies[function], copies);
  return chosen.empty () ? llvm::PreservedAnalyses::all ()
                         : llvm::PreservedAnalyses::none ();
}

bool
omen_shim_is_plain_copy (LLVMValueRef function)
{
  return llvm::unwrap<llvm::Function> (function)->hasFnAttribute (of_whom);
}

void
omen_shim_switch_plain_copies (LLVMModuleRef module)
{
  for (llvm::Function &plain : *llvm::unwrap (module)) {
    if (!plain.hasFnAttribute (of_whom))
      continue;
    llvm::StringRef name = plain.getFnAttribute (of_whom).getValueAsString ();
    choose_at_start (*plain.getParent ()->getFunction (name), plain);
  }
}
