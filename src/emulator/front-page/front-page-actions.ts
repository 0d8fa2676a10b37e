// The actions of the front page's buttons: each is a control request. A submitted form is answered with a redirect, so that reloading
// the page repeats nothing.

import { type Control, createControl } from '../control/routes.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { parsePairs, type ReceivedRequest } from '../http/request.ts';
import type { Service } from '../service/service.ts';

type Fields = ReadonlyMap<string, string>;

interface Action {
  readonly confirmation: string;
  readonly section: string;
  readonly run: (control: Control, fields: Fields) => Promise<unknown>;
}

/** A number, or the text that was typed: the control request then reports what is wrong. */
function numberIn(fields: Fields, name: string): unknown {
  const text = fields.get(name)?.trim() ?? '';
  if (text === '') return undefined;
  return Number.isNaN(Number(text)) ? text : Number(text);
}

const withoutEmpty = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''));

export const frontPageActions = {
  advance: {
    confirmation: 'The clock has advanced, and the jobs that were due have run.',
    section: 'clock',
    run: (control, fields) =>
      control('POST /clock', { body: { advanceSeconds: numberIn(fields, 'seconds') ?? 0 } }),
  },
  freeze: {
    confirmation: 'The clock stands still.',
    section: 'clock',
    run: (control) => control('POST /clock', { body: { freeze: true } }),
  },
  resume: {
    confirmation: 'The clock runs again.',
    section: 'clock',
    run: (control) => control('POST /clock', { body: { resume: true } }),
  },
  'add-fault': {
    confirmation: 'The fault is armed.',
    section: 'faults',
    run: (control, fields) =>
      control('POST /faults', {
        body: withoutEmpty({
          request: fields.get('request'),
          status: numberIn(fields, 'status'),
          delayMs: numberIn(fields, 'delay'),
          times: numberIn(fields, 'times'),
        }),
      }),
  },
  'clear-faults': {
    confirmation: 'All faults are cleared.',
    section: 'faults',
    run: (control) => control('DELETE /faults'),
  },
  emit: {
    confirmation: 'The event was sent to the webhooks that cover it.',
    section: 'deliveries',
    run: (control, fields) => control('POST /events', { body: { eventType: fields.get('event') } }),
  },
  'make-tasks': {
    confirmation: 'The tasks are created.',
    section: 'tasks',
    run: (control, fields) => control('POST /tasks', { body: { count: numberIn(fields, 'count') } }),
  },
  reset: {
    confirmation: 'The sample data is back, and the clock shows the real time.',
    section: 'reset',
    run: (control) => control('POST /reset'),
  },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof frontPageActions;

export function isAction(name: string): name is ActionName {
  return Object.hasOwn(frontPageActions, name);
}

/** Runs the action of a submitted form. Throws {@link ErrorResponse}. */
export async function runAction(service: Service, request: ReceivedRequest): Promise<ActionName> {
  const fields = new Map(parsePairs(await request.body()).map(([name, value]) => [name, value]));
  const name = fields.get('do') ?? '';
  if (!isAction(name)) throw new ErrorResponse('invalid_parameter', 'The form names no action', 'emulator');
  const { run }: Action = frontPageActions[name];
  await run(createControl(service), fields);
  return name;
}
