/**
 * The part of nats-server's configuration that splits the inbound stream into partitions by conversation, as
 * `nats/partitions.conf` does for a number that is written there.
 */
export function partitionMappings(partitions: number): string {
  return `mappings: {\n${mapping(4, partitions)}\n${mapping(5, partitions)}\n}\n`;
}

/** @param tokens how many follow `nexo.inbound`: 4, or 5 with an MCP source. */
function mapping(tokens: number, partitions: number): string {
  const numbers = Array.from({ length: tokens }, (_, index) => index + 1);
  const source = ['nexo.inbound', ...numbers.map(() => '*')].join('.');
  const wildcards = numbers.map((number) => `{{wildcard(${number})}}`).join('.');
  return `  "${source}": "nexo.partition.{{partition(${partitions},${numbers.join(',')})}}.inbound.${wildcards}"`;
}
