#include "providers/activity/provider.h"

#include <utility>

#include "base/hash.h"

namespace lode {
namespace {

constexpr std::string_view kJson = "application/json";

Manifest manifest_of(const std::function<std::string()>& text) {
  Manifest manifest;
  manifest.name = "activity";
  manifest.families = {{std::string(ActivityProvider::kAddress)}};
  // Each request makes it another: nothing is kept.
  manifest.routes = {{{std::string(ActivityProvider::kAddress), "", "", "", ""},
                      [text](const Exchange&, const Address&) -> Result<Outcome> {
                        Contents contents;
                        contents.items.push_back(Content::text(text()));
                        contents.items.back().mime = kJson;
                        contents.items.back().version = content_hash(contents.items.back().bytes);
                        contents.ttl = std::chrono::milliseconds(0);
                        return contents;
                      },
                      false}};
  return manifest;
}

}  // namespace

ActivityProvider::ActivityProvider(std::function<std::string()> text,
                                   std::function<std::uint64_t()> revision)
    : text_(std::move(text)),
      revision_(std::move(revision)),
      manifest_(std::make_shared<const Manifest>(manifest_of(text_))) {}

Result<Page<Entry>> ActivityProvider::list(const Exchange&, const ListQuery&) {
  Entry entry;
  entry.uri = kAddress;
  entry.name = "Activity";
  entry.description = "Requests, times, cache and tokens of the last hour";
  entry.mime = kJson;
  return Page<Entry>{{std::move(entry)}, "", Freshness{}};
}

void ActivityProvider::publish(std::chrono::steady_clock::time_point now, Events& events) {
  if (!watched_ || now < next_) return;
  const auto revision = revision_();
  if (std::exchange(told_, revision) == revision) return;
  next_ = now + kPause;
  events.publish({Change::Kind::resource, std::string(kAddress)});
}

}  // namespace lode
