#include "voda/solvers/assignment.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "voda/solvers/certificate.hpp"

namespace {

using voda::solvers::certificate_fault;
using voda::solvers::CostMatrix;
using voda::solvers::Objective;
using voda::solvers::solve_assignment;

/// Hands out bytes, then zeros.
class Bytes final {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  int next() {
    if (bytes_.empty())
      return 0;
    const int byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }

  /// Up to 2^53 in magnitude: small numbers and powers of two, as ties and overflows are near them.
  std::int64_t cost() {
    const int byte = next();
    const std::int64_t sign = byte % 2 == 0 ? 1 : -1;
    return byte < 128 ? sign * (byte / 2) : sign * (std::int64_t{1} << (byte / 2 - 64) % 54);
  }

 private:
  std::span<const std::uint8_t> bytes_{};
};

}  // namespace

/// The first bytes give the shape, the objective and a factor that lengthens the matrix past the
/// size at which the method changes; then costs and start prices.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Bytes input({bytes, size});
  const int rows = input.next() % 24;
  const int mode = input.next();
  const int columns = input.next() % 24 + (mode % 8 == 0 ? 2000 : 0);
  const Objective objective = mode / 8 % 2 == 0 ? Objective::minimize : Objective::maximize;
  std::vector<std::int64_t> drawn(size + 1);
  for (std::int64_t& cost : drawn)
    cost = input.cost();
  CostMatrix<std::int64_t> cost(rows, columns);
  for (Eigen::Index k = 0; k < cost.size(); ++k)
    cost.data()[k] = drawn[static_cast<std::size_t>(k) % drawn.size()];
  if (mode / 16 % 2 == 1)
    cost = CostMatrix<std::int64_t>(cost.transpose());
  std::vector<std::int64_t> prices(static_cast<std::size_t>(cost.cols()));
  for (std::size_t k = 0; k < prices.size(); ++k)
    prices[k] = drawn[(k * 7 + 3) % drawn.size()];
  const auto cold = solve_assignment(cost, objective);
  const auto warm = solve_assignment(cost, objective, prices);
  if (certificate_fault(cost, objective, cold) || certificate_fault(cost, objective, warm))
    std::abort();
  const CostMatrix<double> doubles = cost.cast<double>() / 8.0;
  const double tolerance = cost.size() == 0 ? 0.0 : 1e-13 * doubles.cwiseAbs().maxCoeff();
  if (certificate_fault(doubles, objective, solve_assignment(doubles, objective), tolerance))
    std::abort();
  return 0;
}
