import { Column, Entity, PrimaryColumn } from 'typeorm';

import { epochMs } from './epoch-ms.js';

/** A person who may command, as stored: the token only by its hash. */
@Entity('operators')
export class OperatorRow {
  /** First 16 hex digits of SHA-256(token). */
  @PrimaryColumn({ name: 'token_hash', type: 'text' })
  tokenHash!: string;

  @Column({ name: 'token_sha256', type: 'bytea' })
  tokenSha256!: Buffer;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', array: true })
  capabilities!: string[];

  @Column({ name: 'created_at_ms', type: 'bigint', transformer: epochMs })
  createdAtMs!: number;

  @Column({ name: 'revoked_at_ms', type: 'bigint', nullable: true, transformer: epochMs })
  revokedAtMs!: number | null;
}
