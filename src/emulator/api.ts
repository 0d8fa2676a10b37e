// A call of the API from its request to its answer: which operation, who calls, with which parameters, then the call
// itself. `method`, `state` and `access_token` of the query are taken out here, since every call may have them.

import { type Operation, operations } from '../contract/operation.ts';
import { type Answer, allowing, failure, type Result, success } from './answer.ts';
import { argumentsFrom, asGiven, givenInBody } from './arguments.ts';
import { mustCover, sessionOf } from './authenticate.ts';
import { accountCalls } from './calls/account.ts';
import { attachmentCalls, attachmentOperations } from './calls/attachments.ts';
import type { Call, Calls } from './calls/call.ts';
import { commentCalls, commentOperations } from './calls/comments.ts';
import { listCalls, listOperations } from './calls/lists.ts';
import { namedCalls, namedOperations } from './calls/named-only.ts';
import { taskCalls } from './calls/tasks.ts';
import { timelogCalls, timelogOperations } from './calls/timelogs.ts';
import { webhookCalls } from './calls/webhooks.ts';
import { takePage } from './paging.ts';
import { pairsOf, type Received } from './received.ts';
import { invalidParameter, Refusal } from './refusal.ts';
import { type Route, Router } from './router.ts';
import { isNavigation } from './same-origin.ts';
import type { Service } from './service.ts';

const named = { ...namedCalls, ...commentCalls, ...timelogCalls, ...attachmentCalls, ...listCalls };
const calls: Calls & typeof named = { ...taskCalls, ...webhookCalls, ...accountCalls, ...named };
const rows = {
  ...operations,
  ...namedOperations,
  ...commentOperations,
  ...timelogOperations,
  ...attachmentOperations,
  ...listOperations,
};
type Name = keyof typeof rows;

/** By which faults are asked for. */
export const callNames: readonly string[] = Object.keys(rows);

// The rows are written with exactly these keys.
const router = new Router(Object.entries(rows) as [Name, Operation][]);

interface Common {
  readonly method?: string;
  readonly state?: string;
  readonly access_token?: string;
}

const commonNames: readonly string[] = ['method', 'state', 'access_token'];
export const methods: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'];

interface Query {
  readonly common: Common;
  readonly rest: readonly (readonly [string, string])[];
}

function queryOf({ query, method }: Received): Query {
  const pairs = pairsOf(query);
  const common: Record<string, string> = {};
  for (const [name, value] of pairs) {
    if (!commonNames.includes(name)) continue;
    if (name in common) throw invalidParameter(name, 'it stands there more than once');
    common[name] = value;
  }
  if (common['method'] !== undefined) {
    if (method !== 'GET') throw invalidParameter('method', `it comes with GET alone, not with ${method}`);
    if (!methods.includes(common['method']))
      throw invalidParameter('method', `it is not one of ${methods.join(', ')}`);
  }
  return { common, rest: pairs.filter(([name]) => !commonNames.includes(name)) };
}

/** An API call that has found its operation and waits to be run. */
export interface Prepared {
  /** The name by which faults are asked for. */
  readonly name: string;
  readonly run: () => Promise<Answer>;
}

export function prepareApi(service: Service, received: Received, path: string): Prepared {
  if (received.method === 'OPTIONS')
    return { name: 'options', run: async () => allowing(router.methods(path), path) };
  try {
    const query = queryOf(received);
    const asked = received.method === 'HEAD' ? 'GET' : received.method;
    const route = router.find(query.common.method ?? asked, path);
    // Whoever types the address of a page may be redirected here by it, and the browser names no other site then.
    if (query.common.method !== undefined && query.common.method !== 'GET' && isNavigation(received))
      throw new Refusal(
        'access_forbidden',
        `A browser's address bar changes nothing: send the request from a program`,
      );
    return {
      name: route.name,
      run: () => answer(() => run(service, received, route, query), query.common.state),
    };
  } catch (error) {
    return { name: 'none', run: () => answer(() => Promise.reject(error), undefined) };
  }
}

async function answer(call: () => Promise<Result>, state: string | undefined): Promise<Answer> {
  try {
    return success(await call(), state);
  } catch (error) {
    if (error instanceof Refusal) return failure(error);
    throw error;
  }
}

const whole = { from: 0 };

async function run(service: Service, received: Received, route: Route<Name>, query: Query): Promise<Result> {
  const session = sessionOf(service, received, query.common.access_token);
  service.rateLimit.count(session.token.id);
  mustCover(session, route.operation.scopes);
  const inBody = received.method === 'GET' || received.method === 'HEAD' ? [] : await givenInBody(received);
  const given = [...asGiven(query.rest), ...inBody];
  const { name, operation, ids } = route;
  const taken = name.startsWith('list') ? takePage(given) : { wish: whole, rest: given };
  const { rest } = taken;
  // Pages are assumed: without what is assumed, a list comes whole.
  const wish = service.settings.bare ? whole : taken.wish;
  // The route's arguments are those of its own rows, which the compiler cannot follow through the name.
  const call = calls[name] as (call: Call<unknown>) => Result | Promise<Result>;
  return call({ service, session, ids, arguments: argumentsFrom(operation.parameters, rest), page: wish });
}
