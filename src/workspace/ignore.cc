#include "workspace/ignore.h"

#include <algorithm>
#include <utility>

namespace lode {
namespace {

constexpr std::string_view kFile = ".gitignore";
constexpr std::string_view kExclude = ".git/info/exclude";
// Remembered directories; beyond, all are forgotten and read again as needed.
constexpr std::size_t kMaxScopes = 200'000;

std::string_view directory_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::vector<IgnorePattern> parse_patterns(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<IgnorePattern> patterns;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (auto pattern = IgnorePattern::parse(line)) patterns.push_back(std::move(*pattern));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return patterns;
}

std::vector<IgnorePattern> read_patterns(const Result<OpenFile>& file) {
  if (!file || !file->is_regular()) return {};
  auto text = read_all(*file, kMaxIgnoreFile);
  return text ? parse_patterns(*text) : std::vector<IgnorePattern>();
}

}  // namespace

bool DirectoryRules::ignored(std::string_view path, bool is_directory) const {
  if (scope_->all) return true;
  for (const Scope* scope = scope_.get(); scope != nullptr; scope = scope->outer.get()) {
    const auto below = path.substr(scope->base);
    for (auto at = scope->patterns.rbegin(); at != scope->patterns.rend(); ++at) {
      if (at->matches(below, is_directory)) return !at->negated();
    }
  }
  return false;
}

bool IgnoreRules::ignored(std::string_view path, bool is_directory) {
  if (path.empty()) return false;
  return in(directory_of(path)).ignored(path, is_directory);
}

IgnoreRules::ScopePtr IgnoreRules::outermost() const {
  auto exclude = std::make_shared<Scope>();
  exclude->patterns = read_patterns(root_.open_inside(std::string(kExclude)));
  auto top = std::make_shared<Scope>();
  top->patterns = read_patterns(root_.open_without_links(std::string(kFile)));
  top->outer = std::move(exclude);
  return top;
}

IgnoreRules::ScopePtr IgnoreRules::entered(const ScopePtr& parent,
                                           const std::string& directory) const {
  if (parent->all) return parent;
  auto scope = std::make_shared<Scope>();
  if (DirectoryRules(parent).ignored(directory, true)) {
    scope->all = true;
    return scope;
  }
  scope->patterns = read_patterns(root_.open_without_links(directory + "/" + std::string(kFile)));
  if (scope->patterns.empty()) return parent;
  scope->outer = parent;
  scope->base = directory.size() + 1;
  return scope;
}

DirectoryRules IgnoreRules::in(std::string_view directory) {
  const Lock lock(mutex_);
  if (const auto known = scopes_.find(directory); known != scopes_.end()) {
    return DirectoryRules(known->second);
  }
  if (scopes_.size() >= kMaxScopes) scopes_.clear();
  auto& top = scopes_[""];
  if (!top) top = outermost();
  ScopePtr scope = top;
  for (std::size_t end = 0; end < directory.size(); ++end) {
    end = std::min(directory.find('/', end), directory.size());
    auto& slot = scopes_[std::string(directory.substr(0, end))];
    if (!slot) slot = entered(scope, std::string(directory.substr(0, end)));
    scope = slot;
  }
  return DirectoryRules(std::move(scope));
}

bool IgnoreRules::changed(std::string_view path) {
  const Lock lock(mutex_);
  const auto directory = directory_of(path);
  const auto name = directory.empty() ? path : path.substr(directory.size() + 1);
  if (name == kFile) {
    forget(directory);
    return true;
  }
  if (path.empty() || kExclude == path) {
    scopes_.clear();
    return true;
  }
  forget(path);
  return false;
}

void IgnoreRules::refresh() {
  const Lock lock(mutex_);
  scopes_.clear();
}

void IgnoreRules::forget(std::string_view directory) {
  if (directory.empty()) return scopes_.clear();
  const std::string below = std::string(directory) + "/";
  const auto first = scopes_.lower_bound(below);
  auto last = first;
  while (last != scopes_.end() && last->first.starts_with(below)) ++last;
  scopes_.erase(first, last);
  if (const auto self = scopes_.find(directory); self != scopes_.end()) scopes_.erase(self);
}

}  // namespace lode
