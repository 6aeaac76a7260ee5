import { ChannelRequests } from '#broker/channel-requests.js';

/** A place where a message stands until the test lets it go on. */
export class Gate {
  private open: () => void = () => undefined;
  private arrive: () => void = () => undefined;
  private readonly opened = new Promise<void>((resolve) => (this.open = resolve));
  readonly reached = new Promise<void>((resolve) => (this.arrive = resolve));

  pass<Value>(value: Value): Promise<Value> {
    this.arrive();
    return this.opened.then(() => value);
  }

  release(): void {
    this.open();
  }
}

/** Stops each message before the channel is asked, or after that and before it is recorded. */
export class GatedRequests extends ChannelRequests {
  beforeHandOver: Gate | undefined;
  duringHandOver: Gate | undefined;

  override async brokerResponds() {
    const responds = await super.brokerResponds();
    return this.beforeHandOver === undefined ? responds : this.beforeHandOver.pass(responds);
  }

  override ask(subject: string, payload: string) {
    const request = super.ask(subject, payload);
    const gate = this.duringHandOver;
    return gate === undefined ? request : { ...request, flushed: request.flushed.then((done) => gate.pass(done)) };
  }
}
