// Draws the page before anything is known: its places, which the script fills with what the server sends.

import { type Html, html } from '#web/html-template.ts';
import { drawPage } from '#web/web-page.ts';
import { deliveryStates } from '../archive/deliveries/logged-delivery.ts';
import script from './browser/page-script.ts?inline';
import { nameOf } from './delivery-html.ts';
import style from './page.css?inline';
import type { PageParts } from './page-source.ts';

const columns = ['No.', 'Time', 'Event', 'Task', 'Signature', 'Duplicates', 'Result'];

const keys = {
  'j or ↓': 'Next delivery',
  'k or ↑': 'Previous delivery',
  Home: 'Newest delivery',
  End: 'Oldest delivery',
  Enter: 'Show the details',
  r: 'Replay the delivery whose details are shown',
  '/': 'Filter',
  p: 'Pause the list, or continue',
  Esc: 'Leave the filter; close the details',
  '?': 'These keys',
};

export const describeNoTarget = (command: string) =>
  `No target to send it to: start ${command} with --forward-to or --exec`;

type DocumentParts = Pick<PageParts, 'command' | 'source' | 'replay' | 'retryNow'>;

const drawContent = ({
  command,
  source: { scope },
  replay,
  retryNow,
}: DocumentParts): Html => html`<noscript><p>This page needs JavaScript. In a terminal, <code>wm webhook log --follow</code> shows the same.</p></noscript>
<header>
<h1 class="brand">${command}</h1>
<p id="connection" class="muted" role="status" data-open="Live" data-lost="Connection lost. Trying again." data-closed="This address has expired. ${command} prints the current one.">Connecting</p>
<button id="show-help" type="button" aria-haspopup="dialog">Keys <kbd>?</kbd></button>
</header>
<div id="problems" role="alert"></div>
<div id="stuck"></div>
${retryNow !== undefined && html`<p id="retrying"><button id="retry" type="button">Retry now</button> <span id="retry-state" role="status"></span></p>`}
<main>
${scope !== '' && html`<p class="muted">${scope}</p>`}
<section class="overview card" aria-label="Overview">
<dl id="counters"></dl>
<figure id="traffic"></figure>
</section>
<section aria-labelledby="list-title">
<div class="toolbar" role="search" aria-label="Filter the deliveries">
<h2 id="list-title">Deliveries</h2>
<label><span class="hidden">Text</span><input id="filter-text" type="search" placeholder="Number, event, task, result" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"></label>
<label><span class="hidden">Event</span><select id="filter-event"><option value="">All events</option></select></label>
<label><span class="hidden">State</span><select id="filter-state"><option value="">All states</option>
${deliveryStates.map((state) => html`<option value="${state}">${nameOf(state)}</option>`)}
</select></label>
<button id="pause" type="button" aria-pressed="false" aria-keyshortcuts="p">Pause</button>
<p id="shown" class="muted"></p>
</div>
<p id="summary" class="hidden" role="status"></p>
<div class="split">
<div class="list card">
<table role="grid" aria-labelledby="list-title" aria-readonly="true">
<thead role="rowgroup"><tr role="row">${columns.map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
<tbody id="rows" role="rowgroup"></tbody>
</table>
<p id="empty" class="muted"></p>
<p class="more"><button id="older" type="button" hidden>Show older</button> <span id="older-state" role="status"></span></p>
</div>
<section id="details" class="card" aria-labelledby="details-title" hidden>
<div class="details-head">
<h2 id="details-title" tabindex="-1"></h2>
<button id="close-details" type="button" aria-label="Close the details" aria-keyshortcuts="Escape">✕</button>
</div>
<div class="actions">
<button id="replay" class="primary" type="button" aria-keyshortcuts="r"${replay === undefined && html` aria-disabled="true" title="${describeNoTarget(command)}"`}>Replay</button>
<button id="copy" type="button">Copy body</button>
<a id="download" class="button" download>Download body</a>
</div>
<div id="replay-state" role="status"></div>
<dl id="facts" class="facts"></dl>
<h3>Attempts</h3>
<div id="attempts"></div>
<h3>Body</h3>
<div id="content"></div>
<h3>Headers</h3>
<div id="headers"></div>
</section>
</div>
</section>
</main>
<dialog id="help" class="card" aria-labelledby="help-title">
<h2 id="help-title">Keys</h2>
<dl class="facts">${Object.entries(keys).map(([key, title]) => html`<dt><kbd>${key}</kbd></dt><dd>${title}</dd>`)}</dl>
<form method="dialog"><button>Close</button></form>
</dialog>`;

export const drawDocument = (parts: DocumentParts) =>
  drawPage({
    ...{ title: `Deliveries - ${parts.command}`, style, script },
    formAction: "'none'",
    content: drawContent(parts),
  });
