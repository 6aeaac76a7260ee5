import type { AgentEvent } from '#contracts/agent-event.js';

import { EventFeed } from './event-feed.js';

const event = (id: string) => ({ event_id: id }) as AgentEvent;

describe('EventFeed', () => {
  it('hands on a burst as one batch, in order', async () => {
    const feed = new EventFeed(1);
    const batch = new Promise((resolve) => feed.listen(resolve));
    feed.push(event('a'));
    feed.push(event('b'));
    expect(await batch).toEqual([event('a'), event('b')]);
  });

  it('tells what came while something was read, and only that', async () => {
    const feed = new EventFeed(1);
    feed.push(event('before'));
    const reading = feed.during(async () => {
      feed.push(event('meanwhile'));
      return 'read';
    });
    const { result, meanwhile } = await reading;
    feed.push(event('after'));
    expect(result).toBe('read');
    expect(meanwhile).toEqual([event('meanwhile')]);
  });
});
