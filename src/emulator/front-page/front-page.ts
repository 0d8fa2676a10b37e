// The page at the emulator's own address: the addresses of its data centres, its state, and buttons for control requests. The page
// works without its script, which only keeps the state up to date.

import { assumptions } from '#contract/assumption.ts';
import { apiPath } from '#contract/authorization.ts';
import { eventNames } from '#contract/event.ts';
import { type Html, html } from '#web/html-template.ts';
import { type Control, createControl } from '../control/routes.ts';
import { documentPaths } from '../documents.ts';
import { ErrorResponse, invalidRequest } from '../http/error-response.ts';
import { contentType, type Pair, parsePairs, type ReceivedRequest } from '../http/request.ts';
import type { OutgoingResponse } from '../http/response.ts';
import { pageResponse } from '../pages/page-layout.ts';
import { dataCentres, originOf, type Service } from '../service/service.ts';
import { sampleApplications } from '../state/sample-ids.ts';
import script from './browser/live-sections.ts?inline';
import * as state from './state-sections.ts';

type Action = readonly [
  section: string,
  confirmation: string,
  request: Parameters<Control>[0],
  body?: object,
];

/** The buttons, each with its control request. Its body has the fields of the form. */
const actions = {
  advance: ['clock', 'The clock has advanced, and the jobs that were due have run.', 'POST /clock'],
  freeze: ['clock', 'The clock stands still.', 'POST /clock', { freeze: true }],
  resume: ['clock', 'The clock runs again.', 'POST /clock', { resume: true }],
  'add-fault': ['faults', 'The fault is armed.', 'POST /faults'],
  'clear-faults': ['faults', 'All faults are cleared.', 'DELETE /faults'],
  emit: ['deliveries', 'The event was sent to the webhooks that cover it.', 'POST /events'],
  'make-tasks': ['tasks', 'The tasks are created.', 'POST /tasks'],
  reset: ['reset', 'The sample data is back, and the clock shows the real time.', 'POST /reset'],
} as const satisfies Record<string, Action>;
type ActionName = keyof typeof actions;

const findAction = (name = '') => Object.entries<Action>(actions).find(([each]) => each === name)?.[1];

export async function respondFrontPage(service: Service, request: ReceivedRequest) {
  if (request.method !== 'POST') {
    const done = parsePairs(request.query).find(([name]) => name === 'done')?.[1];
    return frontPage(service, findAction(done)?.[1]);
  }
  try {
    if (contentType(request) !== 'application/x-www-form-urlencoded')
      throw invalidRequest('The request is not a submitted form of this page', 'emulator');
    // A redirect, so that reloading the page repeats nothing.
    const location = await runAction(service, parsePairs(await request.body()));
    return { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' };
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error;
    return frontPage(service, error.message, 400);
  }
}

/** Runs the action of a submitted form, and returns the address that confirms it. Throws {@link ErrorResponse}. */
async function runAction(service: Service, pairs: readonly Pair[]): Promise<string> {
  const { do: name, ...fields } = Object.fromEntries(pairs.filter(([, value]) => value.trim() !== ''));
  const action = findAction(name);
  if (action === undefined)
    throw new ErrorResponse('invalid_parameter', 'The form names no action', 'emulator');
  const [section, , request, body] = action;
  // A text that is not a number stays: the control request then reports what is wrong.
  const members = Object.entries(fields).map(([member, text]) => [
    member,
    Number.isNaN(Number(text)) ? text : Number(text),
  ]);
  await createControl(service)(request, { body: { ...body, ...Object.fromEntries(members) } });
  return `/?done=${name}#${section}`;
}

/** The script replaces only `state`: the user may be filling in a form. */
function section(id: string, title: string, note: string, state: Html, forms?: Html, isWide = false): Html {
  return html`<section class="card${isWide && ' wide'}" id="${id}" aria-labelledby="${id}-title">
<div class="heading"><h2 id="${id}-title">${title}</h2><span class="muted" data-live="${id}-note">${note}</span></div>
<div data-live="${id}">${state}</div>
${forms}
</section>`;
}

const button = (name: ActionName, label: string, kind = '', value?: string) =>
  html`<form method="post" action="/"><input type="hidden" name="do" value="${name}">${
    value !== undefined && html`<input type="hidden" name="advanceSeconds" value="${value}">`
  }<button type="submit" class="${kind}">${label}</button></form>`;

const clockForms = html`<div class="actions">
${button('freeze', 'Freeze')}
${button('resume', 'Resume')}
${button('advance', '+1 minute', '', '60')}
${button('advance', '+1 hour', '', '3600')}
${button('advance', '+1 day', '', '86400')}
</div>
<form method="post" action="/"><input type="hidden" name="do" value="advance">
<label>Advance by seconds <input type="number" name="advanceSeconds" min="0" step="any" required></label>
<button type="submit">Advance</button></form>`;

const faultForms = html`<form method="post" action="/"><input type="hidden" name="do" value="add-fault">
<label>Request <input name="request" value="updateTask" required autocomplete="off" spellcheck="false"></label>
<label>Status <input type="number" name="status" min="200" max="599" value="503"></label>
<label>Delay in ms <input type="number" name="delayMs" min="0"></label>
<label>Times <input type="number" name="times" min="1" value="1"></label>
<button type="submit">Arm</button></form>
${button('clear-faults', 'Clear all')}`;

const eventForms = html`<form method="post" action="/"><input type="hidden" name="do" value="emit">
<label>Event <select name="eventType">${eventNames.map((name) => html`<option>${name}</option>`)}</select></label>
<button type="submit">Emit</button></form>`;

const taskForms = html`<form method="post" action="/"><input type="hidden" name="do" value="make-tasks">
<label>How many <input type="number" name="count" min="1" max="1000" value="10" required></label>
<button type="submit">Create tasks</button></form>`;

const resetForms = html`<details><summary>Reset everything…</summary>
<p>This removes all tasks, webhooks, deliveries and sign-ins since the start.</p>
${button('reset', 'Reset to the sample', 'danger')}
</details>`;

const addresses = (service: Service) => html`<dl class="facts">
${dataCentres.map((name) => html`<dt>API, ${name}</dt><dd><code>${originOf(service, name)}${apiPath}</code></dd>`)}
<dt>Sign-in</dt><dd><code>${originOf(service, 'US')}</code></dd>
<dt>Client id</dt><dd><code>${service.settings.application?.clientId ?? sampleApplications.ready.id}</code></dd>
<dt>Control</dt><dd><code>${originOf(service, 'US')}/_emulator</code></dd>
<dt>Contract</dt><dd><a href="${documentPaths.openApi}">OpenAPI</a>, <a href="${documentPaths.asyncApi}">AsyncAPI</a> of webhooks</dd>
</dl>`;

const assumptionRows = () => html`<details><summary>Show all ${assumptions.length}</summary>
<dl class="rows">
${assumptions.map(({ id, about, assumed, source }) => html`<dt id="assumption-${id}">${about}</dt>\n<dd>${assumed} (${source})</dd>`)}
</dl></details>`;

const modeWords = {
  default: 'What the contract shows, and the assumptions below',
  bare: 'Bare: without the fields that the contract does not show',
  strict: 'Strict: requests beyond the letter of the contract are rejected',
} as const;

const count = (number: number, singular: string, plural = `${singular}s`) =>
  `${number} ${number === 1 ? singular : plural}`;

/** `notice`: the message at the top of the page, after a form was submitted. */
function frontPage(service: Service, notice: string | undefined, status = 200): OutgoingResponse {
  const { store, faults, deliveries, requests, settings } = service;
  const content = html`<h1>A local emulator</h1>
<p>It emulates a work-management service, and stores what you change until it ends.</p>
<p id="notice" role="status" class="notice${status !== 200 && ' bad'}">${notice}</p>
<div class="cards">
${section('addresses', 'Addresses', modeWords[settings.mode], addresses(service))}
${section('clock', 'Clock', '', state.clockState(service), clockForms)}
${section('requests', 'Requests', count(requests.last, 'request'), state.requestState(service), undefined, true)}
${section(
  'deliveries',
  'Deliveries',
  count(deliveries.log.length, 'delivery', 'deliveries'),
  state.deliveryState(service),
  eventForms,
  true,
)}
${section('webhooks', 'Webhooks', count(store.webhooks.size, 'webhook'), state.webhookState(service), undefined, true)}
<div class="column">
${section('faults', 'Faults', `${faults.all.length} armed`, state.faultState(service), faultForms)}
${section('users', 'Users', count(store.users.size, 'user'), state.userState(service))}
${section('reset', 'Reset', '', resetForms)}
</div>
<div class="column">
${section('tasks', 'Tasks', count(store.tasks.size, 'task'), state.taskState(service), taskForms)}
${section('tokens', 'Tokens', count(store.tokens.size, 'token'), state.tokenState(service))}
</div>
${section('assumptions', 'Assumptions', 'What it does where the contract shows nothing', assumptionRows(), undefined, true)}
</div>`;
  return pageResponse('A local emulator', content, { status, script });
}

/** For a task's permalink. */
export function workspacePage(): OutgoingResponse {
  const content = html`<div class="card"><h1>No web workspace</h1>
<p>In the real service, the task would open in the web workspace. The emulator has none.</p>
<p><a href="/">What the emulator has</a></p></div>`;
  return pageResponse('No web workspace', content);
}
