// What the buttons of the front page do: each is a control request. A page that was submitted is left by a redirect, so that
// loading it again repeats nothing.

import { type Control, createControl } from '../control/routes.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { parsePairs, type ReceivedRequest } from '../http/request.ts';
import type { Service } from '../service/service.ts';

type Fields = ReadonlyMap<string, string>;

interface Action {
  /** The confirmation on the page afterwards. */
  readonly said: string;
  /** The part of the page where the button is. */
  readonly section: string;
  readonly run: (control: Control, fields: Fields) => Promise<unknown>;
}

/** A number, or what was typed: the control request says what is wrong with it. */
function numberIn(fields: Fields, name: string): unknown {
  const text = fields.get(name)?.trim() ?? '';
  if (text === '') return undefined;
  return Number.isNaN(Number(text)) ? text : Number(text);
}

const given = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''));

export const frontPageActions = {
  advance: {
    said: 'The clock has advanced, and what was due has run.',
    section: 'clock',
    run: (control, fields) =>
      control('POST /clock', { body: { advanceSeconds: numberIn(fields, 'seconds') ?? 0 } }),
  },
  freeze: {
    said: 'The clock stands still.',
    section: 'clock',
    run: (control) => control('POST /clock', { body: { freeze: true } }),
  },
  resume: {
    said: 'The clock runs again.',
    section: 'clock',
    run: (control) => control('POST /clock', { body: { resume: true } }),
  },
  'add-fault': {
    said: 'The fault is armed.',
    section: 'faults',
    run: (control, fields) =>
      control('POST /faults', {
        body: given({
          request: fields.get('request'),
          status: numberIn(fields, 'status'),
          delayMs: numberIn(fields, 'delay'),
          times: numberIn(fields, 'times'),
        }),
      }),
  },
  'clear-faults': {
    said: 'No fault is armed any more.',
    section: 'faults',
    run: (control) => control('DELETE /faults'),
  },
  emit: {
    said: 'The event was sent to the webhooks that listen for it.',
    section: 'deliveries',
    run: (control, fields) => control('POST /events', { body: { eventType: fields.get('event') } }),
  },
  'make-tasks': {
    said: 'The tasks are there.',
    section: 'tasks',
    run: (control, fields) => control('POST /tasks', { body: { count: numberIn(fields, 'count') } }),
  },
  reset: {
    said: 'The sample data is back, and the clock shows the real time.',
    section: 'reset',
    run: (control) => control('POST /reset'),
  },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof frontPageActions;

export function isAction(name: string): name is ActionName {
  return Object.hasOwn(frontPageActions, name);
}

/** Runs what a form of the page asks for. Throws {@link ErrorResponse} for what cannot be done. */
export async function runAction(service: Service, request: ReceivedRequest): Promise<ActionName> {
  const fields = new Map(parsePairs(await request.body()).map(([name, value]) => [name, value]));
  const name = fields.get('do') ?? '';
  if (!isAction(name))
    throw new ErrorResponse('invalid_parameter', 'The form names nothing to do', 'emulator');
  const { run }: Action = frontPageActions[name];
  await run(createControl(service), fields);
  return name;
}
