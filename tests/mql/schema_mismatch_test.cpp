// Why documents fail validation: schemas, recorded from a server.
#include "recorded_mismatch.hpp"

using namespace ixora;
using tests::doc;
using tests::text_of;

namespace {

const tests::RecordedMismatch mismatches[] = {
    {"{'$nor':[{'$jsonSchema':{'required':['a']}}]}", "{'_id':1,'a':1}",
     "{'operatorName':'$nor','clausesSatisfied':[{'index':0,'details':{'operatorName':'$jsonSchema','reason':'schema "
     "matched'}}]}"},
    {"{'$nor':[{'$jsonSchema':{'properties':{'a':{'type':'number'}}}},{'b':1}]}", "{'_id':1,'a':1,'b':1}",
     "{'operatorName':'$nor','clausesSatisfied':[{'index':0,'details':{'operatorName':'$jsonSchema','reason':'schema "
     "matched'}},{'index':1,'details':{'operatorName':'$eq','specifiedAs':{'b':1},'reason':'comparison "
     "succeeded','consideredValue':1}}]}"},
    {"{'$or':[{'$jsonSchema':{'required':['a']}},{'b':1}]}", "{'_id':1}",
     "{'operatorName':'$or','clausesNotSatisfied':[{'index':0,'details':{'operatorName':'$jsonSchema','"
     "schemaRulesNotSatisfied':[{'operatorName':'required','specifiedAs':{'required':['a']},'missingProperties':['a']}]"
     "}},{'index':1,'details':{'operatorName':'$eq','specifiedAs':{'b':1},'reason':'field was missing'}}]}"},
    {"{'$and':[{'$jsonSchema':{'required':['a']}},{'b':1}]}", "{'_id':1}",
     "{'operatorName':'$and','clausesNotSatisfied':[{'index':0,'details':{'operatorName':'$jsonSchema','"
     "schemaRulesNotSatisfied':[{'operatorName':'required','specifiedAs':{'required':['a']},'missingProperties':['a']}]"
     "}},{'index':1,'details':{'operatorName':'$eq','specifiedAs':{'b':1},'reason':'field was missing'}}]}"},
    {"{'$jsonSchema':{'required':['a']},'b':1}", "{'_id':1}",
     "{'operatorName':'$and','clausesNotSatisfied':[{'index':0,'details':{'operatorName':'$jsonSchema','"
     "schemaRulesNotSatisfied':[{'operatorName':'required','specifiedAs':{'required':['a']},'missingProperties':['a']}]"
     "}},{'index':1,'details':{'operatorName':'$eq','specifiedAs':{'b':1},'reason':'field was missing'}}]}"},
    {"{'a':{'$elemMatch':{'$jsonSchema':{'required':['a']}}}}", "{'_id':1,'a':[{}]}",
     "{'operatorName':'$elemMatch','specifiedAs':{'a':{'$elemMatch':{'$jsonSchema':{'required':['a']}}}},'reason':'"
     "array did not satisfy the child predicate','consideredValue':[{}]}"},
    {"{'$jsonSchema':{'type':'number'}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','specifiedAs':{'$jsonSchema':{'type':'number'}},'reason':'expression always "
     "evaluates to false'}"},
    {"{'$jsonSchema':{'bsonType':['int','string'],'required':['a']}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','specifiedAs':{'$jsonSchema':{'bsonType':['int','string'],'required':['a']}},'"
     "reason':'expression always evaluates to false'}"},
    {"{'$jsonSchema':{'enum':[{'_id':2}]}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'enum','specifiedAs':{'enum':[{'_id':2}]"
     "},'reason':'value was not found in enum','consideredValue':{'_id':1}}]}"},
    {"{'$jsonSchema':{'enum':[1]}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'enum','specifiedAs':{'enum':[1]},'"
     "reason':'expression always evaluates to false'}]}"},
    {"{'$jsonSchema':{'title':'T','description':'D','required':['a','b'],'properties':{'c':{'title':'CT','description':"
     "'CD','type':'number','minimum':1}}}}",
     "{'_id':1,'b':1,'c':'x'}",
     "{'operatorName':'$jsonSchema','title':'T','description':'D','schemaRulesNotSatisfied':[{'operatorName':'"
     "properties','propertiesNotSatisfied':[{'propertyName':'c','title':'CT','description':'CD','details':[{'"
     "operatorName':'type','specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]},{'operatorName':'required','specifiedAs':{'required':"
     "['a','b']},'missingProperties':['a']}]}"},
    {"{'$jsonSchema':{'title':'T','description':'D','required':['a','b'],'properties':{'c':{'title':'CT','description':"
     "'CD','type':'number','minimum':1}}}}",
     "{'_id':1,'a':1,'b':1,'c':0}",
     "{'operatorName':'$jsonSchema','title':'T','description':'D','schemaRulesNotSatisfied':[{'operatorName':'"
     "properties','propertiesNotSatisfied':[{'propertyName':'c','title':'CT','description':'CD','details':[{'"
     "operatorName':'minimum','specifiedAs':{'minimum':1},'reason':'comparison failed','consideredValue':0}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'c':{'title':'CT','properties':{'d':{'description':'dd','type':'number'}}}}}}",
     "{'_id':1,'c':{'d':'x'}}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'c','title':'CT','details':[{'operatorName':'properties','propertiesNotSatisfied':[{'propertyName'"
     ":'d','description':'dd','details':[{'operatorName':'type','specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minimum':1,'exclusiveMinimum':true,'maximum':10,'exclusiveMaximum':true}}}}",
     "{'_id':1,'a':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'minimum','specifiedAs':{'minimum':1,'exclusiveMinimum':true},'"
     "reason':'comparison failed','consideredValue':1}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minimum':1,'exclusiveMinimum':true,'maximum':10,'exclusiveMaximum':true}}}}",
     "{'_id':1,'a':10}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'maximum','specifiedAs':{'maximum':10,'exclusiveMaximum':true},'"
     "reason':'comparison failed','consideredValue':10}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minimum':1,'exclusiveMinimum':false,'multipleOf':3}}}}", "{'_id':1,'a':-1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'multipleOf','specifiedAs':{'multipleOf':3},'reason':'considered "
     "value is not a multiple of the specified "
     "value','consideredValue':-1},{'operatorName':'minimum','specifiedAs':{'minimum':1},'reason':'comparison "
     "failed','consideredValue':-1}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minimum':1,'exclusiveMinimum':false,'multipleOf':3}}}}", "{'_id':1,'a':4.5}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'multipleOf','specifiedAs':{'multipleOf':3},'reason':'considered "
     "value is not a multiple of the specified value','consideredValue':4.5}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minLength':2,'maxLength':3,'pattern':'^q'}}}}", "{'_id':1,'a':'x'}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'pattern','specifiedAs':{'pattern':'^q'},'reason':'regular "
     "expression did not "
     "match','consideredValue':'x'},{'operatorName':'minLength','specifiedAs':{'minLength':2},'reason':'specified "
     "string length was not satisfied','consideredValue':'x'}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minLength':2,'maxLength':3,'pattern':'^q'}}}}", "{'_id':1,'a':'xxxxxx'}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'pattern','specifiedAs':{'pattern':'^q'},'reason':'regular "
     "expression did not "
     "match','consideredValue':'xxxxxx'},{'operatorName':'maxLength','specifiedAs':{'maxLength':3},'reason':'specified "
     "string length was not satisfied','consideredValue':'xxxxxx'}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minItems':2,'maxItems':3,'uniqueItems':true}}}}", "{'_id':1,'a':[1]}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'minItems','specifiedAs':{'minItems':2},'reason':'array did not "
     "match specified length','consideredValue':[1]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minItems':2,'maxItems':3,'uniqueItems':true}}}}",
     "{'_id':1,'a':[1,1,1,1,2,2]}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'maxItems','specifiedAs':{'maxItems':3},'reason':'array did not "
     "match specified "
     "length','consideredValue':[1,1,1,1,2,2]},{'operatorName':'uniqueItems','specifiedAs':{'uniqueItems':true},'"
     "reason':'found a duplicate item','consideredValue':[1,1,1,1,2,2],'duplicatedValue':1}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minItems':2,'maxItems':3,'uniqueItems':true}}}}",
     "{'_id':1,'a':[{'x':1,'y':2},{'y':2,'x':1}]}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'uniqueItems','specifiedAs':{'uniqueItems':true},'reason':'found a "
     "duplicate item','consideredValue':[{'x':1,'y':2},{'y':2,'x':1}],'duplicatedValue':{'y':2,'x':1}}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':{'type':'number','minimum':2}}}}}", "{'_id':1,'a':[3,1,'x']}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'items','reason':'At least one item did not match the "
     "sub-schema','itemIndex':1,'details':[{'operatorName':'minimum','specifiedAs':{'minimum':2},'reason':'comparison "
     "failed','consideredValue':1}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':{'type':'number','minimum':2}}}}}", "{'_id':1,'a':['x']}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'items','reason':'At least one item did not match the "
     "sub-schema','itemIndex':0,'details':[{'operatorName':'type','specifiedAs':{'type':'number'},'reason':'type did "
     "not match','consideredValue':'x','consideredType':'string'}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'type':'number'},{'type':'string'}]}}}}", "{'_id':1,'a':['x',1]}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'items','details':[{'itemIndex':0,'details':[{'operatorName':'type'"
     ",'specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]},{'itemIndex':1,'details':[{'operatorName':'type','"
     "specifiedAs':{'type':'string'},'reason':'type did not "
     "match','consideredValue':1,'consideredType':'int'}]}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'type':'number'},{'type':'string'}]}}}}", "{'_id':1,'a':['x']}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'items','details':[{'itemIndex':0,'details':[{'operatorName':'type'"
     ",'specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'type':'number'},{'type':'string'}]}}}}", "{'_id':1,'a':[1,1]}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'items','details':[{'itemIndex':1,'details':[{'operatorName':'type'"
     ",'specifiedAs':{'type':'string'},'reason':'type did not "
     "match','consideredValue':1,'consideredType':'int'}]}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'type':'number'}],'additionalItems':false}}}}",
     "{'_id':1,'a':[1,2,3]}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'additionalItems','specifiedAs':{'additionalItems':false},'reason':"
     "'found additional items','additionalItems':[2,3]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'type':'number'}],'additionalItems':false}}}}",
     "{'_id':1,'a':['x',2]}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'items','details':[{'itemIndex':0,'details':[{'operatorName':'type'"
     ",'specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]},{'operatorName':'additionalItems','specifiedAs':{'"
     "additionalItems':false},'reason':'found additional items','additionalItems':[2]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'type':'number'}],'additionalItems':{'type':'string'}}}}}",
     "{'_id':1,'a':[1,2,3]}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'additionalItems','reason':'At least one additional item did not "
     "match the "
     "sub-schema','itemIndex':1,'details':[{'operatorName':'type','specifiedAs':{'type':'string'},'reason':'type did "
     "not match','consideredValue':2,'consideredType':'int'}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'type':'number'}],'additionalItems':{'type':'string'}}}}}",
     "{'_id':1,'a':['x',2]}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'items','details':[{'itemIndex':0,'details':[{'operatorName':'type'"
     ",'specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]},{'operatorName':'additionalItems','reason':'At least "
     "one additional item did not match the "
     "sub-schema','itemIndex':1,'details':[{'operatorName':'type','specifiedAs':{'type':'string'},'reason':'type did "
     "not match','consideredValue':2,'consideredType':'int'}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'type':'number'}],'additionalItems':{'type':'string'}}}}}",
     "{'_id':1,'a':[1,'x',3,'y']}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'additionalItems','reason':'At least one additional item did not "
     "match the "
     "sub-schema','itemIndex':2,'details':[{'operatorName':'type','specifiedAs':{'type':'string'},'reason':'type did "
     "not match','consideredValue':3,'consideredType':'int'}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{}},'additionalProperties':false}}", "{'_id':1,'b':1,'c':2}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'additionalProperties','specifiedAs':{'"
     "additionalProperties':false},'additionalProperties':['_id','b','c']}]}"},
    {"{'$jsonSchema':{'properties':{'_id':{}},'additionalProperties':{'type':'number'}}}",
     "{'_id':1,'b':1,'c':'x','d':'y'}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'additionalProperties','reason':'at "
     "least one additional property did not match the "
     "subschema','failingProperty':'c','details':[{'operatorName':'type','specifiedAs':{'type':'number'},'reason':'"
     "type did not match','consideredValue':'x','consideredType':'string'}]}]}"},
    {"{'$jsonSchema':{'patternProperties':{'^b':{'type':'number'},'c$':{'minimum':5}}}}",
     "{'_id':1,'b':'x','bc':'y','c':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'patternProperties','details':[{'"
     "propertyName':'b','regexMatched':'^b','details':[{'operatorName':'type','specifiedAs':{'type':'number'},'reason':"
     "'type did not "
     "match','consideredValue':'x','consideredType':'string'}]},{'propertyName':'c','regexMatched':'c$','details':[{'"
     "operatorName':'minimum','specifiedAs':{'minimum':5},'reason':'comparison failed','consideredValue':1}]}]}]}"},
    {"{'$jsonSchema':{'patternProperties':{'^b':{'type':'number'},'c$':{'minimum':5}}}}", "{'_id':1,'bc':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'patternProperties','details':[{'"
     "propertyName':'bc','regexMatched':'c$','details':[{'operatorName':'minimum','specifiedAs':{'minimum':5},'reason':"
     "'comparison failed','consideredValue':1}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'_id':{}},'patternProperties':{'^b':{'type':'number'}},'additionalProperties':"
     "false}}",
     "{'_id':1,'b':'x','c':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'additionalProperties','specifiedAs':{'"
     "additionalProperties':false},'additionalProperties':['c']},{'operatorName':'patternProperties','details':[{'"
     "propertyName':'b','regexMatched':'^b','details':[{'operatorName':'type','specifiedAs':{'type':'number'},'reason':"
     "'type did not match','consideredValue':'x','consideredType':'string'}]}]}]}"},
    {"{'$jsonSchema':{'minProperties':3}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'minProperties','specifiedAs':{'"
     "minProperties':3},'reason':'specified number of properties was not satisfied','numberOfProperties':1}]}"},
    {"{'$jsonSchema':{'maxProperties':1}}", "{'_id':1,'a':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'maxProperties','specifiedAs':{'"
     "maxProperties':1},'reason':'specified number of properties was not satisfied','numberOfProperties':2}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'minProperties':3,'maxProperties':4}}}}", "{'_id':1,'a':{'x':1}}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'minProperties','specifiedAs':{'minProperties':3},'reason':'"
     "specified number of properties was not satisfied','numberOfProperties':1}]}]}]}"},
    {"{'$jsonSchema':{'dependencies':{'a':['b','c'],'d':{'required':['e'],'properties':{'f':{'type':'number'}}}}}}",
     "{'_id':1,'a':1,'c':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'dependencies','failingDependencies':[{'"
     "conditionalProperty':'a','missingProperties':['b']}]}]}"},
    {"{'$jsonSchema':{'dependencies':{'a':['b','c'],'d':{'required':['e'],'properties':{'f':{'type':'number'}}}}}}",
     "{'_id':1,'d':1,'f':'x'}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'dependencies','failingDependencies':[{'"
     "conditionalProperty':'d','details':[{'operatorName':'properties','propertiesNotSatisfied':[{'propertyName':'f','"
     "details':[{'operatorName':'type','specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]},{'operatorName':'required','specifiedAs':{'required':"
     "['e']},'missingProperties':['e']}]}]}]}"},
    {"{'$jsonSchema':{'dependencies':{'a':['b','c'],'d':{'required':['e'],'properties':{'f':{'type':'number'}}}}}}",
     "{'_id':1,'d':1,'f':'x','a':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'dependencies','failingDependencies':[{'"
     "conditionalProperty':'a','missingProperties':['b','c']},{'conditionalProperty':'d','details':[{'operatorName':'"
     "properties','propertiesNotSatisfied':[{'propertyName':'f','details':[{'operatorName':'type','specifiedAs':{'type'"
     ":'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]},{'operatorName':'required','specifiedAs':{'required':"
     "['e']},'missingProperties':['e']}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'o':{'dependencies':{'a':['b','c'],'d':{'required':['e']}}}}}}",
     "{'_id':1,'o':{'a':1,'d':1}}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'o','details':[{'operatorName':'dependencies','failingDependencies':[{'conditionalProperty':'a','"
     "missingProperties':['b','c']},{'conditionalProperty':'d','details':[{'operatorName':'required','specifiedAs':{'"
     "required':['e']},'missingProperties':['e']}]}]}]}]}]}"},
    {"{'$jsonSchema':{'allOf':[{'required':['a']},{'required':['b']}]}}", "{'_id':1,'a':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'allOf','schemasNotSatisfied':[{'index':"
     "1,'details':[{'operatorName':'required','specifiedAs':{'required':['b']},'missingProperties':['b']}]}]}]}"},
    {"{'$jsonSchema':{'anyOf':[{'required':['a']},{'required':['b']}]}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'anyOf','schemasNotSatisfied':[{'index':"
     "0,'details':[{'operatorName':'required','specifiedAs':{'required':['a']},'missingProperties':['a']}]},{'index':1,"
     "'details':[{'operatorName':'required','specifiedAs':{'required':['b']},'missingProperties':['b']}]}]}]}"},
    {"{'$jsonSchema':{'oneOf':[{'required':['a']},{'required':['b']},{'required':['c']}]}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'oneOf','schemasNotSatisfied':[{'index':"
     "0,'details':[{'operatorName':'required','specifiedAs':{'required':['a']},'missingProperties':['a']}]},{'index':1,"
     "'details':[{'operatorName':'required','specifiedAs':{'required':['b']},'missingProperties':['b']}]},{'index':2,'"
     "details':[{'operatorName':'required','specifiedAs':{'required':['c']},'missingProperties':['c']}]}]}]}"},
    {"{'$jsonSchema':{'oneOf':[{'required':['a']},{'required':['b']},{'required':['c']}]}}", "{'_id':1,'a':1,'c':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'oneOf','reason':'more than one "
     "subschema matched','matchingSchemaIndexes':[0,2]}]}"},
    {"{'$jsonSchema':{'oneOf':[{'required':['a']}]}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'oneOf','schemasNotSatisfied':[{'index':"
     "0,'details':[{'operatorName':'required','specifiedAs':{'required':['a']},'missingProperties':['a']}]}]}]}"},
    {"{'$jsonSchema':{'not':{'required':['a']}}}", "{'_id':1,'a':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'not','reason':'child expression "
     "matched'}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'not':{'type':'number'}}}}}", "{'_id':1,'a':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'not','reason':'child expression matched'}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'enum':[1,2]}}}}", "{'_id':1,'a':5}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'enum','specifiedAs':{'enum':[1,2]},'reason':'value was not found "
     "in enum','consideredValue':5}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'bsonType':['int','string']}}}}", "{'_id':1,'a':5.5}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'bsonType','specifiedAs':{'bsonType':['int','string']},'reason':'"
     "type did not match','consideredValue':5.5,'consideredType':'double'}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':'string','minimum':5}}}}", "{'_id':1,'a':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'type','specifiedAs':{'type':'string'},'reason':'type did not "
     "match','consideredValue':1,'consideredType':'int'}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':'string','minLength':5}}}}", "{'_id':1,'a':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'type','specifiedAs':{'type':'string'},'reason':'type did not "
     "match','consideredValue':1,'consideredType':'int'}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':'object','required':['x','y'],'properties':{'z':{'type':'object','"
     "required':['q']}}}}}}",
     "{'_id':1,'a':{'z':{}}}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'properties','propertiesNotSatisfied':[{'propertyName':'z','"
     "details':[{'operatorName':'required','specifiedAs':{'required':['q']},'missingProperties':['q']}]}]},{'"
     "operatorName':'required','specifiedAs':{'required':['x','y']},'missingProperties':['x','y']}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':'object','required':['x','y'],'properties':{'z':{'type':'object','"
     "required':['q']}}}}}}",
     "{'_id':1,'a':5}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'type','specifiedAs':{'type':'object'},'reason':'type did not "
     "match','consideredValue':5,'consideredType':'int'}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a.b':{'type':'number'}}}}", "{'_id':1,'a':{'b':'x'}}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a.b','details':[{'operatorName':'type','specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]}]}"},
    {"{'$jsonSchema':{'required':['a'],'properties':{'a':{'type':'number'}}}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'required','specifiedAs':{'required':['"
     "a']},'missingProperties':['a']}]}"},
    {"{'$jsonSchema':{'required':['a'],'properties':{'a':{'type':'number'}}}}", "{'_id':1,'a':'x'}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'type','specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]}]}"},
    {"{'$jsonSchema':{'required':['z','a','m']}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'required','specifiedAs':{'required':['"
     "z','a','m']},'missingProperties':['a','m','z']}]}"},
    {"{'$jsonSchema':{'required':['a.b']}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'required','specifiedAs':{'required':['"
     "a.b']},'missingProperties':['a.b']}]}"},
    {"{'$jsonSchema':{'allOf':[{'title':'t','required':['a']}]}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'allOf','schemasNotSatisfied':[{'index':"
     "0,'title':'t','details':[{'operatorName':'required','specifiedAs':{'required':['a']},'missingProperties':['a']}]}"
     "]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'anyOf':[{'type':'number'},{'bsonType':'object','required':['x']}]}}}}",
     "{'_id':1,'a':'x'}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'anyOf','schemasNotSatisfied':[{'index':0,'details':[{'"
     "operatorName':'type','specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]},{'index':1,'details':[{'operatorName':'bsonType','"
     "specifiedAs':{'bsonType':'object'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'anyOf':[{'type':'number'},{'bsonType':'object','required':['x']}]}}}}",
     "{'_id':1,'a':{}}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'anyOf','schemasNotSatisfied':[{'index':0,'details':[{'"
     "operatorName':'type','specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':{},'consideredType':'object'}]},{'index':1,'details':[{'operatorName':'required','"
     "specifiedAs':{'required':['x']},'missingProperties':['x']}]}]}]}]}]}"},
    {"{'$jsonSchema':{'allOf':[{'oneOf':[{'required':['a']},{'required':['b']}]},{'not':{'required':['c']}}]}}",
     "{'_id':1,'c':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'allOf','schemasNotSatisfied':[{'index':"
     "0,'details':[{'operatorName':'oneOf','schemasNotSatisfied':[{'index':0,'details':[{'operatorName':'required','"
     "specifiedAs':{'required':['a']},'missingProperties':['a']}]},{'index':1,'details':[{'operatorName':'required','"
     "specifiedAs':{'required':['b']},'missingProperties':['b']}]}]}]},{'index':1,'details':[{'operatorName':'not','"
     "reason':'child expression matched'}]}]}]}"},
    {"{'$jsonSchema':{'allOf':[{'type':'number'}]}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'allOf','schemasNotSatisfied':[{'index':"
     "0,'details':{'operatorName':'$jsonSchema','specifiedAs':{'$jsonSchema':{'type':'number'}},'reason':'expression "
     "always evaluates to false'}}]}]}"},
    {"{'$jsonSchema':{'anyOf':[{'minimum':5},{'bsonType':'int'}],'not':{}}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'not','reason':'child expression "
     "matched'}]}"},
    {"{'$jsonSchema':{'oneOf':[{'bsonType':'int'},{'enum':[1]}]}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'oneOf','schemasNotSatisfied':[{'index':"
     "0,'details':{'operatorName':'$jsonSchema','specifiedAs':{'$jsonSchema':{'bsonType':'int'}},'reason':'expression "
     "always evaluates to "
     "false'}},{'index':1,'details':[{'operatorName':'enum','specifiedAs':{'enum':[1]},'reason':'expression always "
     "evaluates to false'}]}]}]}"},
    {"{'$jsonSchema':{'dependencies':{'a':['c','b']}}}", "{'_id':1,'a':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'dependencies','failingDependencies':[{'"
     "conditionalProperty':'a','missingProperties':['c','b']}]}]}"},
    {"{'$jsonSchema':{'dependencies':{'a':{'title':'T','required':['b']}}}}", "{'_id':1,'a':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'dependencies','failingDependencies':[{'"
     "conditionalProperty':'a','details':[{'operatorName':'required','specifiedAs':{'required':['b']},'"
     "missingProperties':['b']}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':{'title':'T','description':'D','type':'number'}}}}}",
     "{'_id':1,'a':['x']}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'items','title':'T','description':'D','reason':'At least one item "
     "did not match the "
     "sub-schema','itemIndex':0,'details':[{'operatorName':'type','specifiedAs':{'type':'number'},'reason':'type did "
     "not match','consideredValue':'x','consideredType':'string'}]}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'items':[{'title':'T','description':'D','type':'number'}],'additionalItems':{'"
     "title':'T2','type':'number'}}}}}",
     "{'_id':1,'a':['x','y']}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'items','details':[{'itemIndex':0,'details':[{'operatorName':'type'"
     ",'specifiedAs':{'type':'number'},'reason':'type did not "
     "match','consideredValue':'x','consideredType':'string'}]}]},{'operatorName':'additionalItems','title':'T2','"
     "reason':'At least one additional item did not match the "
     "sub-schema','itemIndex':1,'details':[{'operatorName':'type','specifiedAs':{'type':'number'},'reason':'type did "
     "not match','consideredValue':'y','consideredType':'string'}]}]}]}]}"},
    {"{'$jsonSchema':{'patternProperties':{'^a':{'title':'T','type':'number'}},'additionalProperties':{'title':'T2','"
     "bsonType':'int'}}}",
     "{'_id':1,'a':'x','c':'d'}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'additionalProperties','title':'T2','"
     "reason':'at least one additional property did not match the "
     "subschema','failingProperty':'c','details':[{'operatorName':'bsonType','specifiedAs':{'bsonType':'int'},'reason':"
     "'type did not "
     "match','consideredValue':'d','consideredType':'string'}]},{'operatorName':'patternProperties','details':[{'"
     "propertyName':'a','title':'T','regexMatched':'^a','details':[{'operatorName':'type','specifiedAs':{'type':'"
     "number'},'reason':'type did not match','consideredValue':'x','consideredType':'string'}]}]}]}"},
    {"{'$jsonSchema':{'not':{'title':'T'}}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'not','reason':'child expression "
     "matched'}]}"},
    {"{'$jsonSchema':{'oneOf':[{'title':'T','required':['a']},{'description':'T','required':['c']}]}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'oneOf','schemasNotSatisfied':[{'index':"
     "0,'title':'T','details':[{'operatorName':'required','specifiedAs':{'required':['a']},'missingProperties':['a']}]}"
     ",{'index':1,'description':'T','details':[{'operatorName':'required','specifiedAs':{'required':['c']},'"
     "missingProperties':['c']}]}]}]}"},
    {"{'$jsonSchema':{'oneOf':[{'title':'T','required':['a']},{'description':'T','required':['c']}]}}",
     "{'_id':1,'a':1,'c':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'oneOf','reason':'more than one "
     "subschema matched','matchingSchemaIndexes':[0,1]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'enum':[1],'title':'x'}}}}", "{'_id':1,'a':2}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','title':'x','details':[{'operatorName':'enum','specifiedAs':{'enum':[1]},'reason':'value was "
     "not found in enum','consideredValue':2}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'type':'object','additionalProperties':false,'properties':{'x':{}}}}}}",
     "{'_id':1,'a':{'y':1}}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'additionalProperties','specifiedAs':{'additionalProperties':false}"
     ",'additionalProperties':['y']}]}]}]}"},
    {"{'$jsonSchema':{'properties':{'a':{'allOf':[{'minimum':5},{'maximum':1}]}}}}", "{'_id':1,'a':3}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'a','details':[{'operatorName':'allOf','schemasNotSatisfied':[{'index':0,'details':[{'"
     "operatorName':'minimum','specifiedAs':{'minimum':5},'reason':'comparison "
     "failed','consideredValue':3}]},{'index':1,'details':[{'operatorName':'maximum','specifiedAs':{'maximum':1},'"
     "reason':'comparison failed','consideredValue':3}]}]}]}]}]}"},
    {"{'$jsonSchema':{'allOf':[{'properties':{'a':{'minimum':5}}},{'required':['q']}]}}", "{'_id':1,'a':3}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'allOf','schemasNotSatisfied':[{'index':"
     "0,'details':[{'operatorName':'properties','propertiesNotSatisfied':[{'propertyName':'a','details':[{'"
     "operatorName':'minimum','specifiedAs':{'minimum':5},'reason':'comparison "
     "failed','consideredValue':3}]}]}]},{'index':1,'details':[{'operatorName':'required','specifiedAs':{'required':['"
     "q']},'missingProperties':['q']}]}]}]}"},
    {"{'$nor':[{'$jsonSchema':{'title':'T','required':['_id']}}]}", "{'_id':1}",
     "{'operatorName':'$nor','clausesSatisfied':[{'index':0,'title':'T','details':{'operatorName':'$jsonSchema','"
     "reason':'schema matched'}}]}"},
    {"{'$jsonSchema':{'title':'T','required':['a']},'b':1}", "{'_id':1,'b':1}",
     "{'operatorName':'$and','clausesNotSatisfied':[{'index':0,'title':'T','details':{'operatorName':'$jsonSchema','"
     "title':'T','schemaRulesNotSatisfied':[{'operatorName':'required','specifiedAs':{'required':['a']},'"
     "missingProperties':['a']}]}}]}"},
    {"{'$jsonSchema':{'allOf':[{'type':'null','description':'D'}]}}", "{'_id':3}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'allOf','schemasNotSatisfied':[{'index':"
     "0,'details':{'operatorName':'$jsonSchema','specifiedAs':{'$jsonSchema':{'type':'null','description':'D'}},'"
     "reason':'expression always evaluates to false'}}]}]}"},
    {"{'$jsonSchema':{'required':['b'],'properties':{'b':{'enum':[1],'type':'number'}}}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'required','specifiedAs':{'required':['"
     "b']},'missingProperties':['b']}]}"},
    {"{'$jsonSchema':{'required':['b'],'properties':{'b':{'not':{'minimum':1}}}}}", "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'b','details':[{'operatorName':'not','reason':'child expression "
     "matched'}]}]},{'operatorName':'required','specifiedAs':{'required':['b']},'missingProperties':['b']}]}"},
    {"{'$jsonSchema':{'required':['b'],'properties':{'b':{'anyOf':[{'type':'number'},{'type':'string'}]}}}}",
     "{'_id':1}",
     "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','propertiesNotSatisfied':[{"
     "'propertyName':'b','details':[{'operatorName':'anyOf','schemasNotSatisfied':[{'index':0,'details':[]},{'index':1,"
     "'details':[]}]}]}]},{'operatorName':'required','specifiedAs':{'required':['b']},'missingProperties':['b']}]}"},
};

}  // namespace

TEST_CASE("details of schemas", "[mismatch]") { tests::check_mismatches(mismatches); }

TEST_CASE("brief details leave values out", "[mismatch]") {
    const auto brief = [](const char* filter, const char* document) {
        return text_of(mql::explain_mismatch(doc(filter), doc(document), {}, true));
    };
    CHECK(brief("{'a': {'$gt': 5}}", "{'a': 1}") == "{'operatorName':'$gt','reason':'comparison failed'}");
    CHECK(brief("{'$jsonSchema': {'properties': {'a': {'bsonType': 'int'}}}}", "{'a': 'x'}") ==
          "{'operatorName':'$jsonSchema','schemaRulesNotSatisfied':[{'operatorName':'properties','"
          "propertiesNotSatisfied':"
          "[{'propertyName':'a','details':[{'operatorName':'bsonType','reason':'type did not match','consideredType':"
          "'string'}]}]}]}");
}
