import { ConsoleBench, contact } from '../harness/console-bench.js';

/** In the place of the system's notifications, which no test can see. */
const RECORDER = `
  globalThis.shown = [];
  globalThis.Notification = class {
    static permission = 'default';
    static async requestPermission() { return (this.permission = 'granted'); }
    constructor(title, options) { shown.push({ title, body: options.body }); }
  };
`;

describe('the notification of an escalation', () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await ConsoleBench.create();
  });
  afterAll(() => bench.close());

  it('is shown to those who have asked for it, and to them once', async () => {
    const { page } = await bench.browser.open(bench.gateway.url);
    await page.addInitScript(RECORDER);
    await page.goto(`${bench.gateway.url}/?#token=${bench.ann.token}`);
    await page.locator('.live-live').waitFor();
    const escalated = async (name: string) => {
      await bench.say(contact(name), 'A person, please');
      await bench.escalate(contact(name), `${name} wants a person`, 'high');
      await page
        .getByRole('link', { name: new RegExp(`^${name} `) })
        .getByText('Escalated: high')
        .waitFor();
    };
    await escalated('edsger');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByText('Desktop notification on a new escalation').click();
    await page.getByRole('switch', { name: 'Desktop notification' }).and(page.locator(':checked')).waitFor();
    await page.keyboard.press('Escape');
    await escalated('barbara');
    await page.waitForFunction('shown.length > 0');
    const shown = [{ title: 'barbara needs a person (high)', body: 'barbara wants a person' }];
    expect(await page.evaluate('shown')).toEqual(shown);
  });
});
