// Adds up, over all processes, how often each branch was taken.

import { readdir, readFile, rm } from 'node:fs/promises';
import { slashed } from '../choose-tests.mjs';
import { countBranches, listBranches, wrapped } from './branches.mjs';
import { countsOf } from './counts.mjs';

const inlineMap = /\/\/# sourceMappingURL=data:application\/json;base64,([A-Za-z0-9+/=]+)\s*$/;

/** The branches of all that was built in `tree`, and an empty count for each. */
export async function createTotals(tree) {
  /** Path of a built file -> its branches. */
  const scripts = new Map();
  /** Key of a branch -> itself and how often it was taken. Only those of the program count; tests bundle less of it. */
  const branches = new Map();
  let processes = 0;
  let lost = 0;

  for (const file of (await readdir(`${tree}dist`)).filter((name) => name.endsWith('.cjs'))) {
    const code = await readFile(`${tree}dist/${file}`, 'utf8');
    const map = JSON.parse(await readFile(`${tree}dist/${file}.map`, 'utf8'));
    const found = listBranches(code, map, false);
    scripts.set(`dist/${file}`, { found, shift: file === 'main.cjs' ? wrapped : 0 });
    for (const branch of found) branches.set(branch.key, { ...branch, taken: 0 });
  }
  const unbuilt = await compareWithSource(tree, branches);
  for (const file of await readdir(`${tree}build/test`, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const code = await readFile(`${tree}build/test/${file}`, 'utf8');
    const encoded = inlineMap.exec(code.slice(code.lastIndexOf('\n//# sourceMappingURL=')))?.[1];
    if (encoded === undefined) throw new Error(`${file} has no source map`);
    const map = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
    const found = listBranches(code, map, true);
    scripts.set(`build/test/${file}`, { found, shift: 0 });
  }

  function count({ path, ranges }) {
    const script = scripts.get(path);
    if (script === undefined) return;
    const countAt = countsOf(ranges);
    for (const { key, at, minus } of script.found) {
      const branch = branches.get(key);
      if (branch === undefined) continue;
      const times = minus.reduce(
        (sum, place) => sum - countAt(place + script.shift),
        countAt(at + script.shift),
      );
      if (times > 0) branch.taken += times;
    }
  }

  return {
    branches,
    /** Files with branches that the build leaves out, since nothing uses them: `src/...: 2 of 60`. */
    unbuilt,
    processes: () => ({ processes, lost }),
    /** Adds what the processes of a tree have written since, and removes it. */
    async add(own) {
      const folder = `${own}build/counts`;
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        const path = `${folder}/${name}`;
        if (name.endsWith('.json')) {
          for (const script of JSON.parse(await readFile(path, 'utf8'))) count(script);
          processes++;
        } else if (name.endsWith('.started')) lost++;
        await rm(path, { force: true });
      }
    },
  };
}

/** Every branch of the source must be in the build once, but for what nothing uses, or the figures are about something else. */
async function compareWithSource(tree, branches) {
  const built = new Map();
  for (const { file } of branches.values()) built.set(file, (built.get(file) ?? 0) + 1);
  const unbuilt = [];
  for (const name of await readdir(`${tree}src`, { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const file = `src/${slashed(name)}`;
    const count = countBranches(await readFile(`${tree}${file}`, 'utf8'));
    const inBuild = built.get(file) ?? 0;
    if (inBuild > count) throw new Error(`${file} has ${count} branches, and the build ${inBuild} of them`);
    if (inBuild < count) unbuilt.push(`${file}: ${count - inBuild} of ${count}`);
  }
  return unbuilt;
}
