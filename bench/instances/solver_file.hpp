#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "instances/run_size.hpp"
#include "voda/solvers/assignment.hpp"
#include "voda/solvers/sparse_assignment.hpp"

namespace voda::bench {

// Hands instances with our optimum to solvers in other languages (bench/peers/scipy_peer.py): one line of JSON, then the
// arrays as they lie in memory. Only where VODA_BENCH_INSTANCES names a folder.

class SolverFile {
 public:
  /// `name`: of the benchmark, sizes included: "uniform/rows:100/columns:100". Hard inputs (~) are not handed over, the
  /// largest ones only in a full run.
  [[nodiscard]] static std::optional<SolverFile> wanted(const std::string& name,
                                                        std::int64_t rows) {
    const char* folder = std::getenv("VODA_BENCH_INSTANCES");
    const bool is_hard = name.find('~') != std::string::npos;
    if (folder == nullptr || is_hard || (rows > 20'000 && !is_full_run()))
      return std::nullopt;
    return SolverFile(folder, name);
  }

  void write(const solvers::CostMatrix<std::int64_t>& cost, std::int64_t optimum) {
    const bool is_narrow =
        cost.size() == 0 || (cost.minCoeff() >= std::numeric_limits<std::int32_t>::min() &&
                             cost.maxCoeff() <= std::numeric_limits<std::int32_t>::max());
    std::string header = text("kind", "dense") + number("rows", cost.rows()) +
                         number("columns", cost.cols()) +
                         text("type", is_narrow ? "int32" : "int64") + number("optimum", optimum);
    put_header(header);
    for (int row = 0; row < cost.rows(); ++row) {
      if (is_narrow) {
        const Eigen::Matrix<std::int32_t, 1, Eigen::Dynamic> narrow =
            cost.row(row).cast<std::int32_t>();
        put(narrow.data(), static_cast<std::size_t>(narrow.size()));
      } else {
        put(cost.row(row).data(), static_cast<std::size_t>(cost.cols()));
      }
    }
    close();
  }

  template <class Number>
  void write(const solvers::SparseCostView<Number>& cost,
             solvers::Objective objective,
             solvers::Coverage coverage,
             std::int64_t optimum) {
    put_header(
        text("kind", "sparse") + number("rows", cost.rows()) + number("columns", cost.columns) +
        number("entries", static_cast<std::int64_t>(cost.column.size())) +
        text("objective", objective == solvers::Objective::maximize ? "maximize" : "minimize") +
        text("coverage", coverage == solvers::Coverage::full ? "full" : "partial") +
        number("optimum", optimum));
    put(cost.row_begin.data(), cost.row_begin.size());
    put(cost.column.data(), cost.column.size());
    const std::vector<std::int64_t> wide(cost.cost.begin(), cost.cost.end());
    put(wide.data(), wide.size());
    close();
  }

 private:
  SolverFile(const std::filesystem::path& folder, const std::string& name) : name_(name) {
    std::string file = name;
    for (char& letter : file) {
      if (letter == '/' || letter == ':')
        letter = '_';
    }
    out_.open(folder / (file + ".instance"), std::ios::binary);
  }

  [[nodiscard]] static std::string text(const std::string& key, const std::string& value) {
    return ", \"" + key + "\": \"" + value + "\"";
  }

  [[nodiscard]] static std::string number(const std::string& key, std::int64_t value) {
    return ", \"" + key + "\": " + std::to_string(value);
  }

  void put_header(const std::string& fields) {
    out_ << "{\"name\": \"" << name_ << "\"" << fields << "}\n";
  }

  template <class Number>
  void put(const Number* values, std::size_t count) {
    out_.write(reinterpret_cast<const char*>(values),
               static_cast<std::streamsize>(count * sizeof(Number)));
  }

  void close() {
    out_.close();
    if (!out_)
      throw std::runtime_error("cannot write the instance of " + name_);
  }

  std::string name_;
  std::ofstream out_;
};

}  // namespace voda::bench
