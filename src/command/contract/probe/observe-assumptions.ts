// What a few GET requests show of each assumption: it held, the service differs, or nothing was seen of it, and why not. The
// requests have names, so that a record of their responses can be judged again without the service.

import { type AssumptionId, assumptions } from '../../../contract/assumption.ts';
import { isIdentifier } from '../../../contract/identifier.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Observation {
  /** 0 if a record has no such response. */
  readonly status: number;
  /** Undefined if it is no JSON object. */
  readonly body: JsonObject | undefined;
}

/** Sends a GET to a target below the base address, or finds its response in a record. */
export type Ask = (step: string, target: string) => Promise<Observation>;

export interface Finding {
  readonly id: AssumptionId;
  readonly about: string;
  readonly assumed: string;
  readonly verdict: 'held' | 'differs' | 'not seen';
  /** What was seen instead, or why nothing was. */
  readonly why: string;
}

type Verdict = Pick<Finding, 'verdict' | 'why'>;

const held: Verdict = { verdict: 'held', why: '' };
const differs = (why: string): Verdict => ({ verdict: 'differs', why });
const notSeen = (why: string): Verdict => ({ verdict: 'not seen', why });
const needsMore = notSeen('no read-only request shows it');

/** Of a record by another version. */
const notRecorded = notSeen('the record does not contain it');

/** What the request that is echoed contains. */
export const probeState = 'wm-contract-probe';
/** The form of an id, and most probably no id. */
const unknownTask = 'IEAAAAAAKQZZZZZZ';

const dataOf = ({ body }: Observation): readonly JsonObject[] => {
  const data = body?.['data'];
  return Array.isArray(data) ? data.filter((one) => typeof one === 'object' && one !== null) : [];
};
const idsOf = (seen: Observation): readonly string[] =>
  dataOf(seen).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));

function describe({ status, body }: Observation): string {
  const error = body?.['error'];
  const kind = body?.['kind'];
  return [status, typeof error === 'string' ? error : typeof kind === 'string' ? `kind ${kind}` : '']
    .join(' ')
    .trim();
}

/** A list of this kind. */
const lists = (seen: Observation, kind: string): boolean =>
  seen.status === 200 && seen.body?.['kind'] === kind && Array.isArray(seen.body['data']);
const listOf = (seen: Observation, kind: string): Verdict =>
  seen.status === 0 ? notRecorded : lists(seen, kind) ? held : differs(describe(seen));
const all = (...verdicts: readonly Verdict[]): Verdict =>
  verdicts.find(({ verdict }) => verdict === 'differs') ??
  verdicts.find(({ verdict }) => verdict === 'not seen') ??
  held;

export async function observe(ask: Ask): Promise<readonly Finding[]> {
  const found: Partial<Record<AssumptionId, Verdict>> = {
    ...(await observeAccount(ask)),
    ...(await observeTasks(ask)),
    ...(await observePlaces(ask)),
    ...(await observePeople(ask)),
    ...(await observeWebhooks(ask)),
  };
  return assumptions.map(({ id, about, assumed }) => ({ id, about, assumed, ...(found[id] ?? needsMore) }));
}

type Found = Promise<Partial<Record<AssumptionId, Verdict>>>;

async function observeAccount(ask: Ask): Found {
  const account = await ask('account', `/account?state=${probeState}`);
  const version = await ask('version', '/version');
  const audit = await ask('audit log', '/audit_log');
  const groups = await ask('groups', '/groups');
  const invitations = await ask('invitations', '/invitations');
  const slash = await ask('slash', '/account/');
  return {
    'state-echo': account.body?.['state'] === probeState ? held : differs('state does not come back'),
    version: listOf(version, 'version'),
    'audit-log':
      audit.status === 403 ? notSeen('the user may not read the audit log') : listOf(audit, 'auditLog'),
    'timelog-groups': listOf(groups, 'groups'),
    invitations:
      invitations.status === 403
        ? notSeen('the token has no such scope')
        : listOf(invitations, 'invitations'),
    'missing-scope':
      invitations.status !== 403
        ? notSeen('the token has the scopes that were tried')
        : invitations.body?.['error'] === 'access_forbidden'
          ? held
          : differs(describe(invitations)),
    'trailing-slash': listOf(slash, 'accounts'),
  };
}

async function observeTasks(ask: Ask): Found {
  const tasks = await ask('tasks', '/tasks?pageSize=100');
  const page = await ask('page', '/tasks?pageSize=1');
  const sorted = await ask('tasks by due date', '/tasks?sortField=DueDate&sortOrder=Asc&pageSize=100');
  const active = await ask('active tasks', '/tasks?status=%5B%22Active%22%5D&pageSize=100');
  const bare = await ask('bare list', '/tasks?status=%5BActive%5D&pageSize=100');
  const base = {
    'task-lists': !lists(active, 'tasks')
      ? differs(describe(active))
      : dataOf(active).every(({ status }) => status === 'Active')
        ? held
        : differs('the filter status is ignored'),
    'plain-lists': listOf(bare, 'tasks'),
    'list-pages': pages(page),
    'due-date-sort': dueLast(sorted),
  };
  const [first, second] = idsOf(tasks);
  if (first === undefined) {
    const none = notSeen('the account has no tasks');
    return {
      ...base,
      'task-read': all(listOf(tasks, 'tasks'), none),
      'one-unknown-id': none,
      'task-items': none,
      'completed-date': none,
    };
  }
  const some = await ask('tasks by id', `/tasks/${[first, second ?? first].join(',')}`);
  const unknown = await ask('unknown id', `/tasks/${first},${unknownTask}`);
  const comments = await ask('comments', `/tasks/${first}/comments`);
  const attachments = await ask('attachments', `/tasks/${first}/attachments`);
  const timelogs = await ask('timelogs', `/tasks/${first}/timelogs`);
  const reopened = dataOf(active).some(({ completedDate }) => completedDate !== undefined);
  return {
    ...base,
    'task-read': all(listOf(tasks, 'tasks'), listOf(some, 'tasks')),
    'one-unknown-id': unknown.status === 404 ? held : differs(describe(unknown)),
    'task-items': all(
      listOf(comments, 'comments'),
      listOf(attachments, 'attachments'),
      listOf(timelogs, 'timelogs'),
    ),
    'completed-date': reopened ? held : notSeen('no active task was completed before'),
  };
}

function pages(page: Observation): Verdict {
  if (!lists(page, 'tasks')) return differs(describe(page));
  const { length } = dataOf(page);
  if (length === 0) return notSeen('the account has no tasks');
  if (length > 1) return differs('pageSize is ignored');
  return typeof page.body?.['nextPageToken'] === 'string' ? held : notSeen('the account has a single task');
}

function dueLast(sorted: Observation): Verdict {
  if (!lists(sorted, 'tasks')) return differs(describe(sorted));
  const due = dataOf(sorted).map(
    ({ dates }) => typeof dates === 'object' && dates !== null && 'due' in dates,
  );
  if (!due.includes(true) || !due.includes(false))
    return notSeen('the first tasks do not include some with a due date and some without');
  return due.indexOf(false) > due.lastIndexOf(true) ? held : differs('not last');
}

async function observePlaces(ask: Ask): Found {
  const folders = await ask('folders', '/folders');
  const spaces = await ask('spaces', '/spaces');
  const fields = await ask('custom fields', '/customfields');
  const workflows = await ask('workflows', '/workflows');
  const spaceIds = idsOf(spaces);
  const [folder] = idsOf(folders);
  const isTree = lists(folders, 'folderTree');
  const base = {
    'folder-list-kind': isTree ? differs('kind folderTree') : listOf(folders, 'folders'),
    'record-shapes': all(
      isTree ? held : listOf(folders, 'folders'),
      listOf(spaces, 'spaces'),
      listOf(fields, 'customfields'),
      listOf(workflows, 'workflows'),
    ),
    'space-id-pattern':
      spaceIds.length === 0
        ? notSeen('the account has no spaces')
        : spaceIds.every((id) => isIdentifier('FolderId', id))
          ? held
          : differs('an id does not match'),
  };
  const none = notSeen('the account has no folders');
  if (folder === undefined) return { ...base, 'folder-lists': none, 'folder-tasks': none };
  const below = await ask('folders of a folder', `/folders/${folder}/folders`);
  const inside = await ask('tasks of a folder', `/folders/${folder}/tasks?fields=%5B%22parentIds%22%5D`);
  const parents = dataOf(inside).map(
    ({ parentIds }) => Array.isArray(parentIds) && parentIds.includes(folder),
  );
  return {
    ...base,
    'folder-lists': lists(below, 'folderTree') ? held : listOf(below, 'folders'),
    'folder-tasks': !lists(inside, 'tasks')
      ? differs(describe(inside))
      : parents.length === 0
        ? notSeen('the first folder has no tasks')
        : parents.every(Boolean)
          ? held
          : differs('tasks of other folders are listed'),
  };
}

async function observePeople(ask: Ask): Found {
  const contacts = await ask('contacts', '/contacts');
  const me = await ask('me', '/contacts?me=true');
  const people = await ask('people', '/contacts?type=person');
  const nobody = await ask('unknown type', '/contacts?type=NoSuchType');
  const [id] = idsOf(contacts);
  const named = id === undefined ? undefined : await ask('contact by id', `/contacts/${id}`);
  const onlyPeople = dataOf(people).every(({ type }) => type === 'Person');
  return {
    'contact-filters': all(
      listOf(me, 'contacts'),
      dataOf(me).length === 1 ? held : differs(`me=true lists ${dataOf(me).length} contacts`),
    ),
    'contact-type': all(
      listOf(people, 'contacts'),
      onlyPeople && dataOf(people).length > 0 ? held : differs('type=person does not list the people'),
      nobody.status === 400 ? held : differs(`${describe(nobody)} for an unknown type`),
    ),
    'read-by-id': named ? listOf(named, 'contacts') : notSeen('no contact is listed'),
  };
}

async function observeWebhooks(ask: Ask): Found {
  const webhooks = await ask('webhooks', '/webhooks');
  const records = dataOf(webhooks);
  if (records.length === 0) {
    const none = notSeen('this application has no webhooks');
    return { 'webhook-record': none, 'webhook-id-pattern': none };
  }
  return {
    'webhook-record': records.some((one) => 'events' in one || 'recursive' in one)
      ? held
      : differs('neither events nor recursive'),
    'webhook-id-pattern': idsOf(webhooks).every((id) => isIdentifier('WebhookId', id))
      ? held
      : differs('an id does not match'),
  };
}
