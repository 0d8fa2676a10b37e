// What a browser gets at the emulator's address: what this is, and what it assumes where the contract shows nothing.

import { assumptions } from '../contract/assumption.ts';
import type { Answer } from './answer.ts';
import { page } from './login/page.ts';
import type { Service } from './service.ts';
import { escapeHtml } from './task/html.ts';

export function frontPage({ hosts }: Service): Answer {
  const centres = Object.entries(hosts).map(
    ([name, host]) => `<li>${name}: <code>http://${escapeHtml(host)}/api/v4</code></li>`,
  );
  const rows = assumptions.map(
    ({ about, assumed }) => `<dt>${escapeHtml(about)}</dt>\n<dd>${escapeHtml(assumed)}</dd>`,
  );
  return page(
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
export function workspacePage(): Answer {
  return page(
    200,
    'No workspace here',
    '<p>A task would open in the web workspace here, which an emulator has not.</p>',
  );
}
