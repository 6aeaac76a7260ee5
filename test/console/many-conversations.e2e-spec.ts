import type { Conversation } from '#contracts/conversations-list.js';

import { ConsoleBench, contact } from '../harness/console-bench.js';

const COUNT = 10_000;
/** Rows in sight, and those that are kept ready above and below. */
const MOST_IN_PAGE = 40;

describe('ten thousand conversations in the console', () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await ConsoleBench.create();
  });
  afterAll(() => bench.close());

  it('are scrolled through to the last, with only those in sight in the page', async () => {
    const opened = await bench.browser.open(bench.gateway.url);
    const { page } = opened;
    await page.route('**/rpc', async (route) => {
      const { id, method, params } = route.request().postDataJSON() as ListRequest;
      if (method !== 'nexo/admin/conversations/list') return route.continue();
      return route.fulfill({ json: { jsonrpc: '2.0', id, result: answer(params) } });
    });
    await page.getByLabel('Token').fill(bench.ann.token);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('link', { name: /^contact 0 / }).waitFor();

    const toTheEnd = `document.querySelector('.inbox-scroll').scrollTo(0, 1e9)`;
    const last = page.getByRole('link', { name: new RegExp(`^contact ${COUNT - 1} `) });
    while (!(await last.isVisible())) await page.evaluate(toTheEnd);
    expect(await page.getByRole('listitem').count()).toBeLessThan(MOST_IN_PAGE + 10);
    await page.getByText(`All ${COUNT}`, { exact: true }).waitFor();

    await bench.say(contact(`contact ${COUNT - 1}`), 'I am here');
    await page.evaluate(`document.querySelector('.inbox-scroll').scrollTo(0, 0)`);
    await page.getByRole('link', { name: /^contact 0 / }).waitFor();
    expect(opened.errors).toEqual([]);
  });
});

interface ListRequest {
  id: number;
  method: string;
  params: { state?: string; limit: number; cursor?: string };
}

function answer({ state, limit, cursor = '0' }: ListRequest['params']) {
  if (state !== undefined) return { conversations: [] };
  const from = Number(cursor);
  const conversations = Array.from({ length: Math.min(limit, COUNT - from) }, (_, index) => conversation(from + index));
  return { conversations, ...(from + limit < COUNT ? { next_cursor: String(from + limit) } : {}) };
}

function conversation(number: number): Conversation {
  return {
    scope: contact(`contact ${number}`),
    state: { state: 'agent_active' },
    epoch: 0,
    pending_depth: 0,
    dropped_total: 0,
    last_activity_ms: 1_800_000_000_000 - number,
  };
}
