// The control endpoints under /_emulator/, for tests: clock, faults, events, deliveries, users and tokens. This file routes a request
// and reads its JSON body; the other files of this folder handle it.

import { describeJsonError, parseJson } from '#contract/json.ts';
import { replaceError, ValidationError } from '#contract/schema.ts';
import { ErrorResponse, invalidRequest } from '../http/error-response.ts';
import { parsePairs, type ReceivedRequest } from '../http/request.ts';
import { jsonResponse, optionsResponse } from '../http/response.ts';
import type { ControlRequest, Service } from '../service/service.ts';
import { eventsEndpoint } from './events-endpoint.ts';
import { addFault, addStub, deliveriesEndpoint, listRequests } from './log-endpoints.ts';
import * as records from './record-endpoints.ts';
import { changeUser, createToken, listTokens, removeUser, revokeTokensFor } from './users-endpoint.ts';

const controlEndpoints = {
  'GET /applications': records.listApplications,
  'POST /applications': records.addApplication,
  'GET /clock': records.clockEndpoint,
  'POST /clock': records.clockEndpoint,
  'GET /deliveries': deliveriesEndpoint,
  'POST /events': eventsEndpoint,
  'GET /faults': ({ service }: ControlRequest) => ({ faults: service.faults.all }),
  'POST /faults': addFault,
  'DELETE /faults': ({ service: { faults } }: ControlRequest) => {
    faults.clear();
    return { faults: faults.all };
  },
  'POST /mass-actions': records.massActionEndpoint,
  'GET /mails': ({ service }: ControlRequest) => ({ mails: [...service.store.mails.values()] }),
  'GET /requests': listRequests,
  'DELETE /requests': ({ service: { requests } }: ControlRequest) => {
    requests.clear();
    return { requests: [], last: requests.last, removed: 0 };
  },
  'POST /reset': records.resetEndpoint,
  'GET /seed': records.seedEndpoint,
  'GET /stubs': ({ service }: ControlRequest) => ({ stubs: service.stubs.all }),
  'POST /stubs': addStub,
  'DELETE /stubs': ({ service: { stubs } }: ControlRequest) => {
    stubs.clear();
    return { stubs: stubs.all };
  },
  'POST /tasks': records.createTasks,
  'DELETE /tasks/{id}': records.deleteTask,
  'GET /users': ({ service }: ControlRequest) => ({ users: [...service.store.users.values()] }),
  'POST /users/{id}': changeUser,
  'DELETE /users/{id}': removeUser,
  'GET /tokens': listTokens,
  'POST /tokens': createToken,
  'POST /revocations': revokeTokensFor,
} as const satisfies Readonly<Record<string, (request: ControlRequest) => unknown>>;

type ControlName = keyof typeof controlEndpoints;
const isControlName = (text: string): text is ControlName => Object.hasOwn(controlEndpoints, text);

/** The name of every control request, which faults and the log omit. */
export const controlName = 'control';

async function parseBody(request: ReceivedRequest): Promise<unknown> {
  const text = await request.body();
  const problem = (error: SyntaxError) => invalidRequest(`The body ${describeJsonError(error)}`, 'emulator');
  return text === '' ? {} : replaceError(SyntaxError, () => parseJson(text), problem);
}

type ControlResults = {
  readonly [N in ControlName]: Awaited<ReturnType<(typeof controlEndpoints)[N]>>;
};
/** The endpoints again, typed so that the result follows from the name. */
const byName: {
  readonly [N in ControlName]: (request: ControlRequest) => ControlResults[N] | Promise<ControlResults[N]>;
} = controlEndpoints;

/** Runs control requests within the process of the emulator. Throws {@link ErrorResponse}. */
export type Control = <N extends ControlName>(
  name: N,
  request?: Partial<Omit<ControlRequest, 'service'>>,
) => Promise<ControlResults[N]>;

export function createControl(service: Service): Control {
  return async (name, { body = {}, query = new Map(), id = '' } = {}) => {
    try {
      return await byName[name]({ service, body, query, id });
    } catch (error) {
      if (error instanceof ValidationError)
        throw new ErrorResponse('invalid_parameter', error.message, 'emulator');
      throw error;
    }
  };
}

/** The response to a request for the prefix alone: a list of the control requests. */
const overview = {
  controlRequests: Object.keys(controlEndpoints).map((name) => name.replace(' ', ' /_emulator')),
  commands: 'wm emulator --help',
};

/** `path`: below the prefix. */
export async function handleControlRequest(service: Service, request: ReceivedRequest, path: string) {
  const { method } = request;
  const [, collection = '', id = '', ...rest] = path.split('/');
  const pattern = [`/${collection}`, ...(id === '' ? [] : ['{id}']), ...rest].join('/');
  if (method === 'OPTIONS') {
    const allowed = ['GET', 'POST', 'DELETE'].filter((candidate) => isControlName(`${candidate} ${pattern}`));
    return optionsResponse(allowed, path);
  }
  const name = `${method === 'HEAD' ? 'GET' : method} ${pattern}`;
  if (name === 'GET /') return jsonResponse(200, overview);
  if (!isControlName(name))
    throw new ErrorResponse(
      'method_not_found',
      `Unknown control endpoint: ${method} ${path}. Control endpoints: ${Object.keys(controlEndpoints).join(', ')}`,
      'emulator',
    );
  const query = new Map(parsePairs(request.query).map(([name, value]) => [name, value]));
  const body = method === 'POST' ? await parseBody(request) : {};
  return jsonResponse(200, await createControl(service)(name, { body, query, id }));
}
