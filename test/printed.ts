// A command that the program printed, as the shell would take it apart: a test runs it, since a hint that is a command
// must work as it is printed.

import assert from 'node:assert/strict';

/** The words after `wm` of the command that stands behind `before` in a text, up to the end of the line. */
export function printedCommand(text: string, before: string): string[] {
  const start = text.indexOf(`${before}wm `);
  assert.notEqual(start, -1, `there is no command behind ${JSON.stringify(before)} in:\n${text}`);
  const [line = ''] = text.slice(start + before.length).split('\n');
  const words = line.matchAll(/(?:\\.|'[^']*'|[^\s'\\])+/g);
  return [...words]
    .slice(1)
    .map(([word]) => word.replaceAll(/\\(.)|'([^']*)'/g, (_, escaped, quoted) => escaped ?? quoted));
}
