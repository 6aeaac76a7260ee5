import { FIGURES, lookAt, polyline, series } from './figures.js';
import { parseSamples, total } from './prometheus-text.js';

const TEXT = `# HELP holdline_inbounds_total Inbounds
# TYPE holdline_inbounds_total counter
holdline_inbounds_total{outcome="forwarded"} 10
holdline_inbounds_total{outcome="a \\"b\\" \\\\ c",x="1"} 5 1700000000000
holdline_buffer_depth 3
holdline_rpc_seconds_bucket{le="+Inf"} +Inf
`;

const figure = (name: string) => FIGURES.find((known) => known.name === name) as (typeof FIGURES)[number];

describe('parseSamples', () => {
  it('reads names, labels and values', () => {
    expect(parseSamples(TEXT)).toEqual([
      { name: 'holdline_inbounds_total', labels: { outcome: 'forwarded' }, value: 10 },
      { name: 'holdline_inbounds_total', labels: { outcome: 'a "b" \\ c', x: '1' }, value: 5 },
      { name: 'holdline_buffer_depth', labels: {}, value: 3 },
      { name: 'holdline_rpc_seconds_bucket', labels: { le: '+Inf' }, value: Number.POSITIVE_INFINITY },
    ]);
  });

  it('sums over the labels that fit', () => {
    const samples = parseSamples(TEXT);
    expect(total(samples, 'holdline_inbounds_total')).toBe(15);
    expect(total(samples, 'holdline_inbounds_total', { outcome: 'forwarded' })).toBe(10);
    expect(total(samples, 'nothing')).toBeUndefined();
  });
});

describe('series', () => {
  it('shows counters as what came in a second, also over a restart', () => {
    const looks = [10, 20, 4].map((value, index) => ({ atMs: index * 5_000, values: { inbounds: value } }));
    expect(series(figure('inbounds'), looks)).toEqual([2, 0.8]);
  });

  it('shows levels as they are', () => {
    const looks = [lookAt(parseSamples(TEXT), 0), lookAt([], 5_000)];
    expect(series(figure('buffered'), looks)).toEqual([3]);
  });

  it('draws from the left to the right, the highest at the top', () => {
    expect(polyline([0, 5, 10], 100, 40)).toBe('0.0,40.0 50.0,20.0 100.0,0.0');
    expect(polyline([0, 0], 100, 40)).toBe('0.0,40.0 100.0,40.0');
    expect(polyline([], 100, 40)).toBe('');
  });
});
