#include "providers/backlog/manage_gate.h"

#include <fmt/format.h>

namespace lode {

bool ManageGate::shows(const TaskHead& task) const {
  if (exchange_ == nullptr) return true;
  const auto uri = Uri::parse(task.uri());
  const FileBehind file{tasks_->path_of(task), false};
  return uri && exchange_->may(Action::list, *uri, file) &&
         exchange_->may(Action::read, *uri, file);
}

Status ManageGate::admit_write(const TaskHead& task) const {
  if (exchange_ == nullptr) return {};
  return admit_write(task.uri(), tasks_->path_of(task));
}

Status ManageGate::admit_write(const std::string& address, std::string path) const {
  if (exchange_ == nullptr) return {};
  const auto uri = Uri::parse(address);
  if (uri && exchange_->may(Action::write, *uri, FileBehind{std::move(path), false})) return {};
  return Error{Code::denied, fmt::format("not permitted: write {}", address), {}};
}

std::string ManageGate::who() const {
  const auto name = exchange_ == nullptr ? std::string() : exchange_->who.name;
  return name.empty() ? "local" : name;
}

std::chrono::steady_clock::time_point ManageGate::deadline() const {
  constexpr std::chrono::seconds kPatience{10};
  return exchange_ == nullptr ? std::chrono::steady_clock::now() + kPatience : exchange_->deadline;
}

}  // namespace lode
