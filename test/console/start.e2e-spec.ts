import { join } from 'node:path';

import { TestBrowser } from '../harness/browser.js';
import { TestProcess } from '../harness/child-process.js';
import { compiledMain } from '../harness/project-root.js';
import { makeTestDirectory } from '../harness/run.js';
import { waitFor } from '../harness/wait-for.js';

const ALIVE_WITHIN_MS = 10_000;

describe('a first start with the demo', () => {
  let holdline: TestProcess;
  let browser: TestBrowser;

  beforeAll(async () => {
    browser = await TestBrowser.launch();
    const env = { HOLDLINE_DATA_DIR: join(makeTestDirectory('console'), 'data'), HOLDLINE_HTTP_PORT: '0' };
    holdline = await TestProcess.start({ command: process.execPath, args: [compiledMain('standalone')], env });
    await waitFor(() => holdline.stdout.includes('"ready":true'), { timeoutMs: 60_000, what: 'The ready line' });
  });
  afterAll(async () => {
    await browser.close();
    holdline.kill('SIGTERM');
    await holdline.ended;
  });

  it('prints a link that leads to an inbox that is alive, with figures of all that runs', async () => {
    const link = /http:\/\/\S+\/#token=\S+/.exec(holdline.stderr)?.[0];
    const startedAt = Date.now();
    const { page, errors } = await browser.open(link as string);
    await page.locator('.inbox-rows a').first().waitFor();
    expect(Date.now() - startedAt).toBeLessThan(ALIVE_WITHIN_MS);
    await page.evaluate(`location.hash = '#/health'`);
    await page.getByText('All is well.').waitFor();
    await page.getByRole('figure').filter({ hasText: 'Messages of contacts' }).getByText('per second').waitFor();
    await page.getByRole('figure').filter({ hasText: 'Held conversations' }).waitFor();
    expect(errors).toEqual([]);
  });
});
