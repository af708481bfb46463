// This file returns the rules of a mapping.
#include "plan/mapping_rules.hpp"

#include "base/errors.hpp"

namespace imago::plan {

const MappingRules& rules_of(Mapping mapping) {
  for (const MappingRules* rules : {&kWorkGroupRules, &kVectorRules}) {
    if (rules->mapping == mapping) return *rules;
  }
  base::internal_error("no rules of this mapping");
}

}  // namespace imago::plan
