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
        self.assertEqual(query("db.c.aggregate([{$group: {_id: null, n: {$sum: 1}}}])"), '{"_id":null,"n":5}\n')
        self.assertEqual(query("db.c.aggregate({$match: {a: 3}}, {$project: {_id: 0, a: 1}})"), '{"a":3}\n')
        self.assertIn("not a method of an aggregation cursor", query("db.c.aggregate([]).sort({a: 1})", status=1))

    def test_explain(self):
        self.assertIn("DISTINCT_SCAN a_1", self.explain("db.c.distinct('a')", "--index", "{a: 1}"))
        self.assertIn("$group", self.explain("db.c.aggregate([{$group: {_id: '$a', n: {$sum: 1}}}])"))


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


if __name__ == "__main__":
    unittest.main()
