// Judges each assumption that GET requests can test, by their responses; and says of the others why they cannot.

import type { AssumptionId } from '#contract/assumption.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { isJsonObject } from '#contract/json.ts';
import { idsOf, type Observation, probeState, recordsOf, type Step } from './probe-requests.ts';

export interface Verdict {
  readonly verdict: 'held' | 'differs' | 'not seen';
  /** What the response showed instead, or why it showed nothing. */
  readonly why: string;
}

const held: Verdict = { verdict: 'held', why: '' };
const differs = (why: string): Verdict => ({ verdict: 'differs', why });
export const notSeen = (why: string): Verdict => ({ verdict: 'not seen', why });

export function describeResponse({ status, body }: Observation): string {
  const { error, kind } = body ?? {};
  const detail = typeof error === 'string' ? error : typeof kind === 'string' ? `kind ${kind}` : '';
  return `${status} ${detail}`.trim();
}

const isList = (response: Observation, kind: string): boolean =>
  response.status === 200 && response.body?.['kind'] === kind && Array.isArray(response.body['data']);
const differsBy = (response: Observation): Verdict => differs(describeResponse(response));
const judgeList = (response: Observation, kind: string): Verdict =>
  isList(response, kind) ? held : differsBy(response);
const judgeStatus = (response: Observation, status: number): Verdict =>
  response.status === status ? held : differsBy(response);
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

/** Holds if each step lists records of its kind. */
const lists = (...rows: readonly (readonly [step: Step, kind: string])[]): Judgement =>
  judgement(
    rows.map(([step]) => step),
    (...responses) =>
      firstFailure(...responses.map((response, index) => judgeList(response, rows[index]?.[1] ?? ''))),
  );

export const judgements: Readonly<Partial<Record<AssumptionId, Judgement>>> = {
  'state-echo': judgement(['account'], ({ body }) =>
    body?.['state'] === probeState ? held : differs('state is not returned'),
  ),
  version: lists(['version', 'version']),
  'audit-log': lists(['audit log', 'auditLog']),
  'timelog-groups': lists(['timelog categories', 'timelogCategories'], ['timesheets', 'timesheet']),
  invitations: lists(['invitations', 'invitations']),
  'missing-scope': judgement(
    ['invitations'],
    (invitations) => {
      if (invitations.status !== 403) return notSeen('the token has the scopes that were tried');
      return invitations.body?.['error'] === 'access_forbidden' ? held : differsBy(invitations);
    },
    { judges: 'every status' },
  ),
  'trailing-slash': lists(['slash', 'accounts']),
  'unknown-parameter': lists(['unknown parameter', 'accounts']),
  'other-endpoints': judgement(['unknown path'], (response) =>
    response.status === 404 && response.body?.['error'] === 'method_not_found' ? held : differsBy(response),
  ),
  'query-length': judgement(
    ['long query'],
    (response) =>
      response.status === 200 ? held : differs(`${describeResponse(response)} to 9,000 characters`),
    { judges: 'every status' },
  ),

  'task-read': lists(['tasks', 'tasks'], ['tasks by id', 'tasks']),
  'task-lists': judgement(['active tasks'], (active) =>
    !isList(active, 'tasks')
      ? differsBy(active)
      : recordsOf(active).every(({ status }) => status === 'Active')
        ? held
        : differs('the filter status is ignored'),
  ),
  'task-title-filter': judgement(
    ['tasks', 'tasks by title', 'tasks by a part of a title'],
    (tasks, byTitle, byPart) => {
      const [first] = recordsOf(byTitle);
      if (!isList(byTitle, 'tasks')) return differsBy(byTitle);
      if (first === undefined) return differs('a search for a whole title finds nothing');
      const sameTitle = new Set(
        recordsOf(tasks).flatMap((task) => (task['title'] === first['title'] ? [task['id']] : [])),
      );
      if (!idsOf(byTitle).some((id) => sameTitle.has(id)))
        return differs('a search for a whole title finds other tasks');
      if (!isList(byPart, 'tasks')) return differsBy(byPart);
      return idsOf(byPart).some((id) => sameTitle.has(id))
        ? held
        : differs('a search for a part of a title does not find it');
    },
  ),
  'plus-sign': judgement(['title with spaces', 'title with plus signs'], (spaces, plus) => {
    if (!isList(spaces, 'tasks') || recordsOf(spaces).length === 0)
      return notSeen('a search for a title with spaces finds nothing');
    if (!isList(plus, 'tasks')) return differsBy(plus);
    return idsOf(plus).join() === idsOf(spaces).join() ? held : differs('a plus sign does not mean a space');
  }),
  'plain-lists': lists(['bare list', 'tasks']),
  'unencoded-json': lists(['unencoded list', 'tasks']),
  'repeated-parameter': judgement(['repeated parameter'], (response) => judgeStatus(response, 400)),
  'filter-ids': judgement(['tasks of nobody'], (response) =>
    !isList(response, 'tasks')
      ? differsBy(response)
      : recordsOf(response).length === 0
        ? held
        : differs('the filter responsibles is ignored'),
  ),
  'list-pages': judgement(['page'], judgePage),
  'due-date-sort': judgement(['tasks by due date'], judgeDueDateSort),
  'one-unknown-id': judgement(['unknown id'], (response) => judgeStatus(response, 404)),
  'completed-date': judgement(['active tasks'], (active) =>
    recordsOf(active).some(({ completedDate }) => completedDate !== undefined)
      ? differs('an active task keeps it')
      : notSeen('no active task has one'),
  ),
  'task-items': lists(['comments', 'comments'], ['attachments', 'attachments'], ['timelogs', 'timelogs']),
  'task-dependencies': lists(['dependencies', 'dependencies']),

  'folder-list-kind': judgement(['folders'], (folders) =>
    isList(folders, 'folders') ? differs('the kind is folders') : judgeList(folders, 'folderTree'),
  ),
  'record-shapes': judgement(
    ['top folders', 'spaces', 'custom fields', 'workflows'],
    (folders, spaces, fields, workflows) =>
      firstFailure(
        isList(folders, 'folderTree') ? held : judgeList(folders, 'folders'),
        judgeList(spaces, 'spaces'),
        judgeList(fields, 'customfields'),
        judgeList(workflows, 'workflows'),
      ),
  ),
  'space-id-pattern': judgement(['spaces'], (spaces) => {
    const ids = idsOf(spaces);
    if (ids.length === 0) return notSeen('the account has no spaces');
    return ids.every((id) => isIdentifier('FolderId', id)) ? held : differs('an id does not match');
  }),
  'folder-lists': judgement(['folders of a folder'], (below) =>
    isList(below, 'folders') ? differs('the kind is folders') : judgeList(below, 'folderTree'),
  ),
  'folder-tasks': judgement(['top folders', 'tasks of a folder'], (folders, tasks) => {
    if (!isList(tasks, 'tasks')) return differsBy(tasks);
    if (recordsOf(tasks).length === 0) return notSeen('the first folder has no tasks');
    const [folder] = idsOf(folders);
    return recordsOf(tasks).every(({ parentIds }) => Array.isArray(parentIds) && parentIds.includes(folder))
      ? held
      : differs('tasks of other folders are listed');
  }),

  'contact-filters': judgement(['me'], (me) =>
    firstFailure(
      judgeList(me, 'contacts'),
      recordsOf(me).length === 1 ? held : differs(`me=true lists ${recordsOf(me).length} contacts`),
    ),
  ),
  'contact-type': judgement(['people', 'unknown type'], (people, unknownType) =>
    firstFailure(
      judgeList(people, 'contacts'),
      recordsOf(people).length > 0 && recordsOf(people).every(({ type }) => type === 'Person')
        ? held
        : differs('type=Person does not list the people'),
      unknownType.status === 400 ? held : differs(`${describeResponse(unknownType)} for an unknown type`),
    ),
  ),
  'inactive-user': judgement(['contacts'], (contacts) =>
    recordsOf(contacts).some(
      ({ profiles }) => Array.isArray(profiles) && profiles.some((profile) => profile?.active === false),
    )
      ? held
      : notSeen('no contact is deactivated'),
  ),
  'read-by-id': lists(
    ['contact by id', 'contacts'],
    ['folder by id', 'folders'],
    ['space by id', 'spaces'],
    ['custom field by id', 'customfields'],
    ['workflow by id', 'workflows'],
  ),

  'webhook-record': judgement(['webhooks'], (webhooks) => {
    const records = recordsOf(webhooks);
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
    const urls = recordsOf(webhooks).map(({ hookUrl }) => hookUrl);
    return new Set(urls).size < urls.length ? held : notSeen('no two of its webhooks have the same hookUrl');
  }),
};

const noWebhooks = notSeen('this application has no webhooks');

function judgePage(page: Observation): Verdict {
  if (!isList(page, 'tasks')) return differsBy(page);
  const { length } = recordsOf(page);
  if (length === 0) return notSeen('the account has no tasks');
  if (length > 1) return differs('pageSize is ignored');
  return typeof page.body?.['nextPageToken'] === 'string' ? held : notSeen('the account has a single task');
}

function judgeDueDateSort(sorted: Observation): Verdict {
  if (!isList(sorted, 'tasks')) return differsBy(sorted);
  const due = recordsOf(sorted).map(({ dates }) => isJsonObject(dates) && 'due' in dates);
  if (!due.includes(true) || !due.includes(false))
    return notSeen('the first tasks do not include some with a due date and some without');
  return due.indexOf(false) > due.lastIndexOf(true) ? held : differs('tasks without a due date are not last');
}

/** Why a probe cannot test the other assumptions. */
const unseenIds: Readonly<Record<string, string>> = {
  'only a sign-in or a refresh shows it': `
    token-endpoint-errors loopback-redirect refresh-host refresh-response access-token-after-refresh
    code-reuse token-query basic-credentials both-credentials pkce unknown-token-parameter
    empty-token-parameter authorization-errors refresh-scope unknown-scope`,
  'the probe writes its requests as the contract does': `
    double-slash loose-booleans letter-case lenient-json quoted-filter permalinks subtask-parent`,
  'the probe does not read the recycle bin': 'bin-tasks',
  'the probe asks for no subtasks': 'folder-subtasks',
  'the probe asks for no single filter but the status': 'task-filters',
  'every request carries only your token, in its header': 'v3-token unauthorized-body token-twice',
  'no response says which scopes the token has': 'audit-log-scopes operation-scopes',
  'a test would use up the requests of your other programs': 'rate-limit',
  'the ids of webhooks of other applications are unknown': 'foreign-webhook',
  'the ids of other accounts are unknown': 'other-account',
  'the probe does not read the root': 'root-by-id',
  'the probe compares no orders': 'task-order',
  'no response says which webhooks are on a space': 'space-webhook-folder',
  'each request goes to version 4': 'version-3-paths',
  'each request is a GET': 'other-methods method-parameter',
  'the probe downloads no files': 'file-contents',
  'a list of tasks gets 400 for another reason too': 'json-depth',
  'only a change shows it': `
    surrogate-halves other-html stored-html deleted-task-update start-alone due-before-start
    duration-with-due duration-with-start licence-status date-without-time weekend-dates batch
    character-count long-values unresolved-id restore type-without-dates three-dates priority-list
    create-records reference-endpoints attach-file deleted-task-items item-limits deprecated-names
    comment-plain-text delete-task change-folder json-in-json parameter-place multipart-parameters
    body-length content-encoding contradictory-dates priority-contradiction super-task-loop new-assignee
    already-deleted several-records field-of-other-space field-without-value custom-field-types
    custom-status-group item-type-of-projects allocation-assignee former-user effort-replaced`,
  'only a delivery shows it': `
    signature-text delivery-timing delivery-timeout events-per-delivery shared-idempotency-key
    suspension-notice retry-pauses empty-custom-field old-item-type recurrence-field
    events-without-subject delivery-secret-header delivery-spacing other-statuses payload-field-members
    inactive-author retry-order parameterised-events-alone`,
  'only creating a webhook shows it': `
    handshake-body handshake-failure empty-list unknown-custom-field idle-webhook webhook-query`,
  'only deleting a webhook shows it': 'webhook-delete-response',
  'only comments of more than a week ago show it': 'item-lists',
};

/** By the id of the assumption. */
export const whyNotShown: ReadonlyMap<string, string> = new Map(
  Object.entries(unseenIds).flatMap(
    ([reason, ids]) => ids.match(/\S+/g)?.map((id) => [id, reason] as const) ?? [],
  ),
);
