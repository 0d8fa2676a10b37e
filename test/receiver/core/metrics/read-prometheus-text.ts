// Reads the text format of Prometheus as its documentation defines it, and rejects everything else: written from the documentation
// alone, not from what src/ prints.
// @see [Exposition formats](https://prometheus.io/docs/instrumenting/exposition_formats/)

import assert from 'node:assert/strict';

export interface ReadMetric {
  readonly help: string;
  readonly type: string;
  /** By name and labels, as `name{a="b"}` with the labels sorted. */
  readonly samples: Map<string, number>;
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

export function readPrometheusText(text: string): Map<string, ReadMetric> {
  assert.ok(text.endsWith('\n'), 'the last line ends with a line feed');
  const metrics = new Map<string, ReadMetric>();
  const helps = new Map<string, string>();
  let current: [string, ReadMetric] | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment) {
      const [, kind, name = '', rest = ''] = comment;
      assert.match(name, metricName);
      if (kind === 'HELP') {
        assert.ok(!helps.has(name), `only one HELP for ${name}`);
        helps.set(name, readEscapes(rest, /\\(.?)/g, { '\\': '\\', n: '\n' }));
      } else {
        assert.ok(!metrics.has(name), `only one TYPE for ${name}, before its samples`);
        assert.match(rest, /^(?:counter|gauge|histogram)$/);
        current = [name, { help: helps.get(name) ?? '', type: rest, samples: new Map() }];
        metrics.set(...current);
      }
      continue;
    }
    assert.ok(!line.startsWith('#') && line !== '', `neither a comment nor a sample: ${line}`);
    readSample(line, current);
  }
  for (const [name, metric] of metrics) {
    if (metric.type === 'histogram') checkHistogram(name, metric);
    if (metric.type === 'counter') assert.match(name, /_total$/, 'a convention for counters');
  }
  return metrics;
}

function readSample(line: string, current: [string, ReadMetric] | undefined): void {
  const [, name = '', , inBraces, value = ''] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{((?:[^"{}]|"(?:[^"\\]|\\.)*")*)\})? (\S+)$/.exec(line) ?? [];
  assert.ok(current, `a sample before any TYPE: ${line}`);
  const [family, { type, samples }] = current;
  const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => family + end) : [family];
  assert.ok(names.includes(name), `a sample of ${name} among those of ${family}: ${line}`);
  const labels = new Map<string, string>();
  let rest = inBraces ?? '';
  while (rest !== '') {
    const [whole = '', label = '', quoted = ''] =
      /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\.)*)"(?:,|$)/.exec(rest) ?? [];
    assert.notEqual(whole, '', `labels: ${line}`);
    assert.ok(!labels.has(label), `a label twice: ${line}`);
    labels.set(label, readEscapes(quoted, /\\(.?)/g, { '\\': '\\', n: '\n', '"': '"' }));
    rest = rest.slice(whole.length);
  }
  assert.match(value, /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]Inf|NaN)$/, line);
  const sorted = [...labels].toSorted().map(([label, text]) => `${label}="${text}"`);
  const key = sorted.length === 0 ? name : `${name}{${sorted.join(',')}}`;
  assert.ok(!samples.has(key), `a sample twice: ${line}`);
  samples.set(key, value.endsWith('Inf') ? Number(`${value}inity`) : Number(value));
}

function readEscapes(text: string, pattern: RegExp, meanings: Readonly<Record<string, string>>): string {
  return text.replace(pattern, (whole, character: string) => {
    const meaning = meanings[character];
    assert.notEqual(meaning, undefined, `an escape that is none: ${whole}`);
    return meaning ?? '';
  });
}

/** Ascending bounds up to +Inf, counts that never fall, and the last of them as the count. */
function checkHistogram(name: string, { samples }: ReadMetric): void {
  const buckets = [...samples].filter(([key]) => key.startsWith(`${name}_bucket{`));
  const bounds = buckets.map(([key]) => /le="([^"]+)"/.exec(key)?.[1] ?? '');
  assert.equal(bounds.at(-1), '+Inf');
  const numbers = bounds.slice(0, -1).map(Number);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  const counts = buckets.map(([, count]) => count);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  );
  assert.equal(samples.get(`${name}_count`), counts.at(-1));
  assert.ok(samples.has(`${name}_sum`));
}
