// Why documents fail validation: the query operators, recorded from a server.
#include "recorded_mismatch.hpp"

using namespace ixora;

namespace {

const tests::RecordedMismatch mismatches[] = {
    {"{'a':1}", "{'_id':1}", "{'operatorName':'$eq','specifiedAs':{'a':1},'reason':'field was missing'}"},
    {"{'a':1}", "{'_id':1,'a':2}",
     "{'operatorName':'$eq','specifiedAs':{'a':1},'reason':'comparison failed','consideredValue':2}"},
    {"{'a':1}", "{'_id':1,'a':[2,3]}",
     "{'operatorName':'$eq','specifiedAs':{'a':1},'reason':'comparison failed','consideredValues':[2,3]}"},
    {"{'a':1}", "{'_id':1,'a':[]}",
     "{'operatorName':'$eq','specifiedAs':{'a':1},'reason':'comparison failed','consideredValues':[]}"},
    {"{'a':1,'b':{'$gt':5}}", "{'_id':1,'a':2,'b':7}",
     "{'operatorName':'$and','clausesNotSatisfied':[{'index':0,'details':{'operatorName':'$eq','specifiedAs':{'a':1},'"
     "reason':'comparison failed','consideredValue':2}}]}"},
    {"{'a':1,'b':{'$gt':5}}", "{'_id':1,'a':2}",
     "{'operatorName':'$and','clausesNotSatisfied':[{'index':0,'details':{'operatorName':'$eq','specifiedAs':{'a':1},'"
     "reason':'comparison "
     "failed','consideredValue':2}},{'index':1,'details':{'operatorName':'$gt','specifiedAs':{'b':{'$gt':5}},'reason':'"
     "field was missing'}}]}"},
    {"{'a':{'$ne':1}}", "{'_id':1,'a':1}",
     "{'operatorName':'$ne','specifiedAs':{'a':{'$ne':1}},'reason':'comparison succeeded','consideredValue':1}"},
    {"{'a':{'$ne':1}}", "{'_id':1,'a':[1,2]}",
     "{'operatorName':'$ne','specifiedAs':{'a':{'$ne':1}},'reason':'comparison succeeded','consideredValues':[1,2]}"},
    {"{'a':{'$in':[1,2,'x']}}", "{'_id':1,'a':5}",
     "{'operatorName':'$in','specifiedAs':{'a':{'$in':[1,2,'x']}},'reason':'no matching value found in "
     "array','consideredValue':5}"},
    {"{'a':{'$in':[1,2,'x']}}", "{'_id':1}",
     "{'operatorName':'$in','specifiedAs':{'a':{'$in':[1,2,'x']}},'reason':'field was missing'}"},
    {"{'a':{'$in':[1,2,'x']}}", "{'_id':1,'a':[7,8]}",
     "{'operatorName':'$in','specifiedAs':{'a':{'$in':[1,2,'x']}},'reason':'no matching value found in "
     "array','consideredValues':[7,8]}"},
    {"{'a':{'$nin':[1,2,'x']}}", "{'_id':1,'a':1}",
     "{'operatorName':'$nin','specifiedAs':{'a':{'$nin':[1,2,'x']}},'reason':'matching value found in "
     "array','consideredValue':1}"},
    {"{'a':{'$nin':[1,2,'x']}}", "{'_id':1,'a':[7,1]}",
     "{'operatorName':'$nin','specifiedAs':{'a':{'$nin':[1,2,'x']}},'reason':'matching value found in "
     "array','consideredValues':[7,1]}"},
    {"{'a':{'$not':{'$gt':5}}}", "{'_id':1,'a':9}",
     "{'operatorName':'$not','details':{'operatorName':'$gt','specifiedAs':{'a':{'$gt':5}},'reason':'comparison "
     "succeeded','consideredValue':9}}"},
    {"{'a':{'$not':{'$gt':5,'$lt':20}}}", "{'_id':1,'a':9}",
     "{'operatorName':'$not','details':{'operatorName':'$and','clausesSatisfied':[{'index':0,'details':{'operatorName':"
     "'$gt','specifiedAs':{'a':{'$gt':5}},'reason':'comparison "
     "succeeded','consideredValue':9}},{'index':1,'details':{'operatorName':'$lt','specifiedAs':{'a':{'$lt':20}},'"
     "reason':'comparison succeeded','consideredValue':9}}]}}"},
    {"{'$nor':[{'a':1},{'b':2}]}", "{'_id':1,'a':1}",
     "{'operatorName':'$nor','clausesSatisfied':[{'index':0,'details':{'operatorName':'$eq','specifiedAs':{'a':1},'"
     "reason':'comparison succeeded','consideredValue':1}}]}"},
    {"{'$nor':[{'a':1},{'b':2}]}", "{'_id':1,'a':1,'b':2}",
     "{'operatorName':'$nor','clausesSatisfied':[{'index':0,'details':{'operatorName':'$eq','specifiedAs':{'a':1},'"
     "reason':'comparison "
     "succeeded','consideredValue':1}},{'index':1,'details':{'operatorName':'$eq','specifiedAs':{'b':2},'reason':'"
     "comparison succeeded','consideredValue':2}}]}"},
    {"{'$nor':[{'a':{'$gt':1,'$lt':9}}]}", "{'_id':1,'a':5}",
     "{'operatorName':'$nor','clausesSatisfied':[{'index':0,'details':{'operatorName':'$and','clausesSatisfied':[{'"
     "index':0,'details':{'operatorName':'$gt','specifiedAs':{'a':{'$gt':1}},'reason':'comparison "
     "succeeded','consideredValue':5}},{'index':1,'details':{'operatorName':'$lt','specifiedAs':{'a':{'$lt':9}},'"
     "reason':'comparison succeeded','consideredValue':5}}]}}]}"},
    {"{'$and':[{'a':1},{'b':2}]}", "{'_id':1,'a':1}",
     "{'operatorName':'$and','clausesNotSatisfied':[{'index':1,'details':{'operatorName':'$eq','specifiedAs':{'b':2},'"
     "reason':'field was missing'}}]}"},
    {"{'$and':[{'a':1},{'b':2}]}", "{'_id':1}",
     "{'operatorName':'$and','clausesNotSatisfied':[{'index':0,'details':{'operatorName':'$eq','specifiedAs':{'a':1},'"
     "reason':'field was missing'}},{'index':1,'details':{'operatorName':'$eq','specifiedAs':{'b':2},'reason':'field "
     "was missing'}}]}"},
    {"{'$and':[{'a':1}]}", "{'_id':1}",
     "{'operatorName':'$and','clausesNotSatisfied':[{'index':0,'details':{'operatorName':'$eq','specifiedAs':{'a':1},'"
     "reason':'field was missing'}}]}"},
    {"{'$or':[{'a':1}]}", "{'_id':1}",
     "{'operatorName':'$or','clausesNotSatisfied':[{'index':0,'details':{'operatorName':'$eq','specifiedAs':{'a':1},'"
     "reason':'field was missing'}}]}"},
    {"{'$nor':[{'$and':[{'a':1},{'b':1}]}]}", "{'_id':1,'b':1,'a':1}",
     "{'operatorName':'$nor','clausesSatisfied':[{'index':0,'details':{'operatorName':'$and','clausesSatisfied':[{'"
     "index':0,'details':{'operatorName':'$eq','specifiedAs':{'a':1},'reason':'comparison "
     "succeeded','consideredValue':1}},{'index':1,'details':{'operatorName':'$eq','specifiedAs':{'b':1},'reason':'"
     "comparison succeeded','consideredValue':1}}]}}]}"},
    {"{'a':{'$exists':false}}", "{'_id':1,'a':1}",
     "{'operatorName':'$exists','specifiedAs':{'a':{'$exists':false}},'reason':'path does exist'}"},
    {"{'$nor':[{'a':{'$exists':true}}]}", "{'_id':1,'a':1}",
     "{'operatorName':'$nor','clausesSatisfied':[{'index':0,'details':{'operatorName':'$exists','specifiedAs':{'a':{'$"
     "exists':true}},'reason':'path does exist'}}]}"},
    {"{'a':{'$regex':'^x','$options':'i'}}", "{'_id':1,'a':'b'}",
     "{'operatorName':'$regex','specifiedAs':{'a':{'$regex':'^x','$options':'i'}},'reason':'regular expression did not "
     "match','consideredValue':'b'}"},
    {"{'a':{'$regex':'^x','$options':'i'}}", "{'_id':1}",
     "{'operatorName':'$regex','specifiedAs':{'a':{'$regex':'^x','$options':'i'}},'reason':'field was missing'}"},
    {"{'a':{'$regex':'^x','$options':'i'}}", "{'_id':1,'a':5}",
     "{'operatorName':'$regex','specifiedAs':{'a':{'$regex':'^x','$options':'i'}},'reason':'type did not "
     "match','consideredType':'int','expectedTypes':['regex','string','symbol'],'consideredValue':5}"},
    {"{'a':{'$regex':'^x','$options':'i'}}", "{'_id':1,'a':['q',5]}",
     "{'operatorName':'$regex','specifiedAs':{'a':{'$regex':'^x','$options':'i'}},'reason':'regular expression did not "
     "match','consideredValues':['q',5]}"},
    {"{'a':{'$regularExpression':{'pattern':'^x','options':'i'}}}", "{'_id':1,'a':'b'}",
     "{'operatorName':'$regex','specifiedAs':{'a':{'$regularExpression':{'pattern':'^x','options':'i'}}},'reason':'"
     "regular expression did not match','consideredValue':'b'}"},
    {"{'a':{'$not':{'$regularExpression':{'pattern':'^x','options':'i'}}}}", "{'_id':1,'a':'xb'}",
     "{'operatorName':'$not','details':{'operatorName':'$regex','specifiedAs':{'a':{'$regularExpression':{'pattern':'^"
     "x','options':'i'}}},'reason':'regular expression did match','consideredValue':'xb'}}"},
    {"{'a':{'$not':{'$regex':'^x'}}}", "{'_id':1,'a':'xb'}",
     "{'operatorName':'$not','details':{'operatorName':'$regex','specifiedAs':{'a':{'$regex':'^x'}},'reason':'regular "
     "expression did match','consideredValue':'xb'}}"},
    {"{'a':{'$mod':[2,1]}}", "{'_id':1,'a':4}",
     "{'operatorName':'$mod','specifiedAs':{'a':{'$mod':[2,1]}},'reason':'$mod did not evaluate to expected "
     "remainder','consideredValue':4}"},
    {"{'a':{'$mod':[2,1]}}", "{'_id':1,'a':'x'}",
     "{'operatorName':'$mod','specifiedAs':{'a':{'$mod':[2,1]}},'reason':'type did not "
     "match','consideredType':'string','expectedTypes':['decimal','double','int','long'],'consideredValue':'x'}"},
    {"{'a':{'$mod':[2,1]}}", "{'_id':1}",
     "{'operatorName':'$mod','specifiedAs':{'a':{'$mod':[2,1]}},'reason':'field was missing'}"},
    {"{'a':{'$mod':[2,1]}}", "{'_id':1,'a':[2,'x']}",
     "{'operatorName':'$mod','specifiedAs':{'a':{'$mod':[2,1]}},'reason':'$mod did not evaluate to expected "
     "remainder','consideredValues':[2,'x']}"},
    {"{'a':{'$not':{'$mod':[2,1]}}}", "{'_id':1,'a':5}",
     "{'operatorName':'$not','details':{'operatorName':'$mod','specifiedAs':{'a':{'$mod':[2,1]}},'reason':'$mod did "
     "evaluate to expected remainder','consideredValue':5}}"},
    {"{'a':{'$size':2}}", "{'_id':1,'a':[1]}",
     "{'operatorName':'$size','specifiedAs':{'a':{'$size':2}},'reason':'array length was not equal to given "
     "size','consideredValue':[1]}"},
    {"{'a':{'$size':2}}", "{'_id':1,'a':1}",
     "{'operatorName':'$size','specifiedAs':{'a':{'$size':2}},'reason':'type did not "
     "match','consideredType':'int','expectedType':'array','consideredValue':1}"},
    {"{'a':{'$size':2}}", "{'_id':1}",
     "{'operatorName':'$size','specifiedAs':{'a':{'$size':2}},'reason':'field was missing'}"},
    {"{'a':{'$not':{'$size':2}}}", "{'_id':1,'a':[1,2]}",
     "{'operatorName':'$not','details':{'operatorName':'$size','specifiedAs':{'a':{'$size':2}},'reason':'array length "
     "was equal to given size','consideredValue':[1,2]}}"},
    {"{'a':{'$all':[1,2]}}", "{'_id':1,'a':[1]}",
     "{'operatorName':'$all','specifiedAs':{'a':{'$all':[1,2]}},'reason':'array did not contain all specified "
     "values','consideredValue':[1]}"},
    {"{'a':{'$all':[1,2]}}", "{'_id':1,'a':5}",
     "{'operatorName':'$all','specifiedAs':{'a':{'$all':[1,2]}},'reason':'array did not contain all specified "
     "values','consideredValue':5}"},
    {"{'a':{'$all':[1,2]}}", "{'_id':1}",
     "{'operatorName':'$all','specifiedAs':{'a':{'$all':[1,2]}},'reason':'field was missing'}"},
    {"{'a':{'$all':[]}}", "{'_id':1,'a':[1]}",
     "{'operatorName':'$all','specifiedAs':{'a':{'$all':[]}},'reason':'expression always evaluates to false'}"},
    {"{'a':{'$all':[]}}", "{'_id':1}",
     "{'operatorName':'$all','specifiedAs':{'a':{'$all':[]}},'reason':'expression always evaluates to false'}"},
    {"{'a':{'$not':{'$all':[1,2]}}}", "{'_id':1,'a':[1,2]}",
     "{'operatorName':'$not','details':{'operatorName':'$all','specifiedAs':{'a':{'$all':[1,2]}},'reason':'array did "
     "contain all specified values','consideredValue':[1,2]}}"},
    {"{'a':{'$all':[{'$elemMatch':{'x':1}}]}}", "{'_id':1,'a':[1]}",
     "{'operatorName':'$all','specifiedAs':{'a':{'$all':[{'$elemMatch':{'x':1}}]}},'reason':'array did not contain all "
     "specified values','consideredValue':[1]}"},
    {"{'a':{'$elemMatch':{'x':1,'y':2}}}", "{'_id':1,'a':[{'x':1}]}",
     "{'operatorName':'$elemMatch','specifiedAs':{'a':{'$elemMatch':{'x':1,'y':2}}},'reason':'array did not satisfy "
     "the child predicate','consideredValue':[{'x':1}]}"},
    {"{'a':{'$elemMatch':{'x':1,'y':2}}}", "{'_id':1,'a':5}",
     "{'operatorName':'$elemMatch','specifiedAs':{'a':{'$elemMatch':{'x':1,'y':2}}},'reason':'type did not "
     "match','consideredType':'int','expectedType':'array','consideredValue':5}"},
    {"{'a':{'$elemMatch':{'x':1,'y':2}}}", "{'_id':1}",
     "{'operatorName':'$elemMatch','specifiedAs':{'a':{'$elemMatch':{'x':1,'y':2}}},'reason':'field was missing'}"},
    {"{'a':{'$elemMatch':{'$gt':1,'$lt':3}}}", "{'_id':1,'a':[5]}",
     "{'operatorName':'$elemMatch','specifiedAs':{'a':{'$elemMatch':{'$gt':1,'$lt':3}}},'reason':'array did not "
     "satisfy the child predicate','consideredValue':[5]}"},
    {"{'a':{'$elemMatch':{'$gt':1,'$lt':3}}}", "{'_id':1,'a':5}",
     "{'operatorName':'$elemMatch','specifiedAs':{'a':{'$elemMatch':{'$gt':1,'$lt':3}}},'reason':'type did not "
     "match','consideredType':'int','expectedType':'array','consideredValue':5}"},
    {"{'a':{'$elemMatch':{'$gt':1,'$lt':3}}}", "{'_id':1}",
     "{'operatorName':'$elemMatch','specifiedAs':{'a':{'$elemMatch':{'$gt':1,'$lt':3}}},'reason':'field was missing'}"},
    {"{'a':{'$not':{'$elemMatch':{'$gt':1,'$lt':3}}}}", "{'_id':1,'a':[2]}",
     "{'operatorName':'$not','details':{'operatorName':'$elemMatch','specifiedAs':{'a':{'$elemMatch':{'$gt':1,'$lt':3}}"
     "},'reason':'array did satisfy the child predicate','consideredValue':[2]}}"},
    {"{'a':{'$not':{'$elemMatch':{'x':1}}}}", "{'_id':1,'a':[{'x':1}]}",
     "{'operatorName':'$not','details':{'operatorName':'$elemMatch','specifiedAs':{'a':{'$elemMatch':{'x':1}}},'reason'"
     ":'array did satisfy the child predicate','consideredValue':[{'x':1}]}}"},
    {"{'a':{'$bitsAllSet':[0,1]}}", "{'_id':1,'a':'x'}",
     "{'operatorName':'$bitsAllSet','specifiedAs':{'a':{'$bitsAllSet':[0,1]}},'reason':'type did not "
     "match','consideredType':'string','expectedTypes':['binData','decimal','double','int','long'],'consideredValue':'"
     "x'}"},
    {"{'a':{'$bitsAllSet':[0,1]}}", "{'_id':1,'a':1}",
     "{'operatorName':'$bitsAllSet','specifiedAs':{'a':{'$bitsAllSet':[0,1]}},'reason':'bitwise operator failed to "
     "match','consideredValue':1}"},
    {"{'a':{'$bitsAllSet':[0,1]}}", "{'_id':1,'a':[1,2]}",
     "{'operatorName':'$bitsAllSet','specifiedAs':{'a':{'$bitsAllSet':[0,1]}},'reason':'bitwise operator failed to "
     "match','consideredValues':[1,2]}"},
    {"{'a':{'$bitsAllSet':[0,1]}}", "{'_id':1}",
     "{'operatorName':'$bitsAllSet','specifiedAs':{'a':{'$bitsAllSet':[0,1]}},'reason':'field was missing'}"},
    {"{'$expr':'$a'}", "{'_id':1,'a':0}",
     "{'operatorName':'$expr','specifiedAs':{'$expr':'$a'},'reason':'expression did not match','expressionResult':0}"},
    {"{'$expr':'$a'}", "{'_id':1}",
     "{'operatorName':'$expr','specifiedAs':{'$expr':'$a'},'reason':'expression did not match'}"},
    {"{'$nor':[{'$expr':'$a'}]}", "{'_id':1,'a':7}",
     "{'operatorName':'$nor','clausesSatisfied':[{'index':0,'details':{'operatorName':'$expr','specifiedAs':{'$expr':'$"
     "a'},'reason':'expression did match','expressionResult':7}}]}"},
    {"{'$alwaysFalse':1}", "{'_id':1}",
     "{'code':4994600,'codeName':'Location4994600','errmsg':'Cannot generate validation error details: no annotation "
     "found for expression { $alwaysFalse: 1 }'}"},
    {"{'$nor':[{}]}", "{'_id':1}",
     "{'operatorName':'$nor','clausesSatisfied':[{'index':0,'details':{'operatorName':'$and','clausesSatisfied':[]}}]"
     "}"},
    {"{'a.b':1}", "{'_id':1,'a':[{'b':2},{'b':3}]}",
     "{'operatorName':'$eq','specifiedAs':{'a.b':1},'reason':'comparison failed','consideredValues':[2,3]}"},
    {"{'a.b':1}", "{'_id':1,'a':{'b':5}}",
     "{'operatorName':'$eq','specifiedAs':{'a.b':1},'reason':'comparison failed','consideredValue':5}"},
    {"{'a.b':1}", "{'_id':1,'a':[]}", "{'operatorName':'$eq','specifiedAs':{'a.b':1},'reason':'field was missing'}"},
    {"{'a.b':1}", "{'_id':1,'a':5}", "{'operatorName':'$eq','specifiedAs':{'a.b':1},'reason':'field was missing'}"},
    {"{'a.b':1}", "{'_id':1,'a':[{'b':2},{}]}",
     "{'operatorName':'$eq','specifiedAs':{'a.b':1},'reason':'comparison failed','consideredValue':2}"},
    {"{'a.b':1}", "{'_id':1,'a':[{'b':[1.5]}]}",
     "{'operatorName':'$eq','specifiedAs':{'a.b':1},'reason':'comparison failed','consideredValue':1.5}"},
    {"{'a':{'$gt':0}}", "{'_id':1,'a':[-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11,-12]}",
     "{'operatorName':'$gt','specifiedAs':{'a':{'$gt':0}},'reason':'comparison "
     "failed','consideredValues':[-1,-2,-3,-4,-5,-6,-7,-8,-9,-10],'consideredValuesTruncated':true}"},
    {"{'a.b':1}", "{'a':[{},{'b':2}]}", "{'operatorName':'$eq','specifiedAs':{'a.b':1},'reason':'field was missing'}"},
    {"{'a.b':1}", "{'a':[{'b':3},{},{'b':2}]}",
     "{'operatorName':'$eq','specifiedAs':{'a.b':1},'reason':'comparison failed','consideredValue':3}"},
    {"{'a.0':9}", "{'a':[{'x':1},5]}", "{'operatorName':'$eq','specifiedAs':{'a.0':9},'reason':'field was missing'}"},
    {"{'a.0':9}", "{'a':[{'0':4},5]}",
     "{'operatorName':'$eq','specifiedAs':{'a.0':9},'reason':'comparison failed','consideredValues':[4,{'0':4}]}"},
    {"{'a':{'$regex':'c','$gt':1}}", "{'_id':1}",
     "{'operatorName':'$and','clausesNotSatisfied':[{'index':0,'details':{'operatorName':'$regex','specifiedAs':{'a':{'"
     "$regex':'c','$gt':1}},'reason':'field was "
     "missing'}},{'index':1,'details':{'operatorName':'$gt','specifiedAs':{'a':{'$gt':1}},'reason':'field was "
     "missing'}}]}"},
};

}  // namespace

TEST_CASE("details of the query operators", "[mismatch]") { tests::check_mismatches(mismatches); }
