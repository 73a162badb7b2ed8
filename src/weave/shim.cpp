// The C++ side of the weaver: registration with clang's pass builder, and
// functions that LLVM-C lacks. Everything else is C (weave.h).
#include "weave/passes.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include <llvm/Support/Path.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" {
bool omen_weave_option (const char *word);
bool omen_weave_markers (LLVMModuleRef module, bool in_line);
bool omen_weave_accesses (LLVMModuleRef module, bool in_line);
void omen_shim_keep (LLVMModuleRef module, LLVMValueRef global);
LLVMBasicBlockRef omen_shim_split (LLVMValueRef at);
void omen_shim_forget_way (LLVMBasicBlockRef block, LLVMBasicBlockRef from);
LLVMValueRef omen_shim_strip (LLVMModuleRef module, LLVMValueRef pointer,
                              int64_t *offset);
void omen_shim_visit_blocks (LLVMValueRef function,
                             void (*visit) (void *data,
                                            LLVMBasicBlockRef block),
                             void *data);
void omen_shim_join (LLVMValueRef *values, LLVMBasicBlockRef *blocks,
                     unsigned count, const LLVMBasicBlockRef *own,
                     unsigned own_count);
void omen_shim_demangle (const char *name, char *text, size_t room);
void omen_shim_place (LLVMMetadataRef location, char *function, char *file,
                      size_t room);
LLVMMetadataRef omen_shim_local (LLVMValueRef local, char *name, size_t room);
bool omen_shim_function (const char *linkage, char *name, size_t room,
                         char *parameters, size_t parameters_room);
LLVMValueRef omen_shim_after_invoke (LLVMValueRef invoke);
bool omen_shim_is_elsewhere (LLVMValueRef function);
bool omen_shim_is_pure (LLVMValueRef call);
}

void
omen_shim_keep (LLVMModuleRef module, LLVMValueRef global)
{
  llvm::appendToUsed (*llvm::unwrap (module),
                      llvm::unwrap<llvm::GlobalValue> (global));
}

LLVMBasicBlockRef
omen_shim_split (LLVMValueRef at)
{
  llvm::Instruction *instruction = llvm::unwrap<llvm::Instruction> (at);
  llvm::BasicBlock *block = instruction->getParent ();
  return llvm::wrap (block->splitBasicBlock (instruction));
}

void
omen_shim_forget_way (LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
  llvm::unwrap (block)->removePredecessor (llvm::unwrap (from));
}

void
omen_shim_visit_blocks (LLVMValueRef function,
                        void (*visit) (void *data, LLVMBasicBlockRef block),
                        void *data)
{
  llvm::ReversePostOrderTraversal<llvm::Function *> order (
      llvm::unwrap<llvm::Function> (function));
  for (llvm::BasicBlock *block : order)
    visit (data, llvm::wrap (block));
}

void
omen_shim_join (LLVMValueRef *values, LLVMBasicBlockRef *blocks, unsigned count,
                const LLVMBasicBlockRef *own, unsigned own_count)
{
  llvm::Value *first = llvm::unwrap (values[0]);
  llvm::SmallVector<llvm::Use *, 16> uses;
  llvm::SSAUpdater updater;
  for (llvm::Use &use : first->uses ()) {
    auto *user = llvm::cast<llvm::Instruction> (use.getUser ());
    if (!llvm::is_contained (llvm::ArrayRef (own, own_count),
                             llvm::wrap (user->getParent ())))
      uses.push_back (&use);
  }
  if (uses.empty ())
    return;
  updater.Initialize (first->getType (), "");
  for (unsigned i = 0; i < count; i++)
    updater.AddAvailableValue (llvm::unwrap (blocks[i]),
                               llvm::unwrap (values[i]));
  for (llvm::Use *use : uses)
    updater.RewriteUse (*use);
}

LLVMValueRef
omen_shim_strip (LLVMModuleRef module, LLVMValueRef pointer, int64_t *offset)
{
  llvm::APInt sum (64, 0);
  llvm::Value *value
      = llvm::unwrap (pointer)->stripAndAccumulateConstantOffsets (
          llvm::unwrap (module)->getDataLayout (), sum, true);
  *offset = sum.getSExtValue ();
  return llvm::wrap (value);
}

void
omen_shim_demangle (const char *name, char *text, size_t room)
{
  std::snprintf (text, room, "%s", llvm::demangle (name).c_str ());
}

/* Relative to the folder of the compiler, or one around it; but the files of
   the system by their path, also where that is below such a folder. */
static std::string
file_of (const llvm::DIScope *scope)
{
  llvm::StringRef name = scope->getFilename ();
  llvm::SmallString<256> path = scope->getDirectory ();
  path += "/";
  path += name;
  if (name.starts_with ("/")
      || !(path.starts_with ("/usr/include/")
           || path.starts_with ("/usr/lib/")))
    path = name;
  if (path.starts_with ("/usr/"))
    llvm::sys::path::remove_dots (path, true);
  return path.str ().str ();
}

void
omen_shim_place (LLVMMetadataRef location, char *function, char *file,
                 size_t room)
{
  auto *place = llvm::cast<llvm::DILocation> (llvm::unwrap (location));
  llvm::DISubprogram *in = place->getScope ()->getSubprogram ();
  std::string name = in->getLinkageName ().empty ()
                         ? in->getName ().str ()
                         : llvm::demangle (in->getLinkageName ());
  std::snprintf (function, room, "%s\n%s\n%u", name.c_str (),
                 file_of (in).c_str (), in->getLine ());
  std::snprintf (file, room, "%s", file_of (place->getScope ()).c_str ());
}

/* The record of a variable, in either form that LLVM 19 has for it. */
template <typename Record>
static LLVMMetadataRef
read_variable (Record *record, char *name, size_t room)
{
  llvm::DILocalVariable *variable = record->getVariable ();
  const llvm::DILocation *at = record->getDebugLoc ();
  std::snprintf (name, room, "%s", variable->getName ().str ().c_str ());
  return llvm::wrap (llvm::DILocation::get (
      variable->getContext (), variable->getLine (), 0, variable->getScope (),
      at ? at->getInlinedAt () : nullptr));
}

/* Is the local where the variable is? Else it is the variable's value, as that
   of `this` in a function that is inlined. */
static bool
is_place (const llvm::DbgVariableRecord *record, const llvm::Value *local)
{
  return record->isDbgAssign ()
             ? record->getAddress () == local
             : record->isAddressOfVariable ()
                   || record->getExpression ()->startsWithDeref ();
}

static bool
is_place (const llvm::DbgVariableIntrinsic *record, const llvm::Value *local)
{
  auto *assign = llvm::dyn_cast<llvm::DbgAssignIntrinsic> (record);
  return assign ? assign->getAddress () == local
                : record->isAddressOfVariable ()
                      || record->getExpression ()->startsWithDeref ();
}

template <typename Records>
static typename Records::value_type
likeliest (const Records &records, const llvm::Value *local)
{
  for (auto *record : records)
    if (is_place (record, local))
      return record;
  return records[0];
}

LLVMMetadataRef
omen_shim_local (LLVMValueRef local, char *name, size_t room)
{
  llvm::SmallVector<llvm::DbgVariableIntrinsic *, 4> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord *, 4> records;
  llvm::findDbgUsers (intrinsics, llvm::unwrap (local), &records);
  if (!records.empty ())
    return read_variable (likeliest (records, llvm::unwrap (local)), name,
                          room);
  if (!intrinsics.empty ())
    return read_variable (likeliest (intrinsics, llvm::unwrap (local)), name,
                          room);
  return nullptr;
}

/* The demangler gives its texts in memory of malloc, which we free. */
static bool
copy_out (char *text, char *to, size_t room)
{
  if (text)
    std::snprintf (to, room, "%s", text);
  std::free (text);
  return text;
}

bool
omen_shim_function (const char *linkage, char *name, size_t room,
                    char *parameters, size_t parameters_room)
{
  llvm::ItaniumPartialDemangler demangler;
  return !demangler.partialDemangle (linkage) && demangler.isFunction ()
         && copy_out (demangler.getFunctionName (nullptr, nullptr), name, room)
         && copy_out (demangler.getFunctionParameters (nullptr, nullptr),
                      parameters, parameters_room);
}

LLVMValueRef
omen_shim_after_invoke (LLVMValueRef invoke)
{
  auto *call = llvm::unwrap<llvm::InvokeInst> (invoke);
  llvm::BasicBlock *next = call->getNormalDest ();
  if (!next->getSinglePredecessor ())
    next = llvm::SplitEdge (call->getParent (), next);
  return llvm::wrap (&*next->getFirstInsertionPt ());
}

/* That the symbol is the module's own is then only known to the linker. */
bool
omen_shim_is_elsewhere (LLVMValueRef function)
{
  auto *f = llvm::unwrap<llvm::Function> (function);
  static const llvm::TargetLibraryInfoImpl library (
      llvm::Triple (f->getParent ()->getTargetTriple ()));
  llvm::LibFunc known;
  if (!f->isDeclarationForLinker () || f->isIntrinsic ()
      || !f->hasDefaultVisibility ()
      || library.getLibFunc (f->getName (), known))
    return false;
  f->setDSOLocal (false);
  return true;
}

bool
omen_shim_is_pure (LLVMValueRef call)
{
  return llvm::unwrap<llvm::CallBase> (call)->doesNotAccessMemory ();
}

namespace {
bool
is_for_speed (llvm::OptimizationLevel level)
{
  return level.getSpeedupLevel () > 0 && level.getSizeLevel () < 2;
}

template <bool (*Weave) (LLVMModuleRef, bool)>
struct Pass : llvm::PassInfoMixin<Pass<Weave> > {
  bool in_line;
  explicit Pass (llvm::OptimizationLevel level) : in_line (is_for_speed (level))
  {
  }
  llvm::PreservedAnalyses
  run (llvm::Module &module, llvm::ModuleAnalysisManager &)
  {
    return Weave (llvm::wrap (&module), in_line)
               ? llvm::PreservedAnalyses::none ()
               : llvm::PreservedAnalyses::all ();
  }
  static bool
  isRequired ()
  {
    return true;
  }
};

void
hook_into (llvm::PassBuilder &builder)
{
  builder.registerPipelineStartEPCallback (
      [] (llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
        if (!omen_weave_option ("only-events"))
          passes.addPass (omen::Allocated ());
        passes.addPass (Pass<omen_weave_markers> (level));
      });
  builder.registerOptimizerLastEPCallback ([] (llvm::ModulePassManager &passes,
                                               llvm::OptimizationLevel level) {
    bool in_line = is_for_speed (level) && !omen_weave_option ("calls")
                   && !omen_weave_option ("only-events");
    // no copies with `depend`, which would analyse them, too
    if (in_line && !omen_weave_option ("depend"))
      passes.addPass (omen::PlainCopies ());
    if (!level.getSizeLevel () && in_line && !omen_weave_option ("depend"))
      passes.addPass (llvm::createModuleToFunctionPassAdaptor (omen::Whole ()));
    if (level.getSpeedupLevel () > 1 && !level.getSizeLevel () && in_line)
      passes.addPass (
          llvm::createModuleToFunctionPassAdaptor (omen::Unroll ()));
    passes.addPass (Pass<omen_weave_accesses> (level));
  });
}
}

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo ()
{
  return { LLVM_PLUGIN_API_VERSION, "omen-weave", OMEN_VERSION, hook_into };
}
