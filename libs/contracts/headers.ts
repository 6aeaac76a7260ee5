/** The header that carries `Bearer <token>`, over NATS and over HTTP. */
export const AUTHORIZATION_HEADER = 'Authorization';

/** The headers of a message in the quarantine stream. */
export const QUARANTINE_HEADERS = {
  reason: 'Holdline-Reason',
  subject: 'Holdline-Subject',
  seq: 'Holdline-Seq',
} as const;
