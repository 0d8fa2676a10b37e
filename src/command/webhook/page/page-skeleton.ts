// The fixed parts of the page, which the script fills, with their names for screen readers.

/** `command`: the one that serves it, such as `wm webhook listen`. */
export const pageSkeleton = (command: string) => `
<noscript><p>This page needs JavaScript. In a terminal, <code>wm webhook log --follow</code> shows the same.</p></noscript>
<header>
<h1><span class="mark" aria-hidden="true"></span>${command}</h1>
<p id="connection" role="status">Connecting</p>
<button id="show-help" type="button" aria-haspopup="dialog">Keys <kbd>?</kbd></button>
</header>
<div id="problems" role="alert"></div>
<div id="stuck"></div>
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
<a id="download" download>Download body</a>
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
