import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];
/** The whole page; a test that takes a rule out says why. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A finding of axe that is serious or critical. */
interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** A real Chromium without a window. Close it in `afterAll`. */
export class TestBrowser {
  private constructor(private readonly browser: Browser) {}

  static async launch(): Promise<TestBrowser> {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    return new TestBrowser(await chromium.launch({ executablePath: chromiumPath(), args }));
  }

  /** A browser of its own, with nobody's cookies, at an address. What the page reports as an error fails `noErrors`. */
  async open(url: string, options: BrowserContextOptions = {}): Promise<ConsolePage> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      ...options,
    });
    const page = await context.newPage();
    const opened = new ConsolePage(page);
    await page.goto(url);
    return opened;
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

/** The console in one browser. */
export class ConsolePage {
  /** Errors of scripts and of the content security policy. */
  readonly errors: string[] = [];

  constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Uncaught/.test(message.text())) this.errors.push(message.text());
    });
  }

  /** What axe finds that is serious or critical. */
  async seriousViolations(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`;
    const violations = await this.page.evaluate<Violation[]>(run);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
  }

  /** How many pixels the page is wider than its window. */
  async overflow(): Promise<number> {
    const script = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    return this.page.evaluate<number>(script);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** @throws Error that says how to get one; `npm test` leaves the browser's tests out where there is none. */
function chromiumPath(): string {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = PROGRAMS.flatMap((program) => directories.map((directory) => join(directory, program)));
  const found = [process.env['HOLDLINE_CHROMIUM'] ?? '', ...onPath].find((path) => path !== '' && existsSync(path));
  if (found === undefined) throw new Error('There is no Chromium: install it, or set HOLDLINE_CHROMIUM to its path.');
  return found;
}
