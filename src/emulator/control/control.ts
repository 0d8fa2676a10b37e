// The control calls under /_emulator/, with which a test moves the clock, asks for faults and looks behind the service.
// This finds the call and reads its JSON body; what each does stands in this folder's other files.

import { parseJson, whyInvalidJson } from '../../contract/json.ts';
import { Refused } from '../../contract/value.ts';
import { type Answer, allowing, json } from '../answer.ts';
import type { Prepared } from '../api.ts';
import { asGiven } from '../arguments.ts';
import { pairsOf, type Received } from '../received.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import { clockCall } from './clock-call.ts';
import type { ControlCall } from './control-call.ts';
import { deliveriesCall } from './deliveries-call.ts';
import { eventsCall } from './events-call.ts';
import { faultsCall, forgetFaults, listFaults } from './faults-call.ts';
import { massActionCall } from './mass-action-call.ts';
import { resetCall } from './reset-call.ts';
import { createTasksCall, deleteTaskCall } from './tasks-call.ts';
import { removeUserCall, revokeCall, tokenCall, tokensCall, userCall, usersCall } from './users-call.ts';

type Control = (call: ControlCall) => unknown;

export const controls: Readonly<Record<string, Control>> = {
  'GET /clock': clockCall,
  'POST /clock': clockCall,
  'GET /deliveries': deliveriesCall,
  'POST /events': eventsCall,
  'GET /faults': listFaults,
  'POST /faults': faultsCall,
  'DELETE /faults': forgetFaults,
  'POST /mass-actions': massActionCall,
  'GET /mails': ({ service }) => ({ mails: [...service.store.mails.values()] }),
  'POST /reset': resetCall,
  'POST /tasks': createTasksCall,
  'DELETE /tasks/{id}': deleteTaskCall,
  'GET /users': usersCall,
  'POST /users/{id}': userCall,
  'DELETE /users/{id}': removeUserCall,
  'GET /tokens': tokensCall,
  'POST /tokens': tokenCall,
  'POST /revocations': revokeCall,
};

/** The last part of the path is an id where the call takes one. */
function named(path: string): { readonly what: string; readonly id: string } {
  const [, collection = '', id = '', ...rest] = path.split('/');
  return { what: [`/${collection}`, ...(id === '' ? [] : ['{id}']), ...rest].join('/'), id };
}

const methods: readonly string[] = ['GET', 'POST', 'DELETE'];

async function bodyOf(received: Received): Promise<unknown> {
  const text = await received.body();
  if (text === '') return {};
  try {
    return parseJson(text);
  } catch (error) {
    throw new Refusal('invalid_request', `The body ${whyInvalidJson(error)}`);
  }
}

async function answer(service: Service, received: Received, path: string): Promise<Answer> {
  const { what, id } = named(path);
  if (received.method === 'OPTIONS') {
    const found = methods.filter((method) => Object.hasOwn(controls, `${method} ${what}`));
    return allowing(found, path);
  }
  const control = controls[`${received.method === 'HEAD' ? 'GET' : received.method} ${what}`];
  if (control === undefined) {
    throw new Refusal(
      'method_not_found',
      `There is no control request ${received.method} ${path}; there are: ${Object.keys(controls).join(', ')}`,
    );
  }
  const query = new Map(asGiven(pairsOf(received.query)).map(({ name, value }) => [name, String(value)]));
  const body = received.method === 'POST' ? await bodyOf(received) : {};
  try {
    return json(200, await control({ service, body, query, id }));
  } catch (error) {
    if (error instanceof Refused) throw new Refusal('invalid_parameter', error.message);
    throw error;
  }
}

export function prepareControl(service: Service, received: Received, path: string): Prepared {
  return { name: 'control', run: () => answer(service, received, path) };
}
