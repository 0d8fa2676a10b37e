// Writes metrics in the text format that Prometheus reads, version 0.0.4.
// @see [Exposition formats](https://prometheus.io/docs/instrumenting/exposition_formats/)

export const prometheusContentType = 'text/plain; version=0.0.4; charset=utf-8';

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Labels;
  readonly value: number;
}

export type Labels = Readonly<Record<string, string>>;

export function formatPrometheusText(families: readonly Family[]): string {
  const lines = families.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help.replace(/[\\\n]/g, escapeCharacter)}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(
      ({ suffix = '', labels = {}, value }) =>
        `${name}${suffix}${formatLabels(labels)} ${formatNumber(value)}`,
    ),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\\n"]/g, escapeCharacter)}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeCharacter = (character: string) => (character === '\n' ? '\\n' : `\\${character}`);

/** Prometheus parses numbers as Go does; an upper bound may be infinite. */
export const formatNumber = (value: number) =>
  value === Number.POSITIVE_INFINITY ? '+Inf' : value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
