// The markdown files of a workspace, and of a backlog outside of it, with their links and what
// is wrong with them. One thread.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "cli/local_request.h"
#include "links/link_target.h"
#include "workspace/root.h"

namespace lode {

// A markdown file that could be read.
struct LinksFile {
  const Root* root = nullptr;
  std::string relative;
  std::string shown;  // as people are told
  std::string text;
  struct stat info {};  // when it was opened to be read
  // Of a file in the backlog's directory: its path there. Nothing: it is elsewhere.
  std::optional<std::string> in_backlog{};

  struct Problem {
    MarkdownLink link;
    LinkFinding finding;
  };
  std::size_t links = 0;
  std::vector<Problem> problems{};
};

struct LeftOut {
  std::string file;
  std::string why;
};

class LinksSurvey {
 public:
  explicit LinksSurvey(const Command& command);
  LinksSurvey(const LinksSurvey&) = delete;
  LinksSurvey& operator=(const LinksSurvey&) = delete;

  // paths: as the words have them. Code::not_found: there is no such file or directory.
  Status find_files(const std::vector<std::string>& paths);
  using Visit = std::function<void(const LinksFile&)>;
  void each(const Visit& visit);
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  struct Found {
    const Root* root;
    std::string relative;
    std::string shown;
  };
  Status add_tree(const Root& root, IgnoreRules& ignore, const SecretRules& secrets,
                  const std::function<std::string(const std::string&)>& name);
  std::optional<LinksFile> read(const Found& found);
  LinkWorld make_world();
  bool exists(const std::string& path) const;
  std::optional<std::string> address_of(const std::string& path) const;
  std::optional<std::string> task_address(const std::string& path) const;
  std::optional<std::string> unresolved(const std::string& uri);

  const Command& command_;
  const Workspace& workspace_;
  const Tasks& tasks_;
  LocalRequest request_;
  std::unique_ptr<Root> backlog_;            // outside of the workspace; null: there is none
  std::unique_ptr<IgnoreRules> its_ignore_;  //
  std::vector<Found> files_;
  std::map<std::string, std::optional<std::string>> by_name_;     // nothing: several have it
  std::map<std::string, std::optional<std::string>> unresolved_;  // what is known by now
  std::vector<LeftOut> left_out_;
  LinkWorld world_;
};

}  // namespace lode
