#include "command_line/record_warning.hpp"

#include <fmt/format.h>

#include "command_line/messages.hpp"

namespace voda::command_line {

void warn_of_cut(const std::optional<TornTail>& tail,
                 const std::string& source,
                 const Context& context) {
  if (!tail)
    return;
  warn(context,
       fmt::format("{}: cut at byte {}: the last {} bytes are no whole frame ({})",
                   source,
                   tail->at,
                   tail->bytes,
                   tail->reason));
}

}  // namespace voda::command_line
