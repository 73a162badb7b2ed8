// The parts of variables, by their debug information: their names as in
// recordings (trace/layout.h).
#include "weave/parts.h"
#include "weave/passes.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

using part_visit = bool (*) (void *, const char *, const omen_weave_part *);

extern "C" {
void omen_shim_parts (LLVMValueRef global, uint64_t bit, uint64_t bits,
                      part_visit visit, void *data);
void omen_shim_all_parts (LLVMValueRef global, part_visit visit, void *data);
void omen_shim_type_parts (LLVMModuleRef module, const char *name,
                           uint64_t size, uint64_t bit, uint64_t bits,
                           part_visit visit, void *data);
}

namespace {
constexpr unsigned depth_max = 16, parts_max = 1u << 20;
constexpr uint64_t endless = uint64_t (1) << 36;

// A type without typedefs and qualifiers.
const llvm::DIType *
bare (const llvm::DIType *type)
{
  while (auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType> (type)) {
    unsigned tag = derived->getTag ();
    if (tag != llvm::dwarf::DW_TAG_typedef
        && tag != llvm::dwarf::DW_TAG_const_type
        && tag != llvm::dwarf::DW_TAG_volatile_type
        && tag != llvm::dwarf::DW_TAG_restrict_type
        && tag != llvm::dwarf::DW_TAG_atomic_type)
      return type;
    type = derived->getBaseType ();
  }
  return type;
}

bool
has_sign (const llvm::DIType *type)
{
  auto *composite = llvm::dyn_cast_or_null<llvm::DICompositeType> (type);
  if (composite && composite->getTag () == llvm::dwarf::DW_TAG_enumeration_type)
    return has_sign (bare (composite->getBaseType ()));
  auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType> (type);
  return basic
         && basic->getSignedness () == llvm::DIBasicType::Signedness::Signed;
}

bool
is_real (const llvm::DIType *type)
{
  auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType> (type);
  return basic && basic->getEncoding () == llvm::dwarf::DW_ATE_float;
}

// Visits all parts that overlap [0, bits); text is the name so far. If the
// whole variable is queried, array elements are also visited in general form:
// as `a.x`, and once as `a[*].x`.
struct Walk {
  int64_t bits;
  part_visit visit;
  void *data;
  bool all = false;
  unsigned left = parts_max, depth = 0;
  std::vector<omen_weave_step> steps = {};
  int64_t owner = 0; // where what has the parts that are visited begins

  bool
  visited (const std::string &text, omen_weave_part part)
  {
    part.steps = steps.data ();
    part.step_count = (unsigned)steps.size ();
    part.owner = owner;
    return left && left-- && visit (data, text.c_str (), &part);
  }

  void
  named (std::string &text, const llvm::DIType *type, omen_weave_part part)
  {
    if (visited (text, part))
      inside_owner (text, type, part);
  }

  void
  inside_owner (std::string &text, const llvm::DIType *type,
                omen_weave_part part)
  {
    int64_t before = owner;
    owner = part.bit;
    inside (text, type, part);
    owner = before;
  }

  void
  member (std::string &text, const llvm::DIDerivedType *m, int64_t owner)
  {
    const llvm::DIType *type = bare (m->getBaseType ());
    uint64_t size = m->getSizeInBits ();
    bool inherited = m->getTag () == llvm::dwarf::DW_TAG_inheritance;
    if (!size && type)
      size = type->getSizeInBits ();
    if (!size)
      size = endless; // a[]
    omen_weave_part part = { owner + (int64_t)m->getOffsetInBits (),
                             size,
                             has_sign (type),
                             m->isBitField (),
                             false,
                             nullptr,
                             0,
                             is_real (type),
                             0 };
    if (part.bit >= bits || part.bit + (int64_t)size <= 0)
      return;
    size_t length = text.size ();
    if (inherited || m->getName ().empty ())
      inside (text, type, part);
    else {
      text += "." + m->getName ().str ();
      named (text, type, part);
      text.resize (length);
    }
  }

  // One dimension of an array; the elements of the last one have `type`.
  void
  array (std::string &text, const llvm::DICompositeType *whole, unsigned d,
         omen_weave_part part)
  {
    llvm::DINodeArray ranges = whole->getElements ();
    const llvm::DIType *type = bare (whole->getBaseType ());
    uint64_t size = type ? type->getSizeInBits () : 0;
    for (unsigned i = d + 1; i < ranges.size (); i++)
      size *= count_of (ranges[i]);
    if (!size || d >= ranges.size ())
      return;
    int64_t first = part.bit < 0 ? -part.bit / (int64_t)size : 0;
    int64_t last = (bits - 1 - part.bit) / (int64_t)size;
    int64_t most = ((int64_t)part.bits - 1) / (int64_t)size;
    last = last < most ? last : most;
    if (all)
      in_common (text, whole, d, part, size);
    for (int64_t i = first; i <= last && left; i++) {
      omen_weave_part element = { part.bit + i * (int64_t)size,
                                  size,
                                  has_sign (type),
                                  false,
                                  false,
                                  nullptr,
                                  0,
                                  is_real (type),
                                  0 };
      size_t length = text.size ();
      if (!all && (i <= first + 1 || i == last))
        element_inside (text, whole, d, element);
      text += "[" + std::to_string (i) + "]";
      if (visited (text, element))
        element_inside (text, whole, d, element);
      text.resize (length);
    }
  }

  // Bits then count from the start of the element.
  void
  in_common (std::string &text, const llvm::DICompositeType *whole, unsigned d,
             omen_weave_part part, uint64_t size)
  {
    omen_weave_part element = {
      0,       size, has_sign (bare (whole->getBaseType ())), false, false,
      nullptr, 0,    is_real (bare (whole->getBaseType ())),  0
    };
    size_t length = text.size ();
    steps.push_back ({ (uint64_t)part.bit / 8, part.bits / 8, size / 8 });
    element_inside (text, whole, d, element);
    text += "[*]";
    if (visited (text, element))
      element_inside (text, whole, d, element);
    text.resize (length);
    steps.pop_back ();
  }

  void
  element_inside (std::string &text, const llvm::DICompositeType *whole,
                  unsigned d, omen_weave_part element)
  {
    int64_t before = owner;
    owner = element.bit;
    if (d + 1 < whole->getElements ().size ())
      array (text, whole, d + 1, element);
    else
      inside (text, bare (whole->getBaseType ()), element);
    owner = before;
  }

  static uint64_t
  count_of (const llvm::DINode *node)
  {
    auto *range = llvm::dyn_cast_or_null<llvm::DISubrange> (node);
    auto *count = range ? llvm::dyn_cast_if_present<llvm::ConstantInt *> (
                              range->getCount ())
                        : nullptr;
    return count && count->getSExtValue () > 0
               ? (uint64_t)count->getSExtValue ()
               : 0;
  }

  void
  inside (std::string &text, const llvm::DIType *type, omen_weave_part part)
  {
    auto *whole = llvm::dyn_cast_or_null<llvm::DICompositeType> (bare (type));
    if (!whole || depth == depth_max)
      return;
    depth++;
    if (whole->getTag () == llvm::dwarf::DW_TAG_array_type)
      array (text, whole, 0, part);
    else if (whole->getTag () != llvm::dwarf::DW_TAG_enumeration_type)
      for (const llvm::DINode *node : whole->getElements ()) {
        auto *m = llvm::dyn_cast_or_null<llvm::DIDerivedType> (node);
        if (m && !m->isStaticMember () && !m->isVirtual ()
            && (m->getTag () == llvm::dwarf::DW_TAG_member
                || m->getTag () == llvm::dwarf::DW_TAG_inheritance))
          member (text, m, part.bit);
      }
    depth--;
  }
};
}

static void
walk_variable (LLVMValueRef global, uint64_t bit, Walk &walk)
{
  auto *variable = llvm::unwrap<llvm::GlobalVariable> (global);
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> described;
  variable->getDebugInfo (described);
  const llvm::DIType *type = nullptr;
  std::string name = llvm::demangle (variable->getName ().str ()), source;
  if (!described.empty ()) {
    type = described[0]->getVariable ()->getType ();
    if (variable->hasLocalLinkage ())
      source = described[0]->getVariable ()->getName ().str ();
  }
  omen_weave_part whole = { -(int64_t)bit,
                            type ? endless : 0,
                            has_sign (bare (type)),
                            false,
                            true,
                            nullptr,
                            0,
                            is_real (bare (type)),
                            0 };
  walk.owner = whole.bit;
  if (walk.all && bare (type))
    whole.bits = bare (type)->getSizeInBits ();
  walk.named (name, type, whole);
  if (!source.empty () && source != name)
    walk.named (source, type, whole);
}

void
omen_shim_parts (LLVMValueRef global, uint64_t bit, uint64_t bits,
                 part_visit visit, void *data)
{
  Walk walk = { (int64_t)bits, visit, data };
  walk_variable (global, bit, walk);
}

void
omen_shim_all_parts (LLVMValueRef global, part_visit visit, void *data)
{
  Walk walk = { (int64_t)endless, visit, data, true };
  walk_variable (global, 0, walk);
}

// ---- types by the names that LLVM has for them ----

namespace {
using Types = std::multimap<std::string, const llvm::DICompositeType *>;

bool
is_record (const llvm::DICompositeType *type)
{
  unsigned tag = type ? type->getTag () : 0;
  return type && !type->isForwardDecl ()
         && (tag == llvm::dwarf::DW_TAG_structure_type
             || tag == llvm::dwarf::DW_TAG_class_type
             || tag == llvm::dwarf::DW_TAG_union_type);
}

// `shop::list`: with what is around it, without template arguments.
std::string
qualified (const llvm::DIScope *scope, llvm::StringRef name)
{
  std::string text = name.take_until ([] (char c) { return c == '<'; }).str ();
  for (; scope; scope = scope->getScope ()) {
    if (auto *space = llvm::dyn_cast<llvm::DINamespace> (scope))
      text = (space->getName ().empty () ? "(anonymous namespace)"
                                         : space->getName ().str ())
             + "::" + text;
    else if (auto *type = llvm::dyn_cast<llvm::DIType> (scope))
      text = type->getName ().str () + "::" + text;
    else
      break;
  }
  return text;
}

// All types of the module; an unnamed struct has the name of its typedef.
const Types &
types_of (llvm::Module *module)
{
  static llvm::Module *of;
  static Types types;
  if (of == module)
    return types;
  of = module;
  types.clear ();
  llvm::DebugInfoFinder finder;
  finder.processModule (*module);
  for (const llvm::DIType *type : finder.types ()) {
    auto *record = llvm::dyn_cast<llvm::DICompositeType> (type);
    auto *name = llvm::dyn_cast<llvm::DIDerivedType> (type);
    if (name && name->getTag () == llvm::dwarf::DW_TAG_typedef)
      record = llvm::dyn_cast_or_null<llvm::DICompositeType> (
          name->getBaseType ());
    else
      name = nullptr;
    if (is_record (record) && record->getName ().empty () == !!name)
      types.emplace (qualified (type->getScope (), type->getName ()), record);
  }
  return types;
}
}

// `struct.node`, `class.shop::list.12`, `struct.base.base`.
static std::string
source_name (llvm::StringRef name)
{
  name.consume_back (".base");
  size_t number = name.find_last_not_of ("0123456789");
  if (number != name.npos && number + 1 < name.size () && name[number] == '.')
    name = name.take_front (number);
  return name.substr (name.find ('.') + 1).str ();
}

// The names that may denote it, with and without namespaces.
void
omen_shim_type_parts (LLVMModuleRef module, const char *name, uint64_t size,
                      uint64_t bit, uint64_t bits, part_visit visit, void *data)
{
  std::string source = source_name (name), tail = source;
  size_t colons = source.rfind ("::");
  if (colons != source.npos)
    tail = source.substr (colons + 2);
  auto range = types_of (llvm::unwrap (module)).equal_range (source);
  for (auto at = range.first; at != range.second; at++) {
    const llvm::DICompositeType *type = at->second;
    bool is_union = type->getTag () == llvm::dwarf::DW_TAG_union_type;
    if (type->getSizeInBits () > size) // another one of that name
      continue;
    omen_weave_part whole = { -(int64_t)bit,
                              type->getSizeInBits (),
                              false,
                              false,
                              true,
                              nullptr,
                              0,
                              false,
                              0 };
    for (const char *word : { is_union ? "union " : "struct ", "class " })
      for (const std::string &known : { source, tail }) {
        Walk walk = { (int64_t)bits, visit, data };
        std::string text = word + known;
        walk.owner = whole.bit;
        walk.named (text, type, whole);
      }
    return;
  }
}

// ---- for the list of allocations (allocated.cpp) ----

const llvm::DIType *
omen::bare_type (const llvm::DIType *type)
{
  return bare (type);
}

const llvm::DICompositeType *
omen::record_type (const llvm::DIType *type)
{
  auto *record = llvm::dyn_cast_or_null<llvm::DICompositeType> (bare (type));
  return is_record (record) ? record : nullptr;
}

const llvm::DIType *
omen::member_type (llvm::Module &module, llvm::StringRef name, uint64_t bits,
                   uint64_t bit)
{
  auto range = types_of (&module).equal_range (source_name (name));
  if (std::distance (range.first, range.second) != 1
      || range.first->second->getSizeInBits () != bits)
    return nullptr;
  for (const llvm::DINode *node : range.first->second->getElements ()) {
    auto *m = llvm::dyn_cast_or_null<llvm::DIDerivedType> (node);
    if (m && m->getTag () == llvm::dwarf::DW_TAG_member && !m->isBitField ()
        && !m->isStaticMember () && m->getOffsetInBits () == bit)
      return m->getBaseType ();
  }
  return nullptr;
}
