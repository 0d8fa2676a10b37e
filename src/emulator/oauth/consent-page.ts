// The consent page, and the page for a sign-in that cannot continue: HTML without scripts, accessible to screen readers.

import type { Scope } from '#contract/scope.ts';
import { html } from '#web/html-template.ts';
import type { OutgoingResponse } from '../http/response.ts';
import { pageResponse } from '../pages/page-layout.ts';
import type { PendingConsent } from '../state/store.ts';
import { scopeWarning } from './tokens.ts';

export function errorPage(problem: string, status = 400): OutgoingResponse {
  const content = html`<div class="card">
<h1>Cannot sign in</h1>
<p>${problem}</p>
<p class="muted">Nothing was allowed. Go back to the program that sent you here, and start again there.</p>
</div>`;
  return { ...pageResponse('Cannot sign in', content, { status }), problem };
}

export interface Choice {
  readonly userId: string;
  readonly name: string;
  readonly account: string;
}

const meanings: Readonly<Record<Scope, string>> = {
  Default: 'Read and change tasks, folders and webhooks; read workflows',
  wsReadOnly: 'Read tasks, folders and webhooks',
  wsReadWrite: 'Read and change tasks, folders and webhooks',
  amReadOnlyWorkflow: 'Read workflows',
  amReadWriteWorkflow: 'Read and change workflows',
  amReadOnlyInvitation: 'Read invitations',
  amReadWriteInvitation: 'Read, send and change invitations',
  amReadOnlyGroup: 'Read groups of users',
  amReadWriteGroup: 'Read and change groups of users',
  amReadOnlyUser: 'Read users',
  amReadWriteUser: 'Read and change users',
};

/** `unknown`: scopes of the request that are not granted. */
export function consentPage(
  application: string,
  { id, redirectUri, scopes }: PendingConsent,
  unknown: readonly string[],
  choices: readonly Choice[],
): OutgoingResponse {
  const title = `Allow ${application}?`;
  const radios = choices.map(
    ({ userId, name, account }, index) =>
      html`<label><input type="radio" name="user" value="${userId}"${index === 0 && html` checked`}> <span>${name}<span class="muted">${account}</span></span></label>`,
  );
  const content = html`<form class="card decide" method="post" action="/oauth2/authorize/v4">
<h1>${title}</h1>
<p><strong>${application}</strong> wants to access an account on your behalf.</p>
<fieldset class="choices">
<legend>Account</legend>
${radios}
</fieldset>
<div>
<h2>What it may do</h2>
<ul class="scopes">
${scopes.map((scope) => html`<li>${meanings[scope]} <code class="muted">${scope}</code></li>`)}
</ul>
${unknown.length > 0 && html`<p class="muted">${scopeWarning(unknown)}</p>`}</div>
<p class="muted">Either answer sends you to <code>${redirectUri}</code>.</p>
<div class="buttons">
<input type="hidden" name="ticket" value="${id}">
<button class="primary" type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</div>
</form>`;
  const { origin, protocol, hostname } = new URL(redirectUri);
  // A policy cannot name an IPv6 address, so for one it allows the scheme.
  return pageResponse(title, content, { formTargets: [hostname.startsWith('[') ? protocol : origin] });
}
