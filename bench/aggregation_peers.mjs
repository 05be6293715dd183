// The aggregations of bench_aggregations in mingo and DuckDB (npm: mingo, @duckdb/node-api):
//   NODE_PATH=.../node_modules node aggregation_peers.mjs PEER FOLDER OUT.json [REPETITIONS]
// PEER is mingo, duckdb_json or duckdb_columns; FOLDER is what `bench_aggregations --orders=N FOLDER` wrote. A result
// that differs from ixora's ends the run with an error. Times are CPU time of the process, medians; DuckDB has one thread.
import { createRequire } from 'node:module';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const require = createRequire(`${process.env.NODE_PATH ?? process.cwd()}/`);
const [peerName, folder, out, repetitions = '5'] = process.argv.slice(2);
const queries = JSON.parse(readFileSync(`${folder}/queries.json`, 'utf8'));

async function load(name) {
  const documents = [];
  for await (const line of createInterface({ input: createReadStream(`${folder}/${name}.jsonl`) })) documents.push(JSON.parse(line));
  return documents;
}

async function mingo() {
  const { Aggregator } = require('mingo');
  const collections = {};
  for (const name of ['orders', 'products', 'tree']) collections[name] = await load(name);
  for (const order of collections.orders) order.createdAt = new Date(order.createdAt);
  const options = { collectionResolver: (name) => collections[name] };
  return ({ collection, pipeline, columns }) => new Aggregator(pipeline, options).run(collections[collection])
    .map((row) => columns.filter(Boolean).map((column) => row[column]));
}

// The JSON documents as they are.
const jsonSql = {
  group: "select (doc->>'tenant')::int t, count(*), sum((doc->>'total')::double) from orders group by t",
  unwind: "select i->>'sku' s, sum((i->>'qty')::int) q from (select unnest(cast(doc->'items' as json[])) i from orders) group by s order by q desc, s",
  lookup: "select (p.doc->>'category')::int c, count(*), sum((i->>'qty')::int) from (select unnest(cast(doc->'items' as json[])) i from orders) join products p on (p.doc->>'_id') = (i->>'sku') group by c",
  tree: `with recursive below(id, depth, weight) as (
      select (doc->>'_id')::int, 0, (doc->>'weight')::int from tree where (doc->>'parent')::int = 0
      union all select (t.doc->>'_id')::int, b.depth + 1, (t.doc->>'weight')::int from below b join tree t on (t.doc->>'parent')::int = b.id)
    select count(*), max(depth), sum(weight) from below`,
  top10: "select (doc->>'_id')::int id, (doc->>'total')::double t, doc from orders order by t desc, id limit 10",
};

// Columns, lists and structs of their types.
const columnsSql = {
  group: 'select tenant t, count(*), sum(total) from orders group by t',
  unwind: 'select i.sku s, sum(i.qty) q from (select unnest(items) i from orders) group by s order by q desc, s',
  lookup: 'select p.category c, count(*), sum(i.qty) from (select unnest(items) i from orders) join products p on p._id = i.sku group by c',
  tree: `with recursive below(id, depth, weight) as (select _id, 0, weight from tree where parent = 0
      union all select t._id, b.depth + 1, t.weight from below b join tree t on t.parent = b.id)
    select count(*), max(depth), sum(weight) from below`,
  top10: 'select _id, total t, * from orders order by t desc, _id limit 10',
};

async function duckdb(sql, tableOf) {
  const { DuckDBInstance } = require('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  for (const name of ['orders', 'products', 'tree']) await connection.run(`create table ${name} as ${tableOf(`${folder}/${name}.jsonl`)}`);
  return async ({ name, columns }) => {
    const rows = (await connection.runAndReadAll(sql[name])).getRows();
    const count = columns.filter(Boolean).length;
    return rows.map((row) => row.slice(0, count).map((cell) => (typeof cell === 'string' ? cell : Number(cell))));
  };
}

const peers = {
  mingo,
  duckdb_json: () => duckdb(jsonSql, (file) => `select json as doc from read_json_objects('${file}')`),
  duckdb_columns: () => duckdb(columnsSql, (file) => `select * from read_json_auto('${file}')`),
};

function compare({ name, pipeline, answer }, rows) {
  const inOrder = (list) => (JSON.stringify(pipeline).includes('$sort') ? list : [...list].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)));
  const [ours, theirs] = [inOrder(answer), inOrder(rows)];
  const same = (a, b) => a === b || (typeof a === 'number' && Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)));
  const equal = ours.length === theirs.length && ours.every((row, i) => row.length === theirs[i].length && row.every((cell, j) => same(cell, theirs[i][j])));
  if (!equal) throw new Error(`${peerName} has another answer to ${name}: ${JSON.stringify(theirs.slice(0, 3))} instead of ${JSON.stringify(ours.slice(0, 3))}`);
}

const cpuMillis = () => { const used = process.cpuUsage(); return (used.user + used.system) / 1000; };
const run = await peers[peerName]();
const benchmarks = [];
for (const query of queries) {
  compare(query, await run(query));
  const times = [];
  for (let i = 0; i < Number(repetitions); ++i) {
    const before = cpuMillis();
    await run(query);
    times.push(cpuMillis() - before);
  }
  times.sort((a, b) => a - b);
  const name = `${query.name}/${peerName}`;
  benchmarks.push({ name, run_name: name, aggregate_name: 'median', cpu_time: times[times.length >> 1], time_unit: 'ms' });
}
const version = (name) => JSON.parse(readFileSync(`${process.env.NODE_PATH ?? 'node_modules'}/${name}/package.json`, 'utf8')).version;
writeFileSync(out, JSON.stringify({ context: { version: version(peerName === 'mingo' ? 'mingo' : '@duckdb/node-api') }, benchmarks }, null, 1));
process.exit(0);
