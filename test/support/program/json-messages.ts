// What standard error says where it is read by a program: with JSON, each message is a line of JSON. Tests of what is said read
// the texts; that nothing else is there is checked for each run.

import assert from 'node:assert/strict';

const kinds = ['info', 'warning', 'trace'];

/** The texts of the messages, a line each as a person reads them. What is no message, as a failure, stays as it is. */
export function textsOf(errors: string): string {
  return errors.replace(/^\{"(?:info|warning|trace|details)":.*\}$/gm, (line) => {
    const [[kind, value] = ['', ''], ...others] = Object.entries(JSON.parse(line));
    if (others.length > 0) return line;
    if (kinds.includes(kind)) return String(value);
    const rows = Object.entries(Object(value));
    const widest = Math.max(...rows.map(([title]) => title.length));
    return rows.map(([title, cell]) => `  ${title.padEnd(widest)}  ${cell}`).join('\n');
  });
}

/** Of a run with --json: each line is an object. jq itself writes what its `debug` and `stderr` say. */
export function assertJsonLines(typed: readonly string[], errors: string): void {
  const own = typed.includes('--') ? typed.slice(0, typed.indexOf('--')) : typed;
  if (!own.includes('--json') || own.some((text) => text.startsWith('--jq'))) return;
  for (const line of errors.split('\n').filter(Boolean))
    assert.ok(line.startsWith('{') && JSON.parse(line), `a line of JSON: ${line}`);
}
