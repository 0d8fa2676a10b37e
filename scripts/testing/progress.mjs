// Shows a test run. On a terminal: one changing line with failures above it. In a log: one line per file, and whole failures. At
// the end: the failures again, skipped tests with reasons, and the counts.

import { clearLine, cursorTo } from 'node:readline';

/** `expected`: the recorded number of tests, for the changing line. */
export function createProgress({ output, isTerminal, columns, files, expected, now }) {
  const begins = now();
  const running = new Map();
  const failures = [];
  const skips = new Map();
  let passed = 0;
  let ended = 0;

  const clear = () => {
    if (!isTerminal) return;
    clearLine(output, 0);
    cursorTo(output, 0);
  };
  const print = (text) => {
    clear();
    output.write(`${text}\n`);
    draw();
  };
  const draw = () => {
    if (!isTerminal) return;
    const counts = [
      `${count(passed + failures.length)}${expected === undefined ? '' : ` of ${count(expected)}`} tests`,
      ...(failures.length > 0 ? [`${failures.length} failed`] : []),
      `${ended} of ${files} files`,
    ].join(', ');
    const line = `${counts}: ${[...running.values()].at(-1) ?? ''}`;
    clear();
    // Each character in one cell, so that the line never wraps.
    output.write(line.replace(/[^\x20-\x7e]/g, '?').slice(0, columns - 1));
  };

  return {
    on(event) {
      if (event.kind === 'begins') running.set(event.file, `${event.file} > ${event.name}`);
      if (event.kind === 'output') print(event.text.trimEnd());
      if (event.kind === 'test') {
        if (event.failure !== undefined) {
          const name = `${event.file} > ${event.name}`;
          failures.push(`${name}\n    ${event.failure.split('\n')[0]}`);
          print(`FAILED ${name}\n${indent(event.failure)}`);
        } else if (event.skip !== undefined) skips.set(event.skip, (skips.get(event.skip) ?? 0) + 1);
        else passed++;
      }
      if (event.kind === 'file') {
        ended++;
        running.delete(event.file);
        const seconds = (event.ms / 1000).toFixed(1).padStart(6);
        if (!isTerminal) print(`${seconds} s ${String(event.tests).padStart(4)} tests  ${event.file}`);
      }
      draw();
    },
    /** Prints the counts and the final message. */
    end() {
      clear();
      const skipped = [...skips.values()].reduce((sum, number) => sum + number, 0);
      if (failures.length > 0)
        output.write(`\nFailed tests: ${failures.length}\n\n${failures.join('\n')}\n\n`);
      for (const [reason, number] of skips) output.write(`Skipped ${number}: ${reason}\n`);
      const seconds = Math.round((now() - begins) / 1000);
      const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
      output.write(
        `${count(passed)} passed, ${count(failures.length)} failed, ${count(skipped)} skipped, in ${time}\n`,
      );
      return { tests: passed + failures.length + skipped, failed: failures.length };
    },
  };
}

export function count(number) {
  return number.toLocaleString('en');
}

function indent(text) {
  return text.replace(/^(?=.)/gm, '    ');
}
