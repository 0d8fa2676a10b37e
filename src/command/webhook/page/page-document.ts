// The page as one document with its style and its script, which its policy names by their hashes: nothing else runs, and nothing
// is loaded from anywhere. With Trusted Types, a mistake in the script that would insert HTML is an error.

import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import script from './browser/page-main.ts?inline';
import style from './page.css?inline';
import { pageHeaders } from './page-responses.ts';
import { pageSkeleton } from './page-skeleton.ts';

export interface DocumentFacts {
  /** The command that serves it. */
  readonly command: string;
  readonly canReplay: boolean;
}

export function createPageDocument({ command, canReplay }: DocumentFacts) {
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  // An end tag within either of them would end it early.
  if (/<\/(?:script|style)/i.test(script + style)) throw new Error('The page would end its own script');
  const html = `<!doctype html>
<html lang="en" data-command="${command}"${canReplay ? ' data-can-replay' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Deliveries - ${command}</title>
<link rel="icon" href="data:image/svg+xml,${icon}">
<style>${style}</style>
</head>
<body>
${pageSkeleton(command)}
<script type="module">${script}</script>
</body>
</html>
`;
  return {
    send: (response: ServerResponse) =>
      void response
        .writeHead(200, {
          ...pageHeaders,
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': policy.join('; '),
        })
        .end(html),
  };
}

const icon = encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='#2f6f5e'/>" +
    "<path d='M3 8h7m-3-3 3 3-3 3M13 4v8' stroke='#fff' stroke-width='1.6' fill='none'/></svg>",
);
