// Measures the processor time and memory of whole commands beside `node -e 0`. With `--against`, also beside the other build, in
// pairs, and beside the best ratios so far (docs/performance.md).

import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { median, ratioOf, runNode, takeRounds } from './compare.mjs';

const usage = fileURLToPath(new URL('usage.cjs', import.meta.url));
const bestRatios = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const task = 'IEAAAAAQKQAB5BNG';
const update = `task update ${task} --title x`;
const tab = ['__complete', 'bash', 'wm task update --stat', '--stat', '9', '80'];
const planned = 200_000;
const sent = 20_000;
/** A start takes 40 ms and varies as much as it may get slower; a bulk run takes seconds. */
const startRounds = 40;
const bulkRounds = 7;

/** Words that need no quotes are as typed. `isAlone`: not measured beside the other build. */
const cases = (files, online) => [
  { words: '--version', shows: /^\d+\.\d+\.\d+\n$/ },
  { words: '--help', shows: /webhook suspend/ },
  { words: 'webhook list --help', shows: /--status/ },
  { name: 'a TAB', words: tab, shows: /--status/, isAlone: true },
  { name: 'wm task update --dry-run', words: `${update} --dry-run`, shows: /PUT .*title=x/ },
  { name: 'wm task update', words: `${update} --json`, env: online, shows: /"title"/ },
  { name: 'wm webhook list', words: 'webhook list --json', env: online, shows: /"hookUrl"/ },
  { name: 'list 10,000 tasks', words: 'task list --json', env: online, shows: /"title"/, isAlone: true },
  { name: 'wm emulator exec', words: 'emulator exec -- true', shows: /^/, isAlone: true },
  ...['ndjson', 'csv'].map((format) => ({
    name: `plan ${planned / 1000},000 rows, ${format.toUpperCase()}`,
    words: `task update --from ${files(format, planned)} --dry-run`,
    shows: /PUT/,
    isBulk: true,
  })),
  {
    name: `send ${sent / 1000},000 rows`,
    words: `task update --from ${files('csv', sent)} --yes --concurrency 8 --quiet`,
    env: online,
    shows: /^/,
    isBulk: true,
  },
];

/** Responds to every request at once. */
function startService() {
  const record = {
    id: task,
    title: 'x',
    accountId: 'IEAAAAAQ',
    hookUrl: 'https://hooks.example.com/x',
    status: 'Active',
  };
  return createServer((request, response) => {
    request.resume().on('end', () => {
      const [, kind = 'tasks', id = task] = /v4\/(\w+)(?:\/(\w+))?/.exec(request.url) ?? [];
      const pageSize = Number(/pageSize=(\d+)/.exec(request.url)?.[1] ?? 1);
      const page = Number(/nextPageToken=(\d+)/.exec(request.url)?.[1] ?? 1);
      const data = Array.from({ length: kind === 'tasks' ? pageSize : 1 }, (_, at) => ({
        ...record,
        id: pageSize > 1 ? idOf(pageSize * page + at) : id,
      }));
      const next = kind === 'tasks' && pageSize * page < 10_000 ? { nextPageToken: String(page + 1) } : {};
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ kind, data, ...(pageSize > 1 && next) }));
    });
  }).listen(0, '127.0.0.1');
}

/**
 * Prints a table. Marks a result that is over 5 % worse than the best so far, which is not a failure: a shared machine varies that
 * much.
 */
export async function benchCommands({ builds, environment, folder, rounds }) {
  const best = readBest();
  const files = (format, count) => {
    const path = join(folder, `${count}.${format}`);
    const rows = Array.from({ length: count }, (_, at) =>
      formatRow[format](idOf(at), `Ship the release, part ${at}`),
    );
    writeFileSync(path, (format === 'csv' ? 'id,title,status,start,due\n' : '') + rows.join(''));
    return path;
  };
  const server = startService();
  await once(server, 'listening');
  const offline = { ...environment, HOME: folder, WM_HOST: 'api.example.com' };
  const online = { ...offline, WM_TOKEN: 'token', WM_HOST: `127.0.0.1:${server.address().port}` };
  process.stdout.write(
    `\n${'command'.padEnd(28)}  cpu ms   of node -e 0   MB${builds.other ? '   |   of the other:  cpu   wall  memory   best cpu, memory' : ''}\n`,
  );
  try {
    for (const { words, name = `wm ${words}`, env = offline, shows, isBulk, isAlone } of cases(
      files,
      online,
    )) {
      const take = (command, expected) => async () => {
        // A bulk run may continue an earlier one, and an older build cannot read a newer build's journal.
        const config = isBulk
          ? mkdtempSync(join(folder, 'config-'))
          : join(folder, `config${command[0].replaceAll('/', '-')}`);
        const began = performance.now();
        const measured = ['--require', usage, ...command];
        const { stdout, stderr } = await runNode(measured, { ...env, WM_CONFIG_DIR: config });
        const wall = performance.now() - began;
        if (!expected.test(stdout)) throw new Error(`${name} does not show ${expected}: ${stdout}`);
        return { ...JSON.parse(stderr.split('\n').at(-1)), wall };
      };
      const typed = Array.isArray(words) ? words : words.split(' ');
      const measuredBuilds = isAlone ? [builds.wm] : Object.values(builds);
      const runs = [take(['-e', '0'], /^$/), ...measuredBuilds.map((wm) => take([wm, ...typed], shows))];
      for (const one of runs) await one();
      const [bare, mine, other] = await takeRounds(rounds ?? (isBulk ? bulkRounds : startRounds), runs);
      const of = (taken, what) => taken.map((one) => one[what]);
      const ratio = (what, base) => ratioOf(of(mine, what), of(base, what));
      let line = `${name.padEnd(28)}${median(of(mine, 'cpu')).toFixed(1).padStart(8)}${ratio('cpu', bare).toFixed(2).padStart(15)}${median(of(mine, 'memory')).toFixed(1).padStart(6)}`;
      if (other !== undefined) {
        const [cpu, wall, memory] = ['cpu', 'wall', 'memory'].map((what) => ratio(what, other));
        const [bestCpu, bestMemory] = best.get(name) ?? [];
        const isWorse = cpu > bestCpu * 1.05 || memory > bestMemory * 1.05;
        line += `${cpu.toFixed(2).padStart(24)}${wall.toFixed(2).padStart(7)}${memory.toFixed(2).padStart(8)}${`${bestCpu ?? '-'}, ${bestMemory ?? '-'}`.padStart(19)}${isWorse ? '  worse' : ''}`;
      }
      process.stdout.write(`${line}\n`);
    }
  } finally {
    server.close();
  }
  return [];
}

const idOf = (at) => `IEAAAAAQKQ${at.toString(32).toUpperCase().padStart(6, '0')}`;

const formatRow = {
  csv: (id, title) => `${id},"${title}",Active,2026-12-01,2026-12-04\n`,
  ndjson: (id, title) =>
    `{"id":"${id}","title":"${title}","status":"Active","dates":{"start":"2026-12-01","due":"2026-12-04"}}\n`,
};

/** Reads rows of the table: `| wm --help | 0.92 | 0.95 |`. */
function readBest() {
  const rows = readFileSync(bestRatios, 'utf8').matchAll(/^\| (.*?) +\| +([\d.]+) +\| +([\d.]+) +\|/gm);
  return new Map(Array.from(rows, ([, name, cpu, memory]) => [name, [Number(cpu), Number(memory)]]));
}
