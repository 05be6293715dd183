#!/usr/bin/env python3
"""Bad and large input: every one gets an answer with the right code, and nothing crashes or hangs.

    bad_input_test.py PATH_TO_IXORA [WORD]    WORD: only the checks with it in their name
"""
import gzip, json, os, struct, subprocess, sys, tempfile

program = sys.argv[1]
seconds_max = 300
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print("  FAIL " + what)


class Engine:
    """`ixora run`, one request and one reply at a time."""

    def __enter__(self):
        self.process = subprocess.Popen([program, "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.read()
        expect(self.process.wait(seconds_max) == 0, "exit status %s" % self.process.returncode)

    def raw(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline()
        if not reply:
            raise EOFError("no reply to %r; exit status %s" % (line[:200], self.process.wait()))
        return plain(json.loads(reply))

    def command(self, command, database="test"):
        return self.raw(json.dumps(dict(command, **{"$db": database})).encode())

    def expect_code(self, command, code, what):
        reply = self.command(command)
        got = reply.get("code", 0)
        if "writeErrors" in reply:
            got = reply["writeErrors"][0]["code"]
        expect(got == code, "%s: code %s instead of %s: %s" % (what, got, code, str(reply)[:300]))
        return reply


def plain(value):
    """Numbers out of their wrappers."""
    if isinstance(value, list):
        return [plain(member) for member in value]
    if isinstance(value, dict):
        for wrapper, convert in (("$numberInt", int), ("$numberLong", int), ("$numberDouble", float)):
            if list(value) == [wrapper]:
                return convert(value[wrapper])
        return {name: plain(member) for name, member in value.items()}
    return value


def run(*arguments, stdin=b"", stdout=subprocess.PIPE):
    return subprocess.run([program, *arguments], input=stdin, stdout=stdout, stderr=subprocess.PIPE, timeout=seconds_max)


def nested(depth, leaf=1):
    """A value with `depth` objects around the leaf."""
    for _ in range(depth):
        leaf = {"a": leaf}
    return leaf


# ---- files ----

def bson_document(fields):
    return struct.pack("<i", len(fields) + 5) + fields + b"\0"


def int_field(name, value):
    return b"\x10" + name + b"\0" + struct.pack("<i", value)


def string_field(name, text):
    return b"\x02" + name + b"\0" + struct.pack("<i", len(text) + 1) + text + b"\0"


def check_bson_files(directory):
    good = bson_document(int_field(b"_id", 1) + string_field(b"s", b"text"))
    deep = b"\x10a\0" + struct.pack("<i", 1)
    for _ in range(5000):
        deep = b"\x03a\0" + bson_document(deep)
    bad = {
        "truncated": good + good[:-3],
        "length_only": good + struct.pack("<i", 100),
        "half_a_length": good + b"\x05\0",
        "negative_length": struct.pack("<i", -5) + b"\0" * 20,
        "zero_length": struct.pack("<i", 0) + b"\0" * 20,
        "huge_length": struct.pack("<i", 0x7FFFFFFF) + b"\0" * 20,
        "no_terminator": good[:-1] + b"\x01",
        "unknown_type": bson_document(b"\x42a\0" + b"\0" * 8),
        "unterminated_name": bson_document(b"\x10aaaaaaaa"),
        "string_too_long": bson_document(b"\x02a\0" + struct.pack("<i", 1000) + b"abc\0"),
        "string_length_zero": bson_document(b"\x02a\0" + struct.pack("<i", 0) + b"\0"),
        "string_length_negative": bson_document(b"\x02a\0" + struct.pack("<i", -1) + b"abc\0"),
        "string_without_nul": bson_document(b"\x02a\0" + struct.pack("<i", 3) + b"abc"),
        "invalid_utf8": bson_document(string_field(b"a", b"\xff\xfe")),
        "object_beyond_end": bson_document(b"\x03a\0" + struct.pack("<i", 500) + b"\0"),
        "object_too_short": bson_document(b"\x03a\0" + struct.pack("<i", 4) + b"\0"),
        "bool_of_two": bson_document(b"\x08a\0\x02"),
        "binary_negative": bson_document(b"\x05a\0" + struct.pack("<i", -1) + b"\0"),
        "code_with_scope": bson_document(b"\x0fa\0" + struct.pack("<i", 3) + b"\0" * 20),
        "deep": bson_document(deep),
        "not_bson": b"hello, world\n" * 10,
    }
    for name, content in bad.items():
        path = os.path.join(directory, name + ".bson")
        with open(path, "wb") as f:
            f.write(content)
        done = run("query", "--data", path, "db.%s.find({})" % name)
        expect(done.returncode == 1 and name.encode() in done.stderr, "%s: status %d, %r" % (name, done.returncode, done.stderr[:200]))
    path = os.path.join(directory, "good.bson")
    with open(path, "wb") as f:
        f.write(good)
    done = run("query", "--data", path, "db.good.find({s: 'text'})")
    expect(done.returncode == 0 and b"text" in done.stdout, "good.bson: %r" % done.stderr)
    open(path, "wb").close()
    done = run("query", "--data", path, "db.good.find({})")
    expect(done.returncode == 0, "an empty file: %r" % done.stderr)


def check_gzip_files(directory):
    lines = b"".join(b'{"_id": %d, "s": "%d"}\n' % (i, i * i) for i in range(5000))
    whole = gzip.compress(lines)
    for name, content in {"whole": whole, "cut": whole[:len(whole) // 2], "head": whole[:12], "damaged": whole[:500] + b"\xff" * 50 + whole[550:]}.items():
        path = os.path.join(directory, name + ".jsonl.gz")
        with open(path, "wb") as f:
            f.write(content)
        done = run("query", "--data", "c=" + path, "db.c.count({})")
        expect(done.returncode == (0 if name == "whole" else 1), "%s.jsonl.gz: status %d, %r" % (name, done.returncode, done.stderr[:200]))


def check_text_files(directory):
    bad = {"open_brace": b'{"a": 1', "number": b"17\n", "word": b"abc\n", "control": b'{"a": "\x01', "utf8": b'{"a": "\xff"}\n',
           "deep": b'{"a":' * 100000, "brackets": b"[" * 100000 + b"x", "shell_deep": b"{a: [" * 50000}
    for name, content in bad.items():
        path = os.path.join(directory, name + ".json")
        with open(path, "wb") as f:
            f.write(content)
        done = run("query", "--data", "c=" + path, "db.c.find({})")
        expect(done.returncode == 1 and done.stderr, "%s.json: status %d, %r" % (name, done.returncode, done.stderr[:200]))
    for path in (directory, os.path.join(directory, "absent.json")):
        done = run("query", "--data", "c=" + path, "db.c.find({})")
        expect(done.returncode == 1, "%s: status %d" % (path, done.returncode))


def check_statements(_):
    for statement in ("", "db", "db.c", "db.c.find(", "db.c.find({a: })", "db.c.drop()", "db.c.find({a: 1}).frob()", "find({})", "db.c.find(" + "{a:" * 5000,
                      "db.c.find({a: /(/})", "db.c.find({}).limit('x')", "db.c.find({}).sort(1)", "db.c.find({$where: '1'})"):
        done = run("query", statement)
        expect(done.returncode == 1 and done.stderr, "%r: status %d, %r" % (statement[:40], done.returncode, done.stderr[:200]))


def check_unwritable_output(_):
    with open("/dev/full", "wb") as full:
        for arguments in (("query", "db.c.count({})"), ("explain", "db.c.find({})"), ("run",)):
            done = run(*arguments, stdin=b'{"ping": 1, "$db": "a"}\n', stdout=full)
            expect(done.returncode == 1 and b"standard output" in done.stderr, "%s to a full disk: status %d, %r" % (arguments[0], done.returncode, done.stderr))


# ---- commands ----

def check_lines_that_are_no_commands(_):
    with Engine() as engine:
        for line in (b"", b" ", b"{", b"}", b"null", b"17", b"[]", b'"x"', b"{a: 1}", b'{"ping": 1', b'{"ping": 1} x', b"\x00", b"\xff\xfe", b'{"a": "\xff"}',
                     b'{"a": "\\ud800"}', b'{"$numberInt": "1"}', b'{"a": {"$numberInt": "x"}}', b'{"a": {"$oid": "1"}}', b'{"a": {"$binary": {"base64": "*", "subType": "00"}}}',
                     b'{"a": 1e999}', b'{"a": -}', b'{"":1}', b"{}", b'{"$db": "test"}', b'{"ping": 1}', b'{"ping": 1, "$db": 5}', b'{"ping": 1, "$db": ""}',
                     b'{"find": 5, "$db": "test"}', b'{"find": "", "$db": "test"}', b'{"find": "a\\u0000b", "$db": "test"}', b'{"find": "c", "$db": "a.b"}',
                     b'{"find": "c", "filter": 5, "$db": "test"}', b'{"insert": "c", "$db": "test"}', b'{"insert": "c", "documents": [1], "$db": "test"}',
                     b'{"insert": "c", "documents": [], "$db": "test"}', b'{"createIndexes": "c", "indexes": [{}], "$db": "test"}',
                     b'{"getMore": "x", "collection": "c", "$db": "test"}', b'{"explain": 1, "$db": "test"}', b'{"explain": {}, "$db": "test"}',
                     b'{"explain": {"explain": {"find": "c"}}, "$db": "test"}', b'{"' + b"a" * 100000 + b'": 1, "$db": "test"}'):
            reply = engine.raw(line)
            if line == b'{"ping": 1}':
                continue  # whether $db is needed is for the protocol to say
            expect(reply["ok"] == 0 and reply["code"] > 0 and reply["errmsg"] and reply["codeName"], "%r: %s" % (line[:60], reply))
        expect(engine.command({"ping": 1})["ok"] == 1, "still answers")
    done = run("run", stdin=b'{"ping": 1, "$db": "test"}')  # no line end
    expect(done.returncode == 0 and done.stdout.count(b"\n") == 1, "a last line without its end")


def check_sizes(_):
    with Engine() as engine:
        # {_id: int32, s: string}: 4 + 9 + 7 + 4 + 1 bytes around the text
        room = (16 << 20) - 4 - 9 - 3 - 4 - 1 - 1
        largest = engine.command({"insert": "c", "documents": [{"_id": 1, "s": "x" * room}]})
        expect(largest.get("n") == 1, "16 MiB: %s" % str(largest)[:300])
        engine.expect_code({"insert": "c", "documents": [{"_id": 2, "s": "x" * (room + 1)}]}, 10334, "16 MiB and a byte")
        engine.expect_code({"insert": "c", "documents": [{"_id": 2, "s": "x" * (room + (1 << 20))}]}, 10334, "17 MiB")
        expect(len(engine.command({"find": "c"})["cursor"]["firstBatch"]) == 1, "the large document comes back")
        expect(engine.command({"createIndexes": "c", "indexes": [{"key": {"s": 1}, "name": "s_1"}]})["ok"] == 1, "and is indexed")
        expect(engine.command({"count": "c", "query": {"s": {"$gt": "x"}}})["n"] == 1, "and found by its index")


def check_depth(_):
    with Engine() as engine:
        for depth, code in ((179, 0), (180, 0), (181, 15), (198, 15), (199, 15), (300, 15), (20000, 9)):
            line = b'{"insert":"c","documents":[' + b'{"a":' * depth + b"1" + b"}" * depth + b'],"$db":"test"}'
            reply = engine.raw(line)
            got = reply.get("code", reply.get("writeErrors", [{"code": 0}])[0]["code"])
            expect(got == code, "a document of %d levels: code %s instead of %s" % (depth, got, code))
        for depth in (150, 199, 300, 1000, 5000):
            engine.raw(b'{"find":"c","filter":' + b'{"$and":[' * depth + b'{"a":1}' + b"]}" * depth + b',"$db":"test"}')
            engine.raw(b'{"find":"c","filter":{"a":' + b'{"$not":' * depth + b'{"$gt":1}' + b"}" * depth + b'},"$db":"test"}')
        for operator in ("$and", "$or", "$nor"):
            tree = {"a": 1}
            for level in range(90):
                tree = {operator: [tree, {"b": level}]}
            reply = engine.command({"find": "c", "filter": tree})
            expect(reply["ok"] == 1, "90 levels of %s: %s" % (operator, str(reply)[:300]))
            engine.command({"createIndexes": "c", "indexes": [{"key": {"b": 1}, "name": "b_1"}, {"key": {"a": 1, "b": 1}, "name": "a_1_b_1"}]})
            reply = engine.command({"explain": {"find": "c", "filter": tree}, "verbosity": "executionStats"})
            expect(reply["ok"] == 1, "explain of 90 levels of %s: %s" % (operator, str(reply)[:300]))
        reply = engine.raw(b'{"find":"c","filter":{"a":' + b'{"$elemMatch":' * 90 + b'{"$gt":1}' + b"}" * 90 + b'},"$db":"test"}')
        expect(reply["ok"] == 1, "90 levels of $elemMatch: %s" % str(reply)[:300])


def check_large_arrays(_):
    count = 1000000
    with Engine() as engine:
        reply = engine.command({"insert": "c", "documents": [{"_id": 1, "a": list(range(count))}, {"_id": 2, "a": [5, 5, 5]}]})
        expect(reply.get("n") == 2, "insert: %s" % str(reply)[:300])
        reply = engine.command({"createIndexes": "c", "indexes": [{"key": {"a": 1}, "name": "a_1"}]})
        expect(reply["ok"] == 1, "index: %s" % str(reply)[:300])
        expect(engine.command({"count": "c", "query": {"a": 5}})["n"] == 2, "a member")
        expect(engine.command({"count": "c", "query": {"a": {"$gte": 0}}})["n"] == 2, "every key, each document once")
        expect(engine.command({"count": "c", "query": {"a": {"$elemMatch": {"$gt": 999998}}}})["n"] == 1, "the last member")
        expect(engine.command({"count": "c", "query": {"a": {"$size": count}}})["n"] == 1, "size")
        reply = engine.command({"explain": {"find": "c", "filter": {"a": {"$lt": 1000}}}, "verbosity": "executionStats"})
        expect(reply["executionStats"]["totalKeysExamined"] == 1001, "keys examined: %s" % reply["executionStats"]["totalKeysExamined"])
        reply = engine.command({"insert": "c", "documents": [{"_id": 3, "a": list(range(1000))}]})
        expect(reply.get("n") == 1, "insert into the index")
        engine.command({"createIndexes": "d", "indexes": [{"key": {"a": 1, "b": 1}, "name": "a_1_b_1"}]})
        engine.expect_code({"insert": "d", "documents": [{"_id": 1, "a": list(range(2000)), "b": list(range(2000))}]}, 171, "parallel arrays")


def check_wide_filters(_):
    with Engine() as engine:
        engine.command({"insert": "c", "documents": [{"_id": i, "a": i, "b": i % 7} for i in range(500)]})
        branches = [{"a": i} for i in range(10000)]
        mixed = [{"a": i, "b": i % 7} for i in range(10000)]
        for indexed in (False, True):
            if indexed:
                engine.command({"createIndexes": "c", "indexes": [{"key": {"a": 1}, "name": "a_1"}, {"key": {"b": 1, "a": 1}, "name": "b_1_a_1"}]})
            for name, query, count in (("$or", {"$or": branches}, 500), ("$or of pairs", {"$or": mixed}, 500), ("$nor", {"$nor": branches}, 0),
                                       ("$in", {"a": {"$in": list(range(10000))}}, 500), ("$nin", {"a": {"$nin": list(range(10000))}}, 0),
                                       ("$and", {"$and": [{"b": {"$gte": -i}} for i in range(10000)]}, 500),
                                       ("$all", {"a": {"$all": [1] * 10000}}, 1)):
                reply = engine.command({"count": "c", "query": query})
                expect(reply.get("n") == count, "10,000 in %s: %s" % (name, str(reply)[:300]))
        fields = {"f%d" % i: 1 for i in range(10000)}
        expect(engine.command({"find": "c", "projection": fields})["ok"] == 1, "10,000 fields in a projection")
        engine.command({"find": "c", "sort": {"f%d" % i: 1 for i in range(100)}})
        engine.command({"createIndexes": "c", "indexes": [{"key": {"f%d" % i: 1 for i in range(33)}, "name": "x"}]})
        for i in range(70):
            reply = engine.command({"createIndexes": "c", "indexes": [{"key": {"g%d" % i: 1}, "name": "g%d" % i}]})
        expect(reply["ok"] == 0 and reply["code"] == 67, "the 65th index: %s" % str(reply)[:200])
        expect(engine.command({"find": "c", "filter": {"g%d" % i: 1 for i in range(61)}})["ok"] == 1, "61 usable indexes")


def check_patterns(_):
    with Engine() as engine:
        engine.command({"insert": "c", "documents": [{"_id": 1, "a": "x" * 1000}, {"_id": 2, "a": "a" * 30 + "!"}]})
        for pattern in ("(", "[", "*", "a{2,1}", "(?<n", "\\", "(?P<a>x)(?P<a>y)", "(" * 5000):
            engine.expect_code({"find": "c", "filter": {"a": {"$regex": pattern}}}, 51091, "pattern %r" % pattern[:20])
        engine.expect_code({"find": "c", "filter": {"a": {"$regex": "a", "$options": "q"}}}, 51108, "unknown flag")
        engine.expect_code({"find": "c", "filter": {"a": {"$regex": "a\0b"}}}, 2, "NUL in a pattern")
        for pattern in ("(a+)+$", "(x+x+)+y", "^(a|aa)+$"):  # exponential: answered, or stopped by PCRE's limit
            reply = engine.command({"find": "c", "filter": {"a": {"$regex": pattern}}})
            expect(reply["ok"] == 1 or reply["code"] == 51156, "%s: %s" % (pattern, reply))


# ---- cursors ----

def check_cursors(_):
    with Engine() as engine:
        engine.command({"insert": "c", "documents": [{"_id": i, "a": i} for i in range(300)]})
        engine.command({"createIndexes": "c", "indexes": [{"key": {"a": 1}, "name": "a_1"}]})
        ids = [engine.command({"find": "c", "batchSize": 1})["cursor"]["id"] for _ in range(3000)]
        expect(len(set(ids)) == len(ids) and 0 not in ids, "3,000 cursors, all different")
        reply = engine.command({"getMore": {"$numberLong": str(ids[1500])}, "collection": "c", "batchSize": 5})
        expect([row["_id"] for row in reply["cursor"]["nextBatch"]] == [1, 2, 3, 4, 5], "each goes on where it was")
        reply = engine.command({"killCursors": "c", "cursors": [{"$numberLong": str(i)} for i in ids]})
        expect(len(reply["cursorsKilled"]) == len(ids), "all killed")
        engine.expect_code({"getMore": {"$numberLong": str(ids[1500])}, "collection": "c"}, 43, "a killed cursor")
        engine.expect_code({"getMore": {"$numberLong": "12345"}, "collection": "c"}, 43, "no such cursor")
        reply = engine.command({"killCursors": "c", "cursors": [{"$numberLong": str(ids[0])}]})
        expect(len(reply["cursorsNotFound"]) == 1, "killed before")

        for what, query, drop in (("collection", {"find": "c"}, {"drop": "c"}), ("index", {"find": "c", "filter": {"a": {"$gte": 0}}}, {"dropIndexes": "c", "index": "a_1"}),
                                  ("all indexes", {"find": "c", "filter": {"a": {"$gte": 0}}}, {"dropIndexes": "c", "index": "*"}), ("database", {"find": "c"}, {"dropDatabase": 1})):
            engine.command({"drop": "c"})
            engine.command({"insert": "c", "documents": [{"_id": i, "a": i} for i in range(300)]})
            engine.command({"createIndexes": "c", "indexes": [{"key": {"a": 1}, "name": "a_1"}]})
            cursor = engine.command(dict(query, batchSize=2))["cursor"]["id"]
            other = engine.command({"find": "c", "batchSize": 2, "filter": {"_id": {"$gte": 0}}})["cursor"]["id"]
            expect(engine.command(drop)["ok"] == 1, "drop of the %s" % what)
            engine.expect_code({"getMore": {"$numberLong": str(cursor)}, "collection": "c"}, 175, "%s dropped under a cursor" % what)
            engine.expect_code({"getMore": {"$numberLong": str(cursor)}, "collection": "c"}, 43, "%s dropped: the cursor is gone" % what)
            if what in ("index", "all indexes"):
                reply = engine.command({"getMore": {"$numberLong": str(other)}, "collection": "c"})
                expect(reply["ok"] == 1 and len(reply["cursor"]["nextBatch"]) == 298, "a cursor on another index goes on")


def check_many_cursors(_):
    with Engine() as engine:
        engine.command({"insert": "c", "documents": [{"_id": i} for i in range(3)]})
        reply = {}
        for _ in range(10001):
            reply = engine.command({"find": "c", "batchSize": 1})
            if reply["ok"] != 1:
                break
        expect(reply["ok"] == 0 and reply["code"] > 0, "the limit of open cursors: %s" % reply)
        expect(engine.command({"find": "c"})["ok"] == 1, "a query without a cursor still runs")


def check_time_limit(_):
    with Engine() as engine:
        for start in range(0, 20000, 5000):
            engine.command({"insert": "c", "documents": [{"_id": i, "a": i, "s": "x" * 50} for i in range(start, start + 5000)]})
        slow = {"$nor": [{"s": {"$regex": "y%d" % i}} for i in range(200)]}
        engine.expect_code({"find": "c", "filter": slow, "maxTimeMS": 1}, 50, "maxTimeMS of a find")
        engine.expect_code({"count": "c", "query": slow, "maxTimeMS": 1}, 50, "maxTimeMS of a count")
        engine.expect_code({"find": "c", "filter": slow, "sort": {"s": 1}, "maxTimeMS": 1}, 50, "maxTimeMS of a sort")
        expect(engine.command({"find": "c", "maxTimeMS": 1000000, "limit": 1})["ok"] == 1, "a long limit")
        engine.expect_code({"find": "c", "maxTimeMS": -1}, 2, "a negative limit")


checks = [value for name, value in list(globals().items()) if name.startswith("check_")]
with tempfile.TemporaryDirectory() as directory:
    for check in checks:
        if len(sys.argv) > 2 and sys.argv[2] not in check.__name__:
            continue
        print(check.__name__[6:].replace("_", " "), flush=True)
        try:
            check(directory)
        except (EOFError, BrokenPipeError, subprocess.TimeoutExpired) as error:
            expect(False, "%s: %s" % (type(error).__name__, error))
print("%d failures" % len(failures))
sys.exit(1 if failures else 0)
