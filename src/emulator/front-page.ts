// The page at the emulator's own address: what it is, where its data centres are, and what it assumes.

import { assumptions } from '../contract/assumption.ts';
import { apiPath } from '../contract/authorization.ts';
import { escapeHtml } from './html/escape.ts';
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
    `<p>It emulates a work-management service and stores what you change. Control requests under <code>/_emulator/</code>
reset it and inject faults.</p>
<h2>Data centres</h2>
<ul>
${centres.join('\n')}
</ul>
<h2>Assumptions</h2>
<dl>
${rows.join('\n')}
</dl>`,
  );
}

/** The target of a task's permalink. */
export function workspacePage(): OutgoingResponse {
  return htmlPage(
    200,
    'No web workspace',
    '<p>In the real service, the task would open in the web workspace. The emulator has none.</p>',
  );
}
