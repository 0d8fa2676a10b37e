// The frame of every page: one document with its style and script, which its policy names by their hashes, so nothing else runs or loads.

import { createHash } from 'node:crypto';
import { Html, html } from './html-template.ts';

/** None of the responses of a page can be cached, framed, taken for another type, or read by another site. */
export const pageHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

interface WebPage {
  readonly title: string;
  readonly style: string;
  /** It may send requests to this origin, and make HTML of the responses with the policy of browser/parse-html.ts. */
  readonly script: string | undefined;
  /** Where forms may be sent, such as `'self'`; browsers apply it to the redirects that follow, too. */
  readonly formAction: string;
  readonly bodyClass?: string | undefined;
  readonly content: Html;
}

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const icon = `data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='#2f6f5e'/></svg>",
)}`;

export function drawPage({ title, style, script, formAction, bodyClass, content }: WebPage) {
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    'img-src data:',
    ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`, "connect-src 'self'"]),
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${script === undefined ? "'none'" : 'own-html'}`,
  ].join('; ');
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
<body class="${bodyClass}">
${content}
${script !== undefined && html`<script type="module">${new Html(script)}</script>`}
</body>
</html>
`;
  return { document, policy };
}
