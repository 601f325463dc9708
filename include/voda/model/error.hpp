#pragma once

#include <stdexcept>

namespace voda {

/// Base of everything that voda throws on purpose.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Input from outside that breaks a documented rule; the text names the field, the value and what was expected.
struct InvalidInput : Error {
  using Error::Error;
};

/// A name that nobody registered or submitted; the text lists the known ones.
struct UnknownName : Error {
  using Error::Error;
};

/// A policy broke its contract; the text names the job and the rule.
struct InvalidDecision : Error {
  using Error::Error;
};

}  // namespace voda
