/** What a handler learns about a request besides its params. */
export interface RpcContext {
  method: string;
  subject: string;
  /** UUID of this request, for the log and for whatever the request changes. */
  correlationId: string;
  /** From the header `Authorization: Bearer <token>`. */
  bearerToken?: string;
  /** Whom the request comes from, as far as the broker shows it; see `requestSource`. */
  source?: string;
  requestBytes: number;
}
