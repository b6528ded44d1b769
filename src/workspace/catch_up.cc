#include "workspace/catch_up.h"

#include <sys/resource.h>

#include <utility>

#include "workspace/sweep.h"

namespace lode {
namespace {

constexpr int kNice = 10;

}  // namespace

CatchUp::CatchUp(const Root& root, const PathFilter& filter, std::string file, Log& log,
                 Callback callback, Seen seen)
    : root_(root),
      filter_(filter),
      file_(std::move(file)),
      log_(log),
      callback_(std::move(callback)),
      seen_(std::move(seen)) {}

void CatchUp::start(Rest& rest) {
  thread_ = std::jthread([this, &rest](const std::stop_token& stop) {
    ::setpriority(PRIO_PROCESS, 0, kNice);  // on Linux: of this thread alone
    rest.take(stop);
    if (!stop.stop_requested()) run(stop);
  });
}

void CatchUp::run(const std::stop_token& stop) const {
  auto now = sweep(root_, filter_, stop);
  if (!now)
    return log_.debug("the workspace was not looked through", {{"problem", now.error().message}});
  seen_(*now);
  const auto before = Snapshot::load(file_);
  Changes changes;
  if (before) changes = diff(*before, *now);
  log_.info("looked through the workspace",
            {{"entries", std::to_string(now->size())},
             {"changed_meanwhile",
              before ? std::to_string(changes.paths.size() + changes.trees.size()) : "unknown"}});
  if (changes != Changes{}) callback_(changes);
  if (auto saved = now->save(file_); !saved) {
    log_.warning("what stands in the workspace was not noted",
                 {{"problem", saved.error().message}});
  }
}

}  // namespace lode
