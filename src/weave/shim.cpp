// The C++ side of the weaver: registration with clang's pass builder, and the
// few things that LLVM-C does not have. Everything else is C (weave.h).
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

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" {
bool omen_weave_markers (LLVMModuleRef module, bool in_line);
bool omen_weave_accesses (LLVMModuleRef module, bool in_line);
void omen_shim_keep (LLVMModuleRef module, LLVMValueRef global);
LLVMBasicBlockRef omen_shim_split (LLVMValueRef at);
LLVMValueRef omen_shim_strip (LLVMModuleRef module, LLVMValueRef pointer,
                              int64_t *offset);
void omen_shim_demangle (const char *name, char *text, size_t room);
void omen_shim_place (LLVMMetadataRef location, char *function, char *file,
                      size_t room);
LLVMMetadataRef omen_shim_local (LLVMValueRef local, char *name, size_t room);
bool omen_shim_function (const char *linkage, char *name, size_t room,
                         char *parameters, size_t parameters_room);
LLVMValueRef omen_shim_after_invoke (LLVMValueRef invoke);
void omen_shim_variable (LLVMValueRef global, uint64_t offset, char *name,
                         char *field, size_t room);
bool omen_shim_field (LLVMValueRef global, const char *name, uint64_t *offset,
                      uint32_t *size, bool *is_signed);
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
                 in->getFilename ().str ().c_str (), in->getLine ());
  std::snprintf (file, room, "%s", place->getFilename ().str ().c_str ());
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

LLVMMetadataRef
omen_shim_local (LLVMValueRef local, char *name, size_t room)
{
  llvm::SmallVector<llvm::DbgVariableIntrinsic *, 4> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord *, 4> records;
  llvm::findDbgUsers (intrinsics, llvm::unwrap (local), &records);
  if (!records.empty ())
    return read_variable (records[0], name, room);
  if (!intrinsics.empty ())
    return read_variable (intrinsics[0], name, room);
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

/* Of a type without its names and qualifiers. */
static const llvm::DIType *
bare (const llvm::DIType *type)
{
  while (auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType> (type)) {
    unsigned tag = derived->getTag ();
    if (tag != llvm::dwarf::DW_TAG_typedef
        && tag != llvm::dwarf::DW_TAG_const_type
        && tag != llvm::dwarf::DW_TAG_volatile_type
        && tag != llvm::dwarf::DW_TAG_atomic_type)
      return type;
    type = derived->getBaseType ();
  }
  return type;
}

static void
append_field (std::string &text, const llvm::DIType *type, uint64_t bits)
{
  auto *whole = llvm::dyn_cast_or_null<llvm::DICompositeType> (bare (type));
  if (!whole)
    return;
  if (whole->getTag () == llvm::dwarf::DW_TAG_array_type) {
    const llvm::DIType *element = bare (whole->getBaseType ());
    if (element && element->getSizeInBits ())
      append_field (text, element, bits % element->getSizeInBits ());
    return;
  }
  for (const llvm::DINode *node : whole->getElements ()) {
    auto *member = llvm::dyn_cast_or_null<llvm::DIDerivedType> (node);
    if (!member || member->isStaticMember ()
        || bits < member->getOffsetInBits ()
        || bits >= member->getOffsetInBits () + member->getSizeInBits ())
      continue;
    if (!member->getName ().empty ())
      text += "." + member->getName ().str ();
    append_field (text, member->getBaseType (),
                  bits - member->getOffsetInBits ());
    return;
  }
}

/* The member of that name, its first letters being those of `name`. */
static const llvm::DIDerivedType *
member_named (const llvm::DIType *type, llvm::StringRef name)
{
  auto *whole = llvm::dyn_cast_or_null<llvm::DICompositeType> (bare (type));
  if (whole)
    for (const llvm::DINode *node : whole->getElements ())
      if (auto *member = llvm::dyn_cast_or_null<llvm::DIDerivedType> (node))
        if (!member->isStaticMember () && member->getName () == name)
          return member;
  return nullptr;
}

bool
omen_shim_field (LLVMValueRef global, const char *name, uint64_t *offset,
                 uint32_t *size, bool *is_signed)
{
  auto *variable = llvm::unwrap<llvm::GlobalVariable> (global);
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> described;
  variable->getDebugInfo (described);
  if (described.empty ())
    return false;
  llvm::StringRef rest (name), part;
  const llvm::DIType *type = described[0]->getVariable ()->getType ();
  std::tie (part, rest) = rest.split ('.');
  if (part != described[0]->getVariable ()->getName ())
    return false;
  for (*offset = 0; !rest.empty ();) {
    std::tie (part, rest) = rest.split ('.');
    const llvm::DIDerivedType *member = member_named (type, part);
    if (!member || member->isBitField ())
      return false;
    *offset += member->getOffsetInBits () / 8;
    type = member->getBaseType ();
  }
  auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType> (bare (type));
  *size = bare (type) ? (uint32_t)(bare (type)->getSizeInBits () / 8) : 0;
  *is_signed
      = basic && basic->getSignedness () == llvm::DIBasicType::Signedness::Signed;
  return *size == 1 || *size == 2 || *size == 4 || *size == 8;
}

void
omen_shim_variable (LLVMValueRef global, uint64_t offset, char *name,
                    char *field, size_t room)
{
  auto *variable = llvm::unwrap<llvm::GlobalVariable> (global);
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> described;
  variable->getDebugInfo (described);
  std::string text = llvm::demangle (variable->getName ().str ());
  if (!described.empty () && variable->hasLocalLinkage ())
    text = described[0]->getVariable ()->getName ().str ();
  std::snprintf (name, room, "%s", text.c_str ());
  if (!described.empty ())
    append_field (text, described[0]->getVariable ()->getType (), offset * 8);
  std::snprintf (field, 2 * room, "%s", text.c_str ());
}

namespace {
template <bool (*Weave) (LLVMModuleRef, bool)>
struct Pass : llvm::PassInfoMixin<Pass<Weave>> {
  bool in_line;
  explicit Pass (llvm::OptimizationLevel level)
      : in_line (level.getSpeedupLevel () > 0 && level.getSizeLevel () < 2)
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
        passes.addPass (Pass<omen_weave_markers> (level));
      });
  builder.registerOptimizerLastEPCallback (
      [] (llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
        passes.addPass (Pass<omen_weave_accesses> (level));
      });
}
}

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo ()
{
  return { LLVM_PLUGIN_API_VERSION, "omen-weave", OMEN_VERSION, hook_into };
}
