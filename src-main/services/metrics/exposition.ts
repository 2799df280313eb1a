/** Labels of a sample, in the order they are written. */
export type Labels = Readonly<Record<string, string>>;

/** One number of a family. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** Numbers of one name: a gauge goes up and down, a counter rises until it begins anew. */
export interface Family {
  /** With its unit at the end; `_total` behind that for a counter. */
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly samples: readonly Sample[];
}

/** Media type of the text, as Prometheus asks for it. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Families in the text format 0.0.4 of Prometheus; those without samples are left out. */
export function exposition(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${numberText(value)}`);
      return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
    })
    .join('');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
}
