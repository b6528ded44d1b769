#include "transport/http_asset.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/shared_text.h"
#include "transport/http_conditional.h"

namespace lode {
namespace {

constexpr std::string_view kUnknownType = "application/octet-stream";

constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
    {".css", "text/css; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".ico", "image/x-icon"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
    {".txt", "text/plain; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".webmanifest", "application/manifest+json"},
    {".webp", "image/webp"},
    {".woff2", "font/woff2"},
};

constexpr std::array<std::string_view, 3> kCodings{"", "gzip", "br"};  // by HttpCoding

// One form of an asset. On the server's thread.
struct Form {
  std::string_view bytes;
  std::string etag;                                // empty: there is no such form
  mutable std::weak_ptr<const SharedText> sent{};  // held by the answers that are written

  std::shared_ptr<const SharedText> text() const {
    auto text = sent.lock();
    if (!text) sent = text = std::make_shared<const SharedText>(std::string(bytes));
    return text;
  }
};

// What an Accept-Encoding header says of a coding, in thousandths; nothing: not a word.
std::optional<int> wish(std::string_view header, std::string_view coding) {
  std::optional<int> found;
  each_item(header, [&](std::string_view item) {
    const auto semicolon = item.find(';');
    if (found || lower_case(trim_field(item.substr(0, semicolon))) != coding) return;
    const auto q = quality(semicolon == std::string_view::npos ? "" : item.substr(semicolon));
    double value = 0;
    std::from_chars(q.data(), q.data() + q.size(), value, std::chars_format::fixed);
    found = static_cast<int>(std::min(std::max(value, 0.0), 1.0) * 1000);
  });
  return found;
}

class Asset {
 public:
  Asset(std::string_view path, const HttpAsset& asset, bool shared)
      : type_(asset.type.empty() ? content_type_of(path) : asset.type),
        caching_(!asset.immutable ? "no-cache"
                 : shared         ? "public, max-age=31536000, immutable"
                                  : "private, max-age=31536000, immutable"),
        headers_(asset.headers) {
    const std::string name = content_hash(asset.bytes);
    const auto form = [&](HttpCoding coding, std::string_view bytes) {
      if (coding != HttpCoding::identity && bytes.empty()) return;
      const auto at = static_cast<std::size_t>(coding);
      std::string etag = '"' + name;
      if (!kCodings[at].empty()) etag.append("-").append(kCodings[at]);
      forms_[at] = {bytes, etag + '"'};
    };
    form(HttpCoding::identity, asset.bytes);
    form(HttpCoding::gzip, asset.gzip);
    form(HttpCoding::brotli, asset.brotli);
  }

  void respond(HttpContext context) const {
    const auto coding = choose_coding(context.request.header("accept-encoding"),
                                      has(HttpCoding::gzip), has(HttpCoding::brotli));
    const Form& form = forms_[static_cast<std::size_t>(coding)];
    HttpResponse response{200, headers_, {}};
    response.headers.emplace_back("ETag", form.etag);
    response.headers.emplace_back("Cache-Control", caching_);
    if (has(HttpCoding::gzip) || has(HttpCoding::brotli)) {
      response.headers.emplace_back("Vary", "Accept-Encoding");
    }
    if (has_tag(context.request, form.etag)) {
      response.status = 304;
      return context.respond(std::move(response));
    }
    response.headers.emplace_back("Content-Type", type_);
    response.headers.emplace_back("X-Content-Type-Options", "nosniff");
    if (coding != HttpCoding::identity) {
      response.headers.emplace_back("Content-Encoding", kCodings[static_cast<std::size_t>(coding)]);
    }
    response.body.shared = form.text();
    context.respond(std::move(response));
  }

 private:
  bool has(HttpCoding coding) const {
    return !forms_[static_cast<std::size_t>(coding)].etag.empty();
  }

  const std::string type_;
  const std::string caching_;
  const HttpHeaders headers_;
  std::array<Form, kCodings.size()> forms_;  // by HttpCoding
};

}  // namespace

std::string_view content_type_of(std::string_view path) {
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return kUnknownType;
}

HttpCoding choose_coding(const std::string* accepted, bool has_gzip, bool has_brotli) {
  if (accepted == nullptr) return HttpCoding::identity;
  const auto any = wish(*accepted, "*");
  HttpCoding best = HttpCoding::identity;
  // Who wants the plain bytes more than others says so; else whatever is shorter.
  int most = wish(*accepted, "identity").value_or(1);
  const auto offer = [&](HttpCoding coding) {
    const auto name = kCodings[static_cast<std::size_t>(coding)];
    const auto wanted = wish(*accepted, name);
    const int worth = wanted ? *wanted : any.value_or(0);
    if (worth == 0 || worth < most) return;
    best = coding;
    most = worth;
  };
  if (has_gzip) offer(HttpCoding::gzip);
  if (has_brotli) offer(HttpCoding::brotli);
  return best;
}

std::function<void(HttpContext)> asset_handler(std::string_view path, const HttpAsset& asset,
                                               bool shared) {
  return [kept = std::make_shared<const Asset>(path, asset, shared)](HttpContext context) {
    kept->respond(std::move(context));
  };
}

}  // namespace lode
