#!/usr/bin/env python3
"""The ixora program from outside: exit statuses, standard input, output for people and for machines.

    command_line.py PATH_TO_IXORA
"""
import json, os, subprocess, sys, tempfile, unittest

program = sys.argv.pop(1)


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.data = self.file("data.jsonl", "\n".join(
            json.dumps({"_id": i, "a": i % 5, "b": i % 3, "s": "x%d" % (i % 7)}) for i in range(100)))

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def ixora(self, *arguments, status=0, stdin=""):
        done = subprocess.run([program, *arguments], input=stdin, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stderr if status not in (0, 1) or (status and not done.stdout) else done.stdout

    def explain(self, statement, *options):
        return self.ixora("explain", "--data", self.data, *options, statement)


class Distinct(CommandLine):
    def test_values(self):
        query = lambda statement, **more: self.ixora("query", "--data", self.data, statement, **more)
        self.assertEqual(query("db.c.distinct('a')"), "0\n1\n2\n3\n4\n")
        self.assertEqual(query("db.c.distinct('b', {b: {$gt: 0}})"), "1\n2\n")
        self.assertIn("needs the name of a field", query("db.c.distinct()", status=1))
        self.assertEqual(query("db.c.aggregate([{$group: {_id: null, n: {$sum: 1}}}])"), '{"_id":null,"n":100}\n')
        self.assertEqual(query("db.c.aggregate({$match: {_id: 3}}, {$project: {_id: 0, a: 1}})"), '{"a":3}\n')
        self.assertIn("not a method of an aggregation cursor", query("db.c.aggregate([]).sort({a: 1})", status=1))

    def test_explain(self):
        self.assertIn("DISTINCT_SCAN a_1", self.explain("db.c.distinct('a')", "--index", "{a: 1}"))
        self.assertIn("$group", self.explain("db.c.aggregate([{$group: {_id: '$a', n: {$sum: 1}}}])"))


class Table(CommandLine):
    def table(self, text, statement="db.c.find({}, {_id: 0})"):
        return self.ixora("query", "--table", "--data", self.file("table.jsonl", text), statement)

    def test_columns(self):
        self.assertEqual(self.table('{"a": 1, "b": "x"}\n{"a": 100, "c": [1]}\n'),
                         "a    b  c\n───  ─  ───\n  1  x\n100     [1]\n")
        self.assertEqual(self.table('{"a": 1}', "db.c.find({a: 2})"), "")

    def test_text_that_does_not_fit(self):
        rows = self.table(json.dumps({"long": "é" * 50, "control": "a\tb\x1b["})).splitlines()
        self.assertEqual(rows[2], "é" * 39 + "…  a\ufffdb\ufffd[")

    def test_rows_that_do_not_fit(self):
        lines = self.table("\n".join('{"n": %d}' % i for i in range(1003))).splitlines()
        self.assertEqual((len(lines), lines[-2].strip()), (1003, "999"))
        self.assertIn("3 more", lines[-1])

    def test_excludes_canonical(self):
        self.assertIn("excludes", self.ixora("query", "--table", "--canonical", "db.c.find()", status=108))


class SeveralCollections(CommandLine):
    def test_lookup(self):
        products = self.file("products.jsonl", "\n".join('{"sku": %d, "name": "p%d"}' % (i, i) for i in range(5)))
        arguments = ("--data", "c=" + self.data, "--data", "products=" + products, "--index", "products={sku: 1}")
        join = "db.c.aggregate([{$match: {_id: 3}}, {$lookup: {from: 'products', localField: 'a', foreignField: 'sku', as: 'p'}}%s])"
        found = self.ixora("query", *arguments, join % ", {$project: {_id: 0, n: '$p.name'}}")
        self.assertEqual(found, '{"n":["p3"]}\n')
        self.assertIn("sku_1", self.ixora("explain", "--json", *arguments, join % ""))


class Diff(CommandLine):
    def setUp(self):
        super().setUp()
        options = ("--json", "--index", "{a: 1}", "--index", "{b: 1}", "--verbosity", "allPlansExecution")
        self.ours = self.explain("db.c.find({a: 1, b: 2})", *options)
        self.other = self.explain("db.c.find({a: {$gte: 1}, b: 2})", *options)

    def test_equal(self):
        path = self.file("ours.json", self.ours)
        self.assertEqual(self.ixora("diff", path, path), "no differences\n")
        self.assertEqual(self.ixora("diff", "-", path, stdin=self.ours), "no differences\n")
        self.assertEqual(self.ixora("diff", path, "-", stdin="[" + self.ours + "]"), "no differences\n")
        self.assertEqual(json.loads(self.ixora("diff", "--json", path, path))["equal"], True)

    def test_different(self):
        ours, other = self.file("ours.json", self.ours), self.file("other.json", self.other)
        tree = self.ixora("diff", ours, other, status=1)
        self.assertIn("- IXSCAN a_1", tree)
        self.assertIn("+ IXSCAN b_1", tree)
        self.assertIn("nReturned  - 6  + 26", tree)
        found = json.loads(self.ixora("diff", "--json", ours, other, status=1))
        self.assertEqual(found["equal"], False)
        self.assertIn("command.filter.a", [difference["path"] for difference in found["differences"]])

    def test_unreadable(self):
        path = self.file("ours.json", self.ours)
        for name, text, message in (("a.json", "{ok: 0, errmsg: 'no'}", "the error"), ("b.json", "{", "b.json"),
                                    ("c.json", "5", "expected"), ("d.json", '{"a": 1}', "neither")):
            self.assertIn(message, self.ixora("diff", path, self.file(name, text), status=2))
        self.assertIn("missing.json", self.ixora("diff", path, "missing.json", status=2))
        self.ixora("diff", "-", "-", status=2)

    def test_options(self):
        shuffled = json.loads(self.ours)
        shuffled["queryPlanner"]["rejectedPlans"].reverse()
        shuffled["executionStats"]["allPlansExecution"][1:] = reversed(
            shuffled["executionStats"]["allPlansExecution"][1:])
        paths = self.file("ours.json", self.ours), self.file("shuffled.json", json.dumps(shuffled))
        self.ixora("diff", *paths, status=1)
        self.ixora("diff", "--rejected-as-set", *paths)
        sorted_paths = paths[0], self.file("sorted.json", json.dumps(json.loads(self.ours), sort_keys=True))
        self.ixora("diff", *sorted_paths, status=1)
        slower = json.loads(self.ours)
        slower["executionStats"]["executionTimeMillis"] += 1000
        slower["queryPlanner"]["queryHash"] = "00000000"
        paths = paths[0], self.file("slower.json", json.dumps(slower))
        self.ixora("diff", *paths)
        self.ixora("diff", "--class-b", *paths, status=1)
        self.ixora("diff", "--class-c", *paths, status=1)


class Indexes(CommandLine):
    """--indexes: what servers and mongodump print about indexes."""

    GET_INDEXES = """[
  { v: 2, key: { _id: 1 }, name: '_id_' },
  { v: 2, key: { a: 1, b: -1 }, name: 'a_1_b_-1' },
  {
    v: 2,
    key: { s: 1 },
    name: 's_1',
    unique: false,
    partialFilterExpression: { b: { '$gt': 0 } }
  }
]
"""

    def listed(self, *options, statement="db.c.find({a: 1})", status=0):
        """Names and key patterns of all indexes, as ixoraWhy lists them, and what was said on standard error."""
        done = subprocess.run([program, "explain", "--json", "--why", *options, statement], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        if status:
            return None, done.stderr
        reply = json.loads(done.stdout)
        return {index["name"]: index["keyPattern"] for index in reply["ixoraWhy"]["indexes"]}, done.stderr

    def test_get_indexes(self):
        path = self.file("indexes.txt", self.GET_INDEXES)
        found, said = self.listed("--indexes", path)
        self.assertEqual(found, {"_id_": {"_id": 1}, "a_1_b_-1": {"a": 1, "b": -1}, "s_1": {"s": 1}})
        self.assertEqual(said, "")
        tree = self.ixora("explain", "--indexes", path, "db.c.find({a: 1})")
        self.assertIn("IXSCAN a_1_b_-1", tree)  # on an empty collection
        self.assertIn("IXSCAN a_1_b_-1", self.explain("db.c.find({a: 1})", "--indexes", path))
        self.assertEqual(self.ixora("query", "--data", self.data, "--indexes", path, "db.c.count({a: 1})"), "20\n")

    def test_forms(self):
        strict = [{"v": 2, "key": {"_id": 1}, "name": "_id_"}, {"v": 2, "key": {"a": 1}, "name": "a_1"}]
        forms = {
            "array": json.dumps(strict),
            "lines": "\n".join(json.dumps(each) for each in strict),
            "listIndexes": json.dumps({"cursor": {"id": 0, "ns": "shop.c", "firstBatch": strict}, "ok": 1}, indent=2),
            "wrapped": json.dumps({"indexes": strict}),
            "stats": json.dumps([{"name": "a_1", "key": {"a": 1}, "host": "h:1", "accesses": {"ops": 5},
                                  "spec": {"v": 2, "key": {"a": 1}, "name": "a_1"}}]),
            "dump": '{"options":{},"indexes":[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"},'
                    '{"v":{"$numberInt":"2"},"key":{"a":{"$numberDouble":"1.0"}},"name":"a_1","ns":"shop.c"}],'
                    '"uuid":"0f","collectionName":"c","type":"collection"}',
            "one": "{key: {a: 1}}",
        }
        for form, text in forms.items():
            found, said = self.listed("--indexes", self.file(form, text))
            self.assertEqual(list(found), ["_id_", "a_1"], form)
            self.assertEqual(said, "", form)

    def test_old_servers(self):
        path = self.file("old.json", json.dumps([
            {"v": 0, "key": {"_id": 1}, "ns": "shop.c", "name": "_id_", "unique": True},
            {"v": 1, "key": {"a": 1.0}, "ns": "shop.c", "name": "a_1", "background": True, "safe": None,
             "dropDups": True, "sparse": 1, "expireAfterSeconds": "3600", "storageEngine": {}},
            {"v": 1, "key": {"b": 1}, "ns": "shop.c", "name": "b_1", "unique": 0, "sparse": None}]))
        reply = json.loads(self.ixora("explain", "--json", "--indexes", path, "db.c.find({a: 1})"))
        scan = reply["queryPlanner"]["winningPlan"]["inputStage"]
        self.assertEqual((scan["indexName"], scan["isSparse"], scan["isUnique"], scan["indexVersion"]), ("a_1", True, False, 1))
        found, said = self.listed("--indexes", path)
        self.assertEqual((list(found), said), (["_id_", "a_1", "b_1"], ""))

    def test_unsupported_kinds(self):
        path = self.file("kinds.json", """[
{ "v" : 2, "key" : { "_id" : 1 }, "name" : "_id_" },
{ "v" : 2, "key" : { "_fts" : "text", "_ftsx" : 1 }, "name" : "t_text", "weights" : { "t" : 1 }, "default_language" : "english", "language_override" : "language", "textIndexVersion" : 3 },
{ "v" : 2, "key" : { "loc" : "2dsphere" }, "name" : "loc_2dsphere", "2dsphereIndexVersion" : 3 },
{ "v" : 2, "key" : { "at" : "2d" }, "name" : "at_2d", "bits" : 26 },
{ "v" : 1, "key" : { "at" : "geoHaystack", "kind": 1 }, "name" : "hay", "bucketSize" : 1 },
{ "v" : 2, "key" : { "a" : 1 }, "name" : "a_1" }
]""")
        found, said = self.listed("--indexes", path)
        self.assertEqual(list(found), ["_id_", "a_1"])
        lines = said.splitlines()
        self.assertEqual(len(lines), 4, said)
        for number, line in enumerate(lines, 3):
            self.assertIn("kinds.json: line %d: index" % number, line)
            self.assertIn("skipped: ", line)
            self.assertNotIn("Index spec", line)
        self.assertIn("index t_text skipped: Index type 'text' is not supported by this engine", lines[0])

    def test_collation_of_the_collection(self):
        collation = {"locale": "fr", "caseLevel": False, "caseFirst": "off", "strength": 2, "numericOrdering": False,
                     "alternate": "non-ignorable", "maxVariable": "punct", "normalization": False, "backwards": False,
                     "version": "57.1"}
        # The index without a collation has none, though the collection has one.
        path = self.file("fr.json", json.dumps([
            {"v": 2, "key": {"_id": 1}, "name": "_id_", "collation": collation},
            {"v": 2, "key": {"s": 1}, "name": "s_fr", "collation": collation},
            {"v": 2, "key": {"s": 1}, "name": "s_plain"}]))
        reply = json.loads(self.ixora("explain", "--json", "--indexes", path, "db.c.find({s: 'x'})"))
        self.assertEqual(reply["queryPlanner"]["collation"]["locale"], "fr")
        self.assertEqual(reply["queryPlanner"]["winningPlan"]["inputStage"]["indexName"], "s_fr")
        dump = self.file("c.metadata.json", json.dumps({"options": {"collation": collation}, "indexes": [
            {"v": 2, "key": {"s": 1}, "name": "s_fr", "collation": collation}], "collectionName": "c"}))
        reply = json.loads(self.ixora("explain", "--json", "--indexes", dump, "db.c.find({s: 'x'})"))
        self.assertEqual(reply["queryPlanner"]["winningPlan"]["inputStage"]["indexName"], "s_fr")

    def test_several_files_and_single_indexes(self):
        one, other = self.file("one.json", '[{"key": {"a": 1}, "name": "a_1"}]'), self.file("other.json", '[{"key": {"b": 1}, "name": "b_1"}]')
        found, _ = self.listed("--indexes", one, "--indexes", other, "--index", "{s: 1}")
        self.assertEqual(list(found), ["_id_", "a_1", "b_1", "s_1"])
        found, _ = self.listed("--indexes", "other=" + one, "--indexes", other)
        self.assertEqual(list(found), ["_id_", "b_1"])

    def test_another_collection(self):
        path = self.file("orders.metadata.json", '{"options": {}, "indexes": [{"key": {"a": 1}, "name": "a_1"}], "collectionName": "orders"}')
        _, said = self.listed("--indexes", path, status=0)
        self.assertIn("indexes of collection orders; the query is on c", said)
        found, said = self.listed("--indexes", "c=" + path)
        self.assertEqual((list(found), said), (["_id_", "a_1"], ""))

    def test_empty_list(self):
        found, said = self.listed("--indexes", self.file("empty.json", "[]"))
        self.assertEqual((list(found), said), (["_id_"], ""))

    def test_errors(self):
        for name, text, messages in (
                ("syntax.txt", self.GET_INDEXES.replace("name: 's_1',", "name: 's_1' 5,"), ("syntax.txt: line 7",)),
                ("nokey.json", '[\n{"name": "x"}]', ("nokey.json: line 2", "key pattern")),
                ("number.json", '[5]', ("number.json: line 1",)),
                ("empty.txt", "", ("empty.txt: line 1", "no index definitions")),
                ("reply.json", '{"ok": 0, "errmsg": "ns does not exist"}', ("reply.json: line 1", "ns does not exist")),
                ("member.json", '{"indexes": [1]}', ("member.json: line 1", "expected an index definition")),
                ("view.json", '{"options": {"viewOn": "c"}, "indexes": []}', ("view.json: line 1", "view")),
                ("twice.json", '[{"key": {"a": 1}, "name": "x"},\n{"key": {"b": 1}, "name": "x"}]', ("twice.json: line 2", "x")),
                ("filter.json", '[{"key": {"a": 1}, "name": "x",\n"partialFilterExpression": {"b": {"$foo": 1}}}]', ("filter.json: line 1", "$foo"))):
            _, said = self.listed("--indexes", self.file(name, text), status=1)
            for message in messages:
                self.assertIn(message, said)
        self.assertIn("missing.json", self.listed("--indexes", "missing.json", status=1)[1])
        unread = self.file("unread.json", json.dumps({"cursor": {"id": 5, "ns": "s.c", "firstBatch": [{"key": {"a": 1}, "name": "a_1"}]}}))
        self.assertIn("indexes may be missing", self.listed("--indexes", unread)[1])
        # Documents that break a listed index are an error that names it.
        unique = self.file("unique.json", '[{"key": {"a": 1}, "name": "a_1", "unique": true}]')
        _, said = self.listed("--data", self.data, "--indexes", unique, status=1)
        self.assertIn("unique.json: line 1", said)
        self.assertIn("E11000", said)


class Why(CommandLine):
    def test_tree(self):
        tree = self.explain("db.c.find({a: 1, b: 2})", "--index", "{a: 1}", "--index", "{b: 1}", "--index", "{s: 1}", "--why")
        plan, why = tree.split("why\n")
        self.assertIn("rejected: ", plan)
        lines = why.splitlines()
        self.assertEqual([line.split()[:2] for line in lines],
                         [["_id_", "unused"], ["a_1", "chosen"], ["b_1", "lost"], ["s_1", "unused"]])
        self.assertIn("won the trial with score", lines[1])
        self.assertIn("lost the trial with score", lines[2])
        self.assertIn("no usable predicate on its leading field 's'", lines[3])

    def test_only_when_asked(self):
        self.assertNotIn("why", self.explain("db.c.find({a: 1})", "--index", "{a: 1}"))
        self.assertNotIn("ixoraWhy", json.loads(self.explain("db.c.find({a: 1})", "--json")))

    def test_json(self):
        reply = json.loads(self.explain("db.c.find({a: 1})", "--index", "{a: 1}", "--why", "--json"))
        self.assertEqual(reply["ixoraWhy"]["route"], "plan")
        self.assertEqual(reply["ixoraWhy"]["indexes"][1]["outcome"], "chosen")

    def test_branches(self):
        tree = self.explain("db.c.find({$or: [{a: 1}, {b: 1, s: 'x1'}]})", "--index", "{a: 1}", "--index", "{b: 1}", "--why")
        self.assertEqual(tree.count("$or branch"), 2)


if __name__ == "__main__":
    unittest.main()
