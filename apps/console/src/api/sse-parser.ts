/** One server-sent event. */
export interface SseMessage {
  /** `message` unless the stream names another. */
  event: string;
  data: string;
  /** The id in force: the last one that the stream has sent. */
  id: string | undefined;
}

const LINE_END = /\r\n|\n|\r/;

/** Cuts a `text/event-stream` into messages, however it comes in pieces. Comments are dropped. */
export class SseParser {
  private rest = '';
  private id: string | undefined;
  private event = '';
  private data: string[] = [];

  push(piece: string): SseMessage[] {
    const text = this.rest + piece;
    // A lone CR at the end may be the first half of a CRLF.
    const usable = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = usable.split(LINE_END);
    this.rest = (lines.pop() ?? '') + text.slice(usable.length);
    return lines.flatMap((line) => this.takeLine(line));
  }

  private takeLine(line: string): SseMessage[] {
    if (line === '') return this.dispatch();
    if (line.startsWith(':')) return [];
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    else if (field === 'data') this.data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    return [];
  }

  private dispatch(): SseMessage[] {
    const message = { event: this.event === '' ? 'message' : this.event, data: this.data.join('\n'), id: this.id };
    const empty = this.data.length === 0;
    this.event = '';
    this.data = [];
    return empty ? [] : [message];
  }
}
