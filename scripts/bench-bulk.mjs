// Many updates at once, as ratios to the plainest program that does the same, taken in turn in one run: updates against
// the emulator beside an undici loop that keeps no record, and a dry run of a million rows beside only parsing them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';

const wm = fileURLToPath(new URL('../bin/wm.js', import.meta.url));
const require = createRequire(import.meta.url);
const address = (name) => JSON.stringify(pathToFileURL(require.resolve(name)).href);
const updates = 20_000;
const rows = 1_000_000;
const concurrency = 8;
/** A shared machine may be a third slower in one second than in the next: many rounds, and each side first in every other one. */
const rounds = 13;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The plainest loop: as many at once, each answer parsed, nothing kept. Prints the updates it made in a second. */
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

/** Says at its end how much memory a program has had at most. */
const memory = `process.on('exit', () => require('node:fs').writeFileSync(process.env.BENCH_MEMORY, String(process.resourceUsage().maxRSS)));`;

async function run(argv, env) {
  const start = performance.now();
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (text) => {
    // Results of rows are read and thrown away, as a pipe's reader does.
    if (output.length < 10_000) output += text;
  });
  child.stderr.on('data', (text) => (errors += text));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${errors}`);
  return { seconds: (performance.now() - start) / 1000, output, errors };
}

async function inTurn(first, second) {
  return [await first(), await second()];
}

async function benchRate(folder, environment) {
  const emulator = spawn(process.execPath, [wm, 'emulator', 'start', '--json'], {
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
    const ratios = [];
    const rates = [];
    const bases = [];
    const whole = [];
    for (let round = 0; round < rounds; round++) {
      // Titles of one length, and for each its own: an update that changes nothing costs the emulator less.
      const [file, other] = [join(folder, `bulk-${round}.csv`), join(folder, `loop-${round}.csv`)];
      for (const [path, word] of [
        [file, 'bulk'],
        [other, 'loop'],
      ]) {
        const lines = taskIds.map((id, at) => `${id},${word} ${round} title ${at}`);
        await writeFile(path, `id,title\n${lines.join('\n')}\n`);
      }
      const argv = [wm, 'task', 'update', '--from', file, '--yes', '--concurrency', String(concurrency)];
      const ours = () => run(argv, env);
      const theirs = () => run([script, other], env);
      const [bulk, plain] =
        round % 2 === 0 ? await inTurn(ours, theirs) : (await inTurn(theirs, ours)).reverse();
      const told = /([\d,]+) of [\d,]+ rows updated in ([\d.]+) s \(([\d,]+)\/s\)/.exec(bulk.errors);
      if (told?.[1] !== updates.toLocaleString('en')) throw new Error(bulk.errors);
      const rate = Number(told[3].replaceAll(',', ''));
      rates.push(rate);
      bases.push(Number(plain.output));
      ratios.push(rate / Number(plain.output));
      whole.push(updates / bulk.seconds);
    }
    return { rate: median(rates), base: median(bases), ratio: median(ratios), whole: median(whole) };
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

async function benchDryRun(folder, environment, file, parser) {
  const script = join(folder, 'parse.mjs');
  const hook = join(folder, 'memory.cjs');
  await writeFile(script, parser);
  await writeFile(hook, memory);
  const used = join(folder, 'memory');
  const env = { ...environment, WM_CONFIG_DIR: join(folder, 'config'), BENCH_MEMORY: used };
  const ratios = [];
  const times = [];
  const bases = [];
  const megabytes = [];
  for (let round = 0; round < 3; round++) {
    const plain = await run([script, file], environment);
    const dry = await run(['--require', hook, wm, 'task', 'update', '--from', file, '--dry-run'], env);
    if (!dry.errors.includes('1,000,000 of 1,000,000 rows')) throw new Error(dry.errors);
    times.push(dry.seconds);
    bases.push(plain.seconds);
    ratios.push(plain.seconds / dry.seconds);
    megabytes.push(Number(await readFile(used, 'utf8')) / 1024);
  }
  return { time: median(times), base: median(bases), ratio: median(ratios), memory: Math.max(...megabytes) };
}

/** Prints a table, and gives back how many targets were missed. */
export async function benchBulk(environment) {
  const folder = await mkdtemp(join(tmpdir(), 'wm-bench-'));
  let missed = 0;
  const line = (name, mine, theirs, ratio, target, isMissed) => {
    if (isMissed) missed++;
    const cells = [
      name.padEnd(42),
      mine.padStart(9),
      theirs.padStart(9),
      ratio.padStart(7),
      target.padStart(8),
    ];
    process.stdout.write(`${cells.join('')}${isMissed ? '  missed' : ''}\n`);
  };
  try {
    process.stdout.write(`\nmany at once, medians${' '.repeat(27)}wm    plain  ratio  target\n`);
    const rate = await benchRate(folder, environment);
    line(
      `${updates} updates, ${concurrency} at once, a second`,
      rate.rate.toFixed(0),
      rate.base.toFixed(0),
      rate.ratio.toFixed(2),
      '0.90',
      rate.ratio < 0.9,
    );
    line(
      '  the same, start and plan included',
      rate.whole.toFixed(0),
      rate.base.toFixed(0),
      (rate.whole / rate.base).toFixed(2),
      '',
      false,
    );
    const [json, csv] = [join(folder, 'rows.ndjson'), join(folder, 'rows.csv')];
    await writeRows(json, csv);
    for (const [name, file, parser, target] of [
      ['NDJSON', json, onlyJson, 0.25],
      ['CSV', csv, onlyCsv, 0.5],
    ]) {
      const dry = await benchDryRun(folder, environment, file, parser);
      line(
        `1,000,000 rows of ${name} --dry-run, seconds`,
        dry.time.toFixed(2),
        dry.base.toFixed(2),
        dry.ratio.toFixed(2),
        target.toFixed(2),
        dry.ratio < target,
      );
      line('  its memory at most, MB', dry.memory.toFixed(0), '', '', '< 150', dry.memory >= 150);
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  return missed;
}

// Alone: node scripts/bench-bulk.mjs
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { NODE_EXTRA_CA_CERTS: _certificates, ...inherited } = process.env;
  const own = Object.entries(inherited).filter(([name]) => !name.startsWith('WM_'));
  process.exitCode = (await benchBulk(Object.fromEntries(own))) === 0 ? 0 : 1;
}
