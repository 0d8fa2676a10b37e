// Measures bulk updates as ratios to the plainest program for the same work, in turn: updates beside an undici loop without a
// journal, and a dry run of a million rows beside only parsing them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { inTurn, median, ratioOf } from './median.mjs';

const require = createRequire(import.meta.url);
const address = (name) => JSON.stringify(pathToFileURL(require.resolve(name)).href);
const updates = 20_000;
const rows = 1_000_000;
const concurrency = 8;
/** A shared machine may be a third slower from one second to the next, so use many rounds, and alternate which side goes first. */
const rounds = 13;

/** The plainest loop: equally many at once, each response parsed, nothing stored. Prints its updates per second. */
const loop = `
import { readFileSync } from 'node:fs';
import { Pool } from ${address('undici')};
const lines = readFileSync(process.argv[2], 'utf8').trim().split('\\n').slice(1);
const pool = new Pool('http://' + process.env.WM_HOST, { connections: ${concurrency} });
const headers = { authorization: 'Bearer ' + process.env.WM_TOKEN };
let at = 0, right = 0;
const start = performance.now();
await Promise.all(Array.from({ length: ${concurrency} }, async () => {
  while (at < lines.length) {
    const [id, title] = lines[at++].split(',');
    const path = '/api/v4/tasks/' + id + '?title=' + encodeURIComponent(title);
    const { body } = await pool.request({ method: 'PUT', path, headers });
    if ((await body.json()).data[0].id === id) right++;
  }
}));
if (right !== lines.length) throw new Error(right + ' were right');
process.stdout.write(String(lines.length / (performance.now() - start) * 1000));
await pool.close();
`;

const onlyJson = `
import { createReadStream } from 'node:fs';
let rest = '', count = 0;
for await (const text of createReadStream(process.argv[2], { encoding: 'utf8', highWaterMark: 65536 })) {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) if (JSON.parse(line).id) count++;
}
if (count !== ${rows}) throw new Error(String(count));
`;

const onlyCsv = `
import { createReadStream } from 'node:fs';
import { parse } from ${address('csv-parse')};
let count = 0;
for await (const row of createReadStream(process.argv[2], { highWaterMark: 65536 }).pipe(parse())) if (row[0]) count++;
if (count !== ${rows + 1}) throw new Error(String(count));
`;

/** Writes the largest memory use of a program at its end. */
const memory = `process.on('exit', () => require('node:fs').writeFileSync(process.env.BENCH_MEMORY, String(process.resourceUsage().maxRSS)));`;

async function run(argv, env) {
  const start = performance.now();
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (text) => {
    // Read the results and drop them, as a reader of the pipe does.
    if (output.length < 10_000) output += text;
  });
  child.stderr.on('data', (text) => (errors += text));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${errors}`);
  return { seconds: (performance.now() - start) / 1000, output, errors };
}

/** Returns the rows per second that a bulk run prints. Fails unless all were updated. */
function printedRate({ errors }) {
  const printed = /([\d,]+) of [\d,]+ rows\b.* in ([\d.]+) s \(([\d,]+)\/s\)/.exec(errors);
  if (printed?.[1] !== updates.toLocaleString('en')) throw new Error(errors);
  return Number(printed[3].replaceAll(',', ''));
}

async function benchRate(folder, builds, environment) {
  const emulator = spawn(process.execPath, [builds.wm, 'emulator', 'start', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(emulator.stdout, 'data');
    const { host, token } = JSON.parse(String(line));
    const env = { ...environment, WM_HOST: host, WM_TOKEN: token, WM_CONFIG_DIR: join(folder, 'config') };
    const made = await fetch(`http://${host}/_emulator/tasks`, {
      method: 'POST',
      body: JSON.stringify({ count: updates }),
    });
    const { taskIds } = await made.json();
    const script = join(folder, 'loop.mjs');
    await writeFile(script, loop);
    const bulkOf = (wm) => async (file) => {
      const ran = await run(
        [wm, 'task', 'update', '--from', file, '--yes', '--concurrency', String(concurrency)],
        env,
      );
      return { rate: printedRate(ran), whole: updates / ran.seconds };
    };
    const plain = async (file) => ({ rate: Number((await run([script, file], env)).output) });
    const runs = [bulkOf(builds.wm), plain, ...(builds.other === undefined ? [] : [bulkOf(builds.other)])];
    const taken = runs.map(() => []);
    for (let round = 0; round < rounds; round++) {
      // Titles of one length, each different: an update that changes nothing costs the emulator less.
      const files = ['bulk', 'loop', 'base'].map((word) => [word, join(folder, `${word}-${round}.csv`)]);
      for (const [word, path] of files) {
        const lines = taskIds.map((id, at) => `${id},${word} ${round} title ${at}`);
        await writeFile(path, `id,title\n${lines.join('\n')}\n`);
      }
      const results = await inTurn(
        round,
        runs.map((one, at) => () => one(files[at][1])),
      );
      for (const [at, result] of results.entries()) taken[at].push(result);
    }
    const [mine, theirs, others] = taken;
    const rates = (results) => results.map(({ rate }) => rate);
    const whole = (results) => results.map((result) => result.whole);
    return {
      rate: median(rates(mine)),
      base: median(rates(theirs)),
      ratio: ratioOf(rates(mine), rates(theirs)),
      whole: median(whole(mine)),
      toOther: others && ratioOf(rates(mine), rates(others)),
      wholeToOther: others && ratioOf(whole(mine), whole(others)),
    };
  } finally {
    emulator.kill();
  }
}

async function writeRows(json, csv) {
  const [one, other] = [createWriteStream(json), createWriteStream(csv)];
  other.write('id,title,status,start,due\n');
  for (let at = 0; at < rows; at++) {
    const id = `IEAAAAAQKQ${at.toString(36).toUpperCase().padStart(6, '0')}`;
    const title = `Ship the release, part ${at}`;
    const dates = { start: '2026-12-01', due: '2026-12-04' };
    const full = [
      one.write(`${JSON.stringify({ id, title, status: 'Active', dates })}\n`),
      other.write(`${id},"${title}",Active,${dates.start},${dates.due}\n`),
    ];
    if (!full[0]) await once(one, 'drain');
    if (!full[1]) await once(other, 'drain');
  }
  await Promise.all([one, other].map((stream) => new Promise((done) => stream.end(done))));
}

async function benchDryRun(folder, builds, environment, file, parser) {
  const script = join(folder, 'parse.mjs');
  const hook = join(folder, 'memory.cjs');
  await writeFile(script, parser);
  await writeFile(hook, memory);
  const used = join(folder, 'memory');
  const env = { ...environment, WM_CONFIG_DIR: join(folder, 'config'), BENCH_MEMORY: used };
  const dryRunOf = (wm) => async () => {
    const dry = await run(['--require', hook, wm, 'task', 'update', '--from', file, '--dry-run'], env);
    if (!dry.errors.includes('1,000,000 of 1,000,000 rows')) throw new Error(dry.errors);
    return { seconds: dry.seconds, megabytes: Number(await readFile(used, 'utf8')) / 1024 };
  };
  const runs = [() => run([script, file], environment), ...Object.values(builds).map(dryRunOf)];
  const taken = runs.map(() => []);
  for (let round = 0; round < 3; round++) {
    for (const [at, result] of (await inTurn(round, runs)).entries()) taken[at].push(result);
  }
  const [plain, mine, others] = taken;
  const seconds = (results) => results.map((result) => result.seconds);
  return {
    time: median(seconds(mine)),
    base: median(seconds(plain)),
    ratio: ratioOf(seconds(plain), seconds(mine)),
    memory: Math.max(...mine.map(({ megabytes }) => megabytes)),
    toOther: others && ratioOf(seconds(mine), seconds(others)),
  };
}

/** Prints a table, and returns the missed targets. Ignores the start-up's `rounds`. */
export async function benchBulk({ builds, environment }) {
  const folder = await mkdtemp(join(tmpdir(), 'wm-bench-'));
  const missed = [];
  const line = (name, mine, theirs, ratio, target, isMissed, toOther) => {
    if (isMissed) missed.push(`${name.trim()}: ${ratio || mine} (${target})`);
    const cells = [
      name.padEnd(42),
      mine.padStart(9),
      theirs.padStart(9),
      ratio.padStart(7),
      target.padStart(8),
      toOther === undefined ? '' : toOther.toFixed(3).padStart(13),
    ];
    process.stdout.write(`${cells.join('')}${isMissed ? '  missed' : ''}\n`);
  };
  try {
    const others = builds.other === undefined ? '' : '  ratio to other';
    process.stdout.write(
      `\nmany at once, ${rounds} rounds${' '.repeat(27)}wm    plain  ratio  target${others}\n`,
    );
    const rate = await benchRate(folder, builds, environment);
    line(
      `${updates} updates, ${concurrency} at once, a second`,
      rate.rate.toFixed(0),
      rate.base.toFixed(0),
      rate.ratio.toFixed(2),
      '0.90',
      rate.ratio < 0.9,
      rate.toOther,
    );
    line(
      '  the same, start and plan included',
      rate.whole.toFixed(0),
      rate.base.toFixed(0),
      (rate.whole / rate.base).toFixed(2),
      '',
      false,
      rate.wholeToOther,
    );
    const [json, csv] = [join(folder, 'rows.ndjson'), join(folder, 'rows.csv')];
    await writeRows(json, csv);
    for (const [name, file, parser, target] of [
      ['NDJSON', json, onlyJson, 0.25],
      ['CSV', csv, onlyCsv, 0.5],
    ]) {
      const dry = await benchDryRun(folder, builds, environment, file, parser);
      line(
        `1,000,000 rows of ${name} --dry-run, seconds`,
        dry.time.toFixed(2),
        dry.base.toFixed(2),
        dry.ratio.toFixed(2),
        target.toFixed(2),
        dry.ratio < target,
        dry.toOther,
      );
      line('  its memory at most, MB', dry.memory.toFixed(0), '', '', '< 150', dry.memory >= 150);
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  return missed;
}
