// npm run count -- WORDS: how many source files and functions `wm WORDS` executes, counted by V8 against a new emulator, with a
// webhook labelled billing. A file counts if one of its functions runs.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/wm.js', import.meta.url));
const folder = mkdtempSync(`${tmpdir()}/wm-count-`);
process.env.XDG_STATE_HOME = folder;
process.on('exit', () => rmSync(folder, { recursive: true }));

const run = (...words) => execFileSync(process.execPath, [program, ...words], { stdio: 'pipe' });
const { id } = JSON.parse(run('webhook', 'create', 'https://hooks.example.com/billing', '--json'));
run('webhook', 'label', id, 'billing');

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('exit', () => session.post('Profiler.takePreciseCoverage', (_, { result }) => print(result)));
process.argv = [process.execPath, program, ...process.argv.slice(2)];
createRequire(import.meta.url)(program);

/** With COUNT_LIST=1, also prints each function. */
function print(scripts) {
  const ran = scripts.flatMap(({ url, functions }) => {
    const name = /\/dist\/([^/]+\.cjs)$/.exec(url)?.[1];
    if (name === undefined) return [];
    const before = Module.wrapper[0].length;
    // esbuild writes such a comment before each module.
    const code = readFileSync(new URL(`../dist/${name}`, import.meta.url), 'latin1');
    const modules = [...code.matchAll(/^ *\/\/ (\S+\.[cm]?[jt]s)$/gm)];
    return functions.flatMap(({ functionName, ranges: [{ startOffset, endOffset, count }] }) => {
      const file = modules.findLast(({ index }) => index < startOffset - before)?.[1];
      // A function with the name of the file only loads it.
      if (count === 0 || !file?.startsWith('src/') || functionName.endsWith('.ts')) return [];
      // This function only passes an export to another part of the program.
      if (/^\(\) => \w+$/.test(code.slice(startOffset - before, endOffset - before))) return [];
      return [{ file, functionName }];
    });
  });
  if (process.env.COUNT_LIST) {
    for (const { file, functionName } of ran)
      process.stderr.write(`${file} ${functionName || '(anonymous)'}\n`);
  }
  process.stderr.write(`${new Set(ran.map(({ file }) => file)).size} files, ${ran.length} functions\n`);
}
