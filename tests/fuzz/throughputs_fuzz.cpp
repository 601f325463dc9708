#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "voda/io/throughputs_reader.hpp"
#include "voda/model/error.hpp"

namespace {

void check(const voda::MeasuredModels& models) {
  for (const auto& [name, model] : models) {
    if (name.empty() || model.values.empty())
      std::abort();
    for (const auto& [gpus, value] : model.values) {
      if (!(value > 0) || !(model.speedup(gpus) > 0))
        std::abort();
    }
  }
}

}  // namespace

/// The first byte selects the reader: throughputs or run times.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0)
    return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  try {
    if (bytes[0] % 2 == 0) {
      for (const auto& entry : voda::read_throughputs(text, "fuzz"))
        check(entry.second);
    } else {
      check(voda::read_run_times(text, "fuzz"));
    }
  } catch (const voda::InvalidInput&) {
    return 0;
  }
  return 0;
}
