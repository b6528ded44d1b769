#include "providers/capability/active.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace lode {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::system_clock;

// The pages that name the active elements.
constexpr std::array<std::string_view, 3> kPages{
    "capability-index://summary", "capability-index://full", "capability-index://active"};

SqlValues key(ElementType type, std::string_view id) {
  return {std::string(to_string(type)), std::string(id)};
}

Status check_room(Transaction& transaction) {
  auto rows = transaction.query("SELECT count(*) FROM active_elements");
  if (!rows) return std::move(rows).error();
  constexpr auto kMost = static_cast<std::int64_t>(ActiveElements::kMost);
  if (rows->empty() || rows->front().integer(0) <= kMost) return {};
  return Error{Code::conflict,
               fmt::format("{} elements are active, which is the most: deactivate one first",
                           ActiveElements::kMost),
               {}};
}

}  // namespace

ActiveElements::ActiveElements(Database& database, ChangeFeed& feed, Clock clock)
    : database_(database), feed_(feed), clock_(std::move(clock)) {}

Status ActiveElements::publish(Transaction& transaction) {
  for (const auto page : kPages) {
    if (auto told = feed_.publish(transaction, {"resource", std::string(page)}); !told) return told;
  }
  return {};
}

Result<bool> ActiveElements::activate(ElementType type, std::string_view id) {
  bool changed = false;
  auto values = key(type, id);
  values.emplace_back(duration_cast<microseconds>(clock_().time_since_epoch()).count());
  auto done = database_.transaction([&](Transaction& transaction) -> Status {
    auto added = transaction.execute(
        "INSERT INTO active_elements (type, id, activated_at) VALUES ($1, $2, $3) "
        "ON CONFLICT (type, id) DO NOTHING",
        values);
    if (!added) return std::move(added).error();
    changed = *added > 0;
    if (!changed) return {};
    if (auto room = check_room(transaction); !room) return room;
    return publish(transaction);
  });
  if (!done) return std::move(done).error();
  if (changed) refresh();
  return changed;
}

Result<bool> ActiveElements::deactivate(ElementType type, std::string_view id) {
  bool changed = false;
  auto done = database_.transaction([&](Transaction& transaction) -> Status {
    auto removed = transaction.execute("DELETE FROM active_elements WHERE type = $1 AND id = $2",
                                       key(type, id));
    if (!removed) return std::move(removed).error();
    changed = *removed > 0;
    return changed ? publish(transaction) : Status();
  });
  if (!done) return std::move(done).error();
  if (changed) refresh();
  return changed;
}

Result<bool> ActiveElements::is_active(ElementType type, std::string_view id) const {
  auto rows =
      database_.query("SELECT 1 FROM active_elements WHERE type = $1 AND id = $2", key(type, id));
  if (!rows) return std::move(rows).error();
  return !rows->empty();
}

Result<std::vector<ActiveElements::Active>> ActiveElements::list() const {
  auto rows =
      database_.query(fmt::format("SELECT type, id, activated_at FROM active_elements "
                                  "ORDER BY activated_at, type, id LIMIT {}",
                                  kMost));
  if (!rows) return std::move(rows).error();
  std::vector<Active> out;
  for (const Row& row : *rows) {
    const auto type = find_element_type(row.text(0));
    if (!type) continue;  // a newer Lode's
    const auto since = duration_cast<system_clock::duration>(microseconds(row.integer(2)));
    out.push_back({*type, row.text(1), system_clock::time_point(since)});
  }
  return out;
}

std::shared_ptr<const std::vector<ActiveElements::Active>> ActiveElements::known() const {
  const Lock lock(mutex_);
  return known_;
}

// What cannot be read stays as it was known.
void ActiveElements::refresh() {
  const Lock one_at_a_time(refreshing_);
  auto now = list();
  if (!now) return;
  auto made = std::make_shared<const std::vector<Active>>(std::move(*now));
  const Lock lock(mutex_);
  known_.swap(made);
}

}  // namespace lode
