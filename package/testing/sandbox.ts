import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { commandFile } from '#package/testing/command-file.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { UnknownWord } from '#shared/platform/fields/received.ts';
import type { eventTypes } from '#shared/platform/profile/event-place.ts';

/** Whole life cycles that the platform of the sandbox can begin, with all their webhooks. */
export const triggers = [
  'person.onboarded',
  'person.invalid',
  'person.rejected',
  'person.suspended',
  'person.blocked',
  'order.filled',
  'order.settled',
  'order.corrected',
  'order.canceled',
  'order.rejected',
  'order.invalid',
  'transfer.settled',
  'transfer.rejected',
  'transfer.invalid',
  'transfer.received',
] as const;

export type Trigger = (typeof triggers)[number] | (typeof eventTypes)[number] | UnknownWord;

/** What goes wrong with calls of the platform. */
export type Fault = {
  /** The operationId of the platform's OpenAPI document, such as `createNaturalPerson`; all unless given. */
  readonly operation?: string;
  /** The share of calls, from 0 to 1; all unless given. */
  readonly share?: number;
  /** How many times at most. */
  readonly times?: number;
  /** For how long, by the clock of the platform. */
  readonly seconds?: number;
} & (
  | { readonly effect: 'ANSWER'; readonly status: number; readonly body?: string; readonly commits?: boolean }
  | { readonly effect: 'NO_ANSWER'; readonly commits?: boolean }
  | { readonly effect: 'LATENCY'; readonly milliseconds: number }
);

const triggered = z.looseObject({ ids: z.record(z.string(), z.string()) });
const clockState = z.object({ now: z.string(), isFrozen: z.boolean() });
const endpoints = z.object({
  webhooks: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
  api: z.string(),
  platform: z.string(),
  control: z.string(),
  aws: z.object({ dynamodb: z.string(), sqs: z.string() }),
  tables: z.record(z.string(), z.string()),
  queues: z.record(z.string(), z.string()),
});

/** The sandbox of the platform, in a process of its own. */
export type TestPlatform = {
  /** {base_url} and {auth_url}. The client_id is `sandbox`, the client_secret `sandbox-secret`. */
  readonly baseUrl: string;
  /** Begins a life cycle, or sends a webhook of an event type. @returns the ids to look up, such as `orderId` */
  readonly trigger: (
    type: Trigger,
    set?: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, string>>>;
  readonly clock: {
    readonly now: () => Promise<Date>;
    /** Advances the clock. Resolves when all that is due is done. */
    readonly advance: (seconds: number) => Promise<Date>;
    readonly freeze: () => Promise<Date>;
    readonly resume: () => Promise<Date>;
  };
  /** Places a fault. @returns what ends it */
  readonly fault: (fault: Fault) => Promise<() => Promise<void>>;
  /** Makes any call of the control API: its reference is at `/control/openapi.json` of the platform. */
  readonly control: (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<unknown>;
  readonly stop: () => Promise<void>;
};

/** A CDK app with Drawbridge on this machine, and the platform that it talks to. Both share a clock. */
export type TestLaptop = TestPlatform & {
  /** For `connectDrawbridge`. */
  readonly apiUrl: string;
  /** Where the AWS SDK finds the services: the `endpoint` of a client. Any credentials will do. */
  readonly awsEndpoint: string;
  /** The physical names of the tables, and the URLs of the queues, by the last part of their paths: `keep-orders`. */
  readonly tables: Readonly<Record<string, string>>;
  readonly queues: Readonly<Record<string, string>>;
  /** Invokes a function of the app, such as `order-desk`. @returns its answer */
  readonly invoke: (functionName: string, event: object) => Promise<unknown>;
};

/** Starts the sandbox of the platform on a free port. Needs Node 24. Call `stop` after the tests. */
export async function startPlatform({ frozenAt }: { readonly frozenAt?: Date } = {}): Promise<TestPlatform> {
  const frozen = frozenAt === undefined ? [] : ['--frozen-at', frozenAt.toISOString()];
  const run = runCommand('platform', '--port', String(await freePort()), ...frozen);
  const address = /\{base_url\} +(http\S+)[\s\S]*Ctrl-C/;
  await run.until(() => address.test(run.printed()));
  const baseUrl = address.exec(run.printed())?.[1] ?? '';
  return platformAt(baseUrl, `${baseUrl}/control`, run.stop);
}

export type StartLaptopOptions = {
  /** Each line that the laptop prints. */
  readonly onOutput?: ((text: string) => void) | undefined;
};

/**
 * Hosts a CDK app with Drawbridge, and the stacks beside it, with a sandbox of the platform. Needs Node 24. Takes some seconds: start it once
 * for all tests, and call `stop` after them.
 *
 * @param app the folder with the `cdk.json` of the app
 */
export async function startLaptop(app = '.', { onOutput }: StartLaptopOptions = {}): Promise<TestLaptop> {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const file = join(directory, 'endpoints.json');
  const run = runCommand('--directory', directory, 'start', '--app', resolve(app), '--webhooks', '0', '--quiet');
  if (onOutput !== undefined) run.process.stdout?.on('data', (chunk) => onOutput(String(chunk)));
  const stop = async () => {
    await run.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  const read = () => endpoints.safeParse(existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : undefined).data;
  try {
    await run.until(() => read() !== undefined);
  } catch (error) {
    await stop();
    throw error;
  }
  const { api, platform, control, aws, tables, queues } = z.parse(endpoints, read());
  const base = platformAt(platform, control, stop);
  return {
    ...base,
    apiUrl: api,
    awsEndpoint: aws.dynamodb,
    tables,
    queues,
    invoke: (functionName, event) =>
      base.control('POST', `/functions/${encodeURIComponent(functionName)}/invocations`, event),
  };
}

function platformAt(baseUrl: string, control: string, stop: () => Promise<void>): TestPlatform {
  const call: TestPlatform['control'] = async (method, path, body) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${control}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...content,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${method} ${path}: ${text}`);
    return parseJson(text);
  };
  const clock = async (method: 'GET' | 'POST', path: string, body?: object) =>
    new Date(z.parse(clockState, await call(method, `/clock${path}`, body)).now);
  return {
    baseUrl,
    trigger: async (type, set = {}) => z.parse(triggered, await call('POST', '/triggers', { type, set })).ids,
    clock: {
      now: () => clock('GET', ''),
      advance: (seconds) => clock('POST', '/advance', { seconds }),
      freeze: () => clock('POST', '/freeze'),
      resume: () => clock('POST', '/resume'),
    },
    fault: async (fault) => {
      const { id } = z.parse(z.object({ id: z.string() }), await call('POST', '/faults', fault));
      return async () => {
        await call('DELETE', `/faults/${id}`);
      };
    },
    control: call,
    stop,
  };
}

/** The command takes no port 0: its default is a port of its own. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 4010;
}

type CommandRun = {
  readonly process: ChildProcess;
  readonly printed: () => string;
  /** @throws what the command printed, if it ends before */
  readonly until: (isReady: () => boolean) => Promise<void>;
  /** As Ctrl-C ends it. */
  readonly stop: () => Promise<void>;
};

/** In milliseconds. */
const pollInterval = 100;

function runCommand(...options: readonly string[]): CommandRun {
  const child = spawn(process.execPath, [commandFile, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    process: child,
    printed: () => printed,
    until: async (isReady) => {
      while (!isReady()) {
        if (hasEnded()) throw new Error(`drawbridge ${options.join(' ')} ended before it was ready:\n${printed}`);
        await sleep(pollInterval);
      }
    },
    stop: async () => {
      if (!hasEnded()) child.kill('SIGINT');
      await closed;
    },
  };
}
