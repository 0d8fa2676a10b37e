// The control endpoints under /_emulator/, for tests: clock, faults, events, deliveries, users and tokens. This routes a
// request and reads its JSON body; the other files of this folder handle it.

import { describeJsonError, parseJson } from '#contract/json.ts';
import { ValidationError } from '#contract/schema.ts';
import type { PreparedRequest } from '../endpoints/api.ts';
import { toRawArguments } from '../http/arguments.ts';
import { ErrorResponse, invalidRequest } from '../http/error-response.ts';
import { parsePairs, type ReceivedRequest } from '../http/request.ts';
import { jsonResponse, type OutgoingResponse, optionsResponse } from '../http/response.ts';
import type { Service } from '../service/service.ts';
import type { ControlRequest } from './control-request.ts';
import { eventsEndpoint } from './events-endpoint.ts';
import {
  addFault,
  addStub,
  clearFaults,
  clearRequests,
  clearStubs,
  deliveriesEndpoint,
  listFaults,
  listRequests,
  listStubs,
} from './log-endpoints.ts';
import {
  addApplication,
  clockEndpoint,
  createTasks,
  deleteTask,
  listApplications,
  massActionEndpoint,
  resetEndpoint,
  seedEndpoint,
} from './record-endpoints.ts';
import {
  changeUser,
  createToken,
  listTokens,
  listUsers,
  removeUser,
  revokeTokensFor,
} from './users-endpoint.ts';

type ControlEndpoint = (request: ControlRequest) => unknown;

export const controlEndpoints = {
  'GET /applications': listApplications,
  'POST /applications': addApplication,
  'GET /clock': clockEndpoint,
  'POST /clock': clockEndpoint,
  'GET /deliveries': deliveriesEndpoint,
  'POST /events': eventsEndpoint,
  'GET /faults': listFaults,
  'POST /faults': addFault,
  'DELETE /faults': clearFaults,
  'POST /mass-actions': massActionEndpoint,
  'GET /mails': ({ service }: ControlRequest) => ({ mails: [...service.store.mails.values()] }),
  'GET /requests': listRequests,
  'DELETE /requests': clearRequests,
  'POST /reset': resetEndpoint,
  'GET /seed': seedEndpoint,
  'GET /stubs': listStubs,
  'POST /stubs': addStub,
  'DELETE /stubs': clearStubs,
  'POST /tasks': createTasks,
  'DELETE /tasks/{id}': deleteTask,
  'GET /users': listUsers,
  'POST /users/{id}': changeUser,
  'DELETE /users/{id}': removeUser,
  'GET /tokens': listTokens,
  'POST /tokens': createToken,
  'POST /revocations': revokeTokensFor,
} as const satisfies Readonly<Record<string, ControlEndpoint>>;

/** The method and the path of a control request; `{id}` stands for an id. */
export type ControlName = keyof typeof controlEndpoints;
const isControlName = (text: string): text is ControlName => Object.hasOwn(controlEndpoints, text);

/** The name of every control request: no fault concerns one, and the log has none. */
export const controlName = 'control';

function matchPath(path: string): { readonly what: string; readonly id: string } {
  const [, collection = '', id = '', ...rest] = path.split('/');
  return { what: [`/${collection}`, ...(id === '' ? [] : ['{id}']), ...rest].join('/'), id };
}

const controlMethods: readonly string[] = ['GET', 'POST', 'DELETE'];

async function parseBody(request: ReceivedRequest): Promise<unknown> {
  const text = await request.body();
  if (text === '') return {};
  try {
    return parseJson(text);
  } catch (error) {
    throw invalidRequest(`The body ${describeJsonError(error)}`, 'emulator');
  }
}

type ControlResults = {
  readonly [N in ControlName]: Awaited<ReturnType<(typeof controlEndpoints)[N]>>;
};
/** The same functions, typed so that the result belongs to the name. */
const byName: {
  readonly [N in ControlName]: (request: ControlRequest) => ControlResults[N] | Promise<ControlResults[N]>;
} = controlEndpoints;

/** Runs control requests of the program that has the emulator in its own process. Throws {@link ErrorResponse}. */
export type Control = <N extends ControlName>(
  name: N,
  given?: Partial<Omit<ControlRequest, 'service'>>,
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

async function respond(service: Service, request: ReceivedRequest, path: string): Promise<OutgoingResponse> {
  const { method } = request;
  const { what, id } = matchPath(path);
  if (method === 'OPTIONS') {
    const found = controlMethods.filter((one) => isControlName(`${one} ${what}`));
    return optionsResponse(found, path);
  }
  const name = `${method === 'HEAD' ? 'GET' : method} ${what}`;
  if (name === 'GET /') return jsonResponse(200, overview);
  if (!isControlName(name)) {
    throw new ErrorResponse(
      'method_not_found',
      `Unknown control endpoint: ${method} ${path}. Control endpoints: ${Object.keys(controlEndpoints).join(', ')}`,
      'emulator',
    );
  }
  const query = new Map(
    toRawArguments(parsePairs(request.query)).map(({ name, value }) => [name, String(value)]),
  );
  const body = method === 'POST' ? await parseBody(request) : {};
  return jsonResponse(200, await createControl(service)(name, { body, query, id }));
}

export function prepareControlRequest(
  service: Service,
  request: ReceivedRequest,
  path: string,
): PreparedRequest {
  return { name: controlName, run: () => respond(service, request, path) };
}
