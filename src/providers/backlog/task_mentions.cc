#include "providers/backlog/task_mentions.h"

#include <algorithm>
#include <utility>

#include "providers/backlog/task.h"
#include "providers/backlog/task_fields.h"
#include "store/document.h"

namespace lode {
namespace {

constexpr std::string_view kTaskLink = "mcp://backlog/tasks/";

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

// A dot may end a sentence, begin ".md", or go on as in "task-1.2".
bool ends_id(std::string_view behind) {
  if (behind.empty()) return true;
  if (behind.front() != '.') return !is_id_character(behind.front());
  return behind.size() == 1 || behind[1] < '0' || behind[1] > '9';
}

bool begins_id(std::string_view before) {
  return before.empty() || (!is_id_character(before.back()) && before.back() != '.');
}

class MentionFinder {
 public:
  MentionFinder(std::string_view text, std::string_view id) : text_(text), key_(task_key(id)) {}

  std::vector<TaskMention> find() && {
    const auto document = Document::parse(std::string(text_), DocumentForm::markdown);
    if (!document) {
      add_ids(0, text_.size(), TaskMention::In::malformed);
    } else {
      const auto& map = document->frontmatter();
      const auto offset =
          static_cast<std::size_t>(document->frontmatter_text().data() - document->text().data());
      add_field(find_task_field(TaskField::parent, map), offset, TaskMention::In::parent);
      add_field(find_task_field(TaskField::dependencies, map), offset,
                TaskMention::In::dependencies);
      add_links();
    }
    std::sort(found_.begin(), found_.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    add_lines();
    return std::move(found_);
  }

 private:
  void add_field(const YamlNode* value, std::size_t offset, TaskMention::In in) {
    if (value == nullptr) return;
    const auto end = std::min(offset + value->span.end, text_.size());
    add_ids(std::min(offset + value->span.content, end), end, in);
  }

  bool is_at(std::size_t at) const {
    const auto id = text_.substr(at, key_.size());
    return task_key(id) == key_ && ends_id(text_.substr(at + id.size()));
  }

  void add_ids(std::size_t from, std::size_t to, TaskMention::In in) {
    for (auto at = from; at + key_.size() <= to; ++at) {
      if (!begins_id(text_.substr(from, at - from)) || !is_at(at)) continue;
      found_.push_back({in, at});
      at += key_.size() - 1;
    }
  }

  void add_links() {
    for (auto at = text_.find(kTaskLink); at != text_.npos; at = text_.find(kTaskLink, at + 1)) {
      const auto begin = at + kTaskLink.size();
      const auto same = [&](const TaskMention& each) { return each.begin == begin; };
      if (is_at(begin) && std::none_of(found_.begin(), found_.end(), same)) {
        found_.push_back({TaskMention::In::text, begin});
      }
    }
  }

  void add_lines() {
    constexpr std::string_view kBlank = " \t\r";
    std::size_t line = 1;
    std::size_t at = 0;
    for (auto& mention : found_) {
      for (auto end = text_.find('\n', at); end < mention.begin; end = text_.find('\n', at)) {
        at = end + 1;
        ++line;
      }
      mention.line = line;
      const auto whole = text_.substr(at, text_.find('\n', at) - at);
      const auto begin = std::min(whole.find_first_not_of(kBlank), whole.size());
      mention.written = whole.substr(begin, whole.find_last_not_of(kBlank) + 1 - begin);
    }
  }

  const std::string_view text_;
  const std::string key_;
  std::vector<TaskMention> found_;
};

}  // namespace

std::vector<TaskMention> find_mentions(std::string_view text, std::string_view id) {
  // Most texts are of other tasks, and need not be parsed.
  const auto key = task_key(id);
  const auto same = [](char a, char b) {
    return a == b || (a >= 'a' && a <= 'z' && (a & ~32) == b);
  };
  if (key.empty() ||
      std::search(text.begin(), text.end(), key.begin(), key.end(), same) == text.end()) {
    return {};
  }
  return MentionFinder(text, id).find();
}

bool has_mention(const std::vector<TaskMention>& others, const TaskMention& mention) {
  return std::any_of(others.begin(), others.end(), [&](const TaskMention& each) {
    const bool line = mention.in == TaskMention::In::text;
    return each.in == mention.in && (!line || each.written == mention.written);
  });
}

void replace_mention(std::string& text, const TaskMention& mention, std::string_view old_id,
                     std::string_view new_id) {
  text.replace(mention.begin, old_id.size(), new_id);
}

ConflictSides conflict_sides(std::string_view text) {
  enum class In : std::uint8_t { both, ours, base, theirs } in = In::both;
  ConflictSides out;
  bool found = false;
  while (!text.empty()) {
    const auto line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    if (line.starts_with("<<<<<<< ")) {
      in = In::ours;
    } else if (line.starts_with("||||||| ") && in == In::ours) {
      in = In::base;
    } else if (line.starts_with("=======") && (in == In::ours || in == In::base)) {
      in = In::theirs;
    } else if (line.starts_with(">>>>>>> ") && in == In::theirs) {
      in = In::both;
      found = true;
    } else {
      if (in == In::both || in == In::ours) out.ours += line;
      if (in == In::both || in == In::theirs) out.theirs += line;
    }
  }
  return found && in == In::both ? out : ConflictSides();
}

}  // namespace lode
