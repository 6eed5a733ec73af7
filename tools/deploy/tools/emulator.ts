import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import type { Place } from './child-environment.ts';
import { createEmulatorFetch } from './emulator-fetch.ts';

export type Emulator = Place & {
  readonly account: string;
  readonly fetch: typeof fetch;
  readonly close: () => Promise<void>;
};

export type EmulatorOptions = {
  /** See `emulatorEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly bin: string;
  /** Where the emulator writes its files. */
  readonly directory: string;
};

const account = '123456789012';
const region = 'eu-central-1';

/** In milliseconds. */
const startDeadline = 60_000;
const stopDeadline = 10_000;

/**
 * Starts MiniStack with IAM policies enforced (`AUTH`) and with HTTPS, because the policies of the CDK's bucket and of our
 * queues refuse plain HTTP.
 *
 * @throws {DeploymentError}
 */
export async function startEmulator({ env, bin, directory }: EmulatorOptions): Promise<Emulator> {
  mkdirSync(directory, { recursive: true });
  const port = await freePort();
  const logFile = join(directory, 'emulator.log');
  const settings = {
    AUTH: 'true',
    USE_SSL: '1',
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    MINISTACK_ACCOUNT_ID: account,
    MINISTACK_REGION: region,
    S3_DATA_DIR: join(directory, 's3'),
    STATE_DIR: join(directory, 'state'),
    PYTHONUNBUFFERED: '1',
  };
  // A process group of its own, which ends the functions with the emulator.
  const child = spawn(join(bin, 'ministack'), [], {
    cwd: directory,
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const kill = () => signalGroup(child.pid, 'SIGKILL');
  process.once('exit', kill);
  const log = createWriteStream(logFile);
  const logged = [child.stdout, child.stderr].map((output) => pipeline(output, log, { end: false }));
  const close = async () => {
    if (child.exitCode === null) {
      signalGroup(child.pid, 'SIGTERM');
      await Promise.race([once(child, 'exit'), wait(stopDeadline, undefined, { ref: false })]);
    }
    kill();
    process.off('exit', kill);
    await Promise.allSettled(logged);
    log.end();
  };
  const place = {
    origin: `https://localhost:${port}`,
    certificate: join(directory, 'ministack-tls/server.crt'),
    region,
  };
  const ask = createEmulatorFetch({ port, certificate: () => readFileSync(place.certificate, 'utf8') });
  const giveUpAt = Date.now() + startDeadline;
  while (!(existsSync(place.certificate) && (await isHealthy(ask, place.origin)))) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      await close();
      throw new DeploymentError(`The emulator did not start:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
    }
    await wait(100);
  }
  return { ...place, account, fetch: ask, close };
}

async function isHealthy(ask: typeof fetch, origin: string): Promise<boolean> {
  return ask(`${origin}/_ministack/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}
