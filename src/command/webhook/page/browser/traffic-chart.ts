// The chart: the deliveries of each minute go up and the failures go down, so that nobody has to tell them apart by colour. A sentence
// says the same.

import type { TrafficMinute } from '../page-messages.ts';
import { byId, setText } from './page-elements.ts';
import { trafficText } from './row-words.ts';

const bars = 60;
const size = { width: 480, height: 96, gap: 2 };
const svgNamespace = 'http://www.w3.org/2000/svg';

export interface TrafficChart {
  reset(): void;
  /** Both times in milliseconds since 1970; what happened before the start is not known. */
  update(minutes: readonly TrafficMinute[], now: number, startedAt: number): void;
}

export function createTrafficChart(timeOf: (time: number) => string): TrafficChart {
  const svg = byId('chart', SVGSVGElement);
  const caption = byId('chart-text', HTMLElement);
  const known = new Map<number, TrafficMinute>();

  const draw = (now: number, startedAt: number) => {
    const last = Math.floor(now / 60_000);
    const shown = [...known.values()].filter(({ minute }) => minute > last - bars && minute <= last);
    const most = Math.max(1, ...shown.map(({ received }) => received));
    const worst = Math.max(0, ...shown.map(({ failed }) => failed));
    // Both to the same scale, as far as a failure stays visible.
    const down =
      worst === 0 ? 0 : Math.min(size.height / 2, Math.max(16, (size.height * worst) / (most + worst)));
    const axis = size.height - 1 - down;
    const width = size.width / bars;
    svg.replaceChildren(
      line(axis),
      ...shown.flatMap(({ minute, received, failed }) => {
        const x = (bars - 1 - (last - minute)) * width;
        const up = received === 0 ? 0 : Math.max(2, (received / most) * (axis - 2));
        const below = failed === 0 ? 0 : Math.max(2, (failed / worst) * down);
        return [bar('received', x, axis - up, up), bar('failed', x, axis + 1, below)];
      }),
    );
    const since = now - startedAt < bars * 60_000 ? timeOf(startedAt) : '';
    setText(
      caption,
      trafficText(shown, (minute) => timeOf(minute * 60_000), since),
    );
  };
  const bar = (name: string, x: number, y: number, height: number) =>
    shape('rect', { class: name, x, y, width: size.width / bars - size.gap, height });
  const line = (y: number) => shape('line', { class: 'axis', x1: 0, x2: size.width, y1: y, y2: y });
  return {
    reset: () => known.clear(),
    update(minutes, now, startedAt) {
      for (const one of minutes) known.set(one.minute, one);
      for (const minute of known.keys()) if (minute <= Math.floor(now / 60_000) - bars) known.delete(minute);
      draw(now, startedAt);
    },
  };
}

function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
