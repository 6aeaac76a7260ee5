import { STREAM_SUBJECTS } from '#contracts/subjects.js';

const PARTITIONED = /^nexo\.partition\.\d+\.(inbound\..+)$/;

/**
 * The subject that the owner of a partition reads. With one partition these are the contract's own subjects; with
 * more, those that the server's `partition()` mapping (`nats/partitions.conf`) turns them into.
 * @param partition from 0
 * @throws RangeError unless 0 ≤ partition < partitions
 */
export function partitionFilter(partition: number, partitions: number): string {
  if (!Number.isInteger(partition) || !Number.isInteger(partitions) || partition < 0 || partition >= partitions) {
    throw new RangeError(`there is no partition ${partition} of ${partitions}`);
  }
  return partitions === 1 ? STREAM_SUBJECTS.inbound[0] : `nexo.partition.${partition}.inbound.>`;
}

/**
 * What the inbound stream takes. With several partitions it takes mapped subjects only: a message that no mapping
 * touched would be stored where no partition reads, so its publisher gets "no responders" instead.
 */
export function inboundStreamSubjects(partitions: number): string[] {
  return partitions === 1 ? [...STREAM_SUBJECTS.inbound] : ['nexo.partition.*.inbound.>'];
}

/** The subject as the channel published it. */
export function subjectBeforeMapping(storedSubject: string): string {
  const mapped = PARTITIONED.exec(storedSubject);
  return mapped ? `nexo.${mapped[1]}` : storedSubject;
}
