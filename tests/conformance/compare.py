#!/usr/bin/env python3
"""Runs the conformance suites against an engine and reports how far its replies agree with mongod's.

    compare.py --engine "CMD" [--suite NAME ...] [--dir DIR] [--case ID] [--fail-list FILE] [--known-diff FILE]

Engine contract: CMD reads one command document per line on stdin (canonical Extended JSON v2, with a
"$db" field) and prints one reply document per line on stdout, in lockstep, until end of input.
Standard library only. See README.md beside this file for the format of a suite.
"""
import argparse, collections, decimal, difflib, fnmatch, glob, gzip, json, os, re, select, subprocess, sys, time

# ---------------------------------------------------------------------------------------------
# Known differences between the captured server (4.9 development) and 7.0. Entries are applied to
# both sides, so that an engine may answer in either dialect. Extend this table, not the code.
version_map = {
    # keys of explain output that exist in only one of the two versions, or say nothing about the plan
    "ignore_explain_keys": {
        "explainVersion", "plannerVersion", "maxIndexedOrSolutionsReached", "maxIndexedAndSolutionsReached",
        "maxScansToExplodeReached", "optimizationTimeMillis", "prunedSimilarIndexes", "spills", "spilledDataStorageSize", "spilledBytes",
        "serverInfo", "serverParameters", "command", "isCached", "queryFramework", "planCacheShapeHash", "queryShapeHash",
        "executionTimeMillis", "executionTimeMillisEstimate", "executionTimeMicros", "executionTimeNanos", "totalOplogSlots",
    },
    # counters that depend on yielding, on timing or on the memory layout of the server
    "ignore_counters": {
        "saveState", "restoreState", "needYield", "invalidates", "memUsage", "memLimit", "totalDataSizeSorted",
        "totalDataSizeSortedBytesEstimate", "usedDisk", "docsRequested", "maxAccumulatorMemoryUsageBytes", "totalOutputDataSizeBytes",
        "collectionScans", "score", "maxUsedMemBytes",
    },
    # stage names that changed
    "stage_alias": {"PROJECTION": "PROJECTION_DEFAULT", "BATCHED_DELETE": "DELETE"},
    # (code in the corpus, pattern on the corpus's errmsg, code that is accepted as well, its codeName)
    "accept_code": [
        (9, r"Unrecognized field|unrecognized field", 40415, "Location40415"),
        (9, r"must be of BSON type|field must be|must be an? |must be numeric|has to be of type", 14, "TypeMismatch"),
        (2, r"must be of BSON type|field must be", 14, "TypeMismatch"),
        (9, r"is required|Missing|missing", 40414, "Location40414"),
        (9, r"[Nn]egative|must be (non-negative|positive)|out of range", 51024, "Location51024"),
        (2, r"[Nn]egative|must be (non-negative|positive)|out of range", 51024, "Location51024"),
    ],
    # errmsg rewrites applied to both sides before messages are compared
    "errmsg_rewrite": [
        (r"QueryRequest|FindCommandRequest|FindCommand\b", "find"),
        (r"AggregateCommand(Request)?|AggregationRequest", "aggregate"),
        (r"\. If you have a field name that starts with a '\$' symbol, consider using \$getField or \$setField\.", ""),
        (r"[Cc]ursor id -?\d+", "cursor id N"),
        (r"0x[0-9a-f]+", "0xN"),
        (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "UUID"),
    ],
    # fields of ordinary replies that only one version sends
    "ignore_reply_keys": {"$clusterTime", "operationTime", "electionId", "opTime", "lastCommittedOpTime", "signature", "errInfo", "partialResultsReturned", "invalidated", "atClusterTime"},
    # index descriptions: added or dropped between the versions
    "ignore_index_keys": {"ns", "background", "v"},
}
METRICS = ["results", "results-set", "errors", "errmsg", "state", "plan-shape", "plan-bounds", "plan-full", "counters", "rejected", "all-plans", "agg-stages", "parsed-query", "hashes"]
GATE = ["results", "errors", "state", "plan-shape", "plan-bounds", "plan-full", "counters", "rejected", "agg-stages"]
# ---------------------------------------------------------------------------------------------

class Doc(list):
    """An ordered document: a list of (key, value)."""
    __slots__ = ()
    def get(self, k, d=None):
        for a, v in self:
            if a == k: return v
        return d
    def has(self, k): return any(a == k for a, _ in self)

class V(tuple):
    """A typed scalar: (type, value)."""
    __slots__ = ()

def dbl(s):
    f = float(s)
    if f != f: return V(("double", "NaN"))
    return V(("double", repr(f)))
def dec(s):
    d = decimal.Decimal(s)
    if d.is_nan(): return V(("decimal", "NaN"))
    if d.is_infinite(): return V(("decimal", str(d)))
    t = d.as_tuple()
    return V(("decimal", (t.sign, int("".join(map(str, t.digits)) or "0"), t.exponent)))
def hook(pairs):
    if pairs and pairs[0][0][:1] == "$" and len(pairs) <= 2:
        k, v = pairs[0]
        if len(pairs) == 1:
            if isinstance(v, str):
                if k == "$numberInt": return V(("int", int(v)))
                if k == "$numberLong": return V(("long", int(v)))
                if k == "$numberDouble": return dbl(v)
                if k == "$numberDecimal": return dec(v)
                if k == "$oid": return V(("oid", v.lower()))
                if k == "$symbol": return V(("symbol", v))
                if k == "$code": return V(("code", v))
            if k == "$date" and isinstance(v, V) and v[0] == "long": return V(("date", v[1]))
            if k == "$undefined" and v is True: return V(("undefined",))
            if k == "$minKey" and v == 1: return V(("minKey",))
            if k == "$maxKey" and v == 1: return V(("maxKey",))
            if isinstance(v, Doc):
                if k == "$binary" and v.has("base64"): return V(("binary", v.get("base64"), str(v.get("subType")).zfill(2).lower()))
                if k == "$timestamp" and v.has("t"): return V(("timestamp", v.get("t"), v.get("i")))
                if k == "$regularExpression" and v.has("pattern"): return V(("regex", v.get("pattern"), v.get("options")))
                if k == "$dbPointer" and v.has("$ref"): return V(("dbPointer", v.get("$ref"), v.get("$id")))
        elif k == "$code" and pairs[1][0] == "$scope": return V(("codeWithScope", v, freeze(pairs[1][1])))
    return Doc(pairs)
def parse(line): return json.loads(line, object_pairs_hook=hook)
def freeze(x):
    """A hashable copy, for comparing lists without regard to order."""
    if isinstance(x, Doc): return ("d",) + tuple((k, freeze(v)) for k, v in x)
    if isinstance(x, list): return ("a",) + tuple(freeze(v) for v in x)
    if isinstance(x, bool): return ("b", x)
    return x
def isnum(x): return isinstance(x, V) and x[0] in ("int", "long", "double", "decimal") or (isinstance(x, (int, float)) and not isinstance(x, bool))
def num(x):
    if not isinstance(x, V): return float(x)
    if x[0] == "decimal": return str(x[1])
    f = float(x[1])
    return f if f == f else "NaN"
def loose(x):
    """Numbers by value, whatever their width."""
    if isinstance(x, Doc): return Doc((k, loose(v)) for k, v in x)
    if isinstance(x, list): return [loose(v) for v in x]
    return V(("num", num(x))) if isnum(x) else x
def strip(x, keys):
    if isinstance(x, Doc): return Doc((k, strip(v, keys)) for k, v in x if k not in keys)
    if isinstance(x, list): return [strip(v, keys) for v in x]
    return x

# ---- ordinary replies ----
LOOSE_TOP = {"ok", "n", "nModified", "nRemoved", "numIndexesBefore", "numIndexesAfter", "nIndexesWas", "code"}
def norm_reply(r, mask_msg=True):
    out = Doc()
    for k, v in r:
        if k in version_map["ignore_reply_keys"]: continue
        if k in LOOSE_TOP and isnum(v): v = V(("num", num(v)))
        elif k == "cursor" and isinstance(v, Doc):
            c = Doc()
            for a, b in v:
                if a in version_map["ignore_reply_keys"]: continue
                if a == "id": b = V(("num", 0.0 if num(b) == 0 else 1.0)) if isnum(b) else b
                c.append((a, b))
            v = c
        elif k in ("writeErrors", "writeConcernError"):
            v = loose(strip(v, {"errInfo"} | ({"errmsg"} if mask_msg else set())))
        elif k in ("cursorsKilled", "cursorsNotFound", "cursorsAlive", "cursorsUnknown") and isinstance(v, list): v = [V(("num", 0.0 if num(i) == 0 else 1.0)) if isnum(i) else i for i in v]
        elif k == "uuid": continue
        out.append((k, v))
    return Doc(sorted(out, key=lambda p: p[0]))  # the order of top-level reply fields is not compared
def sort_keys(x):
    if isinstance(x, Doc): return Doc(sorted(((k, sort_keys(v)) for k, v in x), key=lambda p: p[0]))
    if isinstance(x, list): return [sort_keys(v) for v in x]
    return x
def unordered_projections(x):
    """An inclusion projection that the server derives itself lists its fields in the order of a hash table."""
    if isinstance(x, Doc): return Doc((k, sort_keys(v) if k in ("$project", "transformBy") else unordered_projections(v)) for k, v in x)
    if isinstance(x, list): return [unordered_projections(v) for v in x]
    return x
def norm_listing(r, volatile, by=None):
    """listCollections, $planCacheStats and the like: volatile members dropped, entries in one order."""
    c = r.get("cursor")
    if not isinstance(c, Doc) or not isinstance(c.get("firstBatch"), list): return r
    b = [loose(strip(d, volatile)) for d in c.get("firstBatch")]
    b = sorted(b, key=lambda d: json.dumps(d, default=str))
    return Doc((k, Doc((a, b if a == "firstBatch" else x) for a, x in v) if k == "cursor" else v) for k, v in r)
def norm_index_reply(r):
    c = r.get("cursor")
    if not isinstance(c, Doc): return r
    def fix(d):
        if not isinstance(d, Doc): return d
        d = Doc((k, (V(("num", num(v))) if isnum(v) else v)) for k, v in d if k not in version_map["ignore_index_keys"])
        return Doc(sorted(d, key=lambda p: p[0]))
    return Doc((k, Doc((a, [fix(x) for x in b] if a == "firstBatch" else b) for a, b in v) if k == "cursor" else v) for k, v in r)
def is_error(r): return not (isnum(r.get("ok")) and num(r.get("ok")) == 1.0)
def msg(s):
    if not isinstance(s, str): return s
    for a, b in version_map["errmsg_rewrite"]: s = re.sub(a, b, s)
    return s
def cmd_name(cmd): return cmd[0][0] if cmd else ""

STRICT_CODES = False
def mask_collation(x):
    """Bytes of collation keys depend on the ICU version: only that one stands there is compared."""
    if isinstance(x, str): return re.sub(r"CollationKey\(0x[0-9a-f]*\)", "CollationKey(*)", x)
    if isinstance(x, Doc): return Doc((k, mask_collation(v)) for k, v in x)
    return [mask_collation(v) for v in x] if isinstance(x, list) else x
def judge(cmd, exp, got, strict_codes=False):
    """All metrics for one command."""
    global STRICT_CODES
    STRICT_CODES = strict_codes
    explain = cmd_name(cmd) == "explain" or isinstance(cmd.get("explain"), bool)
    return compare_explain(cmd, mask_collation(exp), mask_collation(got)) if explain else compare_plain(cmd, exp, got)
def compare_error(exp, got):
    res = {}
    if not is_error(got): return {"errors": False}
    ec, gc = exp.get("code"), got.get("code")
    ec, gc = (int(num(ec)) if isnum(ec) else None), (int(num(gc)) if isnum(gc) else None)
    ok = ec == gc and exp.get("codeName") == got.get("codeName")
    if not ok and not STRICT_CODES:
        for c, pat, alt, altname in version_map["accept_code"]:
            if c == ec and gc == alt and got.get("codeName") == altname and re.search(pat, exp.get("errmsg") or ""): ok = True
    res["errors"] = ok
    res["errmsg"] = msg(exp.get("errmsg")) == msg(got.get("errmsg"))
    return res
def first_stage(cmd):
    p = cmd.get("pipeline")
    return p[0][0][0] if isinstance(p, list) and p and isinstance(p[0], Doc) and p[0] else None
def batch(r):
    c = r.get("cursor")
    if isinstance(c, Doc):
        b = c.get("firstBatch")
        return b if isinstance(b, list) else c.get("nextBatch")
    v = r.get("values")
    return v if isinstance(v, list) else None
def compare_plain(cmd, exp, got):
    if is_error(exp): return compare_error(exp, got)
    if is_error(got): return {"results": False}
    fix = lambda r: r
    if cmd_name(cmd) == "listIndexes": fix = norm_index_reply
    elif cmd_name(cmd) == "listCollections": fix = lambda r: norm_listing(r, {"uuid", "info"} if cmd.get("nameOnly") is True else {"uuid"})
    elif cmd_name(cmd) == "planCacheListFilters": fix = lambda r: Doc((k, sorted(v, key=lambda d: json.dumps(d, default=str)) if k == "filters" and isinstance(v, list) else v) for k, v in r)
    elif cmd_name(cmd) == "aggregate" and first_stage(cmd) == "$planCacheStats": fix = lambda r: norm_listing(unordered_projections(r), version_map["ignore_explain_keys"] | version_map["ignore_counters"] | {"version", "queryHash", "planCacheKey", "host", "timeOfCreation", "estimatedSizeBytes"})
    elif cmd_name(cmd) == "aggregate" and first_stage(cmd) in ("$indexStats", "$collStats"): fix = lambda r: norm_listing(r, {"host", "since", "localTime"})
    a, b = fix(norm_reply(exp)), fix(norm_reply(got))
    res = {"results": a == b}
    ba, bb = batch(a), batch(b)
    if ba is not None and bb is not None and not isinstance(bb, Doc):
        res["results-set"] = collections.Counter(map(freeze, ba)) == collections.Counter(map(freeze, bb))
    if exp.has("writeErrors"):
        w = lambda r: [(num(e.get("index")), num(e.get("code"))) for e in r.get("writeErrors", [])]
        res["errors"] = got.has("writeErrors") and w(exp) == w(got)
        m = lambda r: [msg(e.get("errmsg")) for e in r.get("writeErrors", [])]
        res["errmsg"] = m(exp) == m(got)
    return res

# ---- explain ----
def units(r, path=""):
    """Every sub-document that carries a winning plan, in order."""
    out = []
    if isinstance(r, Doc):
        qp = r.get("queryPlanner")
        if isinstance(qp, Doc) and qp.has("winningPlan"): out.append(r)
        else:
            for k, v in r: out += units(v)
    elif isinstance(r, list):
        for v in r: out += units(v)
    return out
def alias(x):
    if isinstance(x, Doc):
        return Doc((k, version_map["stage_alias"].get(v, v) if k == "stage" and isinstance(v, str) else alias(v)) for k, v in x)
    if isinstance(x, list): return [alias(v) for v in x]
    return x
def children(st):
    for k, v in st:
        if isinstance(v, Doc) and v.has("stage"): yield k, v
        elif isinstance(v, list) and v and all(isinstance(c, Doc) and c.has("stage") for c in v):
            for i, c in enumerate(v): yield "%s[%d]" % (k, i), c
        elif k == "shards" : continue
def shape(st):
    if not isinstance(st, Doc): return st
    return (st.get("stage"), st.get("indexName"), st.get("direction"), tuple(shape(c) for _, c in children(st)))
def bounds(st, out=None):
    out = [] if out is None else out
    if isinstance(st, Doc):
        if st.has("indexBounds"): out.append((st.get("stage"), freeze(loose(st.get("keyPattern"))), st.get("direction"), freeze(st.get("indexBounds"))))
        for _, c in children(st): bounds(c, out)
    return out
def counters(st):
    if not isinstance(st, Doc): return st
    own = sorted((k, num(v) if isnum(v) else v) for k, v in st if (isnum(v) or isinstance(v, bool)) and k not in version_map["ignore_counters"] and k not in version_map["ignore_explain_keys"] and k != "indexVersion")
    return (st.get("stage"), tuple(own), tuple((k, counters(c)) for k, c in children(st)))
def exec_counters(es):
    if not isinstance(es, Doc): return None
    skip = version_map["ignore_counters"] | version_map["ignore_explain_keys"]
    top = sorted((k, num(v) if isnum(v) else v) for k, v in es if (isnum(v) or isinstance(v, bool)) and k not in skip)
    return (tuple(top), counters(es.get("executionStages")))
def clean(x): return unordered_projections(alias(loose(strip(x, version_map["ignore_explain_keys"] | {"memLimit"}))))
def compare_explain(cmd, exp, got):
    if is_error(exp): return compare_error(exp, got)
    if is_error(got): return {"plan-shape": False, "plan-bounds": False, "plan-full": False}
    eu, gu = units(exp), units(got)
    res = {}
    if eu:
        same = len(eu) == len(gu)
        def allu(f): return same and all(f(a) == f(b) for a, b in zip(eu, gu))
        wp = lambda u: alias(u.get("queryPlanner").get("winningPlan"))
        res["plan-shape"] = allu(lambda u: shape(wp(u)))
        if any(bounds(wp(u)) for u in eu): res["plan-bounds"] = allu(lambda u: bounds(wp(u)))
        res["plan-full"] = allu(lambda u: clean(wp(u)))
        if any(u.get("queryPlanner").get("rejectedPlans") for u in eu + gu):
            res["rejected"] = allu(lambda u: collections.Counter(freeze(clean(p)) for p in (u.get("queryPlanner").get("rejectedPlans") or [])))
        if any(u.has("executionStats") for u in eu):
            res["counters"] = allu(lambda u: exec_counters(alias(u.get("executionStats"))))
            ap = lambda u: u.get("executionStats").get("allPlansExecution") if isinstance(u.get("executionStats"), Doc) else None
            if any(ap(u) for u in eu): res["all-plans"] = allu(lambda u: collections.Counter(exec_counters(alias(p)) for p in (ap(u) or [])))
        res["parsed-query"] = allu(lambda u: u.get("queryPlanner").get("parsedQuery"))
        res["hashes"] = allu(lambda u: (u.get("queryPlanner").get("queryHash"), u.get("queryPlanner").get("planCacheKey")))
    es, gs = exp.get("stages"), got.get("stages")
    if isinstance(es, list):
        skip = version_map["ignore_explain_keys"] | version_map["ignore_counters"] | {"queryHash", "planCacheKey"}
        rest = lambda ss: [unordered_projections(loose(strip(s, skip))) for s in ss if not (isinstance(s, Doc) and s.has("$cursor"))]
        res["agg-stages"] = isinstance(gs, list) and rest(es) == rest(gs)
    elif eu: 
        if isinstance(gs, list): res["agg-stages"] = False
    if not eu and not isinstance(es, list):
        res["plan-full"] = clean(exp) == clean(got)
    return res

# ---- the form of 7.0 ----
def collscan70(st):
    """4.9 and 5.0 spend one unit on opening a collection scan, 7.0 does not: takes it out of the COLLSCAN and of every stage above it."""
    if not isinstance(st, Doc): return st, 0
    k = 0; out = []
    for key, v in st:
        if isinstance(v, Doc) and v.has("stage"): v, j = collscan70(v); k += j
        elif isinstance(v, list) and v and all(isinstance(c, Doc) and c.has("stage") for c in v):
            r = [collscan70(c) for c in v]; v = [a for a, _ in r]; k += sum(b for _, b in r)
        out.append((key, v))
    if st.get("stage") == "COLLSCAN" and isnum(st.get("works")) and num(st.get("works")) > 0 and isnum(st.get("needTime")) and num(st.get("needTime")) > 0: k = 1
    return Doc((a, V(("long", int(num(b)) - k)) if k and a in ("works", "needTime") and isnum(b) and num(b) >= k else b) for a, b in out), k
def form70(x):
    """A recorded explain in the form of 7.0: COLLSCAN units, and no allPlansExecution entries for a query with one plan."""
    if not isinstance(x, Doc): return [form70(v) for v in x] if isinstance(x, list) else x
    qp = x.get("queryPlanner"); one = isinstance(qp, Doc) and qp.has("winningPlan") and not qp.get("rejectedPlans"); out = []
    for k, v in x:
        if k == "executionStages" and isinstance(v, Doc): v = collscan70(v)[0]
        elif k == "executionStats" and one and isinstance(v, Doc): v = form70(Doc((a, [] if a == "allPlansExecution" else b) for a, b in v))
        else: v = form70(v)
        out.append((k, v))
    return Doc(out)
def load_versions(d):
    """{case id: members} of versions.jsonl: cases on which the recorded server and a 9.0 engine disagree, and what 7.0 does."""
    f = os.path.join(d, "versions.jsonl.gz"); out = {}
    if os.path.isfile(f):
        with gzip.open(f, "rt", encoding="utf-8") as h:
            for l in h:
                if l.strip(): m = raw_members(l); out[json.loads(m["id"])] = m
    return out

# ---- running ----
class Engine:
    def __init__(self, cmd, timeout):
        self.cmd, self.timeout, self.p = cmd, timeout, None
        self.start()
    def start(self):
        self.stop()
        self.p = subprocess.Popen(self.cmd, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.buf = b""
    def stop(self):
        if self.p:
            try: self.p.stdin.close()
            except OSError: pass
            try: self.p.wait(5)
            except subprocess.TimeoutExpired: self.p.kill(); self.p.wait()
            self.p = None
    def ask(self, text):
        """Sends one line, returns one parsed reply; None when the engine died or did not answer in time."""
        try:
            data = text.encode("utf-8") + b"\n"
            fd = self.p.stdin.fileno(); n = 0
            while n < len(data): n += os.write(fd, data[n:n + 65536])
        except (OSError, ValueError): return None
        end = time.time() + self.timeout; out = self.p.stdout.fileno()
        chunks = [self.buf]
        while b"\n" not in chunks[-1]:
            left = end - time.time()
            if left <= 0: return None
            r, _, _ = select.select([out], [], [], left)
            if not r: return None
            d = os.read(out, 1 << 20)
            if not d: return None
            chunks.append(d)
        line, self.buf = b"".join(chunks).split(b"\n", 1)
        try: return parse(line.decode("utf-8"))
        except ValueError: return Doc([("ok", V(("double", "0.0"))), ("errmsg", "engine printed something that is not JSON: " + line[:200].decode("utf-8", "replace"))])

def raw_members(line):
    """The top-level members of a JSON object line as raw text, so that commands are sent byte for byte."""
    d = json.JSONDecoder(); out = {}; i = line.index("{") + 1
    while True:
        while line[i] in " \t,": i += 1
        if line[i] == "}": return out
        k, i = d.raw_decode(line, i) if False else json.decoder.scanstring(line, i + 1)
        while line[i] in " \t:": i += 1
        _, j = d.raw_decode(line, i)
        out[k] = line[i:j]; i = j
def with_db(raw, db):
    """Adds the $db field to a command document given as text."""
    raw = raw.rstrip(); body = raw[:-1].rstrip()
    return body + ("" if body.endswith("{") else ",") + '"$db":' + json.dumps(db) + "}"
def raw_elements(text):
    """The elements of a JSON array as raw text."""
    d = json.JSONDecoder(); out = []; i = text.index("[") + 1
    while True:
        while text[i] in " \t,": i += 1
        if text[i] == "]": return out
        _, j = d.raw_decode(text, i)
        out.append(text[i:j]); i = j

class Suite:
    def __init__(self, path):
        self.path = path
        op = gzip.open if path.endswith(".gz") else open
        with op(path, "rt", encoding="utf-8") as f: self.lines = f.read().split("\n")
        self.lines = [l for l in self.lines if l]
        h = self.head = raw_members(self.lines[0])
        self.name = json.loads(h["suite"]); self.db = json.loads(h["db"]); self.mode = json.loads(h["mode"])
        self.clear = json.loads(h.get("planCacheClear", "false")); self.keep = json.loads(h.get("keepCursors", "false"))
        self.overlays = []  # newest first: (name, {case id: members})
        for d in sorted(glob.glob(os.path.join(os.path.dirname(path), "overlay-*")), reverse=True):
            for f in glob.glob(os.path.join(d, self.name + ".jsonl*")):
                with (gzip.open if f.endswith(".gz") else open)(f, "rt", encoding="utf-8") as fh: ls = [l for l in fh.read().split("\n") if l][1:]
                ms = [raw_members(l) for l in ls]; self.overlays.append((os.path.basename(d), {json.loads(x["id"]): x for x in ms}))
        self.setup = []
        for name, text in raw_members(h["collections"]).items():
            m = raw_members(text); q = json.dumps(name)
            self.setup.append(("drop", '{"drop":%s}' % q))
            if json.loads(m.get("absent", "false")): continue
            opts = m["options"].strip()[1:-1].strip()
            self.setup.append(("create", '{"create":%s%s}' % (q, "," + opts if opts else "")))
            if m.get("indexes", "[]").strip() != "[]": self.setup.append(("createIndexes", '{"createIndexes":%s,"indexes":%s}' % (q, m["indexes"])))
            if "dataset" in m:
                with gzip.open(os.path.join(os.path.dirname(path), "datasets", json.loads(m["dataset"]) + ".jsonl.gz"), "rt", encoding="utf-8") as f: docs = [l for l in f.read().split("\n") if l]
            else: docs = raw_elements(m.get("docs", "[]"))
            for i in range(0, len(docs), 500): self.setup.append(("insert", '{"insert":%s,"documents":[%s]}' % (q, ",".join(docs[i:i + 500]))))
    def prepare(self, eng, fresh=True):
        bad = []
        if fresh: eng.ask(with_db('{"dropDatabase":1}', self.db))  # an engine that starts empty may refuse this
        for what, c in self.setup:
            r = eng.ask(with_db(c, self.db))
            if r is None: return ["engine died during set-up (%s)" % what]
            if what != "drop" and (is_error(r) or r.has("writeErrors")): bad.append("%s: %s" % (what, r.get("errmsg") or "write errors"))
        return bad

TARGETS = ("find", "aggregate", "count", "distinct", "update", "delete", "findAndModify")
def target(cmd):
    c = cmd.get("explain") if cmd_name(cmd) == "explain" else cmd
    if not isinstance(c, Doc): return None
    for t in TARGETS:
        if c.has(t): return c.get(t) if isinstance(c.get(t), str) else None
    return None
def pretty(x, ind=0):
    p = "  " * ind
    if isinstance(x, Doc):
        if not x: return "{}"
        return "{\n" + ",\n".join("%s  %s: %s" % (p, k, pretty(v, ind + 1)) for k, v in x) + "\n" + p + "}"
    if isinstance(x, list):
        if not x: return "[]"
        return "[\n" + ",\n".join("%s  %s" % (p, pretty(v, ind + 1)) for v in x) + "\n" + p + "]"
    if isinstance(x, V): return "%s(%s)" % (x[0], ", ".join(map(str, x[1:])))
    return json.dumps(x, ensure_ascii=False)
def show(cmd, exp, got, res, explain):
    print("command:", pretty(cmd)); print("metrics:", res)
    if explain and not is_error(exp) and not is_error(got): f = lambda r: pretty(clean(strip(r, version_map["ignore_counters"])))
    else: f = lambda r: pretty(norm_reply(r, mask_msg=False))
    a, b = f(exp).split("\n"), f(got).split("\n")
    d = list(difflib.unified_diff(a, b, "expected (mongod)", "got (engine)", n=4, lineterm=""))
    print("\n".join(d) if d else "no difference in the normal form")

def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--engine", required=True); ap.add_argument("--dir", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "data"))
    ap.add_argument("--suite", action="append", help="suite name, pattern (planner-*) or file, may be repeated or comma-separated; default all"); ap.add_argument("--ids", help="a file of case ids, one a line: only these cases count (the others are not run, except in sequence suites)")
    ap.add_argument("--case", help="run one case and print a diff (sequence suites run up to it)"); ap.add_argument("--replies", choices=["any", "newest", "base"], default="any", help="where an overlay holds a later server's reply: accept either, only the newest, or only the base capture"); ap.add_argument("--target", choices=["7.0", "recorded"], default="7.0", help="7.0 (default): expect what versions.jsonl decides for 7.0 and explain counters in the form of 7.0; recorded: the captured replies as they are");  ap.add_argument("--fail-list"); ap.add_argument("--known-diff")
    ap.add_argument("--gate", default=",".join(GATE), help="metrics that make a case fail (default: %(default)s)")
    ap.add_argument("--timeout", type=float, default=60); ap.add_argument("--limit", type=int, default=0, help="at most this many cases per suite"); ap.add_argument("--sample", type=int, default=1, metavar="K", help="every K-th case only (suites of mode sequence run whole)"); ap.add_argument("--json", help="write the rates to this file")
    ap.add_argument("--verbose", action="store_true", help="name each failing case")
    a = ap.parse_args()
    gate = set(a.gate.split(",")); known = set(); ids = {l.split('#')[0].strip() for l in (gzip.open(a.ids, 'rt', encoding='utf-8') if a.ids.endswith('.gz') else open(a.ids, encoding='utf-8'))} - {''} if a.ids else None
    if a.known_diff: known = {l.split("#")[0].split("\t")[0].strip() for l in open(a.known_diff, encoding="utf-8")} - {""}
    files = sorted(glob.glob(os.path.join(a.dir, "*.jsonl")) + glob.glob(os.path.join(a.dir, "*.jsonl.gz")))
    stem = lambda f: re.sub(r"\.jsonl(\.gz)?$", "", os.path.basename(f))
    want = [s for x in (a.suite or []) for s in x.split(",")]
    if want:
        miss = {w for w in want if not os.path.isfile(w) and not any(fnmatch.fnmatch(stem(f), w) for f in files)}
        files = [f for f in files if any(fnmatch.fnmatch(stem(f), w) for w in want)] + [w for w in want if os.path.isfile(w)]
        if miss: sys.exit("no such suite: " + ", ".join(sorted(miss)))
    if a.case: files = [f for f in files if a.case.startswith(stem(f) + "-") or a.case.startswith("h-" + stem(f) + "-")] if not want else files
    def is_suite(f):
        with (gzip.open if f.endswith(".gz") else open)(f, "rt", encoding="utf-8") as h: return '"collections"' in h.readline()
    files = [f for f in files if not stem(f).startswith("keystring") and is_suite(f)]
    vers = load_versions(a.dir) if a.target == "7.0" else {}; dec = collections.Counter(); eng = Engine(a.engine, a.timeout); total = collections.Counter(); tot_of = collections.Counter(); fails = []; report = {}; by = collections.Counter(); ncases = npass = nknown = 0; found = False
    for f in files:
        s = Suite(f); ok = collections.Counter(); of = collections.Counter(); n = passed = kn = 0
        bad = s.prepare(eng) if s.mode != "reset" else []
        if bad: print("%s: set-up: %s" % (s.name, "; ".join(bad[:3])))
        cursor = None
        for pos, line in enumerate(s.lines[1:]):
            if a.sample > 1 and s.mode != "sequence" and not a.case and pos // 2 % a.sample: continue  # a command and its explain stay together
            if a.limit and n >= a.limit: break
            m = raw_members(line); cid = json.loads(m["id"])
            if a.case and cid != a.case and s.mode != "sequence": continue
            if ids is not None and cid not in ids and s.mode != "sequence": continue
            if s.mode == "reset" and json.loads(m.get("reset", "true")):
                bad = s.prepare(eng, n == 0)
                if bad and n == 0: print("%s: set-up: %s" % (s.name, "; ".join(bad[:3])))
            for p in raw_elements(m["pre"]) if "pre" in m else []: eng.ask(with_db(p, s.db))
            cmd = parse(m["cmd"]); explain = cmd_name(cmd) == "explain" or isinstance(cmd.get("explain"), bool)
            if s.clear and target(cmd): eng.ask(with_db('{"planCacheClear":%s}' % json.dumps(target(cmd)), s.db))
            text = m["cmd"]
            if "usesCursor" in m: text = text.replace('"$$CURSOR"', '{"$numberLong":"%d"}' % (cursor or 1))
            got = eng.ask(with_db(text, s.db))
            if got is None:
                got = Doc([("ok", V(("double", "0.0"))), ("errmsg", "engine died or timed out")])
                eng.start()
                if s.mode != "reset": s.prepare(eng)
            c = got.get("cursor")
            if isinstance(c, Doc) and isnum(c.get("id")) and num(c.get("id")) != 0:
                cursor = c.get("id")[1] if isinstance(c.get("id"), V) else int(c.get("id"))
                if not s.keep and isinstance(c.get("ns"), str): eng.ask(with_db('{"killCursors":%s,"cursors":[{"$numberLong":"%d"}]}' % (json.dumps(c.get("ns").split(".", 1)[1]), cursor), s.db))
            ck = eng.ask(with_db(m["check"], s.db)) if "check" in m else None; best = None
            alts = [(v, o[cid]) for v, o in s.overlays if cid in o and a.replies != "base"] + [("base", m)]; ver = vers.get(cid); rule = json.loads(ver["decision"]) if ver else None
            if ver and "reply9" in ver: nine = ("9.0", {"reply": ver["reply9"], "checkReply": ver.get("checkReply9", m.get("checkReply"))}); alts = [nine] if rule == "9.0" else [nine] + alts
            for which, alt in alts:
                if which == "base" and best and a.replies == "newest" and rule != "unknown": break
                e = parse(alt["reply"]); e = form70(e) if explain and a.target == "7.0" and which != "9.0" and "9.0.0" not in s.head["server"] else e; rs = judge(cmd, e, got); c_e = None
                if "check" in m:
                    c_e = parse(alt["checkReply"])
                    rs["state"] = ck is not None and all(compare_plain(parse(m["check"]), c_e, ck).get(k, True) for k in ("results", "errors"))
                bad = len([k for k, v in rs.items() if not v and k in gate]), len([k for k, v in rs.items() if not v])
                if best is None or bad < best[0]: best = (bad, which, e, rs, c_e)
            _, which, exp, res, ce = best
            if ver and "inform" not in ver and "volatile" not in m: dec[rule, "pass" if best[0][0] == 0 else "fail"] += 1
            if any(cid in o for _, o in s.overlays) and best[0][0] == 0: by[which] += 1
            if a.case:
                if cid != a.case: continue
                found = True
                if s.overlays and any(cid in o for _, o in s.overlays): print("two servers answered differently; compared with:", which)
                if ver: print("versions.jsonl: class %s, decision for 7.0: %s; compared with: %s" % (json.loads(ver["class"]), rule, which))
                show(cmd, exp, got, res, explain)
                if "check" in m and not res["state"]: print("state after the command:"); show(parse(m["check"]), ce, ck or Doc(), {}, False)
                break
            if "volatile" in m: continue
            if ids is not None and cid not in ids: continue
            if cid in known and any(not v for k, v in res.items() if k in gate): n += 1; kn += 1; continue  # a known difference counts in no rate
            for k, v in res.items(): of[k] += 1; ok[k] += bool(v)
            n += 1; failing = [k for k, v in res.items() if not v and k in gate]
            if not failing: passed += 1
            elif cid in known: kn += 1
            else:
                fails.append((cid, [k for k, v in res.items() if not v]))
                if a.verbose: print("  FAIL", cid, ",".join(failing))
        if a.case: continue
        parts = ["%s %d/%d" % (k, ok[k], of[k]) for k in METRICS if of[k]]
        print("%-18s %5d cases, %5d pass%s | %s" % (s.name, n, passed, ", %d known" % kn if kn else "", ", ".join(parts))); sys.stdout.flush()
        total += ok; tot_of += of; ncases += n; npass += passed; nknown += kn; report[s.name] = {"cases": n, "pass": passed, "known": kn, **{k: [ok[k], of[k]] for k in METRICS if of[k]}}
    eng.stop()
    if a.case:
        if not found: sys.exit("no case " + a.case)
        return 0
    print("-" * 60)
    for k in METRICS:
        if tot_of[k]: print("%-14s %6d / %6d  %6.2f%%" % (k, total[k], tot_of[k], 100.0 * total[k] / tot_of[k]))
    print("cases          %6d / %6d  %6.2f%%%s" % (npass, ncases, 100.0 * npass / max(1, ncases), ", known differences %d" % nknown if nknown else ""))
    if dec: print("cases with a version decision: " + ", ".join("%s: %d pass, %d fail" % (d, dec[d, "pass"], dec[d, "fail"]) for d in ("4.9", "9.0", "unknown") if dec[d, "pass"] + dec[d, "fail"]))
    if by: print("passing cases that the recorded servers answer differently, by the server whose reply matched: " + ", ".join("%s %d" % kv for kv in sorted(by.items())))
    if a.fail_list:
        with open(a.fail_list, "w", encoding="utf-8") as f: f.writelines("%s\t%s\n" % (c, ",".join(k)) for c, k in fails)
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f: json.dump({"total": {k: [total[k], tot_of[k]] for k in METRICS if tot_of[k]}, "cases": ncases, "pass": npass, "suites": report}, f, indent=1)
    return 1 if fails else 0
if __name__ == "__main__":
    sys.exit(main())
