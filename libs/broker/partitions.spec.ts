import { partitionFilter, subjectBeforeMapping } from './partitions.js';

describe('partitions', () => {
  test('a partition that does not exist is an error', () => {
    expect(partitionFilter(0, 1)).toBe('nexo.inbound.>');
    expect(partitionFilter(3, 4)).toBe('nexo.partition.3.inbound.>');
    for (const [partition, partitions] of [
      [4, 4],
      [-1, 4],
      [0.5, 4],
      [0, 0],
    ] as const) {
      expect(() => partitionFilter(partition, partitions)).toThrow(RangeError);
    }
  });

  test('a mapped subject is turned back, any other stays', () => {
    expect(subjectBeforeMapping('nexo.partition.12.inbound.a.b.c.d')).toBe('nexo.inbound.a.b.c.d');
    expect(subjectBeforeMapping('nexo.inbound.nexo.partition.1.inbound')).toBe('nexo.inbound.nexo.partition.1.inbound');
  });
});
