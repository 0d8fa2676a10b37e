// Loaded into a Node process under test (NODE_OPTIONS=--require): it counts its own asynchronous steps, and sends itself a
// signal at one of them. A test that picks the step at random kills or stops a process anywhere, without waiting for it.
// AT_STEP is `WORD STEP SIGNAL FILE`: the word is in the command line of the processes that count. At its end, or before
// the signal, a process writes into the file how far it has come; a file that is there already is a signal sent already.

'use strict';
const { createHook } = require('node:async_hooks');
const { existsSync, renameSync, writeFileSync } = require('node:fs');

const [word, step, signal, file] = (process.env['AT_STEP'] ?? '').split(' ');
let steps = 0;
let isDone = false;

function note(how) {
  isDone = true;
  // Whole, for whoever reads it at that moment.
  writeFileSync(`${file}.new`, `${how} ${steps} ${process.pid}`);
  renameSync(`${file}.new`, file);
}

if (process.argv.includes(word) && !existsSync(file)) {
  const counted = createHook({
    init() {
      steps++;
      if (isDone || steps !== Number(step)) return;
      note('reached');
      process.kill(process.pid, signal);
    },
  });
  counted.enable();
  process.on('exit', () => {
    if (!isDone) note('ended');
  });
}
