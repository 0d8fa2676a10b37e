// The GET requests of a probe, by name: a record of their responses can be judged again without the service. Some requests use ids
// from earlier responses.

import { isJsonObject, type JsonObject } from '#contract/json.ts';

export interface Observation {
  /** 0 without a response. */
  readonly status: number;
  /** Undefined if the body is not a JSON object. */
  readonly body?: JsonObject | undefined;
  /** Why the response is missing; absent if the record does not say. */
  readonly why?: string | undefined;
}

/** A path below the base URL, or why nothing is requested. */
type Target = string | { readonly why: string };

/** Sends a GET, or finds its response in a record. */
export type Ask = (step: Step, target: Target) => Promise<Observation>;

/** The state that the service should return. */
export const probeState = 'wm-contract-probe';
/** Has the form of an id, but almost certainly does not exist. */
const unknownTask = 'IEAAAAAAKQZZZZZZ';
const unknownUser = 'KUZZZZZZ';
/** More than the 8 KB that many servers allow. */
const longState = 'a'.repeat(9_000);

export const recordsOf = ({ body }: Observation): readonly JsonObject[] => {
  const data = body?.['data'];
  return Array.isArray(data) ? data.filter(isJsonObject) : [];
};
export const idsOf = (response: Observation): readonly string[] =>
  recordsOf(response).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));

/** The steps whose responses later steps use. */
type SourceStep = 'tasks' | 'top folders' | 'spaces' | 'contacts' | 'custom fields' | 'workflows';
type FindObservation = (step: SourceStep) => Observation;
type Request = (observationOf: FindObservation) => Target;

const fixed = (target: string) => () => target;

const forFirst =
  (step: SourceStep, target: (id: string) => string): Request =>
  (observationOf) => {
    const [id] = idsOf(observationOf(step));
    return id === undefined ? { why: `the account has no ${step}` } : target(encodeURIComponent(id));
  };

/** Searches for the title of the first task that has this form. */
const byTitle =
  (form: RegExp, target: (title: string) => string): Request =>
  (observationOf) => {
    const titles = recordsOf(observationOf('tasks')).map(({ title }) => title);
    const title = titles.filter((text) => typeof text === 'string').find((text) => form.test(text));
    return title === undefined
      ? { why: 'no task has a title of the required form' }
      : `/tasks?title=${target(title)}&pageSize=100`;
  };
/** A title of several characters; a title of several words. */
const longTitle = /../u;
const titleOfWords = /\S \S/;

const taskTitle = (title: string) => encodeURIComponent(title.toWellFormed());

const requests = {
  account: fixed(`/account?state=${probeState}`),
  version: fixed('/version'),
  'audit log': fixed('/audit_log'),
  'timelog categories': fixed('/timelog_categories'),
  timesheets: fixed('/timesheets'),
  invitations: fixed('/invitations'),
  slash: fixed('/account/'),
  'unknown parameter': fixed('/account?wmContractProbe=true'),
  'unknown path': fixed('/wm_contract_probe'),
  'long query': fixed(`/account?state=${longState}`),

  tasks: fixed('/tasks?pageSize=100'),
  page: fixed('/tasks?pageSize=1'),
  'tasks by due date': fixed('/tasks?sortField=DueDate&sortOrder=Asc&pageSize=100'),
  'active tasks': fixed('/tasks?status=%5B%22Active%22%5D&pageSize=100'),
  'bare list': fixed('/tasks?status=%5BActive%5D&pageSize=100'),
  'unencoded list': fixed('/tasks?status=[%22Active%22]&pageSize=100'),
  'tasks of nobody': fixed(`/tasks?responsibles=%5B%22${unknownUser}%22%5D&pageSize=100`),
  'repeated parameter': fixed('/tasks?sortField=DueDate&sortField=Title'),
  'tasks by title': byTitle(longTitle, taskTitle),
  'tasks by a part of a title': byTitle(longTitle, (title) => taskTitle([...title].slice(0, -1).join(''))),
  'title with spaces': byTitle(titleOfWords, taskTitle),
  'title with plus signs': byTitle(titleOfWords, (title) => taskTitle(title).replaceAll('%20', '+')),
  'tasks by id': (observationOf) => {
    const ids = idsOf(observationOf('tasks')).slice(0, 2).map(encodeURIComponent);
    return ids.length === 0 ? { why: 'the account has no tasks' } : `/tasks/${ids.join(',')}`;
  },
  'unknown id': forFirst('tasks', (id) => `/tasks/${id},${unknownTask}`),
  comments: forFirst('tasks', (id) => `/tasks/${id}/comments`),
  attachments: forFirst('tasks', (id) => `/tasks/${id}/attachments`),
  timelogs: forFirst('tasks', (id) => `/tasks/${id}/timelogs`),
  dependencies: forFirst('tasks', (id) => `/tasks/${id}/dependencies`),

  folders: fixed('/folders'),
  'top folders': fixed('/folders?descendants=false'),
  spaces: fixed('/spaces'),
  'custom fields': fixed('/customfields'),
  workflows: fixed('/workflows'),
  'folders of a folder': forFirst('top folders', (id) => `/folders/${id}/folders`),
  'tasks of a folder': forFirst('top folders', (id) => `/folders/${id}/tasks?fields=%5B%22parentIds%22%5D`),
  'folder by id': forFirst('top folders', (id) => `/folders/${id}`),
  'space by id': forFirst('spaces', (id) => `/spaces/${id}`),
  'custom field by id': forFirst('custom fields', (id) => `/customfields/${id}`),
  'workflow by id': forFirst('workflows', (id) => `/workflows/${id}`),

  contacts: fixed('/contacts'),
  me: fixed('/contacts?me=true'),
  people: fixed('/contacts?type=Person'),
  'unknown type': fixed('/contacts?type=NoSuchType'),
  'contact by id': forFirst('contacts', (id) => `/contacts/${id}`),

  webhooks: fixed('/webhooks'),
} as const satisfies Readonly<Record<string, Request>>;

export type Step = keyof typeof requests;

/** Returns the responses of all steps. */
export async function observe(ask: Ask): Promise<(step: Step) => Observation> {
  const observed = new Map<string, Observation>();
  const observationOf = (step: Step): Observation => observed.get(step) ?? { status: 0 };
  for (const [name, request] of Object.entries(requests)) {
    // The keys come from an object of literals; Object.entries loses their type.
    const step = name as Step;
    observed.set(step, await ask(step, request(observationOf)));
  }
  return observationOf;
}
