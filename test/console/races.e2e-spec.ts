import type { ConsolePage } from '../harness/browser.js';
import { ConsoleBench, contact } from '../harness/console-bench.js';
import type { TestOperator } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';

const ADDRESS = '/#/inbox/support/webchat/main';

describe('two operators at one conversation', () => {
  let bench: ConsoleBench;
  let bea: TestOperator;
  let pages: [ConsolePage, ConsolePage];

  beforeAll(async () => {
    bench = await ConsoleBench.create();
    bea = await bench.harness.createOperator();
    pages = [await bench.logIn(), await bench.logIn(bea)];
  });
  afterAll(() => bench.close());

  const open = async (contactId: string) => {
    await bench.say(contact(contactId), 'Hello?');
    for (const { page } of pages) {
      await page.goto(`${bench.gateway.url}${ADDRESS}/${contactId}`);
      await page.getByRole('button', { name: 'Hold', exact: true }).waitFor();
    }
  };
  const hold = ({ page }: ConsolePage) => page.getByRole('button', { name: 'Hold', exact: true }).click();

  it('lets one of them hold it, and tells the other who does and since when', async () => {
    await open('race');
    await Promise.all(pages.map(hold));
    const holder = await waitFor(async () => {
      const state = await bench.client.state(contact('race'));
      return state.state === 'paused_by_operator' && state.operator_token_hash;
    });
    const winner = holder === bench.ann.hash ? 0 : 1;
    await pages[winner].page.getByText('You hold it since').first().waitFor();
    const loser = pages[winner === 0 ? 1 : 0].page;
    await loser.getByText('a test operator holds it since').first().waitFor();
    await loser.getByText('Take it over to write to the contact.').waitFor();

    await loser.getByRole('button', { name: 'Take over…' }).first().click();
    const confirmation = loser.getByRole('alertdialog', { name: 'Take over the conversation?' });
    await confirmation.getByRole('button', { name: 'Take over' }).click();
    await loser.getByText('You hold it since').first().waitFor();
    await pages[winner].page.getByText('a test operator holds it since').first().waitFor();
    await pages[winner].page.getByText('Take it over to write to the contact.').waitFor();
  });

  it('tells in a plain sentence that a hand-back came too late, and changes nothing', async () => {
    await open('late');
    const [{ page }] = pages;
    await hold(pages[0]);
    await page.getByText('You hold it since').first().waitFor();
    await page.getByRole('button', { name: 'Hand back…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand back to the agent' });
    // The page learns of nothing until its command was refused.
    await page.route('**/rpc', async (route) => {
      if (!route.request().postData()?.includes('processing/resume')) return route.continue();
      await bench.client.resume(contact('late'));
      await bench.client.pause(contact('late'));
      return route.continue();
    });
    await dialog.getByRole('button', { name: 'Hand back', exact: true }).click();
    await dialog.getByText('It has changed meanwhile').waitFor();
    await page.unroute('**/rpc');
    expect((await bench.client.state(contact('late'))).state).toBe('paused_by_operator');
  });

  it('sends nothing for somebody who has lost it meanwhile, says so, and keeps what was written', async () => {
    await open('lost');
    const [{ page }] = pages;
    await hold(pages[0]);
    const box = page.getByRole('textbox', { name: 'Write to the contact' });
    await box.fill('I am writing this.');
    await page.route('**/rpc', async (route) => {
      if (!route.request().postData()?.includes('processing/intervention')) return route.continue();
      const taken = await bench.harness.connect(bea);
      await taken.pause(contact('lost'), { take_over: true });
      return route.continue();
    });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Take it over to write to the contact.').waitFor();
    await page.unroute('**/rpc');
    expect(bench.channel.asked.filter(({ to }) => to === 'lost')).toEqual([]);
    await page.getByRole('button', { name: 'Take over…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take over' }).click();
    await box.waitFor();
    expect(await box.inputValue()).toBe('I am writing this.');
  });
});
