// The layout of all pages of the emulator, and the headers of their responses.

import { type Html, html } from '#web/html-template.ts';
import { drawPage, pageHeaders } from '#web/web-page.ts';
import type { OutgoingResponse } from '../http/response.ts';
import style from './emulator.css?inline';

interface PageOptions {
  readonly status?: number;
  /** Origins that a form may be sent to besides this one. */
  readonly formTargets?: readonly string[];
  /** The text of a script. A page without one has a single text or decision, in one column. */
  readonly script?: string;
}

export function pageResponse(title: string, content: Html, options: PageOptions = {}): OutgoingResponse {
  const { status = 200, formTargets = [], script } = options;
  const { document, policy } = drawPage({
    ...{ title, style, script },
    formAction: ["'self'", ...formTargets].join(' '),
    bodyClass: script === undefined ? 'narrow' : undefined,
    content: html`<header class="top brand">Emulator</header>
<main>
${content}
</main>
<footer><p>This page is from an emulator on this computer. It does not sign you in to the real service.</p></footer>`,
  });
  return {
    status,
    headers: {
      ...pageHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      // Hides the address from other sites. With no-referrer, browsers would also send `Origin: null` for our own form.
      'Referrer-Policy': 'same-origin',
    },
    body: document.text,
  };
}
