// A folder of element files that exists: opened safely, and watched.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/result.h"
#include "providers/capability/element.h"
#include "workspace/ignore.h"
#include "workspace/root.h"
#include "workspace/secrets.h"
#include "workspace/watcher.h"

namespace lode {

// Where elements are.
struct ElementSource {
  std::string path;    // empty: nowhere
  std::string name;    // what stands before a file's name for people
  std::string within;  // a directory that links must not lead out of; empty: any
  bool of_workspace = false;
  bool skills_only = false;  // folders of agent skills, kept by other programs
};

// Constant after opening; any thread.
class ElementFolder {
 public:
  // secrets: of the directory that it is to be within, if there is one. Watching
  // begins at once, unless there is no callback. Code::not_found: it is not
  // there. Code::denied: it leads out.
  static Result<std::shared_ptr<ElementFolder>> open(const ElementSource& source,
                                                     const SecretRules& secrets, Log& log,
                                                     Watcher::Callback callback);

  const Root& root() const { return root_; }
  PathFilter filter() { return {ignore_, secrets_}; }

 private:
  ElementFolder(Root root, SecretRules secrets)
      : root_(std::move(root)), ignore_(root_), secrets_(std::move(secrets)) {}

  const Root root_;
  IgnoreRules ignore_;
  const SecretRules secrets_;
  std::unique_ptr<Watcher> watcher_;
};

// Which type's file it is, by the directory it lies in: "persona/x.md". Nothing:
// it is no element's file. In a folder that has a SKILL.md, that alone is one;
// has_skill tells whether a folder has.
std::optional<ElementType> type_of_file(std::string_view file,
                                        const std::function<bool(std::string_view)>& has_skill);
// The same where there are only skills: "pdf/SKILL.md".
std::optional<ElementType> type_of_skill(std::string_view file,
                                         const std::function<bool(std::string_view)>& has_skill);

}  // namespace lode
