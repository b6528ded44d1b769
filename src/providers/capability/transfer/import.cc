#include "providers/capability/transfer/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "providers/capability/collection.h"
#include "providers/capability/element_files.h"
#include "providers/capability/folder.h"
#include "providers/capability/skill_folder.h"
#include "providers/capability/transfer/convert.h"
#include "providers/capability/transfer/mend.h"
#include "providers/capability/transfer/value.h"

namespace lode {
namespace {

constexpr std::size_t kMostNotes = 5;  // on the fields of one element

std::string directory_of_file(const std::string& file) { return file.substr(0, file.rfind('/')); }

std::string ending_of(const std::string& file) { return file.substr(file.rfind('.')); }

// A path as it can be shown.
std::string shown(std::string_view path) {
  if (valid_utf8(path)) return std::string(path);
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x80 ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

std::optional<ElementValue> value_in(ElementType type, const std::string& file,
                                     const std::string& text) {
  const auto read = read_element({type, file, text, {}});
  const auto document = Document::parse(text, form_of_file(file));
  if (!read || !document) return std::nullopt;
  return value_of(type, read->element.id, document->frontmatter(), document->body());
}

// An element that is ready to be written.
struct Ready {
  Element element;  // its file: where it goes
  std::string text;
  std::vector<std::string> mended;
  std::vector<std::string> notes;
};

class Import {
 public:
  Import(const ImportRequest& request, TransferFormat format, const ElementGate& gate)
      : request_(request),
        format_(format),
        gate_(gate),
        here_(Collection::Folders{request.of_workspace ? request.folder : "",
                                  request.of_workspace ? "" : request.folder},
              index_, log_, [](const auto&) {}) {
    report_.format = to_string(format);
    report_.dry_run = request.dry_run;
  }

  Result<TransferReport> run(const std::vector<SourceFile>& files,
                             const TransferProgress& progress) {
    for (const auto type : kElementTypes) here_.load(type);
    if (auto root = Root::open(request_.folder)) root_.emplace(std::move(*root));
    const Placer placer(format_, files, request_.source.name());
    std::size_t done = 0;
    // Where a skill goes is settled before its other files.
    for (const bool sheets : {true, false}) {
      for (const auto& file : files) {
        const auto place = placer.place(file);
        if ((place.kind == Placement::Kind::sheet) != sheets) continue;
        if (auto brought = bring(file, place); !brought) return std::move(brought).error();
        if (progress) progress(++done, files.size());
      }
    }
    std::sort(report_.moved.begin(), report_.moved.end(),
              [](const Moved& a, const Moved& b) { return a.from < b.from; });
    return std::move(report_);
  }

 private:
  // Errors are those that end everything.
  Status bring(const SourceFile& file, const Placement& place) {
    Moved moved{shown(file.path), Fate::skipped, "", {}};
    Status done;
    if (place.kind == Placement::Kind::nothing) {
      moved.notes.push_back(place.why);
    } else if (!valid_utf8(file.path)) {
      done = end(moved, Fate::broken, "its name is no UTF-8");
    } else if (place.kind == Placement::Kind::part) {
      done = bring_part(file, place, moved);
    } else {
      done = bring_element(file, place, moved);
      if (place.kind == Placement::Kind::sheet) skills_[place.folder] = moved;
    }
    report_.moved.push_back(std::move(moved));
    return done;
  }

  // Nothing more is done with it.
  static Status end(Moved& moved, Fate fate, std::string note) {
    moved.fate = fate;
    moved.notes.push_back(std::move(note));
    if (fate != Fate::conflict && fate != Fate::present) moved.to.clear();
    return {};
  }

  Result<std::string> read(const SourceFile& file, std::size_t most) const {
    if (file.bytes <= most) return request_.source.read(file.path, most);
    return Error{Code::unsupported,
                 fmt::format("too large: {} bytes, and at most {} are read", file.bytes, most),
                 {}};
  }

  Status bring_element(const SourceFile& file, const Placement& place, Moved& moved) {
    auto text = read(file, Collection::kFileBytes);
    if (!text) return end(moved, Fate::broken, text.error().message);
    auto mended = mend(format_, place, file.path, std::move(*text));
    if (!mended) return end(moved, Fate::broken, mended.error().message);
    if (!mended->no_element.empty()) return end(moved, Fate::skipped, mended->no_element);
    const auto below = mended->target.find('/');
    mended->target.replace(0, std::min(below, mended->target.size()),
                           type_directory(request_.folder, mended->type));
    auto said = read_element(
        {mended->type, mended->target, mended->text, request_.source.modified(file.path)});
    if (!said) return end(moved, Fate::broken, said.error().message);
    Ready ready{std::move(said->element), std::move(mended->text), std::move(mended->mended),
                std::move(mended->notes)};
    ready.element.of_workspace = request_.of_workspace;
    for (const auto& problem : said->problems) {
      if (ready.notes.size() == kMostNotes) break;
      ready.notes.push_back(fmt::format("line {}: {}", problem.line, problem.text));
    }
    if (!settle_id(ready, moved)) return {};
    if (auto admitted = gate_.admit(Action::write, ready.element); !admitted) {
      return end(moved, Fate::broken, admitted.error().message);
    }
    return settle(ready, moved);
  }

  // Two files of the source may have one id. False: this one stays behind.
  bool settle_id(Ready& ready, Moved& moved) {
    auto& element = ready.element;
    const auto stays = [&](Fate fate, std::string note) {
      static_cast<void>(end(moved, fate, std::move(note)).ok());
      return false;
    };
    const auto other = taken_.find({element.type, element.id});
    if (other != taken_.end()) {
      const auto& from = other->second.from;
      if (other->second.text == content_hash(ready.text)) {
        return stays(Fate::skipped, fmt::format("the same as {}", from));
      }
      if (format_ == TransferFormat::nexs) {
        return stays(Fate::conflict,
                     fmt::format("its id \"{}\" is also that of {}", element.id, from));
      }
      auto id = free_id(element);
      auto text = with_id(ready.text, element.file, id);
      if (!text) return stays(Fate::broken, text.error().message);
      ready.mended.push_back(
          fmt::format("its id \"{}\" is that of {} too, and is now \"{}\"", element.id, from, id));
      ready.text = std::move(*text);
      element.id = std::move(id);
    }
    if (const auto same = targets_.find(element.file); same != targets_.end()) {
      return stays(Fate::conflict, fmt::format("{} would have the same place", same->second));
    }
    taken_[{element.type, element.id}] = {moved.from, content_hash(ready.text)};
    targets_[element.file] = moved.from;
    return true;
  }

  // Of the name of its file, and of the folder that it lies in.
  std::string free_id(const Element& element) const {
    const auto& file = element.file;
    const auto begin = file.find('/') + 1;
    const auto below = file.substr(begin, file.rfind('.') - begin);
    const auto slash = below.rfind('/');
    const auto stem = slug(below.substr(slash == below.npos ? 0 : slash + 1));
    const auto base = slash == below.npos ? stem : stem + "-" + slug(below.substr(0, slash));
    auto id = base;
    for (int number = 2; taken_.contains({element.type, id}); ++number) {
      id = fmt::format("{}-{}", base, number);
    }
    return id;
  }

  struct There {
    std::string file;
    std::string text;
    std::uint64_t stamp = 0;
  };
  std::optional<There> look(const std::string& file, std::size_t most) const {
    auto opened = root_ ? root_->open_without_links(file) : not_found("");
    if (!opened || !opened->is_regular()) return std::nullopt;
    auto text = read_all(*opened, most);
    return There{file, text ? std::move(*text) : "", stamp_of(opened->info)};
  }

  // At its place, or elsewhere with its id.
  std::optional<There> find(const Element& element) const {
    if (auto there = look(element.file, Collection::kFileBytes)) return there;
    const auto other = here_.find(element.type, element.id);
    if (!other || other->id != element.id) return std::nullopt;
    return look(other->file, Collection::kFileBytes);
  }

  Status settle(const Ready& ready, Moved& moved) {
    const auto& element = ready.element;
    const auto there = find(element);
    // What is there may have another name or id than what comes, and rules of its own.
    Element held = element;
    if (there) held.file = there->file;
    const auto known = there ? here_.in_file(request_.of_workspace, there->file) : std::nullopt;
    if (!gate_.admit(Action::write, held) || (known && !gate_.shows(*known))) {
      return end(moved, Fate::broken, ElementGate::refusal(Action::write, element).message);
    }
    moved.to = there ? there->file : element.file;
    moved.notes = ready.notes;
    if (!there) return create(ready.text, 0666, ready.mended, moved);
    const auto mine = value_in(element.type, element.file, ready.text);
    const auto theirs = value_in(element.type, there->file, there->text);
    const bool same = there->text == ready.text || (mine && theirs && same_value(*mine, *theirs));
    if (same) return end(moved, Fate::present, "already there");
    const bool same_form = ending_of(there->file) == ending_of(element.file);
    if (!request_.replace || !same_form) {
      return end(moved, Fate::conflict,
                 same_form
                     ? "already there and different, and left as it is; to overwrite it, replace"
                     : "already there and different, in a file of another form");
    }
    return replace(held, *there, ready.text, ready.mended, moved);
  }

  Status bring_part(const SourceFile& file, const Placement& place, Moved& moved) {
    const auto skill = skills_.find(place.folder);
    if (skill == skills_.end() || skill->second.to.empty() ||
        skill->second.fate == Fate::conflict) {
      return end(moved, Fate::skipped, "the SKILL.md that it belongs to was not taken");
    }
    const auto inside = file.path.substr(place.folder.empty() ? 0 : place.folder.size() + 1);
    moved.to = fmt::format("{}/{}", directory_of_file(skill->second.to), inside);
    const auto most = SkillLimits().bytes;
    const auto text = read(file, most);
    if (!text) return end(moved, Fate::broken, text.error().message);
    const auto there = look(moved.to, most);
    if (!there) return create(*text, file.is_executable ? 0777 : 0666, {}, moved);
    if (there->text == *text) return end(moved, Fate::present, "already there");
    if (!request_.replace) {
      return end(moved, Fate::conflict,
                 "already there and different, and left as it is; to overwrite it, replace");
    }
    Element owner;
    owner.type = ElementType::skill;
    owner.id = id_of_file(skill->second.to);
    owner.of_workspace = request_.of_workspace;
    return replace(owner, *there, *text, {}, moved);
  }

  static Status written(const Status& done, const std::vector<std::string>& mended, Moved& moved) {
    if (!done) {
      const auto fate = done.error().code == Code::conflict ? Fate::conflict : Fate::broken;
      return end(moved, fate, done.error().message);
    }
    moved.fate = mended.empty() ? Fate::kept : Fate::mended;
    moved.notes.insert(moved.notes.begin(), mended.begin(), mended.end());
    return {};
  }
  Status create(const std::string& text, mode_t mode, const std::vector<std::string>& mended,
                Moved& moved) {
    if (request_.dry_run) return written({}, mended, moved);
    if (auto opened = open_files(); !opened) return opened;
    return written(files_->create(moved.to, text, mode), mended, moved);
  }
  Status replace(const Element& element, const There& there, const std::string& text,
                 const std::vector<std::string>& mended, Moved& moved) {
    moved.notes.emplace_back("replaced what was there");
    if (request_.dry_run) return written({}, mended, moved);
    if (auto opened = open_files(); !opened) return opened;
    if (request_.keep) {
      auto kept = request_.keep(element, there.file, there.text);
      if (!kept) return end(moved, Fate::broken, kept.error().message);
      moved.notes.back() += fmt::format(", which is in the trash as {}", *kept);
    }
    return written(files_->replace(there.file, text, there.stamp), mended, moved);
  }

  Status open_files() {
    if (files_) return {};
    auto files = ElementFiles::open(request_.folder, request_.of_workspace);
    if (!files) return std::move(files).error();
    files_.emplace(std::move(*files));
    return {};
  }

  struct Taken {
    std::string from;
    std::string text;  // its hash
  };

  const ImportRequest& request_;
  const TransferFormat format_;
  const ElementGate& gate_;
  Log log_{-1, Log::Form::text, LogLevel::off};
  Index index_;
  Collection here_;
  std::optional<Root> root_;           // of the folder; nothing: it is not there yet
  std::optional<ElementFiles> files_;  // once something was to be written
  std::map<Collection::Key, Taken> taken_;
  std::map<std::string, std::string> targets_;  // where something goes, and from where
  std::map<std::string, Moved> skills_;         // what became of a folder's SKILL.md
  TransferReport report_;
};

}  // namespace

Result<TransferReport> import_elements(const ImportRequest& request, const ElementGate& gate,
                                       const TransferProgress& progress) {
  auto files = request.source.files();
  if (!files) return std::move(files).error();
  if (request.reads) {
    std::erase_if(*files, [&](const SourceFile& file) { return !request.reads(file.path); });
  }
  const auto format = request.format ? request.format : detect_format(*files);
  if (!format) {
    return invalid(
        "this is neither a Dollhouse portfolio (personas/, skills/, memories/, …), nor a NEXS data "
        "directory (elements/persona/, …), nor a folder of Agent Skills (…/SKILL.md)");
  }
  return Import(request, *format, gate).run(*files, progress);
}

}  // namespace lode
