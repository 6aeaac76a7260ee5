import { join } from 'node:path';

import type { ConsolePage } from '../harness/browser.js';
import { ConsoleBench, contact } from '../harness/console-bench.js';
import { PROJECT_ROOT } from '../harness/project-root.js';
import { waitFor } from '../harness/wait-for.js';

/** Set, the pictures of the README are taken anew. */
const TAKES_PICTURES = process.env['HOLDLINE_TAKE_PICTURES'] !== undefined;

/** Places by what tells that they are there. */
const VIEWS = [
  ['#/inbox', 'Choose a conversation.'],
  ['#/inbox/support/webchat/main/ada', 'You hold it since'],
  ['#/inbox/support/webchat/main/grace', 'The agent answers.'],
  ['#/escalations', 'Hold and answer'],
  ['#/approvals', 'has no tools yet'],
  ['#/audit', 'processing/pause'],
  ['#/operators', 'Add an operator'],
  ['#/people', 'has no tools yet'],
  ['#/health', 'All is well.'],
] as const;

describe('each view of the console', () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await ConsoleBench.create();
    await furnish(bench);
  });
  afterAll(() => bench.close());

  it.each(['light', 'dark'] as const)(
    'has no serious finding of axe in %s colours, nor do dialogs',
    async (colorScheme) => {
      const opened = await bench.logIn(bench.ann, { colorScheme });
      for (const [address, sign] of VIEWS) {
        await show(opened, address, sign);
        expect([address, await opened.seriousViolations()]).toEqual([address, []]);
        await picture(opened, address, colorScheme);
      }
      const { page } = opened;
      await show(opened, ...VIEWS[1]);
      await page.keyboard.press('b');
      await page.getByRole('dialog').getByText('already answered').first().waitFor();
      expect(await opened.seriousViolations()).toEqual([]);
      await picture(opened, 'hand-back', colorScheme);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      expect(await opened.seriousViolations()).toEqual([]);
      expect(opened.errors).toEqual([]);
    },
  );

  it('fits into a window of 320 pixels', async () => {
    const opened = await bench.logIn(bench.ann, { viewport: { width: 320, height: 640 } });
    for (const [address, sign] of VIEWS.slice(1)) {
      await show(opened, address, sign);
      expect([address, await opened.overflow()]).toEqual([address, 0]);
    }
  });

  it('speaks Spanish where the browser does', async () => {
    const { page } = await bench.logIn(bench.ann, { locale: 'es-CO', timezoneId: 'America/Bogota' });
    await page.getByRole('link', { name: /^ada / }).click();
    await page.getByText('La tienes tú desde').first().waitFor();
    const time = page.getByRole('log').locator('time').first();
    expect(await time.getAttribute('title')).toMatch(/UTC$/);
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
  });

  it('paints something within a second', async () => {
    const { page } = await bench.logIn();
    const script = `performance.getEntriesByName('first-contentful-paint')[0].startTime`;
    expect(await page.evaluate(script)).toBeLessThan(1_000);
  });

  it('goes through conversations by keyboard alone', async () => {
    const { page } = await bench.logIn();
    await page.getByRole('link', { name: /^ada / }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('log').waitFor();
    const first = page.url();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.toString() !== first);
    await page.keyboard.press('k');
    await page.waitForURL(first);
    await page.keyboard.press('/');
    await page.keyboard.type('refund');
    await page.getByText('1 line found').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Escalations' }).waitFor();
  });
});

async function show({ page }: ConsolePage, address: string, sign: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.getByText(sign).first().waitFor();
}

async function picture({ page }: ConsolePage, name: string, scheme: string): Promise<void> {
  const file = PICTURES[`${name} ${scheme}`];
  if (TAKES_PICTURES && file !== undefined) await page.screenshot({ path: join(PROJECT_ROOT, 'docs/img', file) });
}

const PICTURES: Record<string, string> = {
  '#/inbox/support/webchat/main/ada light': 'console-conversation.png',
  'hand-back light': 'console-hand-back.png',
  '#/escalations light': 'console-escalations.png',
};

/** An inbox in the middle of a working day. */
async function furnish(bench: ConsoleBench): Promise<void> {
  const answered = async (name: string, question: string, answer: string) =>
    bench.answer(await bench.say(contact(name), question), answer);
  await answered('linus', 'Do you ship to Finland?', 'Yes, within five days.');
  await answered('margaret', 'I want a refund for order A-12.', 'I have asked for it. It takes three days.');
  await answered('grace', 'Is the blue one back?', 'From Monday on.');
  const late = await bench.say(contact('ada'), 'My parcel has not come. The order is A-17.');
  await bench.client.pause(contact('ada'), { reason: 'Ada has waited twice already.' });
  await bench.answer(late, 'It will come soon.');
  await bench.write(contact('ada'), 'Hello? Is anybody there?');
  await waitFor(async () => (await bench.client.pending(contact('ada'))).depth === 1);
  const sessions = await bench.client.call('nexo/admin/conversations/list', {});
  const ada = sessions.conversations.find(({ scope }) => scope.contact_id === 'ada');
  const to = { channel: 'webchat', account_id: 'main', to: 'ada' };
  const body = 'This is Ann. I am looking where it is.';
  await bench.client.call('nexo/admin/processing/intervention', {
    scope: contact('ada'),
    action: { kind: 'reply', ...to, body, msg_kind: 'text' },
    ...(ada?.session_id === undefined ? {} : { session_id: ada.session_id }),
  });
  await bench.write(contact('ada'), 'Thank you, Ann.');
  await bench.write(contact('ada'), 'Here is the receipt.', { attachments: [{ filename: 'receipt.pdf' }] });
  await bench.say(contact('katherine'), 'This is the third time that the invoice is wrong.');
  await bench.escalate(contact('katherine'), 'Three wrong invoices, she wants to speak to a person.', 'high');
  await bench.say(contact('barbara'), 'Can I change my address?');
  await bench.escalate(contact('barbara'), 'The address of a shipped order.', 'normal');
}
