// The sections of the front page that show the emulator's state. Long lists show only the latest entries.

import { formatTimestamp } from '#contract/date.ts';
import { type Html, html } from '#web/html-template.ts';
import { describeEffect } from '../http/injections.ts';
import type { Service } from '../service/service.ts';
import type { Store, StoredTask, Token } from '../state/store.ts';

const shownRows = 10;

type Content = Html | string | number | readonly Html[];
const cell = (content: Content): Html => html`<td>${content}</td>`;
/** A cell whose content stays on one line: an id, a state. */
const wholeCell = (content: Content): Html => html`<td class="whole">${content}</td>`;
const mono = (text: string): Html => html`<span class="mono">${text}</span>`;
const marked = (kind: 'good' | 'bad' | 'wait' | 'muted', content: Content): Html =>
  html`<span class="${kind}">${content}</span>`;
const time = (timestamp: string): Html =>
  html`<time class="time" datetime="${timestamp}">${timestamp.replace('T', ' ').replace('Z', '')}</time>`;

/** `columns`: the cell of each record, by the column's title. `empty`: shown instead of a table without rows. */
function htmlTable<R>(
  caption: string,
  records: readonly R[],
  empty: string,
  columns: Readonly<Record<string, (record: R) => Html>>,
): Html {
  if (records.length === 0) return html`<p class="muted">${empty}</p>`;
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr>${Object.keys(columns).map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${records.map((record) => html`<tr>${Object.values(columns).map((cellOf) => cellOf(record))}</tr>`)}
</tbody>
</table>
</div>`;
}

export const clockState = ({ clock }: Service): Html =>
  html`<p>${time(clock.timestamp())} UTC, ${clock.frozen ? html`<strong>frozen</strong>` : 'running'}</p>`;

export const faultState = ({ faults }: Service): Html =>
  htmlTable('Armed faults', faults.all, 'None: every request gets its own response.', {
    Request: ({ request }) => wholeCell(html`<code>${request}</code>`),
    Effect: (fault) => cell(`${describeEffect(fault)}${fault.when ? `, ${fault.when} the effect` : ''}`),
    Times: ({ times }) => cell(times),
  });

export function requestState({ requests }: Service): Html {
  const latest = requests.after(requests.last - shownRows).toReversed();
  return htmlTable(
    'The latest requests',
    latest,
    'None yet. Control requests and this page are not listed.',
    {
      Request: ({ method, path }) => cell(mono(`${method} ${path}`)),
      Operation: ({ injected, operation }) => wholeCell(injected ?? operation),
      Response: ({ status }) => wholeCell(marked(status && status < 400 ? 'good' : 'bad', status ?? 'none')),
      Reason: ({ reason = '' }) => cell(reason),
      Time: ({ date }) => wholeCell(time(date)),
    },
  );
}

const deliveryKinds = { waiting: 'wait', delivered: 'good', failed: 'bad', dropped: 'muted' } as const;

export function deliveryState({ deliveries }: Service): Html {
  const latest = deliveries.log.slice(-shownRows).toReversed();
  return htmlTable(
    'The latest deliveries',
    latest,
    'None yet. Webhooks get deliveries when something changes.',
    {
      Event: ({ eventType }) => wholeCell(eventType),
      To: ({ hookUrl }) => cell(mono(hookUrl)),
      State: ({ state }) => wholeCell(marked(deliveryKinds[state], state)),
      Attempts: ({ attempts }) => wholeCell(attempts.map(({ result }) => result).join(', ') || 'none yet'),
      'Last attempt': ({ attempts }) => wholeCell(attempts.slice(-1).map(({ date }) => time(date))),
    },
  );
}

export const webhookState = ({ store }: Service): Html =>
  htmlTable('Webhooks', [...store.webhooks.values()].slice(-shownRows), 'None. wm webhook create adds one.', {
    Id: ({ id }) => wholeCell(mono(id)),
    URL: ({ hookUrl }) => cell(mono(hookUrl)),
    Covers: ({ folderId, spaceId }) =>
      wholeCell(folderId ? `folder ${folderId}` : spaceId ? `space ${spaceId}` : 'account'),
    Status: ({ status }) => wholeCell(marked(status === 'Active' ? 'good' : 'bad', status)),
  });

/** In one pass: there may be a hundred thousand. */
function latestTasks(tasks: Iterable<StoredTask>): readonly StoredTask[] {
  const latest: StoredTask[] = [];
  for (const task of tasks) {
    const last = latest.at(-1);
    if (latest.length === shownRows && last !== undefined && task.updatedDate <= last.updatedDate) continue;
    const index = latest.findIndex(({ updatedDate }) => updatedDate < task.updatedDate);
    latest.splice(index === -1 ? latest.length : index, 0, task);
    if (latest.length > shownRows) latest.pop();
  }
  return latest;
}

export const taskState = ({ store }: Service): Html =>
  htmlTable('The tasks that changed last', latestTasks(store.tasks.values()), 'There are no tasks.', {
    Id: ({ id }) => wholeCell(mono(id)),
    Title: ({ title }) => cell(title),
    Status: ({ scope, status = '' }) =>
      wholeCell(scope === 'RbTask' ? marked('muted', 'in the recycle bin') : status),
    Changed: ({ updatedDate }) => wholeCell(time(updatedDate)),
  });

const nameOf = (store: Store, userId: string) => {
  const user = store.users.get(userId);
  return user === undefined ? userId : `${user.firstName} ${user.lastName}`.trim();
};

/** Never shows the text of a token. */
export function tokenState({ store, clock }: Service): Html {
  const isLive = ({ expires }: Token) => expires === undefined || expires > clock.now();
  const latest = [...store.tokens.values()].filter(isLive).slice(-shownRows);
  return htmlTable('Tokens', latest, 'None: no user is signed in.', {
    Kind: ({ use, expires }) => wholeCell(use === 'access' && expires === undefined ? 'permanent' : use),
    User: ({ userId }) => wholeCell(nameOf(store, userId)),
    Application: ({ applicationId: id }) => wholeCell(store.applications.get(id)?.name ?? id),
    Scopes: ({ scopes }) => cell(scopes.length > 3 ? `${scopes.length} scopes` : scopes.join(', ')),
    Expires: ({ expires }) => wholeCell(expires === undefined ? 'never' : time(formatTimestamp(expires))),
  });
}

export const userState = ({ store }: Service): Html =>
  htmlTable('Users', [...store.users.values()].slice(0, shownRows), 'There are no users.', {
    Name: ({ id }) => wholeCell(nameOf(store, id)),
    Id: ({ id }) => wholeCell(mono(id)),
    Account: ({ accountId }) => cell(store.accounts.get(accountId)?.name ?? accountId),
    State: ({ deleted }) => wholeCell(deleted ? marked('bad', 'removed') : 'active'),
  });
