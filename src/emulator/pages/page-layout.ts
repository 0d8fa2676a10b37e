// The layout of all pages of the emulator. Its policy allows only its style and script, by their hashes, and forbids frames.

import { createHash } from 'node:crypto';
import { Html, html } from '#web/html-template.ts';
import type { OutgoingResponse } from '../http/response.ts';
import style from './emulator.css?inline';

export interface PageOptions {
  readonly status?: number;
  /** Origins that a form may be sent to besides this one; browsers apply `form-action` to the redirects that follow, too. */
  readonly formTargets?: readonly string[];
  /** The text of a script, which may send requests to this origin. A page without one has a single text or decision, in one column. */
  readonly script?: string;
}

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const styleSource = sourceOf(style);

function policyFor({ formTargets = [], script }: PageOptions): string {
  return [
    "default-src 'none'",
    `style-src ${styleSource}`,
    'img-src data:',
    ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`, "connect-src 'self'"]),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    // The policy with which the script may turn this origin's responses into HTML.
    `trusted-types ${script === undefined ? "'none'" : 'emulator-page'}`,
  ].join('; ');
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='#2f6f5e'/></svg>",
)}`;

export function pageResponse(title: string, content: Html, options: PageOptions = {}): OutgoingResponse {
  const { status = 200, script } = options;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${new Html(style)}</style>
</head>
<body${script === undefined && html` class="narrow"`}>
<header class="top brand">Emulator</header>
<main>
${content}
</main>
<footer><p>This page is from an emulator on this computer. It does not sign you in to the real service.</p></footer>
${script !== undefined && html`<script>${new Html(script)}</script>`}
</body>
</html>
`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyFor(options),
      'Cache-Control': 'no-store',
      // Hides the address from other sites. With no-referrer, browsers would also send `Origin: null` for our own form.
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
    body: document.text,
  };
}
