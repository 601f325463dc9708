#pragma once

#include <cstdint>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace voda::test {

/// Decodes base64 (RFC 4648) by the definition: six bits a letter.
[[nodiscard]] inline std::vector<std::uint8_t> bytes_of_base64(std::string_view text) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits;
  for (const char letter : text.substr(0, text.find('='))) {
    const std::size_t value = alphabet.find(letter);
    EXPECT_NE(value, alphabet.npos) << letter;
    for (int bit = 5; bit >= 0; --bit)
      bits.push_back((value >> bit & 1) != 0 ? '1' : '0');
  }
  std::vector<std::uint8_t> bytes;
  for (std::size_t at = 0; at + 8 <= bits.size(); at += 8)
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(bits.substr(at, 8), nullptr, 2)));
  return bytes;
}

/// Decodes LEB128 numbers.
[[nodiscard]] inline std::vector<std::uint64_t> numbers_of(std::string_view base64) {
  std::vector<std::uint64_t> result;
  std::uint64_t number = 0;
  int shift = 0;
  for (const std::uint8_t byte : bytes_of_base64(base64)) {
    number |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    shift += 7;
    if ((byte & 0x80) != 0)
      continue;
    result.push_back(number);
    number = 0;
    shift = 0;
  }
  EXPECT_EQ(shift, 0) << "the last number is cut off";
  return result;
}

/// The text of a data element of a report.
[[nodiscard]] inline std::string data_of(const std::string& page, const std::string& id) {
  const std::string mark = "id=\"data-" + id + "\">";
  const auto begin = page.find(mark);
  EXPECT_NE(begin, page.npos) << id;
  if (begin == page.npos)
    return "";
  const auto from = begin + mark.size();
  return page.substr(from, page.find("</script>", from) - from);
}

/// The rows of the body of the table with that caption, a text for each cell.
[[nodiscard]] inline std::vector<std::vector<std::string>> table_of(const std::string& page,
                                                                    const std::string& caption) {
  const auto begin = page.find("<caption>" + caption + "</caption>");
  EXPECT_NE(begin, page.npos) << caption;
  const auto end = page.find("</table>", begin);
  std::vector<std::vector<std::string>> rows;
  for (auto at = page.find("<tr>", page.find("<tbody>", begin)); at < end;
       at = page.find("<tr>", at + 1)) {
    const std::string row = page.substr(at, page.find("</tr>", at) - at);
    static const std::regex cell("<t[hd][^>]*>(.*?)</t[hd]>");
    static const std::regex tag("<[^>]*>");
    std::vector<std::string> cells;
    for (std::sregex_iterator found(row.begin(), row.end(), cell), none; found != none; ++found)
      cells.push_back(std::regex_replace((*found)[1].str(), tag, ""));
    rows.push_back(cells);
  }
  return rows;
}

}  // namespace voda::test
