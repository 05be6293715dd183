// $jsonSchema as a filter: prints, errors and matches recorded from a server.
#include "ixora/mql/json_schema.hpp"

#include "catch.hpp"
#include "ixora/base/error.hpp"
#include "ixora/mql/match_parser.hpp"
#include "ixora/mql/match_printer.hpp"
#include "ixora/mql/match_rewrite.hpp"
#include "ixora/mql/matcher.hpp"
#include "quoted_json.hpp"

using namespace ixora;
using tests::doc;
using tests::text_of;

namespace {

struct Print {
    const char* filter;
    const char* printed;
};

struct Refusal {
    const char* filter;
    int code;
    const char* message;
};

const Print prints[] = {
    {"{'$jsonSchema':{}}", "{}"},
    {"{'$jsonSchema':{'required':['a'],'properties':{'a':{'bsonType':'number','minimum':3}}}}",
     "{'$and':[{'a':{'$gte':3}},{'a':{'$exists':true}},{'a':{'$_internalSchemaType':['number']}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'bsonType':'int','minimum':1}}}}",
     "{'$or':[{'$and':[{'a':{'$gte':1}},{'a':{'$_internalSchemaType':[16]}}]},{'a':{'$not':{'$exists':true}}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minimum':1,'maximum':5,'exclusiveMaximum':true,'multipleOf':2}}}}",
     "{'$or':[{'$and':[{'$or':[{'a':{'$lt':5}},{'a':{'$not':{'$_internalSchemaType':['number']}}}]},{'$or':[{'a':{'$"
     "gte':1}},{'a':{'$not':{'$_internalSchemaType':['number']}}}]},{'$or':[{'a':{'$not':{'$_internalSchemaType':['"
     "number']}}},{'a':{'$_internalSchemaFmod':[{'$numberDecimal':'2'},{'$numberDecimal':'0'}]}}]}]},{'a':{'$not':{'$"
     "exists':true}}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':'string','minLength':1,'maxLength':3,'pattern':'^a'}}}}",
     "{'$or':[{'$and':[{'a':{'$regex':'^a'}},{'a':{'$_internalSchemaMaxLength':3}},{'a':{'$_internalSchemaMinLength':1}"
     "},{'a':{'$_internalSchemaType':[2]}}]},{'a':{'$not':{'$exists':true}}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minLength':1,'pattern':'^a'}}}}",
     "{'$or':[{'$and':[{'$or':[{'a':{'$regex':'^a'}},{'a':{'$not':{'$_internalSchemaType':[2]}}}]},{'$or':[{'a':{'$not'"
     ":{'$_internalSchemaType':[2]}}},{'a':{'$_internalSchemaMinLength':1}}]}]},{'a':{'$not':{'$exists':true}}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':['string','null'],'minLength':1}}}}",
     "{'$or':[{'$and':[{'$or':[{'a':{'$not':{'$_internalSchemaType':[2]}}},{'a':{'$_internalSchemaMinLength':1}}]},{'a'"
     ":{'$_internalSchemaType':[2,10]}}]},{'a':{'$not':{'$exists':true}}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'bsonType':'array','items':{'minimum':2},'minItems':1,'maxItems':3,'"
     "uniqueItems':true}}}}",
     "{'$or':[{'$and':[{'a':{'$_internalSchemaAllElemMatchFromIndex':[0,{'$or':[{'i':{'$gte':2}},{'i':{'$not':{'$_"
     "internalSchemaType':['number']}}}]}]}},{'a':{'$_internalSchemaMaxItems':3}},{'a':{'$_internalSchemaMinItems':1}},"
     "{'a':{'$_internalSchemaType':[4]}},{'a':{'$_internalSchemaUniqueItems':true}}]},{'a':{'$not':{'$exists':true}}}]"
     "}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'type':'number'},{'bsonType':'string'}],'additionalItems':false}}}}",
     "{'$or':[{'$and':[{'$or':[{'$and':[{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'i','"
     "expression':{'i':{'$_internalSchemaType':['number']}}}}},{'a':{'$_internalSchemaMatchArrayIndex':{'index':1,'"
     "namePlaceholder':'i','expression':{'i':{'$_internalSchemaType':[2]}}}}}]},{'a':{'$not':{'$_internalSchemaType':["
     "4]}}}]},{'$or':[{'a':{'$not':{'$_internalSchemaType':[4]}}},{'a':{'$_internalSchemaAllElemMatchFromIndex':[2,{'$"
     "alwaysFalse':1}]}}]}]},{'a':{'$not':{'$exists':true}}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'type':'number'},{'bsonType':'string'}],'additionalItems':{'type':'"
     "number'}}}}}",
     "{'$or':[{'$and':[{'$or':[{'$and':[{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'i','"
     "expression':{'i':{'$_internalSchemaType':['number']}}}}},{'a':{'$_internalSchemaMatchArrayIndex':{'index':1,'"
     "namePlaceholder':'i','expression':{'i':{'$_internalSchemaType':[2]}}}}}]},{'a':{'$not':{'$_internalSchemaType':["
     "4]}}}]},{'$or':[{'a':{'$not':{'$_internalSchemaType':[4]}}},{'a':{'$_internalSchemaAllElemMatchFromIndex':[2,{'i'"
     ":{'$_internalSchemaType':['number']}}]}}]}]},{'a':{'$not':{'$exists':true}}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[],'additionalItems':true}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$not':{'$_internalSchemaType':[4]}}},{'a':{'$_"
     "internalSchemaAllElemMatchFromIndex':[0,{'$alwaysTrue':1}]}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'additionalItems':false}}}}", "{}"},
    {"{'$jsonSchema':{'additionalProperties':false}}",
     "{'$_internalSchemaAllowedProperties':{'properties':[],'namePlaceholder':'i','patternProperties':[],'otherwise':{'"
     "$alwaysFalse':1}}}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':'number'},'_id':{}},'patternProperties':{'^b':{'type':'string'},'c$':{}"
     "},'additionalProperties':{'type':'number'}}}",
     "{'$and':[{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$_internalSchemaType':['number']}}]},{'$_"
     "internalSchemaAllowedProperties':{'properties':['_id','a'],'namePlaceholder':'i','patternProperties':[{'regex':{'"
     "$regularExpression':{'pattern':'^b','options':''}},'expression':{'i':{'$_internalSchemaType':[2]}}},{'regex':{'$"
     "regularExpression':{'pattern':'c$','options':''}},'expression':{}}],'otherwise':{'i':{'$_internalSchemaType':['"
     "number']}}}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':'object','properties':{'x':{'type':'number'}},'patternProperties':{'^b'"
     ":{'type':'string'}},'required':['z','x']}}}}",
     "{'$or':[{'$and':[{'a':{'$_internalSchemaObjectMatch':{'$and':[{'x':{'$exists':true}},{'z':{'$exists':true}}]}}},{"
     "'a':{'$_internalSchemaObjectMatch':{'$_internalSchemaAllowedProperties':{'properties':['x'],'namePlaceholder':'i'"
     ",'patternProperties':[{'regex':{'$regularExpression':{'pattern':'^b','options':''}},'expression':{'i':{'$_"
     "internalSchemaType':[2]}}}],'otherwise':{'$alwaysTrue':1}}}}},{'a':{'$_internalSchemaObjectMatch':{'x':{'$_"
     "internalSchemaType':['number']}}}},{'a':{'$_internalSchemaType':[3]}}]},{'a':{'$not':{'$exists':true}}}]}"},
    {"{'$jsonSchema':{'minProperties':2,'maxProperties':3}}",
     "{'$and':[{'$_internalSchemaMaxProperties':3},{'$_internalSchemaMinProperties':2}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minProperties':2,'maxProperties':3}}}}",
     "{'$or':[{'$and':[{'$or':[{'a':{'$not':{'$_internalSchemaType':[3]}}},{'a':{'$_internalSchemaObjectMatch':{'$_"
     "internalSchemaMaxProperties':3}}}]},{'$or':[{'a':{'$not':{'$_internalSchemaType':[3]}}},{'a':{'$_"
     "internalSchemaObjectMatch':{'$_internalSchemaMinProperties':2}}}]}]},{'a':{'$not':{'$exists':true}}}]}"},
    {"{'$jsonSchema':{'dependencies':{'a':['b','c'],'d':{'required':['e']}}}}",
     "{'$and':[{'$_internalSchemaCond':[{'a':{'$exists':true}},{'$and':[{'b':{'$exists':true}},{'c':{'$exists':true}}]}"
     ",{'$alwaysTrue':1}]},{'$_internalSchemaCond':[{'d':{'$exists':true}},{'e':{'$exists':true}},{'$alwaysTrue':1}]}]"
     "}"},
    {"{'$jsonSchema':{'properties':{'a':{'dependencies':{'a':['b','c'],'d':{'required':['e']}}}}}}",
     "{'$or':[{'$and':[{'$_internalSchemaCond':[{'a':{'$_internalSchemaObjectMatch':{'a':{'$exists':true}}}},{'$and':[{"
     "'a':{'$_internalSchemaObjectMatch':{'b':{'$exists':true}}}},{'a':{'$_internalSchemaObjectMatch':{'c':{'$exists':"
     "true}}}}]},{'$alwaysTrue':1}]},{'$_internalSchemaCond':[{'a':{'$_internalSchemaObjectMatch':{'d':{'$exists':true}"
     "}}},{'$or':[{'a':{'$not':{'$_internalSchemaType':[3]}}},{'a':{'$_internalSchemaObjectMatch':{'e':{'$exists':true}"
     "}}}]},{'$alwaysTrue':1}]}]},{'a':{'$not':{'$exists':true}}}]}"},
    {"{'$jsonSchema':{'allOf':[{'required':['a']},{'properties':{'b':{'type':'number'}}}],'anyOf':[{'required':['c']},{"
     "'required':['d']}],'oneOf':[{'required':['e']},{'required':['f']}],'not':{'required':['g']}}}",
     "{'$and':[{'$or':[{'c':{'$exists':true}},{'d':{'$exists':true}}]},{'$or':[{'b':{'$not':{'$exists':true}}},{'b':{'$"
     "_internalSchemaType':['number']}}]},{'a':{'$exists':true}},{'g':{'$not':{'$exists':true}}},{'$_internalSchemaXor'"
     ":[{'e':{'$exists':true}},{'f':{'$exists':true}}]}]}"},
    {"{'$jsonSchema':{'oneOf':[{'required':['e']}]}}", "{'e':{'$exists':true}}"},
    {"{'$jsonSchema':{'properties':{'a':{'enum':[1,'x',{'y':1,'z':2},[1]]}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$_internalSchemaEq':1}},{'a':{'$_internalSchemaEq':'x'}},{'a':{'$_"
     "internalSchemaEq':{'y':1,'z':2}}},{'a':{'$_internalSchemaEq':[1]}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'enum':[1]}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$_internalSchemaEq':1}}]}"},
    {"{'$jsonSchema':{'enum':[1,{'y':1,'z':2},{'b':1}]}}",
     "{'$or':[{'$_internalSchemaRootDocEq':{'y':1,'z':2}},{'$_internalSchemaRootDocEq':{'b':1}}]}"},
    {"{'$jsonSchema':{'enum':[1]}}", "{'$alwaysFalse':1}"},
    {"{'$jsonSchema':{'type':'number'}}", "{'$alwaysFalse':1}"},
    {"{'$jsonSchema':{'bsonType':['object','int']}}", "{}"},
    {"{'$jsonSchema':{'properties':{'a':{'bsonType':['object','int','number']}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$_internalSchemaType':['number',3,16]}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':['object','number','boolean']}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$_internalSchemaType':['number',3,8]}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'not':{'type':'number'}}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$not':{'$_internalSchemaType':['number']}}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'properties':{'b':{'properties':{'c':{'type':'number'}}}}}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$not':{'$_internalSchemaType':[3]}}},{'a':{'$_"
     "internalSchemaObjectMatch':{'$or':[{'b':{'$not':{'$exists':true}}},{'b':{'$not':{'$_internalSchemaType':[3]}}},{'"
     "b':{'$_internalSchemaObjectMatch':{'$or':[{'c':{'$not':{'$exists':true}}},{'c':{'$_internalSchemaType':['number']"
     "}}]}}}]}}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'bsonType':'object','properties':{'b':{'bsonType':'object','required':['c'],'"
     "properties':{'c':{'type':'number'}}}}}}}}",
     "{'$or':[{'$and':[{'a':{'$_internalSchemaObjectMatch':{'$or':[{'$and':[{'b':{'$_internalSchemaObjectMatch':{'c':{'"
     "$exists':true}}}},{'b':{'$_internalSchemaObjectMatch':{'c':{'$_internalSchemaType':['number']}}}},{'b':{'$_"
     "internalSchemaType':[3]}}]},{'b':{'$not':{'$exists':true}}}]}}},{'a':{'$_internalSchemaType':[3]}}]},{'a':{'$not'"
     ":{'$exists':true}}}]}"},
    {"{'$jsonSchema':{'properties':{'a.b':{'type':'number'}}}}",
     "{'$or':[{'a.b':{'$not':{'$exists':true}}},{'a.b':{'$_internalSchemaType':['number']}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':{'properties':{'x':{'type':'number'}}}}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$not':{'$_internalSchemaType':[4]}}},{'a':{'$_"
     "internalSchemaAllElemMatchFromIndex':[0,{'$or':[{'i':{'$not':{'$_internalSchemaType':[3]}}},{'i':{'$_"
     "internalSchemaObjectMatch':{'$or':[{'x':{'$not':{'$exists':true}}},{'x':{'$_internalSchemaType':['number']}}]}}}]"
     "}]}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':'string','minimum':3}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$_internalSchemaType':[2]}}]}"},
    {"{'$jsonSchema':{'title':'x','description':'y','required':['_id']},'a':5}",
     "{'$and':[{'a':{'$eq':5}},{'_id':{'$exists':true}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':'array','uniqueItems':false}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$_internalSchemaType':[4]}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'multipleOf':2.5}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$not':{'$_internalSchemaType':['number']}}},{'a':{'$_"
     "internalSchemaFmod':[{'$numberDecimal':'2.50000000000000'},{'$numberDecimal':'0'}]}}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minLength':2.0}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$not':{'$_internalSchemaType':[2]}}},{'a':{'$_"
     "internalSchemaMinLength':2}}]}"},
    {"{'$jsonSchema':{'maxLength':99999999999}}", "{}"},
    {"{'$jsonSchema':{'pattern':'('}}", "{}"},
    {"{'a':{'$elemMatch':{'$jsonSchema':{'required':['x']}}}}", "{'a':{'$elemMatch':{'x':{'$exists':true}}}}"},
    {"{'$nor':[{'$jsonSchema':{'required':['x']}}]}", "{'x':{'$not':{'$exists':true}}}"},
    {"{'$and':[{'$jsonSchema':{'required':['x']}}]}", "{'x':{'$exists':true}}"},
    {"{'$jsonSchema':{'enum':[1],'bsonType':'int','not':{}}}", "{'$alwaysFalse':1}"},
    {"{'$jsonSchema':{'properties':{'a':{'enum':[{'$undefined':true},null]}}}}",
     "{'$or':[{'a':{'$not':{'$exists':true}}},{'a':{'$_internalSchemaEq':{'$undefined':true}}},{'a':{'$_"
     "internalSchemaEq':null}}]}"},
    {"{'a':{'$_internalSchemaType':['int','string']}}", "{'a':{'$_internalSchemaType':[2,16]}}"},
    {"{'a':{'$_internalSchemaType':'number'}}", "{'a':{'$_internalSchemaType':['number']}}"},
    {"{'a':{'$_internalSchemaMinItems':1}}", "{'a':{'$_internalSchemaMinItems':1}}"},
    {"{'a':{'$_internalSchemaUniqueItems':true}}", "{'a':{'$_internalSchemaUniqueItems':true}}"},
    {"{'a':{'$_internalSchemaObjectMatch':{'x':1,'y':2}}}",
     "{'a':{'$_internalSchemaObjectMatch':{'$and':[{'x':{'$eq':1}},{'y':{'$eq':2}}]}}}"},
    {"{'a':{'$_internalSchemaFmod':[2,1]}}",
     "{'a':{'$_internalSchemaFmod':[{'$numberDecimal':'2'},{'$numberDecimal':'1'}]}}"},
    {"{'a':{'$_internalSchemaFmod':[1,'x']}}",
     "{'a':{'$_internalSchemaFmod':[{'$numberDecimal':'1'},{'$numberDecimal':'0'}]}}"},
    {"{'a':{'$_internalSchemaEq':{'$gt':1}}}", "{'a':{'$_internalSchemaEq':{'$gt':1}}}"},
    {"{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'i','expression':{'i':{'$gt':1}}}}}",
     "{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'i','expression':{'i':{'$gt':1}}}}}"},
    {"{'a':{'$_internalSchemaAllElemMatchFromIndex':[1,{'i':{'$gt':1}}]}}",
     "{'a':{'$_internalSchemaAllElemMatchFromIndex':[1,{'i':{'$gt':1}}]}}"},
    {"{'$_internalSchemaCond':[{'a':1},{'b':1},{'c':1}]}",
     "{'$_internalSchemaCond':[{'a':{'$eq':1}},{'b':{'$eq':1}},{'c':{'$eq':1}}]}"},
    {"{'$_internalSchemaXor':[{'b':1},{'a':1}]}", "{'$_internalSchemaXor':[{'a':{'$eq':1}},{'b':{'$eq':1}}]}"},
    {"{'$_internalSchemaMinProperties':1}", "{'$_internalSchemaMinProperties':1}"},
    {"{'$_internalSchemaRootDocEq':{'a':1}}", "{'$_internalSchemaRootDocEq':{'a':1}}"},
    {"{'a':{'$elemMatch':{'$_internalSchemaMinProperties':1}}}",
     "{'a':{'$elemMatch':{'$_internalSchemaMinProperties':1}}}"},
    {"{'a':{'$not':{'$_internalSchemaMinItems':1}}}", "{'a':{'$not':{'$_internalSchemaMinItems':1}}}"},
    {"{'$nor':[{'$_internalSchemaXor':[{'b':1},{'a':1}]}]}",
     "{'$nor':[{'$_internalSchemaXor':[{'a':{'$eq':1}},{'b':{'$eq':1}}]}]}"},
    {"{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'i','expression':{}}}}",
     "{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'','expression':{}}}}"},
    {"{'$jsonSchema':{'properties':{'b':{'items':[{}]}},'required':['b']}}",
     "{'$and':[{'$or':[{'b':{'$not':{'$_internalSchemaType':[4]}}},{'b':{'$_internalSchemaMatchArrayIndex':{'index':0,'"
     "namePlaceholder':'','expression':{}}}}]},{'b':{'$exists':true}}]}"},
};

const Refusal refusals[] = {
    {"{'$jsonSchema':{'type':1}}", 14, "$jsonSchema keyword 'type' must be either a string or an array of strings"},
    {"{'$jsonSchema':{'type':[]}}", 9, "$jsonSchema keyword 'type' must name at least one type"},
    {"{'$jsonSchema':{'type':[1]}}", 14, "$jsonSchema keyword 'type' array elements must be strings"},
    {"{'$jsonSchema':{'type':['number','number']}}", 9, "$jsonSchema keyword 'type' has duplicate value: number"},
    {"{'$jsonSchema':{'type':'objectId'}}", 2, "Unknown type name alias: objectId"},
    {"{'$jsonSchema':{'type':'int'}}", 2, "Unknown type name alias: int"},
    {"{'$jsonSchema':{'type':['integer']}}", 9, "$jsonSchema type 'integer' is not currently supported."},
    {"{'$jsonSchema':{'bsonType':'integer'}}", 9, "$jsonSchema type 'integer' is not currently supported."},
    {"{'$jsonSchema':{'bsonType':[]}}", 9, "$jsonSchema keyword 'bsonType' must name at least one type"},
    {"{'$jsonSchema':{'bsonType':5}}", 14,
     "$jsonSchema keyword 'bsonType' must be either a string or an array of strings"},
    {"{'$jsonSchema':{'bsonType':['int',5]}}", 14, "$jsonSchema keyword 'bsonType' array elements must be strings"},
    {"{'$jsonSchema':{'bsonType':['int','int']}}", 9, "$jsonSchema keyword 'bsonType' has duplicate value: int"},
    {"{'$jsonSchema':{'bsonType':'boolean'}}", 2, "Unknown type name alias: boolean"},
    {"{'$jsonSchema':{'maximum':'x'}}", 14, "$jsonSchema keyword 'maximum' must be a number"},
    {"{'$jsonSchema':{'exclusiveMaximum':5,'maximum':1}}", 14,
     "$jsonSchema keyword 'exclusiveMaximum' must be a boolean"},
    {"{'$jsonSchema':{'exclusiveMaximum':true}}", 9,
     "$jsonSchema keyword 'maximum' must be a present if exclusiveMaximum is present"},
    {"{'$jsonSchema':{'exclusiveMinimum':'x','minimum':1}}", 14,
     "$jsonSchema keyword 'exclusiveMinimum' must be a boolean"},
    {"{'$jsonSchema':{'exclusiveMinimum':'x'}}", 9,
     "$jsonSchema keyword 'minimum' must be a present if exclusiveMinimum is present"},
    {"{'$jsonSchema':{'minLength':'x'}}", 9, "Expected a number in: minLength: \"x\""},
    {"{'$jsonSchema':{'maxLength':-1}}", 9, "Expected a non-negative number in: maxLength: -1"},
    {"{'$jsonSchema':{'minItems':-1}}", 9, "Expected a non-negative number in: minItems: -1"},
    {"{'$jsonSchema':{'minItems':'x'}}", 9, "Expected a number in: minItems: \"x\""},
    {"{'$jsonSchema':{'minProperties':1.5}}", 9, "Expected an integer: minProperties: 1.5"},
    {"{'$jsonSchema':{'pattern':1}}", 14, "$jsonSchema keyword 'pattern' must be a string"},
    {"{'$jsonSchema':{'properties':{'a':{'pattern':'('}}}}", 51091,
     "Regular expression is invalid: missing closing parenthesis"},
    {"{'$jsonSchema':{'multipleOf':'x'}}", 14, "$jsonSchema keyword 'multipleOf' must be a number"},
    {"{'$jsonSchema':{'multipleOf':0}}", 9, "$jsonSchema keyword 'multipleOf' must have a positive value"},
    {"{'$jsonSchema':{'uniqueItems':'x'}}", 14, "$jsonSchema keyword 'uniqueItems' must be a boolean"},
    {"{'$jsonSchema':{'items':1}}", 14, "$jsonSchema keyword 'items' must be an array or an object, not int"},
    {"{'$jsonSchema':{'items':[1]}}", 14,
     "$jsonSchema keyword 'items' requires that each element of the array is an object, but found a int"},
    {"{'$jsonSchema':{'items':[],'additionalItems':1}}", 14,
     "$jsonSchema keyword 'additionalItems' must be either an object or a boolean, but got a int"},
    {"{'$jsonSchema':{'additionalItems':1}}", 14,
     "$jsonSchema keyword 'additionalItems' must be either an object or a boolean, but got a int"},
    {"{'$jsonSchema':{'required':'a'}}", 14,
     "$jsonSchema keyword 'required' must be an array, but found an element of type string"},
    {"{'$jsonSchema':{'required':[]}}", 9, "$jsonSchema keyword 'required' cannot be an empty array"},
    {"{'$jsonSchema':{'required':[1]}}", 14,
     "$jsonSchema keyword 'required' must be an array of strings, but found an element of type: int"},
    {R"({'$jsonSchema':{'required':['a\u0000']}})", 2,
     "$jsonSchema property names cannot contain an embedded null byte"},
    {R"({'$jsonSchema':{'dependencies':{'a':['b\u0000c']}}})", 2,
     "$jsonSchema property names cannot contain an embedded null byte"},
    {"{'$jsonSchema':{'required':['a','a']}}", 9,
     "$jsonSchema keyword 'required' array cannot contain duplicate values"},
    {"{'$jsonSchema':{'properties':1}}", 14, "$jsonSchema keyword 'properties' must be an object"},
    {"{'$jsonSchema':{'properties':{'a':1}}}", 14, "Nested schema for $jsonSchema property 'a' must be an object"},
    {"{'$jsonSchema':{'patternProperties':1}}", 14, "$jsonSchema keyword 'patternProperties' must be an object"},
    {"{'$jsonSchema':{'patternProperties':{'a':1}}}", 14,
     "$jsonSchema keyword 'patternProperties' has property 'a' which is not an object"},
    {"{'$jsonSchema':{'patternProperties':{'(':{}}}}", 2, "Invalid regular expression: missing closing parenthesis"},
    {"{'$jsonSchema':{'additionalProperties':1}}", 14,
     "$jsonSchema keyword 'additionalProperties' must be an object or a boolean"},
    {"{'$jsonSchema':{'dependencies':1}}", 14, "$jsonSchema keyword 'dependencies' must be an object"},
    {"{'$jsonSchema':{'dependencies':{'a':1}}}", 14,
     "property 'a' in $jsonSchema keyword 'dependencies' must be either an object or an array"},
    {"{'$jsonSchema':{'dependencies':{'a':[]}}}", 9,
     "property 'a' in $jsonSchema keyword 'dependencies' cannot be an empty array"},
    {"{'$jsonSchema':{'dependencies':{'a':[1]}}}", 14,
     "array 'a' in $jsonSchema keyword 'dependencies' can only contain strings, but found element of type: int"},
    {"{'$jsonSchema':{'dependencies':{'a':['b','b']}}}", 9,
     "array 'a' in $jsonSchema keyword 'dependencies' contains duplicate element: b"},
    {"{'$jsonSchema':{'allOf':1}}", 14, "$jsonSchema keyword 'allOf' must be an array"},
    {"{'$jsonSchema':{'allOf':[]}}", 2, "$jsonSchema keyword 'allOf' must be a non-empty array"},
    {"{'$jsonSchema':{'oneOf':[1]}}", 14,
     "$jsonSchema keyword 'oneOf' must be an array of objects, but found an element of type int"},
    {"{'$jsonSchema':{'not':1}}", 14, "$jsonSchema keyword 'not' must be an object, but found an element of type int"},
    {"{'$jsonSchema':{'enum':1}}", 14, "$jsonSchema keyword 'enum' must be an array, but found an element of type int"},
    {"{'$jsonSchema':{'enum':[{'a':1,'b':2},{'b':2,'a':1}]}}", 9,
     "$jsonSchema keyword 'enum' array cannot contain duplicate values."},
    {"{'$jsonSchema':{'title':1}}", 14, "$jsonSchema keyword 'title' must be of type string"},
    {"{'$jsonSchema':{'description':1}}", 14, "$jsonSchema keyword 'description' must be of type string"},
    {"{'$jsonSchema':{'title':1,'type':5,'zz':1}}", 9, "Unknown $jsonSchema keyword: zz"},
    {"{'$jsonSchema':{'type':5,'title':1}}", 14, "$jsonSchema keyword 'title' must be of type string"},
    {"{'$jsonSchema':{'$schema':1}}", 9, "$jsonSchema keyword '$schema' is not currently supported"},
    {"{'$jsonSchema':{'format':1}}", 9, "$jsonSchema keyword 'format' is not currently supported"},
    {"{'$jsonSchema':{'id':1}}", 9, "$jsonSchema keyword 'id' is not currently supported"},
    {"{'$jsonSchema':{'':1}}", 9, "Unknown $jsonSchema keyword: "},
    {"{'$jsonSchema':{'minProperties':1.5,'not':1,'minimum':'x','required':1,'items':1}}", 14,
     "$jsonSchema keyword 'minimum' must be a number"},
    {"{'$jsonSchema':{'not':1,'required':1,'items':1}}", 14,
     "$jsonSchema keyword 'items' must be an array or an object, not int"},
    {"{'$jsonSchema':{'not':1,'enum':1,'required':1}}", 14,
     "$jsonSchema keyword 'required' must be an array, but found an element of type int"},
    {"{'$jsonSchema':{'not':1,'enum':1}}", 14,
     "$jsonSchema keyword 'not' must be an object, but found an element of type int"},
    {"{'a':{'$_internalSchemaType':[]}}", 9, "a must match at least one type"},
    {"{'a':{'$_internalSchemaMinItems':'x'}}", 9, "Expected a number in: $_internalSchemaMinItems: \"x\""},
    {"{'a':{'$_internalSchemaMinLength':-1}}", 9, "Expected a non-negative number in: $_internalSchemaMinLength: -1"},
    {"{'a':{'$_internalSchemaUniqueItems':false}}", 9, "a must be a boolean of value true"},
    {"{'a':{'$_internalSchemaUniqueItems':1}}", 9, "a must be a boolean of value true"},
    {"{'a':{'$_internalSchemaObjectMatch':1}}", 9, "$_internalSchemaObjectMatch must be an object"},
    {"{'a':{'$_internalSchemaFmod':[0,1]}}", 2, "divisor cannot be 0"},
    {"{'a':{'$_internalSchemaFmod':[2]}}", 2, "a does not have enough elements"},
    {"{'a':{'$_internalSchemaFmod':[2,1,1]}}", 2, "a has too many elements"},
    {"{'a':{'$_internalSchemaFmod':['x',1]}}", 14, "a does not have a numeric divisor"},
    {"{'a':{'$_internalSchemaFmod':5}}", 2, "a must be an array, but got type int"},
    {"{'a':{'$_internalSchemaFmod':[]}}", 2, "a does not have enough elements"},
    {"{'a':{'$_internalSchemaMatchArrayIndex':1}}", 14, "$_internalSchemaMatchArrayIndex must be an object"},
    {"{'a':{'$_internalSchemaMatchArrayIndex':{}}}", 9,
     "$_internalSchemaMatchArrayIndex requires exactly three fields: 'index', 'namePlaceholder' and 'expression'"},
    {"{'a':{'$_internalSchemaMatchArrayIndex':{'index':'x','namePlaceholder':'i','expression':{'i':{'$gt':1}}}}}", 9,
     "Expected a number in: index: \"x\""},
    {"{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':1,'expression':{'i':{'$gt':1}}}}}", 14,
     "$_internalSchemaMatchArrayIndex requires 'namePlaceholder' to be a string, not int"},
    {"{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'i','expression':1}}}", 14,
     "$_internalSchemaMatchArrayIndex found 'expression', which is an incompatible type: int"},
    {"{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'j','expression':{'i':{'$gt':1}}}}}", 9,
     "$_internalSchemaMatchArrayIndex expected a name placeholder of j, but 'expression' has a mismatching placeholder "
     "'i'"},
    {"{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'i','expression':{'i':1,'k':1}}}}", 9,
     "Expected a single top-level field name, found 'i' and 'k'"},
    {"{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'I','expression':{'I':1}}}}", 2,
     "The top-level field name must be an alphanumeric string beginning with a lowercase letter, found 'I'"},
    {"{'a':{'$_internalSchemaMatchArrayIndex':{'index':0,'namePlaceholder':'i','expression':{'i':1},'zz':1}}}", 9,
     "$_internalSchemaMatchArrayIndex requires exactly three fields: 'index', 'namePlaceholder' and 'expression'"},
    {"{'a':{'$_internalSchemaAllElemMatchFromIndex':1}}", 9, "$_internalSchemaAllElemMatchFromIndex must be an array"},
    {"{'a':{'$_internalSchemaAllElemMatchFromIndex':[]}}", 9,
     "$_internalSchemaAllElemMatchFromIndex must be an array of size 2"},
    {"{'a':{'$_internalSchemaAllElemMatchFromIndex':[1]}}", 9,
     "$_internalSchemaAllElemMatchFromIndex must be an array of size 2"},
    {"{'a':{'$_internalSchemaAllElemMatchFromIndex':['x',{}]}}", 14,
     "first element of $_internalSchemaAllElemMatchFromIndex must be a non-negative integer"},
    {"{'a':{'$_internalSchemaAllElemMatchFromIndex':[-1,{}]}}", 14,
     "first element of $_internalSchemaAllElemMatchFromIndex must be a non-negative integer"},
    {"{'a':{'$_internalSchemaAllElemMatchFromIndex':[1,5]}}", 14,
     "second element of $_internalSchemaAllElemMatchFromIndexmust be an object"},
    {"{'a':{'$_internalSchemaAllElemMatchFromIndex':[1,{},1]}}", 9,
     "$_internalSchemaAllElemMatchFromIndex has too many elements, must be an array of size 2"},
    {"{'$_internalSchemaAllowedProperties':{'properties':['b','a'],'namePlaceholder':'i','patternProperties':[{'regex':"
     "{'$regularExpression':{'pattern':'x','options':'i'}},'expression':{'i':1}}],'otherwise':{'i':{'$gt':1}}}}",
     2, "$_internalSchemaAllowedProperties does not accept regex flags for pattern schemas in 'patternProperties'"},
    {"{'$_internalSchemaAllowedProperties':1}", 14, "$_internalSchemaAllowedProperties must be an object"},
    {"{'$_internalSchemaAllowedProperties':{}}", 9,
     "$_internalSchemaAllowedProperties requires exactly four fields: 'properties', 'namePlaceholder', "
     "'patternProperties' and 'otherwise'"},
    {"{'$_internalSchemaAllowedProperties':{'properties':1,'namePlaceholder':'i','patternProperties':[],'otherwise':{'"
     "i':1}}}",
     14, "$_internalSchemaAllowedProperties requires 'properties' to be an array, not int"},
    {"{'$_internalSchemaAllowedProperties':{'properties':[1],'namePlaceholder':'i','patternProperties':[],'otherwise':{"
     "'i':1}}}",
     14, "$_internalSchemaAllowedProperties requires 'properties' to be an array of strings, but found a int"},
    {"{'$_internalSchemaAllowedProperties':{'properties':[],'namePlaceholder':1,'patternProperties':[],'otherwise':{'i'"
     ":1}}}",
     14, "$_internalSchemaAllowedProperties requires 'namePlaceholder' to be a string, not int"},
    {"{'$_internalSchemaAllowedProperties':{'properties':[],'namePlaceholder':'i','patternProperties':1,'otherwise':{'"
     "i':1}}}",
     14, "$_internalSchemaAllowedProperties requires 'patternProperties' to be an array, not int"},
    {"{'$_internalSchemaAllowedProperties':{'properties':[],'namePlaceholder':'i','patternProperties':[1],'otherwise':{"
     "'i':1}}}",
     14, "$_internalSchemaAllowedProperties requires 'patternProperties' to be an array of objects"},
    {"{'$_internalSchemaAllowedProperties':{'properties':[],'namePlaceholder':'i','patternProperties':[{'regex':1,'"
     "expression':{}}],'otherwise':{'i':1}}}",
     14,
     "$_internalSchemaAllowedProperties requires 'patternProperties' to be an array of objects, where 'regex' is a "
     "regular expression"},
    {"{'$_internalSchemaAllowedProperties':{'properties':[],'namePlaceholder':'i','patternProperties':[{'regex':{'$"
     "regularExpression':{'pattern':'x','options':'i'}}}],'otherwise':{'i':1}}}",
     9,
     "$_internalSchemaAllowedProperties requires 'patternProperties' to be an array of objects containing exactly two "
     "fields, 'regex' and 'expression'"},
    {"{'$_internalSchemaAllowedProperties':{'properties':[],'namePlaceholder':'i','patternProperties':[],'otherwise':1}"
     "}",
     14, "$_internalSchemaAllowedProperties found 'otherwise', which is an incompatible type: int"},
    {"{'$_internalSchemaAllowedProperties':{'properties':[],'namePlaceholder':'i','patternProperties':[],'otherwise':{'"
     "j':1}}}",
     9,
     "$_internalSchemaAllowedProperties expected a name placeholder of i, but 'otherwise' has a mismatching "
     "placeholder 'j'"},
    {"{'$_internalSchemaCond':[{'a':1},{'b':1}]}", 9,
     "$_internalSchemaCond requires exactly 3 MatchExpressions, but got 2"},
    {"{'$_internalSchemaCond':1}", 9, "$_internalSchemaCond must be an array of 3 MatchExpressions"},
    {"{'$_internalSchemaCond':[1,2,3]}", 9,
     "$_internalSchemaCond must be an array of objects, but found an element of type int"},
    {"{'$_internalSchemaXor':[{'a':1},{'b':1},1]}", 2, "$_internalSchemaXor argument's entries must be objects"},
    {"{'$_internalSchemaMaxProperties':'x'}", 9, "Expected a number in: $_internalSchemaMaxProperties: \"x\""},
    {"{'$_internalSchemaRootDocEq':1}", 14, "$_internalSchemaRootDocEq must be an object, found type int"},
    {"{'a':{'$elemMatch':{'$_internalSchemaRootDocEq':{'a':1}}}}", 9,
     "$_internalSchemaRootDocEq can only be applied to the top level document"},
    {"{'a':{'$_internalSchemaRootDocEq':{'a':1}}}", 2, "unknown operator: $_internalSchemaRootDocEq"},
};

bool matches(const std::string& filter, const std::string& document) {
    const mql::MatchNodePtr raw = mql::parse_match(doc(filter));
    const bool before = mql::Matcher(*raw).matches(doc(document));
    const bool after = mql::Matcher(*mql::normalize(raw->clone())).matches(doc(document));
    CHECK(before == after);
    return after;
}

// One letter per document: x matches, - does not.
std::string marks(const std::string& schema, std::initializer_list<const char*> documents) {
    std::string out;
    for (const char* document : documents) out += matches("{'$jsonSchema': " + schema + "}", document) ? 'x' : '-';
    return out;
}

}  // namespace

TEST_CASE("schemas and their internal operators print as a server prints them", "[json_schema]") {
    for (const auto& [filter, printed] : prints) {
        CAPTURE(filter);
        const mql::MatchNodePtr tree = mql::normalize(mql::parse_match(doc(filter)));
        CHECK(text_of(mql::print_match(*tree)) == printed);
        // What is printed is a filter again: the same one.
        const mql::MatchNodePtr again = mql::normalize(mql::parse_match(mql::print_match(*tree)));
        CHECK(text_of(mql::print_match(*again)) == printed);
        CHECK(mql::equivalent(*tree, *tree->clone()));
    }
}

TEST_CASE("bad schemas are refused as a server refuses them", "[json_schema]") {
    for (const auto& [filter, code, message] : refusals) {
        CAPTURE(filter);
        try {
            mql::parse_match(doc(filter));
            FAIL_CHECK("accepted");
        } catch (const Error& error) {
            CHECK(error.code() == code);
            CHECK(std::string(error.what()) == message);
        }
    }
    CHECK_THROWS_WITH(mql::parse_match(doc("{'$jsonSchema': {'encrypt': {}}}")),
                      "Encryption-related validator keywords are not allowed in this context");
    mql::MatchParseOptions none;
    none.special_features = mql::SpecialFeatures::none;
    CHECK_THROWS_WITH(mql::parse_match(doc("{'$jsonSchema': {}}"), none), "$jsonSchema is not allowed in this context");
}

TEST_CASE("numbers, strings and types", "[json_schema]") {
    CHECK(marks("{'properties': {'a': {'minimum': 1, 'maximum': 5, 'exclusiveMaximum': true}}}",
                {"{}", "{'a': 1}", "{'a': 0.5}", "{'a': 5}", "{'a': 'x'}", "{'a': [9]}", "{'a': null}"}) == "xx--xxx");
    CHECK(marks("{'properties': {'a': {'multipleOf': 0.1}}}", {"{'a': 0.3}", "{'a': 0.35}", "{'a': 'x'}"}) == "x-x");
    CHECK(marks("{'properties': {'a': {'multipleOf': 3}}}",
                {"{'a': {'$numberDouble': 'NaN'}}", "{'a': {'$numberDecimal': '6.0'}}", "{'a': -3}"}) == "-xx");
    CHECK(marks("{'properties': {'a': {'minLength': 2, 'maxLength': 3}}}",
                {"{'a': 'é'}", "{'a': 'éé'}", "{'a': 'abcd'}", "{'a': 1}"}) == "-x-x");
    CHECK(marks("{'properties': {'a': {'pattern': '^x'}}}", {"{'a': 'xy'}", "{'a': 'yx'}", "{'a': ['y']}"}) == "x-x");
    CHECK(marks("{'properties': {'a': {'bsonType': ['int', 'string']}}}",
                {"{'a': 1}", "{'a': 1.5}", "{'a': 'x'}", "{'a': [1]}", "{}"}) == "x-x-x");
    CHECK(marks("{'properties': {'a': {'type': 'array'}}}", {"{'a': [1]}", "{'a': 1}"}) == "x-");
    CHECK(marks("{'type': 'number'}", {"{}"}) == "-");
}

TEST_CASE("arrays", "[json_schema]") {
    CHECK(marks("{'properties': {'a': {'items': {'type': 'number', 'minimum': 2}}}}",
                {"{'a': [2, 3]}", "{'a': [1, 3]}", "{'a': ['x']}", "{'a': []}", "{'a': 1}", "{'a': [[5]]}"}) ==
          "x--xx-");
    CHECK(marks("{'properties': {'a': {'items': [{'type': 'number'}], 'additionalItems': false}}}",
                {"{'a': [1]}", "{'a': []}", "{'a': ['x']}", "{'a': [1, 2]}"}) == "xx--");
    CHECK(marks("{'properties': {'a': {'items': [{}], 'additionalItems': {'type': 'string'}}}}",
                {"{'a': [1, 'x', 'y']}", "{'a': [1, 'x', 2]}"}) == "x-");
    CHECK(marks("{'properties': {'a': {'minItems': 1, 'maxItems': 2, 'uniqueItems': true}}}",
                {"{'a': []}", "{'a': [1]}", "{'a': [1, 1.0]}", "{'a': [1, 2, 3]}",
                 "{'a': [{'x': 1, 'y': 2}, {'y': 2, 'x': 1}]}", "{'a': [{'x': 1}, {'x': 2}]}"}) == "-x---x");
    CHECK(marks("{'properties': {'a': {'items': {'properties': {'b': {'items': {'type': 'string'}}}}}}}",
                {"{'a': [{'b': ['x']}]}", "{'a': [{'b': [1]}]}", "{'a': [{}, 5]}"}) == "x-x");
}

TEST_CASE("objects", "[json_schema]") {
    CHECK(marks("{'properties': {'o': {'type': 'object', 'required': ['x'], 'properties': {'x': {'enum': [1, {'p': 1, "
                "'q': 2}]}}}}}",
                {"{'o': {'x': 1}}", "{'o': {}}", "{'o': 1}", "{'o': {'x': {'q': 2, 'p': 1}}}", "{'o': [{'x': 1}]}",
                 "{}"}) == "x--x-x");
    CHECK(
        marks("{'properties': {'_id': {}}, 'patternProperties': {'^s': {'type': 'string'}, 'n$': {'type': 'number'}}, "
              "'additionalProperties': false}",
              {"{'_id': 1, 's': 'x'}", "{'_id': 1, 's': 1}", "{'_id': 1, 'other': 1}", "{'n': 1}", "{'sn': 1}",
               "{'_id': 1}"}) == "x--x-x");
    CHECK(marks("{'additionalProperties': {'type': 'number'}}", {"{'a': 1, 'b': 2}", "{'a': 'x'}"}) == "x-");
    CHECK(marks("{'minProperties': 1, 'maxProperties': 2}", {"{}", "{'a': 1}", "{'a': 1, 'b': 1, 'c': 1}"}) == "-x-");
    CHECK(marks("{'dependencies': {'a': ['b'], 'c': {'required': ['d']}}}",
                {"{}", "{'a': 1}", "{'a': 1, 'b': 1}", "{'c': 1}", "{'c': 1, 'd': 1}"}) == "x-x-x");
    CHECK(marks("{'properties': {'o': {'dependencies': {'a': ['b']}}}}",
                {"{'o': {'a': 1}}", "{'o': 1}", "{'o': {'b': 1}}"}) == "-xx");
    CHECK(marks("{'properties': {'': {'type': 'number'}}}", {"{'': 1}", "{'': 'x'}", "{}"}) == "x-x");
}

TEST_CASE("logic", "[json_schema]") {
    const auto documents = {"{}", "{'a': 1}", "{'b': 1}", "{'a': 1, 'b': 1}"};
    CHECK(marks("{'allOf': [{'required': ['a']}, {'required': ['b']}]}", documents) == "---x");
    CHECK(marks("{'anyOf': [{'required': ['a']}, {'required': ['b']}]}", documents) == "-xxx");
    CHECK(marks("{'oneOf': [{'required': ['a']}, {'required': ['b']}]}", documents) == "-xx-");
    CHECK(marks("{'not': {'required': ['a']}}", documents) == "x-x-");
    CHECK(marks("{'enum': [{'a': 1, 'b': 1}, 5]}", documents) == "---x");
    CHECK(marks("{}", documents) == "xxxx");
    CHECK(matches("{'l': {'$elemMatch': {'$jsonSchema': {'required': ['a']}}}}", "{'l': [1, {'a': 1}]}"));
    CHECK_FALSE(matches("{'l': {'$elemMatch': {'$jsonSchema': {'required': ['a']}}}}", "{'l': [1, {'b': 1}]}"));
}
