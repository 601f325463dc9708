#include "command_line/messages.hpp"

#include <ostream>

namespace voda::command_line {

void complain(const Context& context, std::string_view message) {
  *context.err << context.err_style(Emphasis::error, "voda:") << ' ' << message << '\n';
}

void warn(const Context& context, std::string_view message) {
  *context.err << "voda: " << context.err_style(Emphasis::warning, "warning:") << ' ' << message
               << '\n';
}

}  // namespace voda::command_line
