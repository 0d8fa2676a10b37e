// A service that answers with the recorded shapes of test/witness/recorded-shapes.ts: a list shows what recordings show and what `fields`
// names, and rejects a parameter that it does not know. It makes simple changes, and knows nothing of the program.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clockAt, type Ending } from '#test/support/program/emulated.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { listening } from '#test/support/service/listening.ts';
import { createFiles } from '#world/files.ts';
import type { Streams } from '#world/world.ts';
import {
  ids,
  listedTaskMembers,
  listParameters,
  plainTexts,
  type RecordedKind,
  records,
  requestedFolderMembers,
  requestedTaskMembers,
  requestedTimelogMembers,
  treeMembers,
  unlistedFolderMembers,
} from '../witness/recorded-shapes.ts';

type Stored = Record<string, unknown>;
type Store = Record<RecordedKind, Stored[]>;

/** What the service says in place of 200. */
class Rejection extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

const invalid = (description: string) => new Rejection(400, 'invalid_parameter', description);
const missing = (id: string) => new Rejection(404, 'resource_not_found', `${id} does not exist`);

/** Where recordings and notes leave it open. */
export interface Behaviour {
  /** Of a change to what is in the bin, or a restore of what is not. */
  readonly binStatus: 400 | 403;
  /** Its filter by permalink knows only links of its own host. */
  readonly ownHostOnly?: boolean;
  /** The last page of tasks has no records and a token that it then rejects. */
  readonly endsEmpty?: boolean;
  /** The token of a page with records is rejected. */
  readonly rejectsTokens?: boolean;
}

export interface RecordedService {
  readonly folder: string;
  /** `GET /tasks?fields=["parentIds"]`, decoded. */
  readonly requests: readonly string[];
  environment(): Readonly<Record<string, string>>;
  stored(kind: RecordedKind, id: string): Stored;
  /** All records as at first, and a program without a past. */
  reset(behaviour?: Partial<Behaviour>): void;
  wm(argv: readonly string[], more?: { readonly input?: string; readonly terminal?: boolean }): Promise<Ran>;
}

/** A Tuesday. */
const now = Date.UTC(2026, 9, 13, 8);
const nowText = '2026-10-13T08:00:00Z';
/** Small, so that every list of tasks has two pages. */
const largestPage = 2;

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const numberIn = (link: unknown) => /\/open(?:\.htm)?\?id=(\d+)$/.exec(text(link))?.[1];

function pick(record: Stored, isShown: (name: string) => boolean): Stored {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isShown(name)));
}

/** JSON where it is, else the text. */
function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return sent;
  }
}

export async function recordedService(test: Ending): Promise<RecordedService> {
  let store: Store;
  let behaviour: Behaviour;
  const tokens = new Map<string, { readonly rest: readonly Stored[]; readonly kind: RecordedKind }>();
  const requests: string[] = [];
  let runs = 0;
  const reset = (changed: Partial<Behaviour> = {}) => {
    store = structuredClone(records) as unknown as Store;
    behaviour = { binStatus: 400, ...changed };
    requests.length = 0;
    runs += 1;
  };
  reset();

  const find = (kind: RecordedKind, id: string): Stored => {
    const record = store[kind].find((candidate) => candidate['id'] === id);
    if (record === undefined) throw missing(id);
    return record;
  };

  const requested = (parameters: Stored): readonly string[] => {
    const { fields } = parameters;
    if (fields !== undefined && !Array.isArray(fields)) throw invalid('fields is not a list');
    return list(fields);
  };

  /** The members of a whole record that an answer shows. */
  const whole = (kind: RecordedKind, record: Stored, fields: readonly string[], isChanged = false) => {
    const onRequest: readonly string[] =
      kind === 'tasks'
        ? requestedTaskMembers.filter((name) => !(isChanged && name === 'attachmentCount'))
        : kind === 'folders'
          ? requestedFolderMembers
          : kind === 'timelogs'
            ? requestedTimelogMembers
            : kind === 'comments'
              ? ['type']
              : kind === 'attachments'
                ? ['url']
                : [];
    for (const name of fields)
      if (kind === 'tasks' && !store.tasks.some((task) => name in task)) throw invalid(`fields: ${name}`);
    return pick(record, (name) => !onRequest.includes(name) || fields.includes(name));
  };

  /** The members that a list shows of a record. */
  const listed = (kind: RecordedKind, record: Stored, parameters: Stored) => {
    const fields = requested(parameters);
    const shown = whole(kind, record, fields);
    const names: readonly string[] = listedTaskMembers;
    if (kind === 'tasks')
      return pick(
        shown,
        (name) =>
          names.includes(name) ||
          fields.includes(name) ||
          (name === 'followedByMe' && fields.includes('followerIds')),
      );
    if (kind === 'comments') {
      const { attachmentIds: _, ...comment } = shown;
      return parameters['plainText'] === true
        ? { ...comment, text: plainTexts[text(record['id'])] }
        : comment;
    }
    if (kind === 'attachments' && parameters['withUrls'] === true) return record;
    return shown;
  };

  const answerList = (
    kind: RecordedKind,
    found: readonly Stored[],
    parameters: Stored,
    at = kind as string,
  ) => {
    const known = listParameters[kind] ?? [];
    for (const name of Object.keys(parameters))
      if (!known.includes(name)) throw invalid(`unknown parameter ${name} of ${at}`);
    const { nextPageToken: token, pageSize } = parameters;
    const page = tokens.get(text(token));
    if (token !== undefined && (page === undefined || behaviour.rejectsTokens))
      throw new Rejection(400, 'invalid_request', 'the token of the page is not valid');
    const all = page?.rest ?? found.map((record) => listed(kind, record, parameters));
    if (pageSize === undefined && token === undefined) return { kind, data: all };
    const size = Math.min(Number(pageSize ?? largestPage), largestPage);
    const [data, rest] = [all.slice(0, size), all.slice(size)];
    if (rest.length === 0 && !behaviour.endsEmpty) return { kind, data };
    const next = randomUUID().replaceAll('-', '').toUpperCase().padEnd(45, '0');
    // That of an empty page is not known afterwards.
    if (data.length > 0) tokens.set(next, { rest, kind });
    return { kind, nextPageToken: next, responseSize: all.length, data };
  };

  /** In another order than asked. */
  const answerIds = (kind: RecordedKind, idText: string, parameters: Stored) => ({
    kind,
    data: idText
      .split(',')
      .map((id) => whole(kind, find(kind, id), requested(parameters)))
      .toReversed(),
  });

  const isBelow = (record: Stored, folder: string, descendants: boolean): boolean =>
    list(record['parentIds']).some(
      (id) =>
        id === folder ||
        (descendants && store.folders.some((parent) => parent['id'] === id && isBelow(parent, folder, true))),
    );

  const hasLink = (record: Stored, link: unknown) =>
    link === undefined ||
    (behaviour.ownHostOnly
      ? record['permalink'] === link
      : numberIn(link) !== undefined && numberIn(record['permalink']) === numberIn(link));

  const matches = (task: Stored, filters: Stored): boolean => {
    const { title, status, responsibles, metadata, customField, permalink } = filters;
    const { key, value } = (metadata ?? {}) as Stored;
    const field = (customField ?? {}) as Stored;
    return (
      (title === undefined || task['title'] === title) &&
      hasLink(task, permalink) &&
      (status === undefined || list(status).includes(text(task['status']))) &&
      (responsibles === undefined ||
        list(responsibles).some((id) => list(task['responsibleIds']).includes(id))) &&
      (metadata === undefined ||
        (task['metadata'] as readonly Stored[]).some(
          (entry) => entry['key'] === key && (value === undefined || entry['value'] === value),
        )) &&
      (customField === undefined ||
        (task['customFields'] as readonly Stored[]).some(
          (entry) =>
            entry['id'] === field['id'] &&
            (field['value'] === undefined || entry['value'] === field['value']),
        ))
    );
  };

  const tasksIn = (folder: string | undefined, parameters: Stored) =>
    answerList(
      'tasks',
      store.tasks.filter(
        (task) =>
          task['scope'] === (folder === ids.bin ? 'RbTask' : 'WsTask') &&
          (folder === undefined ||
            (parameters['subTasks'] === true
              ? [task, ...list(task['superTaskIds']).map((id) => find('tasks', id))]
              : list(task['superTaskIds']).length === 0
                ? [task]
                : []
            ).some((placed) => isBelow(placed, folder, parameters['descendants'] === true))) &&
          matches(task, parameters),
      ),
      parameters,
    );

  /** Without a filter a tree, from the folder itself on and in no order of the tree. */
  const foldersIn = (start: string | undefined, parameters: Stored) => {
    const filters = Object.keys(parameters).filter((name) => name !== 'deleted' && name !== 'fields');
    const { deleted, permalink, title, project } = parameters;
    const found = store.folders.filter(
      (folder) =>
        (start === undefined || folder['id'] === start || isBelow(folder, start, true)) &&
        (deleted === undefined || (folder['scope'] === 'RbFolder') === deleted) &&
        hasLink(folder, permalink) &&
        (title === undefined || text(folder['title']).toLowerCase().includes(text(title).toLowerCase())) &&
        (project === undefined || (folder['project'] !== undefined) === project),
    );
    if (filters.length > 0) {
      const fields = requested(parameters);
      const unlisted: readonly string[] = unlistedFolderMembers;
      const { data } = answerList(
        'folders',
        found.filter(({ scope }) => scope !== 'WsRoot'),
        parameters,
      );
      return {
        kind: 'folders',
        data: data.map((folder) => pick(folder, (name) => !unlisted.includes(name) || fields.includes(name))),
      };
    }
    const { data } = answerList('folders', found, parameters);
    const names: readonly string[] = treeMembers;
    const first = data.filter(({ id }) => id === start);
    const rest = data.filter(({ id }) => id !== start).toReversed();
    return {
      kind: 'folderTree',
      data: [...first, ...rest].map((one) => pick(one, (name) => names.includes(name))),
    };
  };

  const created = (kind: RecordedKind, id: string, like: Stored, members: Stored) => {
    const record = { ...structuredClone(like), ...members, id, createdDate: nowText, updatedDate: nowText };
    store[kind].push(record);
    return { kind, data: [whole(kind, record, [], true)] };
  };

  const changeTask = (id: string, { fields: _, ...update }: Stored, fields: readonly string[]) => {
    const task = find('tasks', id);
    const refused = (description: string) =>
      new Rejection(
        behaviour.binStatus,
        behaviour.binStatus === 400 ? 'invalid_request' : 'access_forbidden',
        description,
      );
    const isDeleted = task['scope'] === 'RbTask';
    if (isDeleted && update['restore'] !== true) throw refused('the task is deleted');
    if (!isDeleted && update['restore'] === true) throw refused('the task is not deleted');
    if (isDeleted) Object.assign(task, { scope: 'WsTask', parentIds: [ids.folder] });
    const { addResponsibles, removeResponsibles, removeShareds, addFollowers, ...plain } = update;
    const added = list(addResponsibles);
    const add = (name: string, more: readonly string[]) => {
      task[name] = [...more.filter((one) => !list(task[name]).includes(one)), ...list(task[name])];
    };
    for (const name of ['responsibleIds', 'followerIds', 'sharedIds']) add(name, added);
    add('followerIds', list(addFollowers));
    task['responsibleIds'] = list(task['responsibleIds']).filter(
      (one) => !list(removeResponsibles).includes(one),
    );
    task['sharedIds'] = list(task['sharedIds']).filter((one) => !list(removeShareds).includes(one));
    for (const name of ['title', 'description', 'importance', 'dates'])
      if (plain[name] !== undefined) task[name] = plain[name];
    const { status, customStatus, customFields } = plain;
    if (customStatus !== undefined) {
      const isCompleted = customStatus === ids.completed;
      Object.assign(task, { status: isCompleted ? 'Completed' : 'Active', customStatusId: customStatus });
    }
    if (status !== undefined) {
      task['status'] = status;
      delete task['completedDate'];
      if (status === 'Completed') task['completedDate'] = nowText;
      task['customStatusId'] = status === 'Completed' ? ids.completed : ids.active;
    }
    if (Array.isArray(customFields)) {
      const changed = customFields as readonly Stored[];
      const kept = (task['customFields'] as readonly Stored[]).filter(
        (field) => !changed.some((one) => one['id'] === field['id']),
      );
      task['customFields'] = [...kept, ...changed.filter(({ value = null }) => value !== null)];
    }
    task['updatedDate'] = nowText;
    return { kind: 'tasks', data: [whole('tasks', task, fields, true)] };
  };

  type Answer = (id: string, parameters: Stored, headers: Readonly<Record<string, unknown>>) => object;
  const plainList = (kind: RecordedKind) => (_: string, parameters: Stored) =>
    answerList(kind, store[kind], parameters);
  const byIds = (kind: RecordedKind) => (idText: string, parameters: Stored) =>
    answerIds(kind, idText, parameters);
  const ofTask = (kind: RecordedKind) => (id: string, parameters: Stored) =>
    answerList(
      kind,
      store[kind].filter((one) => [one['taskId'], one['predecessorId'], one['successorId']].includes(id)),
      parameters,
    );

  const routes: Readonly<Record<string, Answer>> = {
    'GET /account': plainList('accounts'),
    'GET /version': plainList('version'),
    'GET /audit_log': plainList('auditLog'),
    'GET /groups': plainList('groups'),
    'GET /invitations': plainList('invitations'),
    'GET /contacts': (_, parameters) =>
      answerList(
        'contacts',
        store.contacts.filter(
          ({ me, type, primaryEmail, firstName }) =>
            (parameters['me'] === undefined || me === parameters['me']) &&
            (parameters['type'] === undefined || type === parameters['type']) &&
            (parameters['email'] === undefined || primaryEmail === parameters['email']) &&
            (parameters['name'] === undefined || firstName === parameters['name']),
        ),
        parameters,
      ),
    'GET /contacts/*': byIds('contacts'),
    'GET /spaces': plainList('spaces'),
    'GET /spaces/*': byIds('spaces'),
    'GET /spaces/*/tasks': tasksIn,
    'GET /spaces/*/folders': foldersIn,
    'GET /spaces/*/workflows': (_, parameters) =>
      answerList('workflows', store.workflows.slice(1), parameters),
    'GET /spaces/*/customfields': (id, parameters) =>
      answerList(
        'customfields',
        store.customfields.filter(({ spaceId }) => spaceId === id),
        parameters,
      ),
    'GET /customfields': plainList('customfields'),
    'GET /customfields/*': byIds('customfields'),
    'GET /workflows': (_, parameters) => answerList('workflows', store.workflows.slice(0, 1), parameters),
    'GET /workflows/*': byIds('workflows'),
    'GET /folders': (_, parameters) => foldersIn(undefined, parameters),
    'GET /folders/*': (idText, parameters) => {
      if (idText === ids.root) throw invalid('the root cannot be read');
      return answerIds('folders', idText, parameters);
    },
    'GET /folders/*/folders': foldersIn,
    'GET /folders/*/tasks': tasksIn,
    'POST /folders/*/folders': (parent, { title, description = '' }) =>
      created('folders', 'IEAAAAAQI4AB5NEW', find('folders', ids.personal), {
        ...{ title, description },
        parentIds: [parent],
      }),
    'POST /folders/*/tasks': (parent, { title, description = '' }) =>
      created('tasks', 'IEAAAAAQKQAB5NEW', find('tasks', ids.backlog), {
        ...{ title, description },
        parentIds: [parent],
        customStatusId: ids.active,
      }),
    'PUT /folders/*': (id, { restore }) => {
      const folder = find('folders', id);
      if ((folder['scope'] === 'RbFolder') !== (restore === true))
        throw new Rejection(behaviour.binStatus, 'invalid_request', 'the folder is not deleted');
      Object.assign(folder, { scope: 'WsFolder' });
      return { kind: 'folders', data: [whole('folders', folder, [])] };
    },
    'DELETE /folders/*': (id) => {
      const folder = find('folders', id);
      if (folder['scope'] !== 'WsFolder')
        throw new Rejection(behaviour.binStatus, 'invalid_request', 'the folder is deleted');
      Object.assign(folder, { scope: 'RbFolder', parentIds: [ids.bin] });
      return { kind: 'folders', data: [whole('folders', folder, [])] };
    },
    'GET /tasks': (_, parameters) => tasksIn(undefined, parameters),
    'GET /tasks/*': (idText, { withInvitations: _, plainTextCustomFields: __, ...parameters }) =>
      answerIds('tasks', idText, parameters),
    'PUT /tasks/*': (id, parameters) => changeTask(id, parameters, requested(parameters)),
    'DELETE /tasks/*': (id) => {
      const task = find('tasks', id);
      if (task['scope'] === 'RbTask')
        throw new Rejection(behaviour.binStatus, 'invalid_request', 'the task is deleted');
      Object.assign(task, { scope: 'RbTask', parentIds: [ids.bin], superTaskIds: [], dependencyIds: [] });
      return { kind: 'tasks', data: [whole('tasks', task, [], true)] };
    },
    'GET /tasks/*/comments': ofTask('comments'),
    'GET /tasks/*/timelogs': ofTask('timelogs'),
    'GET /tasks/*/attachments': ofTask('attachments'),
    'GET /tasks/*/dependencies': ofTask('dependencies'),
    'POST /tasks/*/comments': (taskId, { text: html }) =>
      created('comments', 'IEAAAAAQIMAB5NEW', find('comments', ids.olderComment), {
        taskId,
        text: html,
        authorId: ids.ada,
      }),
    'POST /tasks/*/timelogs': (taskId, { hours, trackedDate, comment = '' }) =>
      created('timelogs', 'IEAAAAAQJQAB5NEW', find('timelogs', ids.secondTimelog), {
        ...{ taskId, trackedDate, comment },
        hours: Number(hours),
        userId: ids.ada,
      }),
    'POST /tasks/*/attachments': (taskId, { size }, headers) =>
      created('attachments', 'IEAAAAAQIYAB5NEW', find('attachments', ids.link), {
        ...{ taskId, size, type: 'Own' },
        name: decodeURIComponent(text(headers['x-file-name'])),
      }),
    'GET /comments': plainList('comments'),
    'GET /comments/*': byIds('comments'),
    'GET /timelogs': plainList('timelogs'),
    'GET /attachments': plainList('attachments'),
    'GET /attachments/*': byIds('attachments'),
    'GET /ids': (_, { type, ids: numbers }) => {
      const kind = type === 'ApiV2Task' ? 'tasks' : 'folders';
      const data = list(numbers).flatMap((number) =>
        store[kind]
          .filter(({ permalink }) => numberIn(permalink) === number)
          .map(({ id }) => ({ id, apiV2Id: number })),
      );
      return { kind: 'ids', data: data.toReversed() };
    },
    'POST /batch': () => {
      const [job = {}] = store.asyncJob;
      return { kind: 'asyncJob', data: [{ ...job, status: 'InQueue', progressPercent: 0 }] };
    },
    'GET /async_job/*': byIds('asyncJob'),
    'GET /webhooks': plainList('webhooks'),
    'GET /webhooks/*': byIds('webhooks'),
    'PUT /webhooks/*': (id, { status }) => ({
      kind: 'webhooks',
      data: [Object.assign(find('webhooks', id), { status })],
    }),
    'DELETE /webhooks/*': (id) => {
      store.webhooks = store.webhooks.filter((webhook) => webhook['id'] !== id);
      return { kind: 'webhooks', data: [] };
    },
    ...Object.fromEntries(
      ['POST /webhooks', 'POST /folders/*/webhooks', 'POST /spaces/*/webhooks'].map((route) => [
        route,
        (folderId: string, { hookUrl }: Stored) => {
          const webhook = {
            id: 'IEAAAAAQJAAB5NEW',
            accountId: ids.account,
            ...(folderId === '' ? {} : { folderId }),
            hookUrl,
            status: 'Active',
          };
          store.webhooks.push(webhook);
          return { kind: 'webhooks', data: [webhook] };
        },
      ]),
    ),
  };

  const answer = (
    method: string,
    url: string,
    body: Buffer,
    headers: Readonly<Record<string, unknown>>,
  ): { readonly status: number; readonly value: object } => {
    const { pathname, searchParams } = new URL(url, 'http://service');
    const path = pathname.replace('/api/v4', '');
    const isForm = text(headers['content-type']).startsWith('application/x-www-form-urlencoded');
    const pairs = [...searchParams, ...(isForm ? new URLSearchParams(body.toString()) : [])];
    requests.push(
      `${method} ${path}${pairs.length === 0 ? '' : '?'}${pairs.map((pair) => pair.join('=')).join('&')}`,
    );
    const { state: _, ...parameters }: Stored = Object.fromEntries(
      pairs.map(([name, value]) => [
        name,
        ['title', 'text', 'comment'].includes(name) ? value : parsed(value),
      ]),
    );
    const file = isForm || body.length === 0 ? {} : { size: body.length };
    try {
      for (const [route, respond] of Object.entries(routes)) {
        const [routeMethod, pattern = ''] = route.split(' ');
        const found = new RegExp(`^${pattern.replace('*', '([^/]+)')}$`).exec(path);
        if (routeMethod === method && found)
          return {
            status: 200,
            value: respond(decodeURIComponent(found[1] ?? ''), { ...parameters, ...file }, headers),
          };
      }
      throw new Rejection(404, 'method_not_found', `${method} ${path} is not a method`);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      return { status: error.status, value: { error: error.code, errorDescription: error.message } };
    }
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const { status, value } = answer(method, url, Buffer.concat(chunks), headers);
    response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' });
    response.end(JSON.stringify(value));
  });
  const port = await listening(server);
  const folder = await mkdtemp(join(tmpdir(), 'wm-recorded-'));
  await writeFile(join(folder, 'notes.txt'), 'Notes of the week');
  await writeFile(
    join(folder, 'operations.json'),
    JSON.stringify([{ method: 'POST', path: `/folders/${ids.folder}/tasks`, parameters: { title: 'One' } }]),
  );
  await writeFile(join(folder, 'hooks.yaml'), 'version: 1\nwebhooks: []\n');
  test.after(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, maxRetries: 3 });
  });

  const environmentOf = () => ({
    WM_HOST: `127.0.0.1:${port}`,
    WM_TOKEN: 'token',
    WM_CONFIG_DIR: join(folder, `config-${runs}`),
    WM_TOKEN_STORE: 'file',
    NO_PROXY: '127.0.0.1',
  });
  return {
    folder,
    requests,
    environment: environmentOf,
    stored: (kind, id) => find(kind, id),
    reset,
    async wm(argv, { input, terminal = false } = {}) {
      const environment = environmentOf();
      const { streams, texts } = collectStreams({ isTerminal: true, columns: 160 });
      const ran = await run(argv, {
        environment,
        ...(input === undefined ? {} : { input }),
        world: {
          files: createFiles(environment, process.platform, folder),
          clock: { ...clockAt(now), sleep: async () => {} },
          ...(terminal ? { streams: streams satisfies Streams } : {}),
        },
      });
      return terminal ? { status: ran.status, ...texts } : ran;
    },
  };
}
