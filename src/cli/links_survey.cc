#include "cli/links_survey.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "base/uri.h"
#include "base/utf8.h"
#include "store/document.h"
#include "workspace/sweep.h"

namespace lode {
namespace {

constexpr std::string_view kResourceAddress = "mcp://backlog/resources/";

bool is_markdown(std::string_view path) {
  std::string name(path.substr(path.rfind('/') + 1));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 32);
  }
  return name.ends_with(".md") || name.ends_with(".markdown");
}

std::string directory_of(const std::string& path) {
  return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1));
}

}  // namespace

LinksSurvey::LinksSurvey(const Command& command)
    : command_(command),
      workspace_(command.instance.workspace()),
      tasks_(command.instance.tasks()),
      world_(make_world()) {}

LinkWorld LinksSurvey::make_world() {
  LinkWorld world;
  for (const auto& tree : workspace_.trees()) {
    const auto& path = tree.root.path();
    world.roots.push_back({path, std::string(last_name(path))});
  }
  world.exists = [this](const std::string& path) { return exists(path); };
  world.address = [this](const std::string& path) { return address_of(path); };
  world.unresolved = [this](const std::string& uri) { return unresolved(uri); };
  world.only_file = [this](const std::string& name) {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : found->second;
  };
  return world;
}

// ---- what there is ----

bool LinksSurvey::exists(const std::string& path) const {
  if (!path.starts_with('/')) return false;
  const auto place = workspace_.find(path);
  if (place) return workspace_.look(*place).has_value();
  if (!backlog_ || !path.starts_with(backlog_->path() + "/")) return false;
  return backlog_->stamp(path.substr(backlog_->path().size() + 1)) != 0;
}

// Also of a home of another machine: /Users/bo/.backlog/tasks/TASK-0001.md.
std::optional<std::string> LinksSurvey::task_address(const std::string& path) const {
  const std::string& directory = tasks_.directory();
  std::string file;
  if (path.starts_with(directory + "/")) {
    file = path.substr(directory.size() + 1);
  } else if (backlog_) {
    const auto name = fmt::format("/{}/", last_name(directory));
    const auto at = ("/" + path).rfind(name);
    if (at == std::string::npos) return std::nullopt;
    file = ("/" + path).substr(at + name.size());
  }
  const auto task = tasks_.in_file(file);
  const auto counts = task ? tasks_.find(task->id) : std::nullopt;
  return counts && counts->file == file ? std::optional(task->uri()) : std::nullopt;
}

std::optional<std::string> LinksSurvey::address_of(const std::string& path) const {
  if (auto task = task_address(path)) return task;
  const auto place = path.starts_with('/') ? workspace_.find(path) : std::nullopt;
  if (!place || place->relative.empty() || !workspace_.look(*place)) return std::nullopt;
  return std::string(kResourceAddress) + encode_path(workspace_.short_name(*place));
}

std::optional<std::string> LinksSurvey::unresolved(const std::string& uri) {
  const auto known = unresolved_.find(uri);
  if (known != unresolved_.end()) return known->second;
  std::optional<std::string> why;
  const auto reading = command_.instance.engine().read(request_.exchange(), uri);
  // What is too large, busy or refused is there.
  if (!reading &&
      (reading.error().code == Code::not_found || reading.error().code == Code::invalid)) {
    why = reading.error().message;
  }
  unresolved_[uri] = why;
  return why;
}

// ---- the files ----

Status LinksSurvey::add_tree(const Root& root, IgnoreRules& ignore, const SecretRules& secrets,
                             const std::function<std::string(const std::string&)>& name) {
  const auto seen = sweep(root, PathFilter{ignore, secrets});
  if (!seen) return Error(seen.error());
  for (std::size_t i = 0; i < seen->size(); ++i) {
    if (!S_ISREG(seen->state(i).mode)) continue;
    const std::string path(seen->path(i));
    const std::string file(last_name(path));
    const auto [known, fresh] = by_name_.try_emplace(file, root.path() + "/" + path);
    if (!fresh) known->second = std::nullopt;
    if (is_markdown(path)) files_.push_back({&root, path, name(path)});
  }
  if (!seen->complete()) left_out_.push_back({root.path(), "there are more files than are read"});
  return {};
}

Status LinksSurvey::find_files(const std::vector<std::string>& paths) {
  std::vector<std::string> wanted;
  for (const auto& path : paths) {
    const auto place = find_place(workspace_, path);
    if (!place || !workspace_.look(*place)) return not_found(fmt::format("no such file: {}", path));
    wanted.push_back(Workspace::absolute(*place));
  }
  for (auto& tree : workspace_.trees()) {
    const auto name = [&](const std::string& relative) {
      return workspace_.short_name({&tree, relative});
    };
    if (auto added = add_tree(tree.root, tree.ignore, workspace_.secrets(), name); !added) {
      return added;
    }
  }
  if (auto root = Root::open(tasks_.directory()); root && !workspace_.find(root->path())) {
    backlog_ = std::make_unique<Root>(std::move(*root));
    its_ignore_ = std::make_unique<IgnoreRules>(*backlog_);
    const auto name = [&](const std::string& path) { return backlog_->path() + "/" + path; };
    if (auto added = add_tree(*backlog_, *its_ignore_, tasks_.place().secrets, name); !added) {
      return added;
    }
  }
  if (wanted.empty()) return {};
  std::erase_if(files_, [&](const Found& file) {
    const auto path = file.root->path() + "/" + file.relative;
    return std::none_of(wanted.begin(), wanted.end(), [&](const std::string& one) {
      return path == one || path.starts_with(one + "/");
    });
  });
  return {};
}

std::optional<LinksFile> LinksSurvey::read(const Found& found) {
  const auto leave = [&](std::string why) {
    left_out_.push_back({found.shown, std::move(why)});
    return std::nullopt;
  };
  auto opened = found.root->open_without_links(found.relative);
  if (!opened || !opened->is_regular()) return leave("it cannot be read");
  auto text = read_all(*opened, DocumentLimits().bytes);
  if (!text) return leave(text.error().message);
  if (!valid_utf8(*text)) return leave("it is no UTF-8");
  LinksFile file;
  file.root = found.root;
  file.relative = found.relative;
  file.shown = found.shown;
  file.text = std::move(*text);
  file.info = opened->info;
  file.in_backlog = tasks_.file_at(found.root->path() + "/" + found.relative);
  return file;
}

void LinksSurvey::each(const Visit& visit) {
  for (const auto& found : files_) {
    auto file = read(found);
    if (!file) continue;
    const auto directory = directory_of(found.root->path() + "/" + found.relative);
    for (const auto& link : links_in(file->text, link_schemes())) {
      ++file->links;
      auto finding = judge_link(link.in(file->text), link.kind, directory, world_);
      if (finding) file->problems.push_back({link, std::move(*finding)});
    }
    visit(*file);
  }
}

}  // namespace lode
