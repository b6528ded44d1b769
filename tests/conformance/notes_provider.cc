#include "notes_provider.h"

#include "engine/events.h"

namespace lode::fixture {
namespace {

Json string_property() { return JsonObject{{"type", "string"}}; }

Tool write_tool() {
  Tool write;
  write.name = "test_note";
  write.description = "Writes a note";
  write.input_schema = JsonObject{
      {"type", "object"},
      {"properties", JsonObject{{"name", string_property()}, {"text", string_property()}}},
      {"required", JsonArray{"name", "text"}}};
  return write;
}

}  // namespace

std::vector<Migration> notes_migrations() {
  auto steps = lode_migrations();
  steps.push_back({static_cast<int>(steps.size()) + 1,
                   {"CREATE TABLE notes (name TEXT PRIMARY KEY, body TEXT NOT NULL)"}});
  return steps;
}

NotesProvider::NotesProvider(Database& database, ChangeFeed& feed)
    : database_(database),
      feed_(feed),
      manifest_(std::make_shared<const Manifest>(make_manifest())) {}

Manifest NotesProvider::make_manifest() {
  Manifest manifest;
  manifest.name = "notes";
  manifest.families = {{"note:"}};
  manifest.routes = {{{"note://{name}", "note", "", "A note", "text/plain"},
                      [this](const Exchange&, const Address& address) { return read(address); }}};
  manifest.tools = {write_tool()};
  return manifest;
}

Result<Page<Entry>> NotesProvider::list(const Exchange&, const ListQuery&) { return Page<Entry>{}; }

Result<Outcome> NotesProvider::read(const Address& address) const {
  auto rows = database_.query("SELECT body FROM notes WHERE name = $1", {address.value("name")});
  if (!rows) return std::move(rows).error();
  Contents contents;
  for (const Row& row : *rows) contents.items.push_back(Content::text(row.text(0)));
  return contents;
}

Result<Outcome> NotesProvider::call(const Exchange&, std::string_view, const Json& arguments) {
  const std::string name(arguments.at("name").as_string().c_str());
  const std::string text(arguments.at("text").as_string().c_str());
  auto done = database_.transaction([&](Transaction& transaction) -> Status {
    auto written = transaction.execute(
        "INSERT INTO notes (name, body) VALUES ($1, $2) "
        "ON CONFLICT (name) DO UPDATE SET body = $2",
        {name, text});
    if (!written) return std::move(written).error();
    return feed_.publish(transaction,
                         {std::string(to_string(Change::Kind::resource)), "note://" + name});
  });
  if (!done) return std::move(done).error();
  Contents contents;
  contents.items.push_back(Content::text("written"));
  return contents;
}

}  // namespace lode::fixture
