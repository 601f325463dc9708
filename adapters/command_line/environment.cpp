#include "command_line/environment.hpp"

#include "voda/allocators/builtin.hpp"
#include "voda/placers/builtin.hpp"

namespace voda::command_line {

Environment plain_environment() {
  return {.policies = {.allocators = builtin_allocators(),
                       .placers = builtin_placers(),
                       .wrappers = builtin_wrappers()}};
}

}  // namespace voda::command_line
