// A folder of element files that exists: opened safely, and watched.
#pragma once

#include <memory>
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

// Constant after opening; any thread.
class ElementFolder {
 public:
  // Code::not_found: it is not there. Watching begins at once, unless there is no
  // callback.
  static Result<std::shared_ptr<ElementFolder>> open(const std::string& path, Log& log,
                                                     Watcher::Callback callback);

  const Root& root() const { return root_; }
  PathFilter filter() { return {ignore_, secrets_}; }

 private:
  explicit ElementFolder(Root root) : root_(std::move(root)), ignore_(root_) {}

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

}  // namespace lode
