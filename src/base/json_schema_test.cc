#include "base/json_schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/json_schema_pattern.h"
#include "base/json_schema_value.h"

namespace lode {
namespace {

Json json(std::string_view text) {
  auto parsed = parse_json(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? std::move(*parsed) : Json();
}

// All problems, one a line; "valid" if there are none.
std::string check(std::string_view schema, std::string_view instance,
                  const SchemaLimits& limits = {}) {
  auto compiled = JsonSchema::compile(json(schema), limits);
  if (!compiled) return "refused: " + compiled.error().message;
  std::string out;
  for (const auto& problem : compiled->validate(json(instance))) {
    out += (out.empty() ? "" : "\n") + problem.text();
  }
  return out.empty() ? "valid" : out;
}

Code refusal(std::string_view schema, const SchemaLimits& limits = {}) {
  auto compiled = JsonSchema::compile(json(schema), limits);
  return compiled ? Code::internal : compiled.error().code;
}

TEST(JsonSchema, SaysWhatIsWrongWhere) {
  constexpr std::string_view kSchema = R"({
    "type": "object",
    "properties": {
      "age": {"type": "integer", "minimum": 0},
      "name": {"type": "string", "minLength": 1, "pattern": "^[A-Z]"},
      "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": true, "maxItems": 2}
    },
    "required": ["name"],
    "additionalProperties": false
  })";
  EXPECT_EQ(check(kSchema, R"({"name":"Ada","age":36,"tags":["a","b"]})"), "valid");
  EXPECT_EQ(check(kSchema, R"({"age":"36"})"),
            "must have the property \"name\"\n/age: must be an integer, is a string");
  EXPECT_EQ(check(kSchema, R"({"name":"ada","age":-1,"size":3})"),
            "/age: must be at least 0, is -1\n"
            "/name: must match the pattern ^[A-Z], is \"ada\"\n"
            "/size: is not a known property; known: age, name, tags");
  EXPECT_EQ(check(kSchema, R"({"name":"A","tags":["a","c","a"]})"),
            "/tags: must have at most 2 items, has 3\n"
            "/tags/1: must be one of \"a\", \"b\"; is \"c\"\n"
            "/tags: must have no two equal items; 0 and 2 are equal");
  EXPECT_EQ(check(kSchema, "[]"), "must be an object, is an array");
  EXPECT_EQ(check(R"({"type":["string","null"]})", "1.5"), "must be a string or null, is a number");
  EXPECT_EQ(check(R"({"properties":{"a/b~":{"const":1}}})", R"({"a/b~":2})"),
            "/a~1b~0: must be 1, is 2");
}

TEST(JsonSchema, ExplainsAlternatives) {
  constexpr std::string_view kSchema =
      R"({"properties":{"x":{"anyOf":[{"type":"string"},{"properties":{"y":{"type":"null"}},"type":"object"}]}}})";
  EXPECT_EQ(check(kSchema, R"({"x":{"y":1}})"),
            "/x: must match at least one alternative: (1) must be a string, is an object; "
            "(2) /x/y: must be null, is an integer");
  EXPECT_EQ(check(R"({"oneOf":[{"type":"integer"},{"minimum":2}]})", "3"),
            "must match exactly one of 2 alternatives, matches 1 and 2");
  EXPECT_EQ(check(R"({"not":{"type":"integer"}})", "3"), "must not match the schema of \"not\"");
  EXPECT_EQ(check(R"({"propertyNames":{"maxLength":2}})", R"({"abc":1})"),
            "the name \"abc\" is wrong: must have at most 2 characters, has 3");
}

TEST(JsonSchema, ReportsAtMostAsManyProblemsAsAllowed) {
  SchemaLimits limits;
  limits.max_problems = 2;
  EXPECT_EQ(check(R"({"items":{"type":"null"}})", "[1,2,3]", limits),
            "/0: must be null, is an integer\n/1: must be null, is an integer");
  limits.max_problems = 0;
  EXPECT_EQ(check("false", "1", limits), "does not match the schema");
}

TEST(JsonSchema, NumbersAreMathematical) {
  EXPECT_EQ(check(R"({"type":"integer"})", "1.0"), "valid");
  EXPECT_EQ(check(R"({"type":"integer"})", "1e300"), "valid");
  EXPECT_EQ(check(R"({"const":1})", "1.0"), "valid");
  EXPECT_EQ(check(R"({"const":[{"a":0}]})", R"([{"a":-0.0}])"), "valid");
  EXPECT_EQ(check(R"({"const":9007199254740993})", "9007199254740992"),
            "must be 9007199254740993, is 9007199254740992");
  EXPECT_NE(check(R"({"maximum":9007199254740992.0})", "9007199254740993"), "valid");
  EXPECT_EQ(check(R"({"maximum":18446744073709551615})", "18446744073709551615"), "valid");
  EXPECT_NE(check(R"({"exclusiveMinimum":-9223372036854775808})", "-9223372036854775808"), "valid");
  EXPECT_EQ(check(R"({"minimum":-9223372036854775808})", "-9.3e18"),
            "must be at least -9223372036854775808, is -9.3e+18");
  EXPECT_NE(check(R"({"uniqueItems":true})", R"([{"a":1,"b":2},{"b":2.0,"a":1e0}])"), "valid");
  EXPECT_EQ(check(R"({"uniqueItems":true})", R"([1,true,"1",[1],{"a":1},null,0,false,""])"),
            "valid");
}

TEST(JsonSchema, MultiplesAreDecimal) {
  EXPECT_EQ(check(R"({"multipleOf":0.01})", "19.99"), "valid");
  EXPECT_EQ(check(R"({"multipleOf":0.1})", "0.3"), "valid");
  EXPECT_EQ(check(R"({"multipleOf":0.1})", "0.35"), "must be a multiple of 0.1, is 0.35");
  EXPECT_EQ(check(R"({"multipleOf":3})", "9223372036854775806"), "valid");
  EXPECT_NE(check(R"({"multipleOf":3})", "9223372036854775807"), "valid");
  EXPECT_EQ(check(R"({"multipleOf":5e-324})", "1e308"), "valid");
  EXPECT_NE(check(R"({"multipleOf":1e308})", "5e-324"), "valid");
  EXPECT_EQ(check(R"({"multipleOf":7})", "-9223372036854775808"),
            "must be a multiple of 7, is -9223372036854775808");
}

TEST(JsonSchema, CountsCodePoints) {
  EXPECT_EQ(check(R"({"maxLength":1})", R"("😀")"), "valid");
  EXPECT_EQ(check(R"({"minLength":2})", R"("é")"), "must have at least 2 characters, has 1");
  EXPECT_EQ(check(R"({"minLength":2.0})", R"("é日")"), "valid");
}

// What the comparison with ajv leaves out, because ajv deviates.
TEST(JsonSchema, FollowsTheSpecificationWhereOthersDoNot) {
  EXPECT_NE(check(R"({"required":[""]})", "{}"), "valid");
  EXPECT_NE(check(R"({"required":["constructor"]})", "{}"), "valid");
  EXPECT_EQ(check(R"({"type":"string","nullable":true})", "null"), "must be a string, is null");
  EXPECT_EQ(check(R"({"enum":[]})", "1"), "is not allowed: the enum is empty");
  EXPECT_NE(check(R"({"items":{"contains":{"const":1}}})", "[[1],[]]"), "valid");
  EXPECT_NE(check(R"({"prefixItems":[true],"items":true,"contains":true})", "[]"), "valid");
}

TEST(JsonSchema, UnevaluatedItemsSeeWhatBranchesSaw) {
  constexpr std::string_view kBranches =
      R"({"prefixItems":[true],"anyOf":[{"prefixItems":[true,{"const":1}]},{"items":{"const":2}}],)"
      R"("unevaluatedItems":false})";
  EXPECT_EQ(check(kBranches, "[0,1]"), "valid");
  EXPECT_EQ(check(kBranches, "[0,1,5]"), "/2: is not allowed");
  EXPECT_EQ(check(kBranches, "[2,2,2]"), "valid");
  constexpr std::string_view kContains =
      R"({"contains":{"type":"string"},"unevaluatedItems":{"type":"integer"}})";
  EXPECT_EQ(check(kContains, R"([1,"a",2])"), "valid");
  EXPECT_EQ(check(kContains, R"([1,"a",null])"), "/2: must be an integer, is null");
  EXPECT_EQ(check(R"({"if":{"prefixItems":[{"const":1}]},"unevaluatedItems":false})", "[1]"),
            "valid");
  EXPECT_NE(check(R"({"if":{"prefixItems":[{"const":1}]},"unevaluatedItems":false})", "[2]"),
            "valid");
}

TEST(JsonSchema, UnevaluatedPropertiesForgetFailedBranches) {
  constexpr std::string_view kNested = R"({
    "oneOf": [
      {"oneOf": [{"properties": {"a": true}}, {"patternProperties": {"^a": true}}]},
      {"properties": {"b": true}}
    ],
    "unevaluatedProperties": false
  })";
  EXPECT_EQ(check(kNested, R"({"b":1})"), "valid");
  EXPECT_EQ(check(kNested, R"({"a":1,"b":1})"), "/a: is not allowed");
  constexpr std::string_view kDependent = R"({
    "properties": {"a": true},
    "dependentSchemas": {"z": {"additionalProperties": true}},
    "unevaluatedProperties": false
  })";
  EXPECT_EQ(check(kDependent, R"({"a":1})"), "valid");
  EXPECT_EQ(check(kDependent, R"({"a":1,"z":1,"y":1})"), "valid");
  EXPECT_EQ(check(kDependent, R"({"a":1,"y":1})"), "/y: is not allowed");
  // A cousin's members are not seen.
  EXPECT_EQ(check(R"({"allOf":[{"properties":{"a":true}},{"unevaluatedProperties":false}]})",
                  R"({"a":1})"),
            "/a: is not allowed");
  EXPECT_NE(check(R"({"not":{"not":{"properties":{"a":true}}},"unevaluatedProperties":false})",
                  R"({"a":1})"),
            "valid");
}

TEST(JsonSchema, FollowsReferences) {
  constexpr std::string_view kTree =
      R"({"$ref":"#/$defs/a~1b%25","$defs":{"a/b%":{"type":"object","additionalProperties":{"$ref":"#"}}}})";
  EXPECT_EQ(check(kTree, R"({"x":{"y":{}}})"), "valid");
  EXPECT_EQ(check(kTree, R"({"x":{"y":1}})"), "/x/y: must be an object, is an integer");
  constexpr std::string_view kIds = R"({
    "$id": "https://example.com/root.json",
    "properties": {"n": {"$ref": "sub/number.json#plus"}, "u": {"$ref": "urn:example:u#/$defs/x"}},
    "$defs": {
      "number": {"$id": "sub/number.json", "$defs": {"p": {"$anchor": "plus", "$ref": "#/$defs/q"},
                 "q": {"minimum": 1}}},
      "u": {"$id": "urn:example:u", "$defs": {"x": {"type": "string"}}}
    }
  })";
  EXPECT_EQ(check(kIds, R"({"n":1,"u":"x"})"), "valid");
  EXPECT_EQ(check(kIds, R"({"n":0,"u":1})"),
            "/n: must be at least 1, is 0\n/u: must be a string, is an integer");
  // A place that no keyword leads to.
  EXPECT_NE(check(R"({"$ref":"#/x-own/deep/0","x-own":{"deep":[{"type":"null"}]}})", "1"), "valid");
}

TEST(JsonSchema, DynamicReferencesTakeTheOutermost) {
  constexpr std::string_view kList = R"({
    "$id": "https://example.com/strings",
    "$ref": "list",
    "$defs": {
      "item": {"$dynamicAnchor": "item", "type": "string"},
      "list": {"$id": "list", "items": {"$dynamicRef": "#item"},
               "$defs": {"any": {"$dynamicAnchor": "item"}}}
    }
  })";
  EXPECT_EQ(check(kList, R"(["a"])"), "valid");
  EXPECT_EQ(check(kList, "[1]"), "/0: must be a string, is an integer");
  // Without a $dynamicAnchor at the static target it is an ordinary reference.
  constexpr std::string_view kStatic = R"({
    "$id": "https://example.com/strings",
    "$ref": "list",
    "$defs": {
      "item": {"$dynamicAnchor": "item", "type": "string"},
      "list": {"$id": "list", "items": {"$dynamicRef": "#item"}, "$defs": {"any": {"$anchor": "item"}}}
    }
  })";
  EXPECT_EQ(check(kStatic, "[1]"), "valid");
}

TEST(JsonSchema, RefusesReferencesThatLeadNowhere) {
  EXPECT_EQ(check(R"({"properties":{"a":{"$ref":"https://example.com/x.json"}}})", "1"),
            "refused: #/properties/a/$ref: \"https://example.com/x.json\" leads nowhere in this "
            "document, and nothing is fetched");
  EXPECT_NE(check(R"({"$ref":"#/$defs/none"})", "1"), "valid");
  EXPECT_NE(check(R"({"$ref":"#none"})", "1"), "valid");
  EXPECT_NE(check(R"({"$ref":"#/%zz"})", "1"), "valid");
  EXPECT_NE(check(R"({"$ref":"http://[bad"})", "1"), "valid");
  EXPECT_EQ(check(R"({"$ref":"#/enum/0","enum":[3]})", "3"),
            "refused: #/$ref: #/enum/0: a schema must be an object or a boolean");
}

TEST(JsonSchema, ChecksTheSchemaItself) {
  EXPECT_EQ(check("3", "1"), "refused: #: a schema must be an object or a boolean");
  EXPECT_EQ(check(R"({"properties":{"a":{"minLength":-1}}})", "1"),
            "refused: #/properties/a/minLength: must be a non-negative integer");
  EXPECT_EQ(check(R"({"items":{"type":"strnig"}})", "1").substr(0, 36),
            "refused: #/items/type: must be one o");
  EXPECT_EQ(check(R"({"anyOf":[]})", "1"),
            "refused: #/anyOf: must be a non-empty array of schemas");
  EXPECT_EQ(check(R"({"multipleOf":0})", "1"), "refused: #/multipleOf: must be a number above 0");
  for (const char* wrong : {R"({"type":[]})",
                            R"({"minimum":"1"})",
                            R"({"maxItems":1.5})",
                            R"({"required":"a"})",
                            R"({"required":[1]})",
                            R"({"properties":[]})",
                            R"({"properties":{"a":1}})",
                            R"({"allOf":{}})",
                            R"({"enum":1})",
                            R"({"uniqueItems":1})",
                            R"({"pattern":1})",
                            R"({"pattern":"("})",
                            R"({"patternProperties":{"[":true}})",
                            R"({"$ref":1})",
                            R"({"$dynamicRef":1})",
                            R"({"$id":"a#b"})",
                            R"({"$anchor":"1"})",
                            R"({"items":[true]})",
                            R"({"dependentRequired":{"a":1}})",
                            R"({"format":1})",
                            R"({"$defs":{"a":1}})",
                            R"({"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}})",
                            R"({"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}})"}) {
    EXPECT_EQ(refusal(wrong), Code::invalid) << wrong;
  }
  EXPECT_EQ(check(R"({"x-any":{"type":7},"title":"t","unknown":[],"const":1})", "1"), "valid");
}

TEST(JsonSchema, KnowsItsDialects) {
  EXPECT_EQ(
      check(R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"null"})", "null"),
      "valid");
  EXPECT_EQ(refusal(R"({"$schema":"http://json-schema.org/draft-04/schema#"})"), Code::unsupported);
  constexpr std::string_view kDraft7 = R"({
    "$schema": "http://json-schema.org/draft-07/schema#",
    "$ref": "#/definitions/pair",
    "type": "null",
    "definitions": {"pair": {"items": [{"type": "string"}, true], "additionalItems": false,
      "prefixItems": 3, "dependencies": {"a": ["b"], "c": {"required": ["d"]}}}}
  })";
  EXPECT_EQ(check(kDraft7, R"(["a",1])"), "valid");
  EXPECT_EQ(check(kDraft7, R"([1,1,1])"),
            "/0: must be a string, is an integer\n/2: is not allowed");
  EXPECT_EQ(check(kDraft7, R"({"a":1,"c":1})"),
            "must have the property \"b\", because it has \"a\"\nmust have the property \"d\"");
}

TEST(JsonSchema, BoundsLoopsDepthAndSteps) {
  const std::string loop = check(R"({"$ref":"#"})", "1");
  EXPECT_EQ(loop,
            "not checked to the end: schemas nested deeper than 512 (does a $ref lead to itself?)");
  EXPECT_EQ(check(R"({"not":{"$ref":"#"}})", "1"), loop);
  EXPECT_EQ(check(R"({"anyOf":[true,{"$ref":"#"}]})", "1"), "valid");
  EXPECT_EQ(check(R"({"$dynamicAnchor":"a","allOf":[{"$dynamicRef":"#a"}]})", "1"), loop);

  // 2^40 ways to fail.
  std::string bomb = R"({"$ref":"#/$defs/n0","$defs":{)";
  for (int i = 0; i < 40; ++i) {
    bomb += fmt::format(
        R"("n{0}":{{"anyOf":[{{"$ref":"#/$defs/n{1}"}},{{"$ref":"#/$defs/n{1}"}}]}},)", i, i + 1);
  }
  bomb += R"("n40":false}})";
  EXPECT_EQ(check(bomb, "1"), "not checked to the end: more than 1000000 steps");

  SchemaLimits few;
  few.max_steps = 100;
  std::string items = "[0";
  for (int i = 1; i < 200; ++i) items += "," + std::to_string(i);
  EXPECT_NE(check(R"({"items":true})", items + "]", few), "valid");
  EXPECT_NE(check(R"({"uniqueItems":true})", items + "]", few), "valid");
  EXPECT_NE(check(R"({"pattern":"^a{1,900}$"})", '"' + std::string(900, 'a') + '"', few), "valid");
  EXPECT_NE(check(R"({"not":{"contains":{"const":-1}}})", items + "]", few), "valid");
}

TEST(JsonSchema, BoundsTheSchema) {
  SchemaLimits limits;
  limits.max_subschemas = 3;
  EXPECT_EQ(refusal(R"({"allOf":[true,true,true]})", limits), Code::unsupported);
  limits = {};
  limits.max_pattern_length = 4;
  EXPECT_EQ(refusal(R"({"pattern":"^abcd"})", limits), Code::unsupported);
  limits = {};
  limits.max_patterns = 1;
  EXPECT_EQ(check(R"({"pattern":"a","patternProperties":{"a":true}})", "1", limits), "valid");
  EXPECT_EQ(refusal(R"({"pattern":"a","patternProperties":{"b":true}})", limits),
            Code::unsupported);
  limits = {};
  limits.max_pattern_size = 2000;
  EXPECT_EQ(refusal(R"({"allOf":[{"pattern":"\\p{L}a"},{"pattern":"\\p{L}b"}]})", limits),
            Code::unsupported);
  EXPECT_EQ(check(R"({"pattern":"\\p{L}a"})", R"("éa")", limits), "valid");
  limits = {};
  limits.max_pattern_memory = 1 << 14;
  EXPECT_EQ(refusal(R"({"pattern":"(\\w{500}){500}"})", limits), Code::unsupported);
}

bool matches(std::string_view pattern, std::string_view text) {
  auto compiled = schema::Pattern::compile(pattern, 1 << 20);
  EXPECT_TRUE(compiled) << compiled.error().message;
  return compiled && compiled->found_in(text);
}

Code pattern_refusal(std::string_view pattern) {
  auto compiled = schema::Pattern::compile(pattern, 1 << 20);
  return compiled ? Code::internal : compiled.error().code;
}

TEST(Pattern, SpeaksEcma) {
  EXPECT_TRUE(matches("b", "abc"));
  EXPECT_FALSE(matches("^b", "abc"));
  EXPECT_FALSE(matches("c$", "abc\n"));
  EXPECT_FALSE(matches("\\d", "৪"));
  EXPECT_TRUE(matches("^\\s$", "\u00a0"));
  EXPECT_FALSE(matches("^[\\S]$", "\u2028"));
  EXPECT_FALSE(matches("^.$", "\r"));
  EXPECT_TRUE(matches("^.$", "😀"));
  EXPECT_TRUE(matches("^[^]$", "\n"));
  EXPECT_FALSE(matches("[]", "a"));
  EXPECT_TRUE(matches("^[[:x]+$", "[:x"));
  EXPECT_TRUE(matches("^[\\w-.]+$", "a-."));
  EXPECT_TRUE(matches("^[+-\\d]+$", "-1+"));
  EXPECT_TRUE(matches("^\\/\\-\\.$", "/-."));
  EXPECT_TRUE(matches("^\\cA\\x41\\u0042\\u{43}\\0$", std::string("\1ABC\0", 5)));
  EXPECT_TRUE(matches("^\\ud83d\\ude00[\\b]$", "😀\b"));
  EXPECT_TRUE(matches("^(?<y>\\d{4})-(?:\\d\\d)$", "2024-01"));
  EXPECT_TRUE(matches("^\\p{Letter}\\p{gc=Lu}\\p{Script=Greek}\\P{L}$", "aBγ1"));
  EXPECT_TRUE(matches("^\\p{ASCII}[\\P{ASCII}]$", "aé"));
}

TEST(Pattern, UnderstandsLeadingLookaheads) {
  constexpr std::string_view kMail = R"(^(?!\.)(?!.*\.\.)([a-z.]*)[a-z]@([a-z]+\.)+[a-z]{2,}$)";
  EXPECT_TRUE(matches(kMail, "a.b@example.com"));
  EXPECT_FALSE(matches(kMail, ".ab@example.com"));
  EXPECT_FALSE(matches(kMail, "a..b@example.com"));
  EXPECT_TRUE(matches("^(?=.*[)\\]])(?=.*\\d).+$", "a1)"));
  EXPECT_FALSE(matches("^(?=.*[)\\]])(?=.*\\d).+$", "a)"));
}

TEST(Pattern, RefusesGracefully) {
  for (const char* pattern : {"a(?=b)", "(?=a)b", "^(?!a)b|c", "(?<=a)b", "(?<!a)b", "(a)\\1",
                              "(?<n>a)\\k<n>", "a{2000}", "\\p{Emoji}", "\\ud800", "^(?=(?!a))"}) {
    EXPECT_EQ(pattern_refusal(pattern), Code::unsupported) << pattern;
  }
  for (const char* pattern :
       {"(", ")", "[a", "a**", "\\", "\\A", "\\xg0", "\\u12", "\\u{110000}", "[z-a]", "(?i)a",
        "\\c1", "\\p", "(?<n", "^(?=a", "^(?=a)*", "[\\B]"}) {
    EXPECT_EQ(pattern_refusal(pattern), Code::invalid) << pattern;
  }
}

TEST(SchemaValue, ComparesAcrossKinds) {
  const Json big(std::uint64_t{1} << 63U);
  EXPECT_TRUE(schema::compare_numbers(big, 9223372036854775808.0) == 0);
  EXPECT_TRUE(schema::compare_numbers(-1, big) < 0);
  EXPECT_TRUE(schema::compare_numbers(big, -0.5) > 0);
  EXPECT_TRUE(schema::compare_numbers(3, 2.5) > 0);
  EXPECT_TRUE(schema::compare_numbers(-3, -2.5) < 0);
  EXPECT_TRUE(schema::compare_numbers(1e300, 5) > 0);
  std::size_t cost = 0;
  EXPECT_EQ(schema::hash_value(big, cost), schema::hash_value(9223372036854775808.0, cost));
  EXPECT_EQ(schema::shorten("aé", 2), "a…");
}

}  // namespace
}  // namespace lode
