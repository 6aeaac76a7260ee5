import { type ClientRequest, type IncomingMessage, request } from 'node:http';

import type { RawResponse } from './client.js';
import { waitFor } from './wait-for.js';

/** An answer over HTTP. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as a JSON-RPC response. */
  response: RawResponse;
}

/** What a program or a browser sends over HTTP. */
export class HttpClient {
  constructor(
    readonly url: string,
    /** Of every request. */
    readonly headers: Record<string, string> = {},
  ) {}

  /** `POST /rpc` of what is given: bytes and texts as they are, anything else as JSON. */
  rpc(body: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    const raw =
      typeof body === 'string' || body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    return this.send('POST', '/rpc', raw, { 'content-type': 'application/json', ...headers });
  }

  async call(method: string, params: unknown, headers?: Record<string, string>): Promise<RawResponse> {
    return (await this.rpc({ jsonrpc: '2.0', id: 7, method, params }, headers)).response;
  }

  async send(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer> {
    const init = { method, headers: { ...this.headers, ...headers }, ...(body === undefined ? {} : { body }) };
    const answer = await fetch(this.url + path, init);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    const response = (isJson ? JSON.parse(text) : {}) as RawResponse;
    return { status: answer.status, headers: answer.headers, text, response };
  }

  /** `GET /events`; resolves with the open stream. @throws Error with the status of a refusal */
  events(query = '', headers: Record<string, string> = {}): Promise<EventStream> {
    return EventStream.open(`${this.url}/events${query}`, { ...this.headers, ...headers });
  }
}

export interface ServerSentEvent {
  id?: number;
  event: string;
  data: Record<string, unknown>;
}

/** An open stream of server-sent events. */
export class EventStream {
  readonly events: ServerSentEvent[] = [];
  readonly comments: string[] = [];
  ended = false;
  private rest = '';

  private constructor(
    private readonly sent: ClientRequest,
    private readonly answer: IncomingMessage,
  ) {
    answer.setEncoding('utf8').on('data', (text: string) => this.take(text));
    answer.on('close', () => (this.ended = true)).on('error', () => (this.ended = true));
  }

  static open(url: string, headers: Record<string, string>): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { headers });
      sent.on('error', reject).on('response', (answer) => {
        if (answer.statusCode === 200) return resolve(new EventStream(sent, answer));
        answer.resume();
        reject(new Error(`status ${answer.statusCode}`));
      });
      sent.end();
    });
  }

  /** The params of the notifications so far. */
  get told(): Record<string, unknown>[] {
    return this.events
      .filter(({ event }) => event === 'message')
      .map(({ data }) => data['params'] as Record<string, unknown>);
  }

  get ids(): number[] {
    return this.events.flatMap(({ id }) => (id === undefined ? [] : [id]));
  }

  /** Waits for so many notifications, and gives them. */
  notifications(count: number, timeoutMs = 15_000): Promise<Record<string, unknown>[]> {
    const enough = () => this.told.length >= count && this.told;
    return waitFor(enough, { timeoutMs, what: `${count} events` });
  }

  untilEnded(timeoutMs = 15_000): Promise<true> {
    return waitFor<true>(() => this.ended, { timeoutMs, what: 'The end of the event stream' });
  }

  /** Reads nothing from here on, as a client that hangs. */
  stopReading(): void {
    this.answer.pause();
  }

  close(): void {
    this.sent.destroy();
  }

  private take(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) this.takeBlock(block.split('\n'));
  }

  private takeBlock(lines: string[]): void {
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    this.comments.push(...lines.filter((line) => line.startsWith(':')));
    const [id, data] = [field('id'), field('data')];
    if (data === undefined) return;
    this.events.push({
      ...(id === undefined ? {} : { id: Number(id) }),
      event: field('event') ?? 'message',
      data: JSON.parse(data) as Record<string, unknown>,
    });
  }
}
