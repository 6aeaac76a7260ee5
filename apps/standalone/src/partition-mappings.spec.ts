import { readFileSync } from 'node:fs';

import { partitionMappings } from './partition-mappings.js';

describe('the partitions of the local broker', () => {
  test('are those of the configuration that is shipped', () => {
    const shipped = readFileSync(new URL('../../../nats/partitions.conf', import.meta.url), 'utf8');
    const withoutComments = shipped.replace(/^#.*$/gm, '');
    expect(partitionMappings(4).replace(/\s+/g, '')).toBe(withoutComments.replace(/\s+/g, ''));
  });
});
