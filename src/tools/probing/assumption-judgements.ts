// Judges each assumption that GET requests can test, by their responses.

import type { AssumptionId } from '#contract/assumption.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { dataOf, idsOf, type Observation, probeState, type Step } from './probe-requests.ts';

export interface Verdict {
  readonly verdict: 'held' | 'differs' | 'not seen';
  /** What the response showed instead, or why it showed nothing. */
  readonly why: string;
}

const held: Verdict = { verdict: 'held', why: '' };
const differs = (why: string): Verdict => ({ verdict: 'differs', why });
export const notSeen = (why: string): Verdict => ({ verdict: 'not seen', why });

export function describe({ status, body }: Observation): string {
  const error = body?.['error'];
  const kind = body?.['kind'];
  return [status, typeof error === 'string' ? error : typeof kind === 'string' ? `kind ${kind}` : '']
    .join(' ')
    .trim();
}

const lists = (response: Observation, kind: string): boolean =>
  response.status === 200 && response.body?.['kind'] === kind && Array.isArray(response.body['data']);
const listOf = (response: Observation, kind: string): Verdict =>
  lists(response, kind) ? held : differs(describe(response));
const firstFailure = (...verdicts: readonly Verdict[]): Verdict =>
  verdicts.find(({ verdict }) => verdict === 'differs') ??
  verdicts.find(({ verdict }) => verdict === 'not seen') ??
  held;

export interface Judgement {
  readonly from: readonly Step[];
  /** Gets the responses of these steps. */
  readonly judge: (...responses: readonly Observation[]) => Verdict;
  /** Also judges a 403, or a response that is not JSON. */
  readonly judges?: 'every status';
}

const judgement = (
  from: readonly Step[],
  judge: (...responses: Observation[]) => Verdict,
  options: Pick<Judgement, 'judges'> = {},
): Judgement => ({ from, judge: (...responses) => judge(...responses), ...options });

export const judgements = {
  'state-echo': judgement(['account'], ({ body }) =>
    body?.['state'] === probeState ? held : differs('state is not returned'),
  ),
  version: judgement(['version'], (version) => listOf(version, 'version')),
  'audit-log': judgement(['audit log'], (log) => listOf(log, 'auditLog')),
  'timelog-groups': judgement(
    ['groups', 'timelog categories', 'timesheets'],
    (groups, categories, timesheets) =>
      firstFailure(
        listOf(groups, 'groups'),
        listOf(categories, 'timelogCategories'),
        listOf(timesheets, 'timesheet'),
      ),
  ),
  invitations: judgement(['invitations'], (invitations) => listOf(invitations, 'invitations')),
  'missing-scope': judgement(
    ['invitations'],
    (invitations) => {
      if (invitations.status !== 403) return notSeen('the token has the scopes that were tried');
      return invitations.body?.['error'] === 'access_forbidden' ? held : differs(describe(invitations));
    },
    { judges: 'every status' },
  ),
  'trailing-slash': judgement(['slash'], (slash) => listOf(slash, 'accounts')),
  'unknown-parameter': judgement(['unknown parameter'], (account) => listOf(account, 'accounts')),
  'other-endpoints': judgement(['unknown path'], (response) =>
    response.status === 404 && response.body?.['error'] === 'method_not_found'
      ? held
      : differs(describe(response)),
  ),
  'query-length': judgement(
    ['long query'],
    (response) => (response.status === 200 ? held : differs(`${describe(response)} to 9,000 characters`)),
    { judges: 'every status' },
  ),

  'task-read': judgement(['tasks', 'tasks by id'], (tasks, byId) =>
    firstFailure(listOf(tasks, 'tasks'), listOf(byId, 'tasks')),
  ),
  'task-lists': judgement(['active tasks'], (active) =>
    !lists(active, 'tasks')
      ? differs(describe(active))
      : dataOf(active).every(({ status }) => status === 'Active')
        ? held
        : differs('the filter status is ignored'),
  ),
  'task-title-filter': judgement(
    ['tasks', 'tasks by title', 'tasks by a part of a title'],
    (tasks, whole, part) => {
      const [first] = dataOf(whole);
      if (!lists(whole, 'tasks')) return differs(describe(whole));
      if (first === undefined) return differs('a search for a whole title finds nothing');
      const named = new Set(
        dataOf(tasks).flatMap((task) => (task['title'] === first['title'] ? [task['id']] : [])),
      );
      if (!idsOf(whole).some((id) => named.has(id)))
        return differs('a search for a whole title finds other tasks');
      if (!lists(part, 'tasks')) return differs(describe(part));
      return idsOf(part).some((id) => named.has(id))
        ? held
        : differs('a search for a part of a title does not find it');
    },
  ),
  'plus-sign': judgement(['title with spaces', 'title with plus signs'], (spaces, plus) => {
    if (!lists(spaces, 'tasks') || dataOf(spaces).length === 0)
      return notSeen('a search for a title with spaces finds nothing');
    if (!lists(plus, 'tasks')) return differs(describe(plus));
    return idsOf(plus).join() === idsOf(spaces).join() ? held : differs('a plus sign does not mean a space');
  }),
  'plain-lists': judgement(['bare list'], (bare) => listOf(bare, 'tasks')),
  'unencoded-json': judgement(['unencoded list'], (list) => listOf(list, 'tasks')),
  'repeated-parameter': judgement(['repeated parameter'], (response) =>
    response.status === 400 ? held : differs(describe(response)),
  ),
  'filter-ids': judgement(['tasks of nobody'], (response) =>
    !lists(response, 'tasks')
      ? differs(describe(response))
      : dataOf(response).length === 0
        ? held
        : differs('the filter responsibles is ignored'),
  ),
  'list-pages': judgement(['page'], pages),
  'due-date-sort': judgement(['tasks by due date'], dueLast),
  'one-unknown-id': judgement(['unknown id'], (response) =>
    response.status === 404 ? held : differs(describe(response)),
  ),
  'completed-date': judgement(['active tasks'], (active) =>
    dataOf(active).some(({ completedDate }) => completedDate !== undefined)
      ? held
      : notSeen('no active task was completed before'),
  ),
  'task-items': judgement(['comments', 'attachments', 'timelogs'], (comments, attachments, timelogs) =>
    firstFailure(
      listOf(comments, 'comments'),
      listOf(attachments, 'attachments'),
      listOf(timelogs, 'timelogs'),
    ),
  ),
  'task-dependencies': judgement(['dependencies'], (response) => listOf(response, 'dependencies')),

  'folder-list-kind': judgement(['folders'], (folders) =>
    lists(folders, 'folderTree') ? differs('the kind is folderTree') : listOf(folders, 'folders'),
  ),
  'record-shapes': judgement(
    ['folders', 'spaces', 'custom fields', 'workflows'],
    (folders, spaces, fields, workflows) =>
      firstFailure(
        lists(folders, 'folderTree') ? held : listOf(folders, 'folders'),
        listOf(spaces, 'spaces'),
        listOf(fields, 'customfields'),
        listOf(workflows, 'workflows'),
      ),
  ),
  'space-id-pattern': judgement(['spaces'], (spaces) => {
    const ids = idsOf(spaces);
    if (ids.length === 0) return notSeen('the account has no spaces');
    return ids.every((id) => isIdentifier('FolderId', id)) ? held : differs('an id does not match');
  }),
  'folder-lists': judgement(['folders of a folder'], (below) =>
    lists(below, 'folderTree') ? held : listOf(below, 'folders'),
  ),
  'folder-tasks': judgement(['folders', 'tasks of a folder'], (folders, inside) => {
    if (!lists(inside, 'tasks')) return differs(describe(inside));
    if (dataOf(inside).length === 0) return notSeen('the first folder has no tasks');
    const [folder] = idsOf(folders);
    return dataOf(inside).every(({ parentIds }) => Array.isArray(parentIds) && parentIds.includes(folder))
      ? held
      : differs('tasks of other folders are listed');
  }),

  'contact-filters': judgement(['me'], (me) =>
    firstFailure(
      listOf(me, 'contacts'),
      dataOf(me).length === 1 ? held : differs(`me=true lists ${dataOf(me).length} contacts`),
    ),
  ),
  'contact-type': judgement(['people', 'unknown type'], (people, unknownType) =>
    firstFailure(
      listOf(people, 'contacts'),
      dataOf(people).length > 0 && dataOf(people).every(({ type }) => type === 'Person')
        ? held
        : differs('type=person does not list the people'),
      unknownType.status === 400 ? held : differs(`${describe(unknownType)} for an unknown type`),
    ),
  ),
  'inactive-user': judgement(['contacts'], (contacts) =>
    dataOf(contacts).some(
      ({ profiles }) => Array.isArray(profiles) && profiles.some((profile) => profile?.active === false),
    )
      ? held
      : notSeen('no contact is deactivated'),
  ),
  'read-by-id': judgement(
    ['contact by id', 'folder by id', 'space by id', 'custom field by id', 'workflow by id'],
    (contact, folder, space, field, workflow) =>
      firstFailure(
        listOf(contact, 'contacts'),
        listOf(folder, 'folders'),
        listOf(space, 'spaces'),
        listOf(field, 'customfields'),
        listOf(workflow, 'workflows'),
      ),
  ),

  'webhook-record': judgement(['webhooks'], (webhooks) => {
    const records = dataOf(webhooks);
    if (records.length === 0) return noWebhooks;
    return records.some((webhook) => 'events' in webhook || 'recursive' in webhook)
      ? held
      : differs('records have neither events nor recursive');
  }),
  'webhook-id-pattern': judgement(['webhooks'], (webhooks) => {
    const ids = idsOf(webhooks);
    if (ids.length === 0) return noWebhooks;
    return ids.every((id) => isIdentifier('WebhookId', id)) ? held : differs('an id does not match');
  }),
  'same-hook-url': judgement(['webhooks'], (webhooks) => {
    const urls = dataOf(webhooks).map(({ hookUrl }) => hookUrl);
    return new Set(urls).size < urls.length ? held : notSeen('no two of its webhooks have the same hookUrl');
  }),
} as const satisfies Partial<Record<AssumptionId, Judgement>>;

const noWebhooks = notSeen('this application has no webhooks');

/** The assumptions that GET requests can test. */
export type ShownId = keyof typeof judgements;

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
  return due.indexOf(false) > due.lastIndexOf(true) ? held : differs('tasks without a due date are not last');
}
