#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "expression_text.hpp"

using namespace ixora;
using namespace ixora::literals;
using test::evaluated;
using test::typed;

using Cases = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("parts of a date, by time zone", "[expression]") {
    const bson::Document row =
        "{d: ISODate('2020-02-29T13:45:56.789Z'), old: ISODate('1969-07-20T20:17:40.001Z')}"_bson;
    const Cases cases = {
        {"{$year: '$d'}", "int 2020"},
        {"{$month: ['$d']}", "int 2"},
        {"{$dayOfMonth: {date: '$d', timezone: 'Asia/Tokyo'}}", "int 29"},
        {"{$hour: {date: '$d', timezone: '+05:30'}}", "int 19"},
        {"{$minute: {date: '$d', timezone: '+05:30'}}", "int 15"},
        {"{$millisecond: '$old'}", "int 1"},
        {"{$dayOfYear: '$d'}", "int 60"},
        {"{$dayOfWeek: '$d'}", "int 7"},
        {"{$week: '$d'}", "int 8"},
        {"{$isoWeek: '$d'}", "int 9"},
        {"{$isoWeekYear: ISODate('2016-01-01')}", "long 2015"},
        {"{$isoDayOfWeek: '$d'}", "int 6"},
        {"{$year: null}", "null null"},
        {"{$year: {date: '$d', timezone: null}}", "null null"},
        {"{$year: ObjectId('5e3f00000102030405060708')}", "int 2020"},
        {"{$dateToParts: {date: '$d', iso8601: true}}",
         "object { isoWeekYear: 2020, isoWeek: 9, isoDayOfWeek: 6, hour: 13, minute: 45, second: 56, millisecond: 789 "
         "}"},
        {"{$year: 'x'}", "16006 can't convert from BSON type string to Date"},
        {"{$year: {date: '$d', timezone: 'zz'}}", "40485 unrecognized time zone identifier: \"zz\""},
        {"{$year: ['$d', 1]}", "40536 $year accepts exactly one argument if given an array, but was given 2"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(typed(expression, row) == expected);
    }
}

TEST_CASE("dates from parts and from text", "[expression]") {
    const Cases cases = {
        {"{$dateFromParts: {year: 2020, month: 14}}", "new Date(1612137600000)"},
        {"{$dateFromParts: {year: 2020, hour: 25, minute: 61, second: 75, millisecond: 1500}}",
         "new Date(1577930536500)"},
        {"{$dateFromParts: {isoWeekYear: 2020, isoWeek: 53, isoDayOfWeek: 7}}", "new Date(1609632000000)"},
        {"{$dateFromParts: {year: 2021, month: 3, day: 14, hour: 2, minute: 30, timezone: 'America/New_York'}}",
         "new Date(1615707000000)"},
        {"{$dateFromParts: {year: 2021, month: 11, day: 7, hour: 1, minute: 30, timezone: 'America/New_York'}}",
         "new Date(1636263000000)"},
        {"{$dateFromParts: {year: 10000}}",
         "40523 'year' must evaluate to an integer in the range 1 to 9999, found 10000"},
        {"{$dateFromString: {dateString: '2020-02-29'}}", "new Date(1582934400000)"},
        {"{$dateFromString: {dateString: '20200229'}}", "new Date(1582934400000)"},
        {"{$dateFromString: {dateString: '2020-02-29T12:34:56+05:30'}}", "new Date(1582959896000)"},
        {"{$dateFromString: {dateString: '2020-01-01T10:00:00 CET'}}", "new Date(1577869200000)"},
        {"{$dateFromString: {dateString: 'Feb 29, 2020 1:05 pm'}}", "new Date(1582981500000)"},
        {"{$dateFromString: {dateString: '29/02/2020', format: '%d/%m/%Y'}}", "new Date(1582934400000)"},
        {"{$dateFromString: {dateString: '2020-W05-3', format: '%G-W%V-%u'}}", "new Date(1580256000000)"},
        {"{$dateFromString: {dateString: '2020-01-01+02:00', format: '%Y-%m-%d%z'}}", "new Date(1577829600000)"},
        {"{$dateFromString: {dateString: 'zz', onError: 'e'}}", "\"e\""},
        {"{$dateFromString: {dateString: null, format: null, onNull: 'n'}}", "\"n\""},
        {"{$dateFromString: {dateString: null, format: '%q', onNull: 'n'}}",
         "18536 Invalid format character '%q' in format string"},
        {"{$dateFromString: {dateString: 5, format: null, onError: 'e'}}", "\"e\""},
        {"{$dateFromString: {dateString: '2020-02-29', format: null}}", "null"},
        {"{$dateFromString: {dateString: '10:00'}}",
         "241 an incomplete date/time string has been found, with elements missing: \"10:00\""},
        {"{$dateFromString: {dateString: ' 1e3'}}",
         "241 Error parsing date string ' 1e3'; 0: Unexpected character '1'; 2: Unexpected character '3'"},
        {"{$dateFromString: {dateString: '2020-02-30'}}",
         "241 Error parsing date string '2020-02-30'; 9: The parsed date was invalid '0'"},
        {"{$dateFromString: {dateString: '2020-02-29T12:34:56Z', timezone: 'America/New_York'}}",
         "241 you cannot pass in a date/time string with time zone information ('Z') together with a timezone "
         "argument"},
        {"{$dateToString: {date: ISODate('2020-02-29T13:45:56.789Z')}}", "\"2020-02-29T13:45:56.789Z\""},
        {"{$dateToString: {date: ISODate('2020-02-29T13:45:56.789Z'), format: '%z %Z %j %U %b %B %%', timezone: "
         "'America/New_York'}}",
         "\"-0500 -300 060 08 Feb February %\""},
        {"{$dateToString: {date: null, onNull: 'none'}}", "\"none\""},
        {"{$dateToString: {date: ISODate('2020-02-29'), format: '%q'}}",
         "18536 Invalid format character '%q' in format string"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression) == expected);
    }
}

TEST_CASE("arithmetic of dates", "[expression]") {
    const Cases cases = {
        {"{$dateAdd: {startDate: ISODate('2021-01-31'), unit: 'month', amount: 1}}", "new Date(1614470400000)"},
        {"{$dateSubtract: {startDate: ISODate('2020-02-29'), unit: 'year', amount: 1}}", "new Date(1551312000000)"},
        {"{$dateAdd: {startDate: ISODate('2021-03-13T12:00:00Z'), unit: 'day', amount: 1, timezone: "
         "'America/New_York'}}",
         "new Date(1615719600000)"},
        {"{$dateAdd: {startDate: ISODate('2021-03-13T12:00:00Z'), unit: 'hour', amount: 24}}",
         "new Date(1615723200000)"},
        {"{$dateAdd: {startDate: '$d', unit: 'zz', amount: 1}}",
         "9 $dateAdd parameter 'unit' value parsing failed :: caused by :: unknown time unit value: zz"},
        {"{$dateAdd: {startDate: ISODate('2021-01-31'), unit: 'year', amount: 300000000}}",
         "5166406 dateAdd overflowed"},
        {"{$dateAdd: {startDate: ISODate('2021-01-31'), unit: 'day', amount: NumberLong('9223372036854775807')}}",
         "5976500 invalid dateAdd 'amount' parameter value: 9223372036854775807 day"},
        {"{$dateDiff: {startDate: ISODate('2020-12-31T23:59:59Z'), endDate: ISODate('2021-01-01'), unit: 'year'}}",
         "1"},
        {"{$dateDiff: {startDate: ISODate('2021-01-01'), endDate: ISODate('2020-12-01'), unit: 'month'}}", "-1"},
        {"{$dateDiff: {startDate: ISODate('2022-03-27T00:30:00Z'), endDate: ISODate('2022-03-27T02:30:00Z'), unit: "
         "'hour', timezone: '+05:30'}}",
         "2"},
        {"{$dateDiff: {startDate: ISODate('2021-03-06'), endDate: ISODate('2021-03-08'), unit: 'week', startOfWeek: "
         "'mon'}}",
         "1"},
        {"{$dateTrunc: {date: ISODate('1969-07-20T20:17:40Z'), unit: 'quarter', binSize: 2}}",
         "new Date(-15897600000)"},
        {"{$dateTrunc: {date: ISODate('1969-07-20T20:17:40Z'), unit: 'week', binSize: 2}}", "new Date(-14860800000)"},
        {"{$dateTrunc: {date: ISODate('2022-10-30T01:30:00Z'), unit: 'hour', binSize: 2, timezone: 'Europe/Paris'}}",
         "new Date(1667091600000)"},
        {"{$dateTrunc: {date: ISODate('2020-02-29T13:45:56Z'), unit: 'day', timezone: 'America/New_York'}}",
         "new Date(1582952400000)"},
        {"{$dateTrunc: {date: ISODate('2020-02-29'), unit: 'day', binSize: 0}}",
         "5439018 $dateTrunc requires 'binSize' to be greater than 0, but got value 0"},
    };
    for (const auto& [expression, expected] : cases) {
        CAPTURE(expression);
        CHECK(evaluated(expression) == expected);
    }
}
