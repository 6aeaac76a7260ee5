import { ConsoleBench, contact } from '../harness/console-bench.js';

const SCRIPT = '<img src=x onerror="globalThis.hacked=true"><script>globalThis.hacked=true</script>';
const OVERRIDE = 'abc \u202E txt.exe \u2067 end';
const LONG = 'x'.repeat(50_000);

describe('hostile text in the console', () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await ConsoleBench.create();
    const scope = contact('\u202Eevil <b>bold</b>');
    for (const body of [SCRIPT, OVERRIDE]) await bench.say(scope, body);
    await bench.say(contact('long'), LONG);
    await bench.client.pause(scope, { reason: SCRIPT });
    await bench.write(scope, SCRIPT, { attachments: [{ filename: `${OVERRIDE}<i>`, url: 'javascript:alert(1)' }] });
  });
  afterAll(() => bench.close());

  it.each([320, 1280])('is text and stays in its place, in a window of %i pixels', async (width) => {
    const opened = await bench.logIn(bench.ann, { viewport: { width, height: 800 } });
    const { page } = opened;
    const row = page.getByRole('link', { name: /evil/ });
    await row.getByText('\\u202Eevil <b>bold</b>').waitFor();
    await row.click();
    const log = page.getByRole('log');
    await log.getByText(SCRIPT).first().waitFor();
    await log.getByText('waits for the hand-back').waitFor();
    await log.getByText('txt.exe').first().waitFor();
    expect(await log.locator('img, script, b, i, a[href^=javascript]').count()).toBe(0);
    const leaks = `[...document.querySelectorAll('.message .body')].every((body) => getComputedStyle(body).unicodeBidi.startsWith('isolate'))`;
    expect(await page.evaluate(leaks)).toBe(true);
    expect(await opened.overflow()).toBe(0);

    await page.goto(`${bench.gateway.url}/#/inbox/support/webchat/main/long`);
    await page.getByRole('button', { name: 'Show all 50,000 characters' }).click();
    await log.getByText(LONG).waitFor();
    expect(await opened.overflow()).toBe(0);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(opened.errors).toEqual([]);
  });
});
