// One random request to the emulator: mostly something that could be meant, often with something wrong in it. What came
// back before (ids, tickets, codes, tokens) is used again, so that requests make sequences.

import { assumptions } from '#contract/assumption.ts';
import type { Random } from '#test/support/random.ts';
import { events } from '../witness/events.ts';
import { taskParameters } from '../witness/task-update.ts';
import { parameterValues } from './values.ts';

export interface FuzzRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** What earlier answers held, each kept to its latest hundred. */
export interface Memory {
  readonly ids: string[];
  readonly tokens: string[];
  readonly refreshTokens: string[];
  readonly tickets: string[];
  readonly codes: string[];
}

export interface Place {
  readonly token: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly receiverPort: number;
}

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'PROPFIND'] as const;
const tasks = ['IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5SUB', 'IEAAAAAQKQAB5BIN', 'IEAAAAAQKQAB5IMG'] as const;
const places = ['IEAAAAAQI4AB5FLD', 'IEAAAAAQI4AB5PRJ', 'IEAAAAAQI5AB5SPC', 'IEAAAAAQI7777776'] as const;

const routes = [
  ['PUT', '/tasks/{task}'],
  ['PUT', '/tasks/{task}'],
  ['PUT', '/tasks/{task}'],
  ['GET', '/tasks/{task}'],
  ['GET', '/tasks/{task},{task}'],
  ['GET', '/tasks'],
  ['POST', '/webhooks'],
  ['POST', '/folders/{place}/webhooks'],
  ['POST', '/spaces/{place}/webhooks'],
  ['GET', '/webhooks'],
  ['GET', '/webhooks/{id}'],
  ['PUT', '/webhooks/{id}'],
  ['DELETE', '/webhooks/{id}'],
  ['GET', '/account'],
  ['GET', '/contacts'],
  ['GET', '/contacts/{id}'],
  ['GET', '/folders'],
  ['GET', '/folders/{place},{id}'],
  ['GET', '/spaces'],
  ['GET', '/customfields'],
  ['GET', '/spaces/{place}/workflows'],
  ['GET', '/audit_log'],
  ['POST', '/batch'],
  ['GET', '/async_job/{id}'],
  ['POST', '/tasks/{task}/comments'],
  ['PUT', '/comments/{id}'],
  ['DELETE', '/comments/{id}'],
  ['GET', '/comments'],
  ['POST', '/tasks/{task}/timelogs'],
  ['PUT', '/timelogs/{id}'],
  ['POST', '/tasks/{task}/attachments'],
  ['DELETE', '/attachments/{id}'],
  ['GET', '/invitations'],
  ['DELETE', '/tasks/{id}'],
  ['GET', '/folders/{place}/tasks'],
  ['GET', '/spaces/{place}/tasks'],
  ['POST', '/folders/{place}/tasks'],
  ['POST', '/spaces/{place}/folders'],
  ['GET', '/folders/{place}/folders'],
  ['GET', '/spaces/{id},{place}'],
  ['GET', '/users/{id}'],
  ['GET', '/customfields/{id}'],
  ['GET', '/workflows/{id}'],
  ['GET', '/tasks/{task}/dependencies'],
  ['POST', '/tasks/{task}/dependencies'],
  ['DELETE', '/dependencies/{id}'],
  ['GET', '/comments/{id},{id}'],
  ['POST', '/folders/{place}/comments'],
  ['GET', '/timelogs/{id}'],
  ['GET', '/folders/{place}/timelogs'],
  ['POST', '/folders/{place}/attachments'],
  ['GET', '/attachments/{id}'],
  ['GET', '/attachments/{id}/url'],
  ['GET', '/attachments/{id}/download'],
  ['GET', '/tasks/{task}/timelog_lock_periods'],
] as const satisfies readonly (readonly [string, string])[];

const hookNames = ['secret', 'events', 'recursive', 'parameterisedEvents', 'customItemTypes'] as const;
/** What a route takes, by the end of its path. */
const namesOf: readonly (readonly [RegExp, readonly string[]])[] = [
  [/webhooks$/, hookNames],
  [/webhooks.*id\}$/, ['status', 'status', 'state']],
  [/comments/, ['text', 'plainText', 'attachments']],
  [/timelogs/, ['hours', 'trackedDate', 'date', 'comment', 'me', 'descendants']],
  [/attachments/, ['name', 'withUrls']],
  [/dependencies/, ['predecessorId', 'successorId', 'relationType', 'lagTime']],
  [/folders$/, ['title', 'shareds', 'project', 'permalink', 'descendants']],
  [
    /tasks$/,
    ['title', 'status', 'responsibles', 'descendants', 'subTasks', 'sortField', 'limit', 'pageSize'],
  ],
  [/batch$/, ['operations']],
  [/contacts$/, ['me', 'email', 'name', 'type', 'active']],
  [/./, ['pageSize', 'nextPageToken', 'state', 'method', 'access_token']],
];
const taskNames = taskParameters.map(({ name }) => name);

type Pairs = [string, string][];

function filled(random: Random, memory: Memory, path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, what: string) => {
    if (random.chance(0.05)) return encodeURIComponent(random.text(6).toWellFormed());
    if (what === 'task') return random.one(tasks);
    if (what === 'place') return random.one(places);
    return memory.ids[random.below(memory.ids.length)] ?? 'NOTHING';
  });
}

function pairsFor(random: Random, place: Place, method: string, path: string): Pairs {
  const own = method === 'PUT' && path === '/tasks/{task}';
  const names = own ? taskNames : (namesOf.find(([pattern]) => pattern.test(path))?.[1] ?? []);
  const pairs: Pairs = [];
  const likely = (name: string, value: string) => {
    if (random.chance(0.9)) pairs.push([name, value]);
  };
  if (method === 'POST' && path.endsWith('/webhooks'))
    likely('hookUrl', `http://127.0.0.1:${place.receiverPort}/${random.below(9)}`);
  if (method === 'POST' && path.endsWith('/comments')) likely('text', random.text(30));
  if (method === 'POST' && path.endsWith('/attachments')) likely('name', 'a.pdf');
  for (let left = random.below(3); left > 0; left--) {
    const name = random.chance(0.95) ? (names[random.below(names.length)] ?? 'x') : random.text(4);
    if (random.chance(0.9) && pairs.some(([before]) => before === name)) continue;
    pairs.push([name, valueFor(random, name)]);
  }
  return pairs;
}

function valueFor(random: Random, name: string): string {
  const known = Object.hasOwn(parameterValues, name) ? parameterValues[name] : undefined;
  return known !== undefined && random.chance(0.9) ? random.one(known) : random.text(8);
}

function encoded(random: Random, pairs: Pairs): string {
  return pairs
    .map(([name, value]) => {
      if (random.chance(0.02)) return `${name}=${value}`.replace(/[^\x21-\x7e]/g, '%');
      const text = encodeURIComponent(value.toWellFormed());
      return `${encodeURIComponent(name.toWellFormed())}=${random.chance(0.5) ? text.replaceAll('%20', '+') : text}`;
    })
    .join('&');
}

function jsonOf(random: Random, pairs: Pairs): string {
  const entries = pairs.map(([name, value]) => {
    try {
      return [name, random.chance(0.8) ? JSON.parse(value) : value];
    } catch {
      return [name, value];
    }
  });
  const text = JSON.stringify(Object.fromEntries(entries));
  return random.chance(0.05) ? text.slice(0, random.below(text.length)) : text;
}

function authorization(random: Random, memory: Memory, { token }: Place): Record<string, string> {
  if (random.chance(0.03)) return {};
  if (random.chance(0.03)) return { Authorization: `Basic ${random.text(5)}`.replace(/[^\x20-\x7e]/g, '?') };
  const remembered = memory.tokens[random.below(memory.tokens.length)];
  const used = remembered !== undefined && random.chance(0.2) ? remembered : token;
  return { Authorization: `${random.one(['Bearer', 'bearer', 'BEARER'])} ${used}` };
}

export function apiRequest(random: Random, memory: Memory, place: Place): FuzzRequest {
  const [usual, path] = random.one(routes);
  const method = random.chance(0.95) ? usual : random.one(methods);
  const target = `/api/v4${filled(random, memory, path)}`;
  const headers = authorization(random, memory, place);
  const pairs = pairsFor(random, place, method, path);
  if (method === 'GET' || method === 'HEAD' || random.chance(0.4)) {
    const query = encoded(random, pairs);
    return { method, path: query === '' ? target : `${target}?${query}`, headers };
  }
  const json = random.chance(0.5);
  const type = random.chance(0.95)
    ? json
      ? 'application/json'
      : 'application/x-www-form-urlencoded'
    : random.one(['text/plain', 'multipart/form-data', 'application/json;charset=latin1', '']);
  if (random.chance(0.05)) return { method, path: target, ...multipartOf(random, headers, pairs) };
  const body = random.chance(0.02)
    ? Buffer.from(Array.from({ length: random.below(40) }, () => random.below(256)))
    : json
      ? jsonOf(random, pairs)
      : encoded(random, pairs);
  return { method, path: target, headers: { ...headers, 'Content-Type': type }, body };
}

/** Sometimes with a file, and sometimes cut off. */
function multipartOf(
  random: Random,
  headers: Readonly<Record<string, string>>,
  pairs: Pairs,
): Pick<FuzzRequest, 'headers' | 'body'> {
  const boundary = random.one(['cut', '------------------------0a1b2c', 'a b']);
  const plain = pairs.filter(([name]) => /^[\w[\]]+$/.test(name));
  const parts = plain.map(([name, value]) => `name="${name}"\r\n\r\n${value}`);
  if (random.chance(0.5)) parts.push(`name="file"; filename="${random.text(5)}"\r\n\r\n${random.text(50)}`);
  const whole = parts.map((part) => `--${boundary}\r\nContent-Disposition: form-data; ${part}\r\n`).join('');
  const text = `${whole}--${boundary}--\r\n`;
  return {
    headers: { ...headers, 'Content-Type': `multipart/form-data; boundary="${boundary}"` },
    body: random.chance(0.1) ? text.slice(0, random.below(text.length)) : text,
  };
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

export function oauthRequest(random: Random, memory: Memory, place: Place): FuzzRequest {
  const { clientId: client_id, clientSecret: client_secret } = place;
  const callback = 'http://127.0.0.1:9/callback';
  const what = random.below(5);
  if (what === 0) {
    const pairs: Pairs = [
      ['client_id', random.chance(0.9) ? client_id : random.text(4)],
      ['response_type', random.chance(0.95) ? 'code' : random.text(4)],
      ['redirect_uri', random.chance(0.9) ? callback : random.text(8)],
      ['scope', random.one(['Default', 'wsReadOnly,amReadOnlyUser', 'nonsense', ''])],
      ['state', random.text(6)],
    ];
    return { method: 'GET', path: `/oauth2/authorize/v4?${encoded(random, pairs)}`, headers: {} };
  }
  const token = (pairs: Pairs, path = '/oauth2/token'): FuzzRequest => ({
    method: 'POST',
    path,
    headers: form,
    body: encoded(random, random.chance(0.9) ? pairs : pairs.slice(0, random.below(pairs.length))),
  });
  const client: Pairs = [
    ['client_id', client_id],
    ['client_secret', random.chance(0.9) ? client_secret : random.text(4)],
  ];
  const latest = (all: readonly string[]) =>
    all.at(-1 - random.below(Math.max(1, all.length))) ?? random.text(6);
  if (what === 1) {
    const pairs: Pairs = [
      ['ticket', latest(memory.tickets)],
      ['decision', random.one(['allow', 'allow', 'deny', 'maybe'])],
      ['user', random.one(['KUAAADAQ', 'KUAABENQ', 'KUEUADAQ', 'nobody'])],
    ];
    return token(pairs, '/oauth2/authorize/v4');
  }
  if (what === 2)
    return token([
      ...client,
      ['grant_type', 'authorization_code'],
      ['code', latest(memory.codes)],
      ['redirect_uri', callback],
    ]);
  if (what === 3)
    return token([
      ...client,
      ['grant_type', 'refresh_token'],
      ['refresh_token', latest(memory.refreshTokens)],
    ]);
  return token(
    [
      ['refresh_token', 'rtkV3nWs8QzTx1KyLr5VcHj7DfGp2MbUe9OoIi4PaRk6YtNwBvCgFhSlJzEu0Xm'],
      ['accountId', random.one(['IEAAAAAQ', 'IEAAEUAQ'])],
    ],
    '/oauth2/convert_v3_token',
  );
}

/** No faults: a 500 that was asked for is none. */
export function controlRequest(random: Random, memory: Memory): FuzzRequest {
  const post = (path: string, body: unknown): FuzzRequest => ({
    method: 'POST',
    path: `/_emulator${path}`,
    headers: { 'Content-Type': 'application/json' },
    body: random.chance(0.95) ? JSON.stringify(body) : random.text(10).toWellFormed(),
  });
  const number = () => random.one([0, 1, 60, 400, 4_000, -1, 0.5, 1e6, 1e15, 1e300]);
  switch (random.below(9)) {
    case 0:
      return post('/clock', { advanceSeconds: number() });
    case 1:
      return post(
        '/clock',
        random.one<object>([{ freeze: true }, { resume: true }, { freeze: true, at: random.text(4) }]),
      );
    case 2:
      return post('/events', {
        eventType: random.one(['TaskCreated', ...events.map(({ name }) => name), 'TaskSneezed']),
        ...(random.chance(0.5) ? { taskId: random.one([...tasks, 'NOTHING']) } : {}),
      });
    case 3:
      return post('/tasks', { count: random.one([1, 2, 0, 1.5, -1]), title: random.text(3) });
    case 4:
      return {
        method: 'DELETE',
        path: `/_emulator/tasks/${random.one([...tasks, ...memory.ids.slice(0, 3), '%'])}`,
        headers: {},
      };
    case 5:
      return post('/users/KUAABENQ', {
        licence: random.one(['full', 'lowest', 'none']),
        denied: [random.one(places)],
      });
    case 6:
      return post('/tokens', { userId: random.one(['KUAABENQ', 'KUAAADAQ', 'x']), scopes: ['wsReadOnly'] });
    case 7:
      return post('/mass-actions', {
        taskIds: [random.one(tasks)],
        parameters: { title: assumptions[random.below(assumptions.length)]?.about },
      });
    default:
      return {
        method: 'GET',
        path: `/_emulator/${random.one(['mails', 'users', 'faults', 'clock', '%'])}`,
        headers: {},
      };
  }
}
