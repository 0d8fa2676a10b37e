// Runs the page of `wm webhook listen --ui` and `wm webhook forward --ui`. The server draws everything as HTML; this script puts it in
// its place, selects and filters rows, and sends what the user asks for. What it remembers, it remembers in the document.

import { parseHtml } from '#web/browser/parse-html.ts';

/** Returns the element of the page with this id. A missing element is a mistake in wm. */
function byId<E extends Element>(id: string, type: new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no ${type.name} #${id}`);
  return element;
}

const connection = byId('connection', HTMLElement);
const rows = byId('rows', HTMLTableSectionElement);
const filterText = byId('filter-text', HTMLInputElement);
const filterEvent = byId('filter-event', HTMLSelectElement);
const filterState = byId('filter-state', HTMLSelectElement);
const pauseButton = byId('pause', HTMLButtonElement);
const olderButton = byId('older', HTMLButtonElement);
const olderState = byId('older-state', HTMLElement);
const details = byId('details', HTMLElement);
const title = byId('details-title', HTMLElement);
const replayState = byId('replay-state', HTMLElement);
const help = byId('help', HTMLDialogElement);
/** New rows while the list is paused. */
const held = document.createElement('tbody');

/** Sets the text only if it has changed: a screen reader may read it again. */
function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Returns a sentence if the request fails. */
async function load(path: string, method = 'GET'): Promise<Document | string> {
  try {
    const response = await window.fetch(path, { method });
    // Our server writes errors as HTML too. Anything else means that this address has expired.
    if (!response.headers.get('Content-Type')?.startsWith('text/html'))
      return 'The receiver was restarted, and its page has a new address';
    const page = parseHtml(await response.text());
    return response.ok ? page : (page.body.textContent ?? '');
  } catch {
    return 'The receiver does not respond';
  }
}

/** Puts the content of each element into that with the same id, if it has changed. */
function show(page: Document | string, status: Element): void {
  if (typeof page === 'string') setText(status, page);
  else
    for (const next of page.body.children) {
      const current = document.getElementById(next.id);
      if (current && current.innerHTML !== next.innerHTML) current.replaceChildren(...next.childNodes);
    }
}

const visibleRows = () => [...rows.rows].filter((row) => !row.hidden);
const isSelected = (row: HTMLTableRowElement) => row.getAttribute('aria-selected') === 'true';
const sequenceOf = (row: HTMLTableRowElement | undefined) => Number(row?.dataset['sequence'] ?? 0);
/** 0 without rows. */
const oldest = () => sequenceOf([...rows.rows].at(-1));
const rowsIn = (page: Document) => [...page.querySelectorAll<HTMLTableRowElement>('tr[data-sequence]')];

function put(row: HTMLTableRowElement): void {
  const current = document.getElementById(row.id);
  if (current === null) {
    const next = [...rows.rows].find((other) => sequenceOf(other) < sequenceOf(row));
    rows.insertBefore(row, next ?? null);
  } else if (current.innerHTML !== row.innerHTML) {
    Object.assign(current.dataset, row.dataset);
    current.replaceChildren(...row.childNodes);
  }
  for (const name of row.dataset['events']?.split('\n') ?? []) offerEvent(name);
}

function offerEvent(name: string): void {
  const options = [...filterEvent.options];
  if (options.some(({ value }) => value === name)) return;
  filterEvent.add(new Option(name), options.find(({ value }) => value > name) ?? null);
}

/** Of the stream: new and changed rows, or all if they have a limit. */
function update(page: Document): void {
  show(page, connection);
  const changed = rowsIn(page);
  const whole = page.querySelector<HTMLElement>('tbody[data-limit]');
  if (whole !== null) {
    Object.assign(rows.dataset, whole.dataset);
    held.replaceChildren();
    const ids = new Set(changed.map(({ id }) => id));
    for (const row of [...rows.rows]) if (!ids.has(row.id)) row.remove();
  }
  for (const row of changed) {
    const isNew = document.getElementById(row.id) === null;
    row.classList.toggle('new', isNew && whole === null);
    // Rows on the screen stay current; only new rows wait.
    if (isNew && isPressed(pauseButton)) hold(row);
    else put(row);
  }
  refresh();
  if (changed.some((row) => row.dataset['sequence'] === details.dataset['sequence'])) void readDetails();
}

function hold(row: HTMLTableRowElement): void {
  held.querySelector(`#${row.id}`)?.remove();
  held.append(row);
  if (held.rows.length > Number(rows.dataset['limit'])) held.deleteRow(0);
}

const isPressed = (button: HTMLButtonElement) => button.getAttribute('aria-pressed') === 'true';

function pause(): void {
  pauseButton.setAttribute('aria-pressed', String(!isPressed(pauseButton)));
  for (const row of [...held.rows]) put(row);
  refresh();
}

const comparable = (text: string) => text.normalize('NFC').toLowerCase();

/** Called after each change of the rows, the filter or the selection. */
function refresh(): void {
  while (rows.rows.length > Number(rows.dataset['limit'])) rows.deleteRow(-1);
  const words = comparable(filterText.value).split(/\s+/);
  for (const row of rows.rows) {
    const { events = '', state, words: text = '' } = row.dataset;
    row.hidden =
      !words.every((word) => text.includes(word)) ||
      !['', ...events.split('\n')].includes(filterEvent.value) ||
      !['', state].includes(filterState.value);
  }
  const shown = visibleRows();
  // Tab reaches one row of the list.
  const stop = shown.find(isSelected) ?? shown[0];
  for (const row of rows.rows) row.tabIndex = row === stop ? 0 : -1;
  showCounts(rows.rows.length, shown.length);
  olderButton.hidden = oldest() <= 1;
}

function showCounts(all: number, shown: number): void {
  const total = `${all} ${all === 1 ? 'delivery' : 'deliveries'}`;
  const waiting = held.rows.length === 0 ? '' : `, ${held.rows.length} new`;
  setText(byId('shown', HTMLElement), `${shown === all ? total : `${shown} of ${total}`}${waiting}`);
  const none = all === 0 ? 'No delivery has come yet.' : 'No delivery matches the filter.';
  setText(byId('empty', HTMLElement), shown === 0 ? none : '');
}

async function showOlder(): Promise<void> {
  setText(olderState, 'Reading…');
  const page = await load(`deliveries?before=${oldest()}`);
  show(page, olderState);
  if (typeof page === 'string') return;
  const older = rowsIn(page);
  // Beyond the limit for the others.
  rows.dataset['limit'] = String(Number(rows.dataset['limit']) + older.length);
  for (const row of older) put(row);
  refresh();
}

function select(row: HTMLTableRowElement): void {
  for (const other of rows.rows) other.setAttribute('aria-selected', String(other === row));
  refresh();
  if (!details.hidden) open(row);
}

/** `choose`: the index of a row from that of the selected one, or from -1. */
function go(choose: (index: number) => number): void {
  const shown = visibleRows();
  const index = Math.min(choose(shown.findIndex(isSelected)), shown.length - 1);
  const row = shown[Math.max(index, 0)];
  if (row === undefined) return;
  select(row);
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}

function open({ dataset: { sequence = '' } }: HTMLTableRowElement): void {
  if (details.dataset['sequence'] === sequence) return;
  details.dataset['sequence'] = sequence;
  details.hidden = false;
  details.parentElement?.classList.add('open');
  details.scrollTop = 0;
  setText(title, `#${sequence}`);
  setText(replayState, '');
  byId('download', HTMLAnchorElement).href = `deliveries/${sequence}/body`;
  void readDetails();
}

function openSelected(): void {
  if (!visibleRows().some(isSelected)) go(() => 0);
  const row = visibleRows().find(isSelected);
  if (row === undefined) return;
  open(row);
  title.focus();
}

function close(): void {
  if (details.hidden) return;
  delete details.dataset['sequence'];
  details.hidden = true;
  details.parentElement?.classList.remove('open');
  rows.querySelector<HTMLTableRowElement>('[tabindex="0"]')?.focus();
}

/** Sends one request at a time, however often the delivery changes. */
async function readDetails(): Promise<void> {
  details.dataset['changed'] = '';
  if (details.ariaBusy === 'true') return;
  details.ariaBusy = 'true';
  while ('changed' in details.dataset) {
    delete details.dataset['changed'];
    const { sequence } = details.dataset;
    if (sequence === undefined) break;
    const page = await load(`deliveries/${sequence}`);
    if (details.dataset['sequence'] === sequence) show(page, replayState);
  }
  details.ariaBusy = 'false';
}

async function replay(): Promise<void> {
  const { sequence } = details.dataset;
  if (sequence === undefined) return;
  setText(replayState, 'Sending…');
  const page = await load(`deliveries/${sequence}/replay`, 'POST');
  if (details.dataset['sequence'] !== sequence) return;
  show(page, replayState);
  void readDetails();
}

/** Copies the body as received: the page shows it indented, and without control characters. */
async function copy(): Promise<void> {
  try {
    const response = await window.fetch(byId('download', HTMLAnchorElement).href);
    if (!response.ok) throw new Error(response.statusText);
    await navigator.clipboard.writeText(await response.text());
    setText(replayState, 'Copied.');
  } catch {
    setText(replayState, 'It could not be copied. Download it, or select the text.');
  }
}

/** What the buttons do, by their ids. */
const buttons: Readonly<Record<string, () => unknown>> = {
  ...{ copy, pause, replay },
  retry: async () => show(await load('retry', 'POST'), byId('retry-state', HTMLElement)),
  older: showOlder,
  'close-details': close,
  'show-help': () => help.showModal(),
};

/** What the keys do. The document lists them. */
const keys: Readonly<Record<string, () => unknown>> = {
  j: () => go((index) => index + 1),
  ArrowDown: () => go((index) => index + 1),
  k: () => go((index) => index - 1),
  ArrowUp: () => go((index) => index - 1),
  Home: () => go(() => 0),
  End: () => go(() => Number.POSITIVE_INFINITY),
  Enter: openSelected,
  ' ': openSelected,
  r: replay,
  '/': () => filterText.focus(),
  p: pause,
  Escape: () => (document.activeElement === filterText ? filterText.blur() : close()),
  '?': () => help.showModal(),
};

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  buttons[target.closest('button')?.id ?? '']?.();
  const row = target.closest<HTMLTableRowElement>('#rows tr');
  if (row === null) return;
  select(row);
  open(row);
});

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  const action = keys[key];
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || help.open) return;
  if (action === undefined || !(target instanceof HTMLElement)) return;
  if (target.matches('input, select') && key !== 'Escape') return;
  // Enter, the space and the arrows belong to a focused button, link or box.
  if (/^(?:Enter| |Arrow.*|Home|End)$/.test(key) && !target.matches('body, tr, h2')) return;
  event.preventDefault();
  action();
});

for (const field of [filterText, filterEvent, filterState]) field.addEventListener('input', refresh);

/** Reconnects by itself. `closed`: the address has expired. */
const source = new EventSource('events');
const showConnection = (state: 'open' | 'lost' | 'closed') => {
  connection.dataset['state'] = state;
  setText(connection, connection.dataset[state] ?? '');
};
source.onopen = () => showConnection('open');
source.onmessage = ({ data }) => update(parseHtml(String(data)));
source.onerror = () => showConnection(source.readyState === EventSource.CLOSED ? 'closed' : 'lost');
