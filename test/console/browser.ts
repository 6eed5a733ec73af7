import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

const root = dirname(dirname(import.meta.dirname));
const shipped = join(root, 'node_modules/@sparticuz/chromium');

/**
 * Chromium as its npm package ships it, unpacked once for each version. The package itself unpacks into the folder for temporary
 * files, and takes what another version has left there.
 */
async function unpackChromium(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(shipped, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'node_modules/.cache/chromium', version);
  const executable = join(folder, 'chromium');
  if (existsSync(executable)) return executable;
  mkdirSync(folder, { recursive: true });
  const partial = `${executable}-${process.pid}`;
  try {
    const target = createWriteStream(partial, { mode: 0o755 });
    await pipeline(createReadStream(join(shipped, 'bin/chromium.br')), createBrotliDecompress(), target);
    renameSync(partial, executable);
  } finally {
    rmSync(partial, { force: true });
  }
  return executable;
}

/**
 * Starts a real browser without a window. It enforces what the console asks for: the content security policy, cookies, origins.
 *
 * @param furtherArguments of the command line of Chromium
 */
export async function startBrowser(furtherArguments: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    // The package has a build for Linux only. Elsewhere the tests take the Chrome of the machine.
    ...(process.platform === 'linux' ? { executablePath: await unpackChromium() } : { channel: 'chrome' }),
    // Root has no sandbox of its own; the pages are ours.
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none', ...furtherArguments],
    // A language of the browser that is none stops the code that formats numbers.
    env: { ...process.env, LANG: 'en_GB.UTF-8', LANGUAGE: 'en-GB' },
    headless: true,
  });
}
