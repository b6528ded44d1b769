#include "workspace.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace lode::transcripts {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kArrow = " -> ";

Status status_of(const std::error_code& error, const std::string& what) {
  if (!error) return {};
  return internal(fmt::format("{}: {}", what, error.message()));
}

Status write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) return internal(path + ": cannot be written");
  return {};
}

Status set_mode(const std::string& path, std::string_view octal) {
  mode_t mode = 0;
  const auto [end, error] = std::from_chars(octal.data(), octal.data() + octal.size(), mode, 8);
  if (error != std::errc() || end != octal.data() + octal.size()) return invalid("@mode 600 path");
  if (::chmod(path.c_str(), mode) == 0) return {};
  return status_of({errno, std::generic_category()}, path);
}

Status remove(const std::string& path) {
  std::error_code error;
  if (fs::remove_all(path, error) == 0 && !error) return not_found(path + ": is not there");
  return status_of(error, path);
}

}  // namespace

Result<std::unique_ptr<Workspace>> Workspace::make() {
  std::error_code error;
  const auto parent = fs::canonical(fs::temp_directory_path(error), error);
  std::string base = parent.string() + "/lode-transcript-XXXXXX";
  if (error || ::mkdtemp(base.data()) == nullptr) return internal("no temporary directory");
  std::unique_ptr<Workspace> workspace(new Workspace(std::move(base)));
  fs::create_directory(workspace->root());
  fs::create_directory(workspace->home());
  return workspace;
}

Workspace::~Workspace() {
  std::error_code ignored;
  fs::remove_all(base_, ignored);
}

std::string Workspace::path_of(std::string_view path) const {
  const bool in_home = path.starts_with("~/");
  return fmt::format("{}/{}", in_home ? home() : root(), path.substr(in_home ? 2 : 0));
}

Status Workspace::change(const Step& step, const Names& names) const {
  const auto text = names.expand(step.text);
  const std::string draft = base_ + "/draft";
  std::error_code error;
  if (step.kind == StepKind::remove) return remove(path_of(text));
  if (step.kind == StepKind::mode) {
    const auto blank = text.find(' ');
    if (blank == std::string::npos) return invalid("@mode 600 path");
    return set_mode(path_of(text.substr(blank + 1)), text.substr(0, blank));
  }
  if (step.kind == StepKind::directory) {
    fs::create_directories(path_of(text), error);
    return status_of(error, text);
  }
  const auto arrow = text.find(kArrow);
  const bool link = step.kind == StepKind::link;
  if (link && arrow == std::string::npos) return invalid("@link path -> target");
  const auto path = path_of(link ? text.substr(0, arrow) : text);
  fs::create_directories(fs::path(path).parent_path(), error);
  if (link) {
    fs::create_symlink(text.substr(arrow + kArrow.size()), draft, error);
  } else if (auto written = write_file(draft, names.expand(step.body)); !written) {
    return written;
  }
  if (!error) fs::rename(draft, path, error);
  return status_of(error, path);
}

std::vector<std::string> Workspace::environment() const {
  std::vector<std::string> out = {"HOME=" + home(), "XDG_STATE_HOME=" + base_ + "/state"};
  for (const char* name :
       {"PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) out.push_back(fmt::format("{}={}", name, value));
  }
  return out;
}

void Workspace::name_in(Names& names) const {
  names.set("workspace", root());
  names.set("home", home());
  names.set("path", root().substr(1));
  names.set("token", token());
}

std::string Workspace::abbreviate(std::string json) const {
  const auto shorten = [&json](const std::string& path, std::string_view name) {
    for (auto at = json.find(path); at != std::string::npos; at = json.find(path, at)) {
      json.replace(at, path.size(), name);
    }
  };
  shorten(root(), "{workspace}");
  shorten(home(), "{home}");
  shorten(root().substr(1), "{path}");
  return with_marks(std::move(json));
}

std::string Workspace::token() const {
  std::error_code none;
  for (const auto& state : fs::directory_iterator(base_ + "/state/lode", none)) {
    std::ifstream in(state.path() / "token");
    std::string token{std::istreambuf_iterator<char>(in), {}};
    if (!token.empty()) return token;
  }
  return {};
}

}  // namespace lode::transcripts
