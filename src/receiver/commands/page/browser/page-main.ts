// Runs the page of `wm webhook listen --ui` and `wm webhook forward --ui`: connects its list, details, chart, filter and keys.

import type { PageUpdate } from '../page-messages.ts';
import { createDeliveryPanel } from './delivery-panel.ts';
import { createDeliveryRows } from './delivery-rows.ts';
import { byId, create, describe, setText } from './page-elements.ts';
import { createPageServer } from './page-server.ts';
import { createPageStatus } from './page-status.ts';
import { countText, stateNames, trafficText } from './row-words.ts';

function run(): void {
  const server = createPageServer();
  const help = byId('help', HTMLDialogElement);
  const filterText = byId('filter-text', HTMLInputElement);
  const filterEvent = byId('filter-event', HTMLSelectElement);
  const filterState = byId('filter-state', HTMLSelectElement);
  const pauseButton = byId('pause', HTMLButtonElement);
  const olderButton = byId('older', HTMLButtonElement);
  const olderState = byId('older-state', HTMLElement);
  const times = createTimes();
  const { canReplay, command = '' } = document.documentElement.dataset;
  const status = createPageStatus(times.time, command);
  const noTarget = `No target to send it to: start ${command} with --forward-to or --exec`;
  const problem = canReplay === undefined ? noTarget : undefined;
  const panel = createDeliveryPanel(server, times.time, problem, () => rows.focusSelected());
  const rows = createDeliveryRows(times.time, {
    onOpen: (sequence) => panel.open(sequence),
    onSelect(sequence) {
      if (panel.sequence() !== undefined) panel.open(sequence);
    },
    onDrawn(counts, events) {
      showCounts(counts);
      offerEvents(filterEvent, events);
      const oldest = rows.oldest();
      olderButton.hidden = isEnd || oldest === undefined || oldest <= 1;
    },
  });
  /** All older deliveries have been loaded. */
  let isEnd = false;
  let isPaused = false;

  function onUpdate(update: PageUpdate): void {
    times.setToday(update.now);
    if (update.isWhole) {
      isEnd = false;
      setText(olderState, '');
    }
    rows.add(update.rows, update.isWhole);
    drawTraffic(update, times.minute);
    status.show(update);
    if (update.rows.some(({ sequence }) => sequence === panel.sequence())) panel.refresh();
  }

  async function showOlder(): Promise<void> {
    const oldest = rows.oldest();
    if (oldest === undefined) return;
    setText(olderState, 'Reading…');
    const result = await server.older(oldest);
    if ('error' in result) return setText(olderState, result.error);
    isEnd = result.isEnd;
    rows.addOlder(result.rows);
    setText(olderState, isEnd ? 'There are no older deliveries.' : '');
  }

  function pause(): void {
    isPaused = !isPaused;
    pauseButton.setAttribute('aria-pressed', String(isPaused));
    rows.setPaused(isPaused);
  }

  function openSelected(): void {
    if (rows.selected() === undefined) rows.move(1);
    const sequence = rows.selected();
    if (sequence === undefined) return;
    panel.open(sequence);
    panel.focus();
  }

  function leave(): void {
    if (document.activeElement === filterText) filterText.blur();
    else panel.close();
  }

  const keys: readonly PageKey[] = [
    [['j', 'ArrowDown'], 'j or ↓', 'Next delivery', () => rows.move(1)],
    [['k', 'ArrowUp'], 'k or ↑', 'Previous delivery', () => rows.move(-1)],
    [['Home'], 'Home', 'Newest delivery', () => rows.move(Number.NEGATIVE_INFINITY)],
    [['End'], 'End', 'Oldest delivery', () => rows.move(Number.POSITIVE_INFINITY)],
    [['Enter', ' '], 'Enter', 'Show the details', openSelected],
    [['r'], 'r', 'Replay the delivery whose details are shown', () => panel.replay()],
    [['/'], '/', 'Filter', () => filterText.focus()],
    [['p'], 'p', 'Pause the list, or continue', pause],
    [['Escape'], 'Esc', 'Leave the filter; close the details', leave],
    [['?'], '?', 'These keys', () => help.showModal()],
  ];
  const keyList = keys.map(([, label, title]) => [create('kbd', {}, label), title] as const);
  describe(byId('keys', HTMLElement), keyList);
  filterState.append(...Object.entries(stateNames).map(([value, name]) => create('option', { value }, name)));
  for (const field of [filterText, filterEvent, filterState])
    field.addEventListener('input', () =>
      rows.setFilter({ text: filterText.value, event: filterEvent.value, state: filterState.value }),
    );
  pauseButton.addEventListener('click', pause);
  byId('retry', HTMLButtonElement).addEventListener('click', async () => {
    const result = await server.retry();
    setText(byId('retry-state', HTMLElement), 'error' in result ? result.error : result.text);
  });
  olderButton.addEventListener('click', () => void showOlder());
  byId('show-help', HTMLButtonElement).addEventListener('click', () => help.showModal());
  byId('close-help', HTMLButtonElement).addEventListener('click', () => help.close());
  listenForKeys(keys, () => help.open);
  server.listen(onUpdate, (state) => status.showConnection(state));
}

function showCounts({ all, shown, waiting }: { all: number; shown: number; waiting: number }): void {
  const total = countText(all, 'delivery', 'deliveries');
  const count = shown === all ? total : `${shown} of ${total}`;
  setText(
    byId('shown', HTMLElement),
    waiting === 0 ? count : `${count}, ${waiting.toLocaleString('en')} new`,
  );
  const empty = byId('empty', HTMLElement);
  empty.hidden = shown > 0;
  setText(empty, all === 0 ? 'No delivery has come yet.' : 'No delivery matches the filter.');
}

function offerEvents(list: HTMLSelectElement, events: ReadonlySet<string>): void {
  const [all] = list.options;
  if (all === undefined || list.options.length === events.size + 1) return;
  const chosen = list.value;
  const options = [...events].toSorted().map((name) => create('option', { value: name }, name));
  list.replaceChildren(all, ...options);
  list.value = chosen;
}

/** Formats times in the user's time zone, with the day unless it is today by the server's clock. */
function createTimes() {
  const second = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
  const minute = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
  const day = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  let today = '';
  return {
    setToday(now: number) {
      today = new Date(now).toDateString();
    },
    minute: (time: number) => minute.format(time),
    time: (time: number) => (new Date(time).toDateString() === today ? second : day).format(time),
  };
}

run();

/** `label`: the name of the keys in the help. */
type PageKey = readonly [keys: readonly string[], label: string, title: string, run: () => void];

function listenForKeys(keys: readonly PageKey[], isDialogOpen: () => boolean): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || isDialogOpen()) return;
    const { target, key } = event;
    if (isField(target) && key !== 'Escape') return;
    // Enter belongs to a focused button or link, and the arrows to a scrolling box.
    if (key === 'Enter' && target instanceof HTMLElement && target.matches('button, a, select')) return;
    if (/^(?:Arrow|Home|End)/.test(key) && target instanceof HTMLElement && !target.matches('body, tr'))
      return;
    const [, , , action] = keys.find(([names]) => names.includes(key)) ?? [];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement;

const bars = 60;
const size = { width: 480, height: 96, gap: 2 };
const svgNamespace = 'http://www.w3.org/2000/svg';

/** Nothing is known from before the start. */
function drawTraffic({ minutes, now, startedAt }: PageUpdate, timeOf: (time: number) => string): void {
  const last = Math.floor(now / 60_000);
  const maxReceived = Math.max(1, ...minutes.map(({ received }) => received));
  const maxFailed = Math.max(0, ...minutes.map(({ failed }) => failed));
  // Both at the same scale, but a failure always stays visible.
  const failedShare = maxFailed / (maxReceived + maxFailed);
  const down = maxFailed === 0 ? 0 : Math.min(size.height / 2, Math.max(16, size.height * failedShare));
  const axis = size.height - 1 - down;
  const width = size.width / bars;
  const bar = (name: string, x: number, y: number, height: number) =>
    shape('rect', { class: name, x, y, width: width - size.gap, height });
  byId('chart', SVGSVGElement).replaceChildren(
    shape('line', { class: 'axis', x1: 0, x2: size.width, y1: axis, y2: axis }),
    ...minutes.flatMap(({ minute, received, failed }) => {
      const x = (bars - 1 - (last - minute)) * width;
      const up = received === 0 ? 0 : Math.max(2, (received / maxReceived) * (axis - 2));
      const below = failed === 0 ? 0 : Math.max(2, (failed / maxFailed) * down);
      return [bar('received', x, axis - up, up), bar('failed', x, axis + 1, below)];
    }),
  );
  const since = now - startedAt < bars * 60_000 ? timeOf(startedAt) : '';
  const caption = trafficText(minutes, (minute) => timeOf(minute * 60_000), since);
  setText(byId('chart-text', HTMLElement), caption);
}

function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
