import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { PROJECT_ROOT } from '../harness/project-root.js';

const BUILT = join(PROJECT_ROOT, 'dist/apps/console');
const MOST_SCRIPT_BYTES = 300 * 1_024;

describe('the built console', () => {
  const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' });

  it('has at most 300 KiB of scripts, compressed', () => {
    const scripts = files.filter((file) => file.endsWith('.js'));
    const bytes = scripts.map((file) => gzipSync(readFileSync(join(BUILT, file))).length);
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_SCRIPT_BYTES);
  });

  it('needs no script or style within the page, and nothing from elsewhere', () => {
    const page = readFileSync(join(BUILT, 'index.html'), 'utf8');
    expect(page.match(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//g)).toBeNull();
  });
});
