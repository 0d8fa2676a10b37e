// Shows the list of deliveries, newest first. It keeps 500 rows, and older ones that the user has loaded.

import { type DeliveryRow, shownDeliveries } from '../page-messages.ts';
import { byId, create, setText } from './page-elements.ts';
import {
  durationText,
  eventText,
  matchesRowFilter,
  type RowFilter,
  stateText,
  subjectText,
} from './row-words.ts';

interface RowEvents {
  readonly onOpen: (sequence: number) => void;
  readonly onSelect: (sequence: number) => void;
  /** Called after each change with the numbers of all, shown and held-back rows, and all event types. */
  readonly onDrawn: (
    counts: { all: number; shown: number; waiting: number },
    events: ReadonlySet<string>,
  ) => void;
}

interface DrawnRow {
  row: DeliveryRow;
  readonly element: HTMLTableRowElement;
}

export function createDeliveryRows(timeOf: (time: number) => string, events: RowEvents) {
  const body = byId('rows', HTMLTableSectionElement);
  const drawn = new Map<number, DrawnRow>();
  const waiting = new Map<number, DeliveryRow>();
  const names = new Set<string>();
  let filter: RowFilter = { text: '', event: '', state: '' };
  let maxRows = shownDeliveries;
  let selected: number | undefined;
  let isPaused = false;
  let isDrawScheduled = false;
  /** True once the first rows are shown: later ones are new to the user. */
  let isLive = false;

  const drawSoon = () => {
    if (isDrawScheduled) return;
    isDrawScheduled = true;
    window.requestAnimationFrame(() => {
      isDrawScheduled = false;
      draw();
    });
  };

  function draw(): void {
    for (const [sequence, row] of waiting) {
      // Rows on the screen stay current; only new rows wait.
      if (isPaused && !drawn.has(sequence)) continue;
      waiting.delete(sequence);
      put(row, isLive);
    }
    trim();
    if (selected === undefined || !drawn.has(selected)) makeFirstReachable();
    isLive = true;
    const { length: shown } = visibleIn(body);
    events.onDrawn({ all: drawn.size, shown, waiting: waiting.size }, names);
  }

  function put(row: DeliveryRow, isLive: boolean): void {
    for (const name of row.events) names.add(name);
    const existing = drawn.get(row.sequence);
    const element = existing?.element ?? createElement(row.sequence);
    fill(element, row, timeOf);
    element.hidden = !matchesRowFilter(row, filter);
    drawn.set(row.sequence, { row, element });
    if (existing !== undefined) return;
    insert(body, element, row.sequence);
    if (isLive) element.className = 'new';
  }

  function trim(): void {
    while (drawn.size > maxRows) {
      const last = body.lastElementChild;
      if (last === null) return;
      drawn.delete(numberOf(last));
      last.remove();
    }
  }

  /** Lets Tab reach the list before a row is selected. */
  function makeFirstReachable(): void {
    const first = visibleIn(body)[0];
    for (const { element } of drawn.values()) if (element.tabIndex === 0) element.tabIndex = -1;
    if (first) first.tabIndex = 0;
  }

  function select(sequence: number): void {
    for (const { element } of drawn.values()) {
      const isSelected = numberOf(element) === sequence;
      element.setAttribute('aria-selected', String(isSelected));
      element.tabIndex = isSelected ? 0 : -1;
    }
    selected = sequence;
    events.onSelect(sequence);
  }

  body.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest('tr') : null;
    if (row === null) return;
    select(numberOf(row));
    events.onOpen(numberOf(row));
  });

  return {
    add(rows: readonly DeliveryRow[], isWhole: boolean) {
      if (isWhole) {
        const numbers = new Set(rows.map(({ sequence }) => sequence));
        maxRows = shownDeliveries;
        isLive = false;
        waiting.clear();
        for (const [sequence, { element }] of drawn) {
          if (numbers.has(sequence)) continue;
          drawn.delete(sequence);
          element.remove();
        }
      }
      for (const row of rows) waiting.set(row.sequence, row);
      // A window in the background draws nothing for hours.
      for (const sequence of waiting.keys()) if (waiting.size > shownDeliveries) waiting.delete(sequence);
      drawSoon();
    },
    /** Adds older rows, beyond the limit for the others. */
    addOlder(rows: readonly DeliveryRow[]) {
      maxRows += rows.length;
      for (const row of rows) put(row, false);
      drawSoon();
    },
    setFilter(newFilter: RowFilter) {
      filter = newFilter;
      for (const { row, element } of drawn.values()) element.hidden = !matchesRowFilter(row, filter);
      if (selected !== undefined && drawn.get(selected)?.element.hidden) selected = undefined;
      drawSoon();
    },
    setPaused(paused: boolean) {
      isPaused = paused;
      drawSoon();
    },
    /** Moves the selection by this many shown rows; to the first or last with `Infinity`. */
    move(offset: number) {
      const rows = visibleIn(body);
      const index = rows.findIndex((row) => numberOf(row) === selected);
      const first = offset > 0 || offset === Number.NEGATIVE_INFINITY ? 0 : rows.length - 1;
      const next = index === -1 ? first : index + offset;
      const row = rows[Math.min(Math.max(next, 0), rows.length - 1)];
      if (row === undefined) return;
      select(numberOf(row));
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: 'nearest' });
    },
    selected: () => selected,
    focusSelected() {
      const element = selected === undefined ? undefined : drawn.get(selected)?.element;
      (element ?? visibleIn(body)[0])?.focus();
    },
    oldest: () => (body.lastElementChild === null ? undefined : numberOf(body.lastElementChild)),
  };
}

function insert(body: HTMLTableSectionElement, element: HTMLTableRowElement, sequence: number): void {
  let next = body.firstElementChild;
  while (next !== null && numberOf(next) > sequence) next = next.nextElementSibling;
  body.insertBefore(element, next);
}

/** The others depend on the row. */
const columnClasses = ['number', 'time', '', '', '', 'muted', ''];

function createElement(sequence: number): HTMLTableRowElement {
  const element = create('tr', { role: 'row', tabindex: '-1', 'aria-selected': 'false' });
  element.dataset['sequence'] = String(sequence);
  for (const name of columnClasses) element.append(create('td', { role: 'gridcell', class: name }));
  return element;
}

const visibleIn = (body: HTMLTableSectionElement) =>
  [...body.children].filter(
    (element): element is HTMLTableRowElement => element instanceof HTMLTableRowElement && !element.hidden,
  );

const numberOf = (element: Element) => Number(element.getAttribute('data-sequence'));

function fill(element: HTMLTableRowElement, row: DeliveryRow, timeOf: (time: number) => string): void {
  const [number, time, event, task, signature, repeats, forwarded] = element.cells;
  if (!number || !time || !event || !task || !signature || !repeats || !forwarded) return;
  setText(number, `#${row.sequence}`);
  setText(time, timeOf(row.receivedAt));
  setText(event, eventText(row));
  event.title = row.events.join(', ');
  task.className = row.title === '' ? 'subject' : '';
  setText(task, subjectText(row));
  task.title = [row.title, ...row.subjects].filter(Boolean).join(', ');
  signature.className = row.signature === 'valid' ? 'muted' : 'unsigned';
  setText(signature, row.signature);
  setText(repeats, row.duplicates === 0 ? '' : `×${row.duplicates}`);
  const milliseconds = row.outcome === '' ? '' : ` ${durationText(row.milliseconds)}`;
  const text = `${stateText(row)}${milliseconds}`;
  if (forwarded.textContent === text) return;
  forwarded.replaceChildren(
    create('span', { class: `state state-${row.state}` }, stateText(row)),
    create('span', { class: 'milliseconds' }, milliseconds),
  );
}
