// The actions of the front page's buttons: each is a control request. A submitted form is answered with a redirect, so that reloading
// the page repeats nothing.

import { omitUndefined } from '#omit-undefined.ts';
import { type Control, createControl } from '../control/routes.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { parsePairs, type ReceivedRequest } from '../http/request.ts';
import type { Service } from '../service/service.ts';

type Fields = ReadonlyMap<string, string>;

type Action = readonly [
  section: string,
  confirmation: string,
  run: (control: Control, fields: Fields) => Promise<unknown>,
];

/** A number, or the text that was typed: the control request then reports what is wrong. */
function numberIn(fields: Fields, name: string): unknown {
  const text = fields.get(name)?.trim() ?? '';
  if (text === '') return undefined;
  return Number.isNaN(Number(text)) ? text : Number(text);
}

export const frontPageActions = {
  advance: [
    'clock',
    'The clock has advanced, and the jobs that were due have run.',
    (control, fields) =>
      control('POST /clock', { body: { advanceSeconds: numberIn(fields, 'seconds') ?? 0 } }),
  ],
  freeze: [
    'clock',
    'The clock stands still.',
    (control) => control('POST /clock', { body: { freeze: true } }),
  ],
  resume: ['clock', 'The clock runs again.', (control) => control('POST /clock', { body: { resume: true } })],
  'add-fault': [
    'faults',
    'The fault is armed.',
    (control, fields) => {
      const [status, delayMs, times] = ['status', 'delay', 'times'].map((name) => numberIn(fields, name));
      const request = fields.get('request') || undefined;
      return control('POST /faults', { body: omitUndefined({ request, status, delayMs, times }) });
    },
  ],
  'clear-faults': ['faults', 'All faults are cleared.', (control) => control('DELETE /faults')],
  emit: [
    'deliveries',
    'The event was sent to the webhooks that cover it.',
    (control, fields) => control('POST /events', { body: { eventType: fields.get('event') } }),
  ],
  'make-tasks': [
    'tasks',
    'The tasks are created.',
    (control, fields) => control('POST /tasks', { body: { count: numberIn(fields, 'count') } }),
  ],
  reset: [
    'reset',
    'The sample data is back, and the clock shows the real time.',
    (control) => control('POST /reset'),
  ],
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof frontPageActions;

export function isAction(name: string): name is ActionName {
  return Object.hasOwn(frontPageActions, name);
}

/** Runs the action of a submitted form, and returns the address that confirms it. Throws {@link ErrorResponse}. */
export async function runAction(service: Service, request: ReceivedRequest): Promise<string> {
  const fields = new Map(parsePairs(await request.body()).map(([name, value]) => [name, value]));
  const name = fields.get('do') ?? '';
  if (!isAction(name)) throw new ErrorResponse('invalid_parameter', 'The form names no action', 'emulator');
  const [section, , run]: Action = frontPageActions[name];
  await run(createControl(service), fields);
  return `/?done=${name}#${section}`;
}
