// Every row of the contract, section by section, as rows.txt says. Which test holds a row is the business of docs/contract-tests.md, where a
// line `every other event` stands for the events without a line of their own.

import { readFileSync } from 'node:fs';
import { events } from './events.ts';
import { records } from './records.ts';
import { taskParameters } from './task-update.ts';

const task = records.find(({ record }) => record === 'Task');

const listed: Readonly<Record<string, readonly string[]>> = {
  'Task.*': (task?.fields ?? []).map(([name]) => `Task.${name}`),
  'parameter *': taskParameters.map(({ name }) => `parameter ${name}`),
  'event *': events.map(({ name }) => `event ${name}`),
};

const groups = readFileSync('test/witness/rows.txt', 'utf8').split('\n\n').slice(1);

export const sections = groups.map((group) => {
  const [section = '', ...lines] = group.trim().split(/\n */);
  return { section, rows: lines.flatMap((line) => listed[line] ?? line) };
});
