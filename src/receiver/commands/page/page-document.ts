// Builds the page as one document with style and script. Its policy allows only their hashes, so nothing else runs or loads, and Trusted
// Types stop the script from inserting HTML by mistake.

import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import script from './browser/page-main.ts?inline';
import style from './page.css?inline';
import { pageHeaders } from './page-responses.ts';

export function createPageDocument(command: string, canReplay: boolean) {
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
  const headers = {
    ...pageHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
  };
  return (response: ServerResponse) => void response.writeHead(200, headers).end(html);
}

const icon = encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='#2f6f5e'/>" +
    "<path d='M3 8h7m-3-3 3 3-3 3M13 4v8' stroke='#fff' stroke-width='1.6' fill='none'/></svg>",
);

const pageSkeleton = (command: string) => `
<noscript><p>This page needs JavaScript. In a terminal, <code>wm webhook log --follow</code> shows the same.</p></noscript>
<header>
<h1><span class="mark" aria-hidden="true"></span>${command}</h1>
<p id="connection" role="status">Connecting</p>
<button id="show-help" type="button" aria-haspopup="dialog">Keys <kbd>?</kbd></button>
</header>
<div id="problems" role="alert"></div>
<div id="stuck"></div>
<p id="retrying" hidden><button id="retry" type="button">Retry now</button> <span id="retry-state" role="status"></span></p>
<main>
<p id="scope" hidden></p>
<section class="overview" aria-label="Overview">
<dl id="counters"></dl>
<figure>
<svg id="chart" role="img" viewBox="0 0 480 96" preserveAspectRatio="none" aria-labelledby="chart-text"></svg>
<figcaption id="chart-text"></figcaption>
</figure>
</section>
<section aria-labelledby="list-title">
<div class="toolbar" role="search" aria-label="Filter the deliveries">
<h2 id="list-title">Deliveries</h2>
<label><span class="hidden">Text</span><input id="filter-text" type="search" placeholder="Number, event, task, result" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"></label>
<label><span class="hidden">Event</span><select id="filter-event"><option value="">All events</option></select></label>
<label><span class="hidden">State</span><select id="filter-state"><option value="">All states</option></select></label>
<button id="pause" type="button" aria-pressed="false" aria-keyshortcuts="p">Pause</button>
<p id="shown"></p>
</div>
<p id="summary" class="hidden" role="status"></p>
<div class="split">
<div class="list">
<table role="grid" aria-labelledby="list-title" aria-readonly="true">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">No.</th>
<th role="columnheader" scope="col">Time</th>
<th role="columnheader" scope="col">Event</th>
<th role="columnheader" scope="col">Task</th>
<th role="columnheader" scope="col">Signature</th>
<th role="columnheader" scope="col">Duplicates</th>
<th role="columnheader" scope="col">Result</th>
</tr></thead>
<tbody id="rows" role="rowgroup"></tbody>
</table>
<p id="empty" hidden></p>
<p class="more"><button id="older" type="button" hidden>Show older</button> <span id="older-state" role="status"></span></p>
</div>
<section id="details" aria-labelledby="details-title" hidden>
<div class="details-head">
<h2 id="details-title" tabindex="-1"></h2>
<button id="close-details" type="button" aria-label="Close the details" aria-keyshortcuts="Escape">✕</button>
</div>
<div class="actions">
<button id="replay" class="primary" type="button" aria-keyshortcuts="r">Replay</button>
<button id="copy" type="button">Copy body</button>
<a id="download" class="button" download>Download body</a>
</div>
<p id="replay-state" role="status"></p>
<dl id="facts"></dl>
<h3>Attempts</h3>
<div id="attempts"></div>
<h3>Body</h3>
<p id="body-note"></p>
<pre id="body" tabindex="0" aria-label="Body"></pre>
<h3>Headers</h3>
<div id="headers"></div>
</section>
</div>
</section>
</main>
<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">Keys</h2>
<dl id="keys"></dl>
<button id="close-help" type="button">Close</button>
</dialog>`;
