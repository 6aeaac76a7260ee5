import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ADMIN_METHODS } from '#contracts/methods.js';
import { Metrics } from '#runtime/metrics.js';

import { GatewayMetrics } from '../../apps/gateway/src/gateway-metrics.js';
import { PROJECT_ROOT } from '../harness/project-root.js';
import { codeBlocks, firstCells, readPage } from './markdown.js';

const SETTING = /\b(?:HOLDLINE_[A-Z_]+|NEXO_PROCESSING_[A-Z_]+|DATABASE_URL|NATS_URL)\b/g;

const sources = (directory: string) =>
  readdirSync(join(PROJECT_ROOT, directory), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('spec.ts'))
    .map((path) => readFileSync(join(PROJECT_ROOT, directory, path), 'utf8'));

describe('the README', () => {
  const readme = readPage('README.md');

  test('has every setting that the code reads, and no other', () => {
    const read = new Set([...sources('apps'), ...sources('libs')].flatMap((source) => source.match(SETTING) ?? []));
    expect(firstCells(readme, '## Configuration').sort()).toEqual([...read].sort());
  });

  test('has every figure of the metrics', () => {
    const { registry } = new Metrics();
    new GatewayMetrics(registry);
    const figures = registry.getMetricsAsArray().map(({ name }) => name);
    const own = figures.filter((name) => name.startsWith('holdline_'));
    expect(firstCells(readme, '### Metrics').sort()).toEqual(own.sort());
  });

  test('has every command that is carried out, and no other', () => {
    const controller = readFileSync(join(PROJECT_ROOT, 'apps/conversations/src/conversations.controller.ts'), 'utf8');
    const routed = Object.keys(ADMIN_METHODS).filter((method) => controller.includes(`'${method}':`));
    expect(routed.length).toBeGreaterThan(0);
    expect(firstCells(readme, '## Commands').sort()).toEqual(routed.sort());
  });

  test('shows the examples as they are', () => {
    const shown = codeBlocks(readme, 'js');
    const examples = readdirSync(join(PROJECT_ROOT, 'examples'));
    expect(shown.sort()).toEqual(examples.map((name) => readPage(`examples/${name}`).text).sort());
  });
});
