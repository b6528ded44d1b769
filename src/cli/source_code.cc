#include "cli/source_code.h"

#include "store/migrations.h"
#include "store/sqlite.h"

namespace lode {
namespace {

constexpr std::chrono::milliseconds kTellEvery{200};

}  // namespace

SourceCode::SourceCode(const Workspace& workspace, Log& log)
    : log_(log),
      syntax_(log),
      outlines_(syntax_),
      symbols_({workspace, outlines_, documents_, log}) {}

// Before the index waits for its threads: they wait for their workers.
SourceCode::~SourceCode() { syntax_.stop(); }

// Without it files are parsed again that were parsed before.
void SourceCode::open_store(const std::string& state) {
  if (state.empty()) return;
  SqliteOptions options;
  options.path = state.substr(0, state.rfind('/')) + "/outlines.db";
  auto database = open_sqlite(options);
  const auto ready = database ? migrate(**database, outline_migrations()) : database.error();
  if (!ready) {
    log_.warning("outlines are not kept", {{"problem", ready.error().message}});
    return;
  }
  database_ = std::move(*database);
  store_.emplace(*database_);
  outlines_.keep_in(*store_);
  syntax_.remember(store_->harmful(), [this](const std::string& key, const std::string& problem) {
    store_->add_harmful(key, problem);
  });
}

void SourceCode::start(const std::string& state, Rest* rest) {
  open_store(state);
  symbols_.start(state, rest);
}

void SourceCode::load(const std::string& state,
                      const std::function<void(SymbolIndex::Progress)>& tell) {
  start(state, nullptr);
  symbols_.look_through();
  while (true) {
    const auto progress = symbols_.wait(std::chrono::steady_clock::now() + kTellEvery);
    if (progress.complete()) return;
    tell(progress);
  }
}

std::string SourceCode::incomplete() const {
  const auto progress = symbols_.progress();
  if (progress.complete()) return "";
  if (!progress.swept) return "symbols: the workspace is being looked through";
  return "symbols: files are still to be looked at";
}

}  // namespace lode
