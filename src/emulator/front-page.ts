// What a browser gets at the emulator's address: what this is, and what it assumes where the contract shows nothing.

import { assumptions } from '../contract/assumption.ts';
import { apiPath } from '../contract/authorization.ts';
import { escapeHtml } from './html/sanitize.ts';
import type { OutgoingResponse } from './http/response.ts';
import { htmlPage } from './oauth/consent-page.ts';
import { dataCentres, originOf, type Service } from './service/service.ts';

export function frontPage(service: Service): OutgoingResponse {
  const centres = dataCentres.map(
    (name) => `<li>${name}: <code>${escapeHtml(originOf(service, name))}${apiPath}</code></li>`,
  );
  const rows = assumptions.map(
    ({ about, assumed }) => `<dt>${escapeHtml(about)}</dt>\n<dd>${escapeHtml(assumed)}</dd>`,
  );
  return htmlPage(
    200,
    'A local emulator',
    `<p>It stands in for a work-management service, keeps what is changed, and can be reset and disturbed by control
calls under <code>/_emulator/</code>.</p>
<h2>Data centres</h2>
<ul>
${centres.join('\n')}
</ul>
<h2>What it assumes</h2>
<dl>
${rows.join('\n')}
</dl>`,
  );
}

/** Where the permalink of a task leads. */
export function workspacePage(): OutgoingResponse {
  return htmlPage(
    200,
    'No workspace here',
    '<p>A task would open in the web workspace here, which an emulator has not.</p>',
  );
}
