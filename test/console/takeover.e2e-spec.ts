import type { Turn } from '#contracts/turn.js';

import type { ConsolePage } from '../harness/browser.js';
import { ConsoleBench, contact } from '../harness/console-bench.js';
import { waitFor } from '../harness/wait-for.js';

describe('a takeover from the console', () => {
  let bench: ConsoleBench;
  let ann: ConsolePage;

  beforeAll(async () => {
    bench = await ConsoleBench.create();
    ann = await bench.logIn();
  });
  afterAll(() => bench.close());

  it('follows a link that logs in, and keeps the token out of the address', () => {
    expect(ann.page.url()).toBe(`${bench.gateway.url}/`);
  });

  it('shows a conversation that begins, without being asked', async () => {
    await bench.say(contact('ada'), 'Where is my order?');
    const row = ann.page.getByRole('link', { name: /ada/ });
    await row.getByText('Contact: Where is my order?').waitFor();
  });

  it('holds it, keeps back what the agent says too late, and shows what waits', async () => {
    const { page } = ann;
    const scope = contact('ada');
    const [turn] = (await bench.client.turns(scope)) as Turn[];
    await page.getByRole('link', { name: /ada/ }).click();
    await page.getByRole('log').getByText('Where is my order?').waitFor();
    await page.keyboard.press('h');
    await page.getByText('You hold it since').first().waitFor();
    expect(await bench.client.state(scope)).toMatchObject({ operator_token_hash: bench.ann.hash });

    expect(await bench.answer(turn as Turn, 'It is on its way.')).toMatchObject({ status: 'suppressed' });
    await page.getByRole('region', { name: 'drafts of the agent' }).getByText('It is on its way.').waitFor();
    await bench.write(scope, 'Hello?');
    await page.getByRole('article').filter({ hasText: 'Hello?' }).getByText('waits for the hand-back').waitFor();
    await page.getByText('1 waits').first().waitFor();
  });

  it('sends a reply once, also when it is asked for twice or its answer was lost', async () => {
    const { page } = ann;
    const box = page.getByRole('textbox', { name: 'Write to the contact' });
    const send = page.getByRole('button', { name: 'Send', exact: true });
    const isSent = () => waitFor(async () => (await box.inputValue()) === '');
    await page.keyboard.press('r');
    await page.keyboard.type('It is late, I am looking into it.');
    await send.dblclick();
    await page.getByRole('article').filter({ hasText: 'It is late' }).getByText('Operator: you').waitFor();
    await isSent();

    await page.route('**/rpc', async (route) => {
      if (!route.request().postData()?.includes('processing/intervention')) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await box.fill('It left on Monday.');
    await box.press('Control+Enter');
    await page.getByText('There is no connection to Holdline.').waitFor();
    await page.unroute('**/rpc');
    await box.press('Control+Enter');
    await isSent();
    const asked = await bench.channel.askedFor('ada', 2);
    expect(asked.map(({ body }) => body)).toEqual(['It is late, I am looking into it.', 'It left on Monday.']);
  });

  it('sends a changed draft as the operator', async () => {
    const { page } = ann;
    const drafts = page.getByRole('region', { name: 'drafts of the agent' });
    await drafts.getByRole('button', { name: 'Edit' }).click();
    await drafts.getByRole('textbox').fill('It is on its way now.');
    await drafts.getByRole('button', { name: 'Send draft' }).click();
    await drafts.waitFor({ state: 'detached' });
    const asked = await bench.channel.askedFor('ada', 3);
    expect(asked[2]).toMatchObject({ body: 'It is on its way now.', origin: 'operator' });
  });

  it('shows what the agent will be given, hands it back with a summary, and the agent gets just that', async () => {
    const { page } = ann;
    const scope = contact('ada');
    await bench.write(scope, 'Thank you', { timestamp_ms: Date.now() - 2 * 3_600_000 });
    await page.getByText('2 wait').first().waitFor();
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog', { name: 'Hand back to the agent' });
    await dialog.getByText('Thank you').first().waitFor();
    const preview = dialog.getByRole('region', { name: 'What the agent will be given' });
    expect(await preview.getByText('already answered by an operator').count()).toBe(1);
    await dialog.getByText('1 message is older than an hour').waitFor();
    await dialog.getByRole('textbox', { name: 'Summary for the agent' }).fill('The parcel is late.');
    await dialog.getByText('19 of 4096 characters').waitFor();
    await preview.getByText('The parcel is late.', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Hand back' }).click();
    await page.getByText('The agent answers.').waitFor();

    const resumed = (await bench.client.turnsOf(scope, 3)).at(-1) as Turn;
    expect(resumed).toMatchObject({ cause: 'resume', operator_summary: 'The parcel is late.' });
    expect(resumed.inbounds.map(({ body }) => body)).toEqual(['Hello?', 'Thank you']);
    await page
      .getByRole('article')
      .filter({ hasText: 'The parcel is late.' })
      .getByText('Summary for the agent')
      .waitFor();
    await page.getByRole('article').filter({ hasText: 'Hello?' }).getByText('waited, handed back').waitFor();
  });

  it('writes no error to the log of the browser', () => {
    expect(ann.errors).toEqual([]);
  });
});
