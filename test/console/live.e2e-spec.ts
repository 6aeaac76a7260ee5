import { ConsoleBench, contact } from '../harness/console-bench.js';
import { TcpProxy } from '../harness/tcp-proxy.js';

describe('the connection of the console', () => {
  let bench: ConsoleBench;
  let line: TcpProxy;

  beforeAll(async () => {
    bench = await ConsoleBench.create();
    line = await TcpProxy.to(bench.gateway.url);
  });
  afterAll(async () => {
    await bench.close();
    await line.close();
  });

  it('comes back by itself after it was cut, says so meanwhile, and shows all that happened', async () => {
    const { page } = await bench.logIn(bench.ann, { url: line.url });
    await bench.say(contact('before'), 'first');
    await page.getByRole('link', { name: /before/ }).click();
    await page.getByRole('log').getByText('first').waitFor();

    line.cut();
    await page.getByText('Not live, reconnecting').waitFor();
    await bench.say(contact('before'), 'second');
    await bench.say(contact('meanwhile'), 'somebody new');
    await bench.client.pause(contact('before'));

    line.mend();
    await page.locator('.live-live').waitFor();
    await page.getByRole('log').getByText('second').waitFor();
    await page.getByText('You hold it since').first().waitFor();
    await page
      .getByRole('link', { name: /meanwhile/ })
      .getByText('somebody new')
      .waitFor();
  });

  it('ends with the session when the operator is revoked', async () => {
    const cleo = await bench.harness.createOperator();
    const { page } = await bench.logIn(cleo);
    await bench.client.call('nexo/admin/operators/revoke', { token_hash: cleo.hash });
    await page.getByText('Your session has ended.').waitFor();
  });

  it('asks for the token where there is no session, and refuses a wrong one in plain words', async () => {
    const { page } = await bench.browser.open(bench.gateway.url);
    await page.getByLabel('Token').fill('made-up');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('This token is not valid').waitFor();
    await page.getByLabel('Token').fill(bench.ann.token);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('.live-live').waitFor();
    await page.reload();
    await page.locator('.live-live').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Token').waitFor();
    await page.reload();
    await page.getByLabel('Token').waitFor();
  });
});
