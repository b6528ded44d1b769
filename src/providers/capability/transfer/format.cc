#include "providers/capability/transfer/format.h"

#include <fmt/format.h>

#include <algorithm>

#include "workspace/secrets.h"

namespace lode {
namespace {

constexpr std::string_view kSheet = "SKILL.md";
constexpr std::string_view kPortfolio = "portfolio/";

// Beside the elements of NEXS.
constexpr std::array<std::string_view, 5> kSidecars{"metrics", "performance", "token_metrics",
                                                    "working_memory", "user_costs"};

std::string_view first_segment(std::string_view path) {
  const auto slash = path.find('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

bool has_element_ending(std::string_view name) {
  return name.ends_with(".md") || name.ends_with(".yaml") || name.ends_with(".yml");
}

bool has_segment(std::string_view path, std::string_view wanted) {
  for (auto rest = path; rest.find('/') != rest.npos; rest.remove_prefix(rest.find('/') + 1)) {
    if (first_segment(rest) == wanted) return true;
  }
  return false;
}

bool is_plural(std::string_view segment) {
  const auto type = find_element_type(segment);
  return type && segment.size() != to_string(*type).size();
}

// What follows the last folder that is called as a type is; the type.
struct Typed {
  ElementType type;
  std::string_view below;
};
std::optional<Typed> last_type_in(std::string_view path) {
  std::optional<Typed> found;
  for (auto rest = path; rest.find('/') != rest.npos;) {
    const auto type = find_element_type(first_segment(rest));
    rest.remove_prefix(rest.find('/') + 1);
    if (type) found = Typed{*type, rest};
  }
  return found;
}

bool is_portfolio_file(std::string_view path) {
  if (path.starts_with(kPortfolio)) path.remove_prefix(kPortfolio.size());
  return is_plural(first_segment(path)) && has_element_ending(path);
}

bool is_nexs_file(std::string_view path) {
  const bool ending = path.ends_with(".yaml") || path.ends_with(".json");
  return ending && last_type_in(path).has_value();
}

Placement nothing(std::string why) {
  Placement out;
  out.why = std::move(why);
  return out;
}

// Why a name is that of no element; empty: it may be.
std::string_view wrong_name(std::string_view name) {
  if (name.ends_with(".lock")) return "a lock";
  if (name == "_index.json" || name == "capability-index.yaml" || name == "hnsw_index.json") {
    return "an index, which is made anew";
  }
  if (name.starts_with('.')) return "a hidden file";
  return {};
}

std::string joined(std::string_view above, std::string_view below) {
  return above.empty() ? std::string(below) : fmt::format("{}/{}", above, below);
}

}  // namespace

std::string_view to_string(TransferFormat format) {
  return kTransferFormats[static_cast<std::size_t>(format)];
}

std::optional<TransferFormat> find_transfer_format(std::string_view name) {
  for (std::size_t i = 0; i < kTransferFormats.size(); ++i) {
    if (kTransferFormats[i] == name) return static_cast<TransferFormat>(i);
  }
  return std::nullopt;
}

std::optional<TransferFormat> detect_format(const std::vector<SourceFile>& files) {
  const auto any = [&](auto&& fits) {
    return std::any_of(files.begin(), files.end(),
                       [&](const SourceFile& file) { return !file.is_link && fits(file); });
  };
  if (any([](const auto& file) { return file.path == kSheet; })) return TransferFormat::skills;
  if (any([](const auto& file) { return is_portfolio_file(file.path); })) {
    return TransferFormat::dollhouse;
  }
  if (any([](const auto& file) { return is_nexs_file(file.path); })) return TransferFormat::nexs;
  if (any([](const auto& file) { return file.name() == kSheet; })) return TransferFormat::skills;
  return std::nullopt;
}

std::string plural(ElementType type) {
  return type == ElementType::memory ? "memories" : fmt::format("{}s", to_string(type));
}

Placer::Placer(TransferFormat format, const std::vector<SourceFile>& files, std::string tree)
    : format_(format), tree_(std::move(tree)) {
  const auto below_portfolio = [](const SourceFile& file) {
    return file.path.starts_with(kPortfolio) && is_portfolio_file(file.path);
  };
  if (format == TransferFormat::dollhouse &&
      std::any_of(files.begin(), files.end(), below_portfolio)) {
    prefix_ = kPortfolio;
  }
  // Sorted by path, so the outermost comes first unless a file is between.
  for (const auto& file : files) {
    if (file.name() != kSheet || file.is_link) continue;
    const auto end = file.path.size() - kSheet.size();
    skill_folders_.insert(file.path.substr(0, end == 0 ? 0 : end - 1));
  }
  std::erase_if(skill_folders_, [this](const std::string& folder) {
    const auto outer = folder.empty() ? std::nullopt : skill_folder(folder);
    return outer && *outer != folder;
  });
}

// The outermost of the folders that hold the path and have a SKILL.md.
std::optional<std::string> Placer::skill_folder(std::string_view path) const {
  if (skill_folders_.contains("")) return "";
  for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
    const std::string folder(path.substr(0, end));
    if (skill_folders_.contains(folder)) return folder;
  }
  return std::nullopt;
}

Placement Placer::place_in_skill(const SourceFile& file, std::string folder,
                                 std::string_view below) const {
  if (secret_path(file.path)) return nothing("its name is that of a secret");
  Placement out;
  const auto inside = std::string_view(file.path).substr(folder.empty() ? 0 : folder.size() + 1);
  out.kind = inside == kSheet ? Placement::Kind::sheet : Placement::Kind::part;
  out.target = fmt::format("skill/{}/{}", below.empty() ? std::string_view(tree_) : below, inside);
  out.folder = std::move(folder);
  return out;
}

Placement Placer::place_in_portfolio(const SourceFile& file) const {
  std::string_view path = file.path;
  if (!path.starts_with(prefix_)) return nothing("outside the portfolio");
  path.remove_prefix(prefix_.size());
  if (has_segment(path, ".backups") || has_segment(path, "backups")) return nothing("a backup");
  if (has_segment(path, ".state")) return nothing("the state of an agent that ran");
  const auto type = find_element_type(first_segment(path));
  if (!type) return nothing("not in the folder of a type of elements");
  const auto below = path.substr(first_segment(path).size() + 1);
  if (*type == ElementType::skill) {
    if (auto folder = skill_folder(file.path);
        folder && folder->size() > file.path.size() - below.size()) {
      const auto inner = std::string_view(*folder).substr(file.path.size() - below.size());
      return place_in_skill(file, *folder, inner);
    }
  }
  const bool is_memory = *type == ElementType::memory;
  if (is_memory && file.name().find("backup") != std::string_view::npos) return nothing("a backup");
  if (file.name().find(".backup-") != std::string_view::npos) return nothing("a backup");
  if (const auto why = wrong_name(file.name()); !why.empty()) return nothing(std::string(why));
  if (!has_element_ending(file.name())) return nothing("not an element: neither markdown nor YAML");
  Placement out;
  out.kind = Placement::Kind::element;
  out.type = *type;
  out.target = joined(to_string(*type), below);
  return out;
}

Placement Placer::place_in_nexs(const SourceFile& file) const {
  const std::string_view path = file.path;
  for (const auto sidecar : kSidecars) {
    if (has_segment(path, sidecar)) {
      return nothing(sidecar == "working_memory" ? "the working memory of a session"
                                                 : "figures that NEXS keeps for itself");
    }
  }
  const auto typed = last_type_in(path);
  if (!typed) return nothing("not in the folder of a type of elements");
  if (const auto why = wrong_name(file.name()); !why.empty()) return nothing(std::string(why));
  const bool json = path.ends_with(".json");
  if (!json && !path.ends_with(".yaml") && !path.ends_with(".yml")) {
    return nothing("not an element: neither YAML nor JSON");
  }
  Placement out;
  out.kind = Placement::Kind::element;
  out.type = typed->type;
  auto below = std::string(typed->below);
  if (json) below.replace(below.size() - 5, 5, ".yaml");
  out.target = joined(to_string(typed->type), below);
  return out;
}

Placement Placer::place(const SourceFile& file) const {
  if (!file.left_out.empty()) return nothing(file.left_out);
  if (file.is_link) return nothing("a link, or no file; links are not followed");
  if (format_ == TransferFormat::dollhouse) return place_in_portfolio(file);
  if (format_ == TransferFormat::nexs) return place_in_nexs(file);
  auto folder = skill_folder(file.path);
  if (!folder) return nothing("not in a folder with a SKILL.md");
  const std::string below = *folder;
  return place_in_skill(file, std::move(*folder), below);
}

}  // namespace lode
