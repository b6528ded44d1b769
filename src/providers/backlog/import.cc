#include "providers/backlog/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/string.hpp>
#include <tuple>
#include <utility>

#include "providers/backlog/layout.h"
#include "providers/backlog/task.h"
#include "providers/backlog/task_fields.h"
#include "store/document.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, 2> kFormats{"backlog.md", "backlog-mcp"};

bool has_file(const std::vector<std::string>& paths, const std::string& path) {
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

bool has_below(const std::vector<std::string>& paths, const std::string& prefix) {
  return std::any_of(paths.begin(), paths.end(),
                     [&](const std::string& path) { return path.starts_with(prefix); });
}

bool is_backlog_md(const std::vector<std::string>& paths, const std::string& prefix) {
  const bool configured = has_file(paths, prefix + "config.yml") ||
                          has_file(paths, prefix + "config.yaml") ||
                          (prefix != "" && has_file(paths, "backlog.config.yml"));
  const auto has = [&](const char* folder) { return has_below(paths, prefix + folder); };
  return configured && (has("tasks/") || has("drafts/") || has("completed/"));
}

// Only ids of PREFIX-NUMBER with a prefix of backlog-mcp's show that it is one.
bool is_backlog_mcp(const std::vector<std::string>& paths, const std::string& prefix) {
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    if (!path.starts_with(prefix)) return false;
    const auto below = std::string_view(path).substr(prefix.size());
    return type_of_task_file(below) && type_of_task_id(id_of_task_file(below));
  });
}

BacklogPlacement nowhere(std::string why) { return {"", std::move(why)}; }

// "tasks/task-1 - Title.md": the folder, and what is below it.
std::pair<std::string_view, std::string_view> split_first(std::string_view path) {
  const auto slash = path.find('/');
  if (slash == std::string_view::npos) return {"", path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

BacklogPlacement place_backlog_md(std::string_view path) {
  auto [folder, name] = split_first(path);
  BacklogPlacement place;
  if (folder == "archive") {
    place.archived = true;
    std::tie(folder, name) = split_first(name);
  }
  if (folder.empty()) return nowhere("it is no task and no document");
  if (folder == "docs" || folder == "decisions") {
    place.target = fmt::format("artifacts/{}/{}", folder, name);
    return place;
  }
  place.draft = folder == "drafts";
  if (folder == "drafts" || folder == "completed") folder = "tasks";
  const bool named = name.find('/') == std::string_view::npos && names_task_id(name);
  if ((folder != "tasks" && folder != "milestones") || !named || !name.ends_with(".md")) {
    return nowhere("it is no task and no document");
  }
  place.target = fmt::format("{}/{}", folder, name);
  place.is_task = true;
  return place;
}

BacklogPlacement place_backlog_mcp(std::string_view path) {
  if (type_of_task_file(path) && names_task_id(path)) {
    if (!type_of_task_id(id_of_task_file(path))) return nowhere("Lode has no tasks of this type");
    constexpr std::string_view kDocs = "docs/";
    if (path.starts_with(kDocs)) path.remove_prefix(kDocs.size());
    return {std::string(path), "", true};
  }
  if (path.starts_with("artifacts/")) return {std::string(path), ""};
  return nowhere("it is no task and no artifact");
}

// Changes of one document, with a note for each.
class Mending {
 public:
  explicit Mending(Document document) : document_(std::move(document)) {}

  Status set(TaskField field, std::string_view value, std::string note) {
    return set(task_key_for(field, document_.frontmatter()), value, std::move(note));
  }
  Status set(std::string_view key, std::string_view value, std::string note) {
    return put(key, boost::json::string(value), std::move(note));
  }
  Status add_label(const std::string& label) {
    JsonArray labels;
    if (const auto* said = find_task_field(TaskField::labels, document_.frontmatter())) {
      for (const auto& item : said->items) labels.emplace_back(item.text);
      if (!said->is_list() && !said->text.empty()) labels.emplace_back(said->text);
    }
    if (std::find(labels.begin(), labels.end(), Json(label)) != labels.end()) return {};
    labels.emplace_back(label);
    return put(task_key_for(TaskField::labels, document_.frontmatter()), labels,
               fmt::format("it has the label {} now", label));
  }
  std::string text(std::string_view key) const {
    const auto* value = document_.find({std::string(key)});
    return value == nullptr || value->is_list() || value->is_map() ? "" : value->text;
  }
  const Document& document() const { return document_; }
  std::vector<std::string> take_notes() { return std::move(notes_); }

 private:
  Status put(std::string_view key, const Json& value, std::string note) {
    if (auto done = document_.set({std::string(key)}, value); !done) return done;
    if (!note.empty()) notes_.push_back(std::move(note));
    return {};
  }

  Document document_;
  std::vector<std::string> notes_;
};

Status mend_status(Mending& mending, const BacklogPlacement& place) {
  const auto said = mending.text("status");
  const auto known = find_task_status(said);
  if (place.draft) {
    auto done = mending.set(TaskField::status, to_string(TaskStatus::open),
                            "its status is open now, and was Draft");
    return done ? mending.add_label("draft") : done;
  }
  if (place.archived && (!known || !is_over(*known))) {
    auto done = mending.set(TaskField::status, to_string(TaskStatus::cancelled),
                            fmt::format("its status is cancelled now, and was {}", said));
    return done ? mending.add_label("archived") : done;
  }
  if (said.empty() || known) return {};
  auto done = mending.set("original_status", said, "");
  if (!done) return done;
  return mending.set(TaskField::status, to_string(TaskStatus::in_progress),
                     fmt::format("its status is in_progress now, and was {}", said));
}

Status mend_parent(Mending& mending) {
  const auto milestone = mending.text("milestone");
  const auto* parent = find_task_field(TaskField::parent, mending.document().frontmatter());
  const bool has_parent = parent != nullptr && !parent->text.empty();
  if (milestone.empty() || has_parent || !names_task_id(milestone)) return {};
  return mending.set(TaskField::parent, milestone,
                     fmt::format("its milestone {} is its parent now", milestone));
}

}  // namespace

std::string_view to_string(BacklogFormat format) {
  return kFormats[static_cast<std::size_t>(format)];
}

std::optional<BacklogFormat> find_backlog_format(std::string_view name) {
  const auto found = std::find(kFormats.begin(), kFormats.end(), name);
  if (found == kFormats.end()) return std::nullopt;
  return static_cast<BacklogFormat>(found - kFormats.begin());
}

std::optional<BacklogSource> find_backlog_source(const std::vector<std::string>& paths,
                                                 std::optional<BacklogFormat> format) {
  for (const char* prefix : {"", "backlog/", ".backlog/"}) {
    if (format != BacklogFormat::backlog_mcp && is_backlog_md(paths, prefix)) {
      return BacklogSource{BacklogFormat::backlog_md, prefix};
    }
  }
  for (const char* prefix : {"", ".backlog/"}) {
    if (format != BacklogFormat::backlog_md && is_backlog_mcp(paths, prefix)) {
      return BacklogSource{BacklogFormat::backlog_mcp, prefix};
    }
  }
  return std::nullopt;
}

BacklogPlacement place_in_backlog(const BacklogSource& source, std::string_view path) {
  if (!path.starts_with(source.prefix)) return nowhere("it is not in the backlog");
  path.remove_prefix(source.prefix.size());
  return source.format == BacklogFormat::backlog_md ? place_backlog_md(path)
                                                    : place_backlog_mcp(path);
}

Result<ImportedTask> import_task(const BacklogSource& source, const BacklogPlacement& place,
                                 std::string text) {
  auto document = Document::parse(std::move(text), DocumentForm::markdown);
  if (!document) return std::move(document).error();
  Mending mending(std::move(*document));
  const bool is_milestone = place.target.starts_with("milestones/");
  if (source.format == BacklogFormat::backlog_md) {
    auto mended = is_milestone && !place.archived ? Status() : mend_status(mending, place);
    if (mended && !is_milestone) mended = mend_parent(mending);
    if (!mended) return std::move(mended).error();
  }
  const auto& now = mending.document().text();
  const auto task = read_task({place.target, now, now.size(), {}});
  return ImportedTask{task.id, now, mending.take_notes()};
}

}  // namespace lode
