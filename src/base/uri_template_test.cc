#include "base/uri_template.h"

#include <gtest/gtest.h>

#include <random>

#include "base/uri.h"

namespace lode {
namespace {

UriTemplate make(std::string_view text) {
  auto parsed = UriTemplate::parse(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error().message;
  return parsed ? *parsed : *UriTemplate::parse("");
}

std::string problem(std::string_view text) {
  auto parsed = UriTemplate::parse(text);
  return parsed ? "" : parsed.error().message;
}

// The match on one line, names in alphabetical order: "aspect=ast path=a/b".
std::string matched(std::string_view pattern, std::string_view uri) {
  auto found = make(pattern).match(uri);
  if (!found) return "no";
  std::string line;
  for (const auto& [name, value] : found->values) {
    line += (line.empty() ? "" : " ") + name + "=" + value;
  }
  for (const auto& name : found->extra) line += " +" + name;
  return line;
}

// The variables of RFC 6570, section 3.2.
const Bindings& rfc_values() {
  static const Bindings kValues = {
      {"count", TemplateList{"one", "two", "three"}},
      {"dom", TemplateList{"example", "com"}},
      {"dub", "me/too"},
      {"hello", "Hello World!"},
      {"half", "50%"},
      {"var", "value"},
      {"who", "fred"},
      {"base", "http://example.com/home/"},
      {"path", "/foo/bar"},
      {"list", TemplateList{"red", "green", "blue"}},
      {"keys", TemplateMap{{"semi", ";"}, {"dot", "."}, {"comma", ","}}},
      {"v", "6"},
      {"x", "1024"},
      {"y", "768"},
      {"empty", ""},
      {"empty_keys", TemplateMap{}},
  };
  return kValues;
}

struct Example {
  std::string_view pattern;
  std::string_view expansion;
};

void expect_all(std::initializer_list<Example> examples) {
  for (const auto& [pattern, expansion] : examples) {
    EXPECT_EQ(make(pattern).expand(rfc_values()), expansion) << pattern;
  }
}

TEST(UriTemplateExpansion, OfVariables) {
  expect_all({
      {"{count}", "one,two,three"},
      {"{count*}", "one,two,three"},
      {"{/count}", "/one,two,three"},
      {"{/count*}", "/one/two/three"},
      {"{;count}", ";count=one,two,three"},
      {"{;count*}", ";count=one;count=two;count=three"},
      {"{?count}", "?count=one,two,three"},
      {"{?count*}", "?count=one&count=two&count=three"},
      {"{&count*}", "&count=one&count=two&count=three"},
  });
}

TEST(UriTemplateExpansion, Simple) {
  expect_all({
      {"{var}", "value"},
      {"{hello}", "Hello%20World%21"},
      {"{half}", "50%25"},
      {"O{empty}X", "OX"},
      {"O{undef}X", "OX"},
      {"{x,y}", "1024,768"},
      {"{x,hello,y}", "1024,Hello%20World%21,768"},
      {"?{x,empty}", "?1024,"},
      {"?{x,undef}", "?1024"},
      {"?{undef,y}", "?768"},
      {"{var:3}", "val"},
      {"{var:30}", "value"},
      {"{list}", "red,green,blue"},
      {"{list*}", "red,green,blue"},
      {"{keys}", "semi,%3B,dot,.,comma,%2C"},
      {"{keys*}", "semi=%3B,dot=.,comma=%2C"},
  });
}

TEST(UriTemplateExpansion, Reserved) {
  expect_all({
      {"{+var}", "value"},
      {"{+hello}", "Hello%20World!"},
      {"{+half}", "50%25"},
      {"{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"},
      {"{+base}index", "http://example.com/home/index"},
      {"O{+empty}X", "OX"},
      {"O{+undef}X", "OX"},
      {"{+path}/here", "/foo/bar/here"},
      {"here?ref={+path}", "here?ref=/foo/bar"},
      {"up{+path}{var}/here", "up/foo/barvalue/here"},
      {"{+x,hello,y}", "1024,Hello%20World!,768"},
      {"{+path,x}/here", "/foo/bar,1024/here"},
      {"{+path:6}/here", "/foo/b/here"},
      {"{+list}", "red,green,blue"},
      {"{+list*}", "red,green,blue"},
      {"{+keys}", "semi,;,dot,.,comma,,"},
      {"{+keys*}", "semi=;,dot=.,comma=,"},
  });
}

TEST(UriTemplateExpansion, Fragment) {
  expect_all({
      {"{#var}", "#value"},
      {"{#hello}", "#Hello%20World!"},
      {"{#half}", "#50%25"},
      {"foo{#empty}", "foo#"},
      {"foo{#undef}", "foo"},
      {"{#x,hello,y}", "#1024,Hello%20World!,768"},
      {"{#path,x}/here", "#/foo/bar,1024/here"},
      {"{#path:6}/here", "#/foo/b/here"},
      {"{#list}", "#red,green,blue"},
      {"{#list*}", "#red,green,blue"},
      {"{#keys}", "#semi,;,dot,.,comma,,"},
      {"{#keys*}", "#semi=;,dot=.,comma=,"},
  });
}

TEST(UriTemplateExpansion, Label) {
  expect_all({
      {"{.who}", ".fred"},
      {"{.who,who}", ".fred.fred"},
      {"{.half,who}", ".50%25.fred"},
      {"www{.dom*}", "www.example.com"},
      {"X{.var}", "X.value"},
      {"X{.empty}", "X."},
      {"X{.undef}", "X"},
      {"X{.var:3}", "X.val"},
      {"X{.list}", "X.red,green,blue"},
      {"X{.list*}", "X.red.green.blue"},
      {"X{.keys}", "X.semi,%3B,dot,.,comma,%2C"},
      {"X{.keys*}", "X.semi=%3B.dot=..comma=%2C"},
      {"X{.empty_keys}", "X"},
      {"X{.empty_keys*}", "X"},
  });
}

TEST(UriTemplateExpansion, PathSegments) {
  expect_all({
      {"{/who}", "/fred"},
      {"{/who,who}", "/fred/fred"},
      {"{/half,who}", "/50%25/fred"},
      {"{/who,dub}", "/fred/me%2Ftoo"},
      {"{/var}", "/value"},
      {"{/var,empty}", "/value/"},
      {"{/var,undef}", "/value"},
      {"{/var,x}/here", "/value/1024/here"},
      {"{/var:1,var}", "/v/value"},
      {"{/list}", "/red,green,blue"},
      {"{/list*}", "/red/green/blue"},
      {"{/list*,path:4}", "/red/green/blue/%2Ffoo"},
      {"{/keys}", "/semi,%3B,dot,.,comma,%2C"},
      {"{/keys*}", "/semi=%3B/dot=./comma=%2C"},
  });
}

TEST(UriTemplateExpansion, PathParameters) {
  expect_all({
      {"{;who}", ";who=fred"},
      {"{;half}", ";half=50%25"},
      {"{;empty}", ";empty"},
      {"{;v,empty,who}", ";v=6;empty;who=fred"},
      {"{;v,bar,who}", ";v=6;who=fred"},
      {"{;x,y}", ";x=1024;y=768"},
      {"{;x,y,empty}", ";x=1024;y=768;empty"},
      {"{;x,y,undef}", ";x=1024;y=768"},
      {"{;hello:5}", ";hello=Hello"},
      {"{;list}", ";list=red,green,blue"},
      {"{;list*}", ";list=red;list=green;list=blue"},
      {"{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"},
      {"{;keys*}", ";semi=%3B;dot=.;comma=%2C"},
  });
}

TEST(UriTemplateExpansion, Query) {
  expect_all({
      {"{?who}", "?who=fred"},
      {"{?half}", "?half=50%25"},
      {"{?x,y}", "?x=1024&y=768"},
      {"{?x,y,empty}", "?x=1024&y=768&empty="},
      {"{?x,y,undef}", "?x=1024&y=768"},
      {"{?var:3}", "?var=val"},
      {"{?list}", "?list=red,green,blue"},
      {"{?list*}", "?list=red&list=green&list=blue"},
      {"{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"},
      {"{?keys*}", "?semi=%3B&dot=.&comma=%2C"},
      {"{&who}", "&who=fred"},
      {"{&half}", "&half=50%25"},
      {"?fixed=yes{&x}", "?fixed=yes&x=1024"},
      {"{&x,y,empty}", "&x=1024&y=768&empty="},
      {"{&x,y,undef}", "&x=1024&y=768"},
      {"{&var:3}", "&var=val"},
      {"{&list}", "&list=red,green,blue"},
      {"{&list*}", "&list=red&list=green&list=blue"},
      {"{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"},
      {"{&keys*}", "&semi=%3B&dot=.&comma=%2C"},
  });
}

TEST(UriTemplateExpansion, CountsCharactersNotBytes) {
  const Bindings values = {{"a", "é€x"}, {"b", "%C3%A9!"}, {"c", TemplateMap{{"k", ""}}}};
  EXPECT_EQ(make("{a:2}").expand(values), "%C3%A9%E2%82%AC");
  EXPECT_EQ(make("{+b:1}").expand(values), "%C3");
  EXPECT_EQ(make("{+b}").expand(values), "%C3%A9!");
  EXPECT_EQ(make("{b}").expand(values), "%25C3%25A9%21");
  EXPECT_EQ(make("{?c*}{;c*}").expand(values), "?k=;k");
  EXPECT_EQ(make("é%C3/[a]").expand(values), "%C3%A9%C3/[a]");
}

TEST(UriTemplate, ListsItsVariables) {
  const UriTemplate a = make("x://h/{+path}/{b,c:12}{?d*,e.f}");
  ASSERT_EQ(a.variables().size(), 5U);
  EXPECT_EQ(a.text(), "x://h/{+path}/{b,c:12}{?d*,e.f}");
  EXPECT_EQ(a.variables()[0].name, "path");
  EXPECT_EQ(a.variables()[0].op, '+');
  EXPECT_EQ(a.variables()[1].op, 0);
  EXPECT_EQ(a.variables()[2].prefix, 12);
  EXPECT_TRUE(a.variables()[3].explode);
  EXPECT_EQ(a.variables()[4].name, "e.f");
  EXPECT_EQ(a.variables()[4].op, '?');
}

TEST(UriTemplate, SaysWhereItIsMalformed) {
  EXPECT_EQ(problem("x://{a"), "a '{' without its '}' (at offset 4 of the template)");
  EXPECT_EQ(problem("x://a}"), "a character that must be encoded (at offset 5 of the template)");
  EXPECT_EQ(problem("x://{}"), "no variable name (at offset 5 of the template)");
  EXPECT_EQ(problem("{a,}"), "no variable name (at offset 3 of the template)");
  EXPECT_EQ(problem("{=a}"), "an operator that RFC 6570 reserves (at offset 1 of the template)");
  EXPECT_EQ(problem("{a:0}"), "no length from 1 to 9999 after ':' (at offset 3 of the template)");
  EXPECT_EQ(problem("{a b}"), "neither ',' nor '}' after a variable (at offset 2 of the template)");
  for (const char* text :
       {"{",     "{+}",   "{?}",   "{a:}", "{a:x}",  "{a:10000}", "{a*:3}", "{a:3*}",
        "{a**}", "{.}",   "{..a}", "{a.}", "{a..b}", "{{a}}",     "{a{b}",  "{a-b}",
        "{+?a}", "{a%2}", "a b",   "a%2",  "%zz",    "a\"",       "<",      "\\",
        "^",     "`",     "|",     "a\n",  "\xff"}) {
    EXPECT_NE(problem(text), "") << text;
  }
  for (const char* text : {"", "{a}", "{a_1.b2}", "{%41b}", "it's", "{a:9999}"}) {
    EXPECT_EQ(problem(text), "") << text;
  }
  EXPECT_NE(problem("{,a}"), "");
  EXPECT_NE(problem(std::string_view("{\0a}", 4)), "");
}

TEST(UriTemplate, HasLimits) {
  EXPECT_EQ(problem(std::string(UriTemplate::kMaxLength, 'a')), "");
  EXPECT_EQ(problem(std::string(UriTemplate::kMaxLength + 1, 'a')),
            "the template is longer than 2048 bytes");
  std::string many;
  for (std::size_t i = 0; i < UriTemplate::kMaxVariables; ++i) many += "{a}";
  EXPECT_EQ(problem(many), "");
  EXPECT_EQ(problem(many + "{a}"), "more than 64 variables (at offset 194 of the template)");
}

TEST(UriTemplateMatch, FindsPathAndAspect) {
  const std::string_view file =
      "resource://file/{+path}/{aspect}"
      "{?compact,max_depth,use_symbol_table,include_"
      "semantic_hash,expr,symbol,lines}";
  EXPECT_EQ(matched(file, "resource://file/src/a.ts/symbols?compact=true"),
            "aspect=symbols compact=true path=src/a.ts");
  EXPECT_EQ(matched(file, "resource://file/a/ast"), "aspect=ast path=a");
  EXPECT_EQ(matched(file, "resource://file/a%20b/c%2Fd/e/ast"), "aspect=ast path=a b/c/d/e");
  EXPECT_EQ(matched(file, "resource://file/a/query?expr=%28x%29&lines=1-2&nope=1&lines=3"),
            "aspect=query expr=(x) lines=1-2 path=a +nope +lines");
  EXPECT_EQ(matched(file, "resource://file/a/ast?path=x"), "aspect=ast path=a +path");
  EXPECT_EQ(matched(file, "resource://file/a/ast?"), "aspect=ast path=a");
  EXPECT_EQ(matched(file, "resource://file//ast"), "no");
  EXPECT_EQ(matched(file, "resource://file/ast"), "no");
  EXPECT_EQ(matched(file, "resource://file/a/"), "no");
  EXPECT_EQ(matched(file, "resource://files/a/ast"), "no");
  EXPECT_EQ(matched(file, "resource://file/a/ast#x"), "no");
}

TEST(UriTemplateMatch, KnowsTheAddressesOfTheSurface) {
  const struct {
    std::string_view pattern, uri, expected;
  } rows[] = {
      {"capability-index://summary", "capability-index://summary", ""},
      {"capability-index://summary", "capability-index://summary/", "no"},
      {"capability-index://elements/{type}{?tag,author,limit,cursor}",
       "capability-index://elements/skill?limit=5&tag=a%20b", "limit=5 tag=a b type=skill"},
      {"capability-index://elements/{type}{?tag,author,limit,cursor}",
       "capability-index://elements/skill/x", "no"},
      {"capability-index://elements/{type}/{id}", "capability-index://elements/skill/x",
       "id=x type=skill"},
      {"capability-index://recent{?days}", "capability-index://recent?days=7", "days=7"},
      {"capability-index://search{?q,type,limit}", "capability-index://search?q=a+b", "q=a+b"},
      {"skill://{name}/SKILL.md", "skill://pdf-tools/SKILL.md", "name=pdf-tools"},
      {"skill://{name}/{+path}", "skill://pdf/a/b.md", "name=pdf path=a/b.md"},
      {"resource://project/{+path}/{aspect}{?pattern,exclude,max_depth,cursor}",
       "resource://project/src/files?pattern=*.ts&exclude=a,b",
       "aspect=files exclude=a,b path=src pattern=*.ts"},
      {"resource://project/{aspect}{?pattern,exclude,max_depth,cursor}",
       "resource://project/summary", "aspect=summary"},
      {"resource://knowledge/search{?query,limit,threshold,types}",
       "resource://knowledge/search?query=x&threshold=0.5", "query=x threshold=0.5"},
      {"resource://knowledge/entity/{id}", "resource://knowledge/entity/e-1", "id=e-1"},
      {"resource://knowledge/{id}", "resource://knowledge/entity/e-1", "no"},
      {"resource://knowledge/entity/{id}/related{?depth,types,min_strength}",
       "resource://knowledge/entity/e-1/related?depth=2", "depth=2 id=e-1"},
      {"resource://agent/all{?status}", "resource://agent/all?status=active", "status=active"},
      {"resource://agent/{id}/results", "resource://agent/a1/results", "id=a1"},
      {"resource://room/{name}/messages{?since,limit}",
       "resource://room/it's%20(us)!/messages?since=2026-01-01T00:00:00Z",
       "name=it's (us)! since=2026-01-01T00:00:00Z"},
      {"mcp://backlog/tasks/{id}", "mcp://backlog/tasks/TASK-0001", "id=TASK-0001"},
      {"mcp://backlog/tasks/{id}", "mcp://backlog/tasks/TASK-0001@HEAD~2", "no"},
      {"mcp://backlog/tasks/{id}@{rev}", "mcp://backlog/tasks/TASK-0001@HEAD~2",
       "id=TASK-0001 rev=HEAD~2"},
      {"mcp://backlog/tasks/{id}", "mcp://backlog/tasks/", "no"},
      {"mcp://backlog/tasks/{id}/file", "mcp://backlog/tasks/TASK-0001/file", "id=TASK-0001"},
      {"mcp://backlog/tasks{?status,type,parent,q,ready,cursor}",
       "mcp://backlog/tasks?ready=true&status=open", "ready=true status=open"},
      {"mcp://backlog/tasks{?status,type,parent,q,ready,cursor}", "mcp://backlog/tasks", ""},
      {"mcp://backlog/tasks{?status,type,parent,q,ready,cursor}", "mcp://backlog/tasksx", "no"},
      {"mcp://backlog/resources/{+path}", "mcp://backlog/resources/a/b@v1", "path=a/b@v1"},
      {"mcp://backlog/{+path}.md", "mcp://backlog/a.md/b.md", "path=a.md/b"},
      {"file:///{+path}", "file:///etc/h%6Fsts", "path=etc/hosts"},
      {"file:///{+path}", "file:///", "no"},
      {"plugin://{plugin}/{+resource}", "plugin://p/https://o/x?y",
       "plugin=p resource=https://o/x +y"},
      {"lode://search{?q,kinds,limit}", "lode://search?q=%C3%A9", "q=é"},
  };
  for (const auto& [pattern, uri, expected] : rows) {
    EXPECT_EQ(matched(pattern, uri), expected) << pattern << " " << uri;
  }
}

TEST(UriTemplateMatch, IsGreedyFromTheLeftAndGivesBack) {
  EXPECT_EQ(matched("x:{a}{b}", "x:123"), "a=12 b=3");
  EXPECT_EQ(matched("x:{a}{b}", "x:1"), "no");
  EXPECT_EQ(matched("x:{a}%2F{b}", "x:1%2F2%2F3"), "a=1/2 b=3");
  EXPECT_EQ(matched("x:{a}{b}", "x:1%2F"), "a=1 b=/");
  EXPECT_EQ(matched("x:{a,b}", "x:1,2"), "a=1 b=2");
  EXPECT_EQ(matched("x:{+a,b}", "x:1,2,3"), "a=1,2 b=3");
  EXPECT_EQ(matched("x:{+a}/x/{+b}", "x:1/x/2/x/3"), "a=1/x/2 b=3");
  EXPECT_EQ(matched("{+all}", "x:1/2?q=1"), "all=x:1/2 +q");
  EXPECT_EQ(matched("x{?a}{&b}", "x?b=2&a=1"), "a=1 b=2");
  EXPECT_EQ(matched("", ""), "");
  EXPECT_EQ(matched("", "x"), "no");
  EXPECT_EQ(matched("é{a}", "%C3%A9x"), "a=x");
}

TEST(UriTemplateMatch, RefusesMalformedText) {
  EXPECT_EQ(matched("x:{a}", "x:%4"), "no");
  EXPECT_EQ(matched("x:{+a}", "x:%zz"), "no");
  EXPECT_EQ(matched("x:{a}", "x:%00"), "no");
  EXPECT_EQ(matched("x{?a}", "x?a=%"), "no");
  EXPECT_EQ(matched("x:{+a}", "x:" + std::string(Uri::kMaxLength, 'a')), "no");
}

TEST(UriTemplateMatch, IsOnlyForSomeTemplates) {
  for (const char* text :
       {"{/a}", "{#a}", "{.a}", "{;a}", "{a*}", "{a:3}", "{?a*}", "{a}{a}", "{a}{?a}", "x?y={a}",
        "x?y=1{&a}", "{&a}", "{?a}{?b}", "{?a}x", "{?a}{b}", "x#y", "{a%41}"}) {
    EXPECT_FALSE(make(text).matchable()) << text;
    EXPECT_FALSE(make(text).match("x")) << text;
  }
  EXPECT_TRUE(make("x://{a}/{+b}{?c}{&d}").matchable());
}

// The worst that the limits allow; exponential time would never end.
TEST(UriTemplateMatch, TakesBoundedTime) {
  std::string pattern = "x:";
  for (std::size_t i = 0; i < UriTemplate::kMaxVariables; ++i) {
    pattern += "{+v" + std::to_string(i) + "}a";
  }
  const std::string path(Uri::kMaxLength - 3, 'a');
  EXPECT_EQ(matched(pattern, "x:" + path + "b"), "no");
  EXPECT_NE(matched(pattern, "x:" + path), "no");
}

TEST(UriTemplateMatch, FindsWhatExpansionWrote) {
  std::mt19937 random(6570);
  const UriTemplate pattern = make("x://h/{+path}/{aspect}{?a,b}");
  for (int round = 0; round < 2000; ++round) {
    const auto text = [&](std::string_view alphabet) {
      std::string out(1 + random() % 6, '\0');
      for (char& c : out) c = alphabet[random() % alphabet.size()];
      return out;
    };
    Bindings values = {
        {"path", text("ab/:@")}, {"aspect", text("ab/ %?\xc3")}, {"a", text("a&=+ ")}};
    auto found = pattern.match(pattern.expand(values));
    ASSERT_TRUE(found);
    EXPECT_EQ(Bindings(found->values.begin(), found->values.end()), values);
  }
}

}  // namespace
}  // namespace lode
