// Loaded first in every process of a mutation run: says which mutant is on, as a file of its tree tells it, which no test
// can take out of an environment. For the run that finds out which test file runs which mutants, all are off, and each is
// written down when a process first comes to it: a process that is killed has told it before.

'use strict';
const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(__dirname, '..', '..', 'build');
const active = readFileSync(join(folder, 'mutant'), 'utf8').trim();

if (active === 'hits') {
  const seen = new Set();
  globalThis.wmMutant = (id) => {
    if (!seen.has(id)) {
      seen.add(id);
      appendFileSync(join(folder, 'hits'), `${id}\n`);
    }
    return false;
  };
} else {
  const on = Number(active);
  globalThis.wmMutant = (id) => id === on;
}
