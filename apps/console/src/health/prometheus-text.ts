/** One figure of the Prometheus text format. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const ESCAPES: Record<string, string> = { n: '\n', '\\': '\\', '"': '"' };

/** The samples of a `/metrics` answer; comments and what cannot be read are left out. */
export function parseSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const match = line.startsWith('#') ? null : LINE.exec(line);
    if (match === null) return [];
    const [, name = '', labels = '', value = ''] = match;
    return [{ name, labels: parseLabels(labels), value: toNumber(value) }];
  });
}

/** The sum of a figure over all labels that fit; undefined when there is none. */
export function total(samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): number | undefined {
  const fitting = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return fitting.length === 0 ? undefined : fitting.reduce((sum, { value }) => sum + value, 0);
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(LABEL)) {
    labels[name] = value.replace(/\\(.)/g, (whole, character: string) => ESCAPES[character] ?? whole);
  }
  return labels;
}

function toNumber(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
