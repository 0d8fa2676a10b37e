// The sections of the front page that show the emulator's state. Long lists show only the latest entries.

import { formatTimestamp } from '#contract/date.ts';
import { type Html, html } from '../html/html-template.ts';
import { describeEffect } from '../http/injections.ts';
import type { Service } from '../service/service.ts';
import type { Delivery } from '../state/delivery.ts';
import type { Store, StoredTask } from '../state/store.ts';

const shownRows = 10;

const time = (timestamp: string): Html =>
  html`<time class="time" datetime="${timestamp}">${timestamp.replace('T', ' ').replace('Z', '')}</time>`;

export function clockState({ clock }: Service): Html {
  const state = clock.frozen ? html`<strong>frozen</strong>` : 'running';
  return html`<p>${time(clock.timestamp())} UTC, ${state}</p>`;
}

export function faultState({ faults }: Service): Html {
  return htmlTable(
    'Armed faults',
    ['Request', 'Effect', 'Times'],
    faults.all.map((fault) => [
      wholeCell(html`<code>${fault.request}</code>`),
      cell(`${describeEffect(fault)}${fault.when === undefined ? '' : `, ${fault.when} the effect`}`),
      cell(fault.times),
    ]),
    'None: every request gets its own response.',
  );
}

export function requestState({ requests }: Service): Html {
  const latest = requests.after(requests.last - shownRows).toReversed();
  return htmlTable(
    'The latest requests',
    ['Request', 'Operation', 'Response', 'Reason', 'Time'],
    latest.map(({ method, path, operation, status, reason, injected, date }) => [
      cell(html`<span class="mono">${method} ${path}</span>`),
      wholeCell(injected ?? operation),
      wholeCell(
        html`<span class="${status === undefined || status >= 400 ? 'bad' : 'good'}">${status ?? 'none'}</span>`,
      ),
      cell(reason ?? ''),
      wholeCell(time(date)),
    ]),
    'None yet. Control requests and this page are not listed.',
  );
}

const deliveryWords = {
  waiting: html`<span class="wait">waiting</span>`,
  delivered: html`<span class="good">delivered</span>`,
  failed: html`<span class="bad">failed</span>`,
  dropped: html`<span class="muted">dropped</span>`,
} as const satisfies Record<Delivery['state'], Html>;

export function deliveryState({ deliveries }: Service): Html {
  const latest = deliveries.log.slice(-shownRows).toReversed();
  return htmlTable(
    'The latest deliveries',
    ['Event', 'To', 'State', 'Attempts', 'Last attempt'],
    latest.map(({ eventType, hookUrl, state, attempts }) => {
      const last = attempts.at(-1);
      return [
        wholeCell(eventType),
        cell(html`<span class="mono">${hookUrl}</span>`),
        wholeCell(deliveryWords[state]),
        wholeCell(attempts.map(({ result }) => result).join(', ') || 'none yet'),
        wholeCell(last === undefined ? '' : time(last.date)),
      ];
    }),
    'None yet. Webhooks get deliveries when something changes.',
  );
}

export function webhookState({ store }: Service): Html {
  const latest = [...store.webhooks.values()].slice(-shownRows);
  return htmlTable(
    'Webhooks',
    ['Id', 'URL', 'Covers', 'Status'],
    latest.map(({ id, hookUrl, folderId, spaceId, status }) => [
      wholeCell(html`<span class="mono">${id}</span>`),
      cell(html`<span class="mono">${hookUrl}</span>`),
      wholeCell(folderId ? `folder ${folderId}` : spaceId ? `space ${spaceId}` : 'account'),
      wholeCell(html`<span class="${status === 'Active' ? 'good' : 'bad'}">${status}</span>`),
    ]),
    'None. wm webhook create adds one.',
  );
}

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

export function taskState({ store }: Service): Html {
  return htmlTable(
    'The tasks that changed last',
    ['Id', 'Title', 'Status', 'Changed'],
    latestTasks(store.tasks.values()).map(({ id, title, status, scope, updatedDate }) => [
      wholeCell(html`<span class="mono">${id}</span>`),
      cell(title),
      wholeCell(scope === 'RbTask' ? html`<span class="muted">in the recycle bin</span>` : (status ?? '')),
      wholeCell(time(updatedDate)),
    ]),
    'There are no tasks.',
  );
}

const nameOf = (store: Store, userId: string) => {
  const user = store.users.get(userId);
  return user === undefined ? userId : `${user.firstName} ${user.lastName}`.trim();
};

/** Never shows the text of a token. */
export function tokenState({ store, clock }: Service): Html {
  const live = [...store.tokens.values()].filter(
    ({ expires }) => expires === undefined || expires > clock.now(),
  );
  return htmlTable(
    'Tokens',
    ['Kind', 'User', 'Application', 'Scopes', 'Expires'],
    live
      .slice(-shownRows)
      .map(({ use, expires, userId, applicationId, scopes }) => [
        wholeCell(use === 'access' && expires === undefined ? 'permanent' : use),
        wholeCell(nameOf(store, userId)),
        wholeCell(store.applications.get(applicationId)?.name ?? applicationId),
        cell(scopes.length > 3 ? `${scopes.length} scopes` : scopes.join(', ')),
        wholeCell(expires === undefined ? 'never' : time(formatTimestamp(expires))),
      ]),
    'None: no user is signed in.',
  );
}

export function userState({ store }: Service): Html {
  return htmlTable(
    'Users',
    ['Name', 'Id', 'Account', 'State'],
    [...store.users.values()]
      .slice(0, shownRows)
      .map((user) => [
        wholeCell(nameOf(store, user.id)),
        wholeCell(html`<span class="mono">${user.id}</span>`),
        cell(store.accounts.get(user.accountId)?.name ?? user.accountId),
        wholeCell(user.deleted ? html`<span class="bad">removed</span>` : 'active'),
      ]),
    'There are no users.',
  );
}

/** Shows `empty` instead of a table without rows. */
function htmlTable(caption: string, head: readonly string[], rows: readonly Html[][], empty: string): Html {
  if (rows.length === 0) return html`<p class="muted">${empty}</p>`;
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells}</tr>`)}
</tbody>
</table>
</div>`;
}

const cell = (content: Html | string | number): Html => html`<td>${content}</td>`;
/** A cell whose content stays on one line: an id, a state. */
const wholeCell = (content: Html | string | number): Html => html`<td class="whole">${content}</td>`;
