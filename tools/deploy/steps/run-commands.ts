import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { queueNames } from '#cli/deployment/resource-names.ts';
import type { Role } from '#cli/policy/permissions.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { DeployRun } from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { type Caller, callApi, createCaller } from '#tools/deploy/signed-api.ts';

/** What a command of `drawbridge` printed, with `--json`. */
type Printed = {
  readonly exit: number;
  readonly stderr: string;
  /** Each line, parsed. */
  readonly lines: readonly unknown[];
  /** The whole answer, parsed. */
  readonly answer: unknown;
};

const policy = z.looseObject({ Statement: z.array(z.looseObject({})).min(1) });
const itemList = z.looseObject({ items: z.array(z.looseObject({})) });
const finding = z.object({ check: z.string(), result: z.enum(['good', 'problem', 'unknown']), detail: z.string() });
const queueStatus = z.array(z.looseObject({ name: z.string(), waiting: z.number() }));

/** In milliseconds: a command that does not end fails the step. */
const maxCommandMs = 60_000;

/**
 * Runs the commands of `drawbridge` as a user with the printed policies of a reader and of an operator, and compares what they print
 * with the answers of the API. docs/explanation/emulators.md lists the commands that cannot run here.
 */
export async function runCommands(deployment: DeployRun): Promise<string> {
  const ask = async (path: string) => (await callApi(deployment, { path })).json;
  const itemsAt = async (path: string) => itemList.parse(await ask(path)).items;
  const printPolicy = async (role: Role) => policy.parse((await run(deployment, undefined, 'policy', role)).answer);
  const policies = [await printPolicy('reader'), await printPolicy('operator')];
  const operator = await createCaller(deployment, 'drawbridge-operator', policies);
  const passed: string[] = ['policy reader', 'policy operator'];
  const failed: string[] = [];

  /** Runs a command, and checks what it printed. Later commands run in any case, so that one run shows every failure. */
  async function check(commandLine: string, expectation: (printed: Printed) => unknown): Promise<void> {
    const name = commandLine
      .replaceAll(/ [\da-f-]{36,}/g, '')
      .split(' --', 1)
      .join();
    try {
      const printed = await run(deployment, operator, ...commandLine.split(' '));
      // Doctor ends with 2, too, when a check could not be done.
      if (printed.exit === 2 && printed.lines.length === 0) throw new DeploymentError(printed.stderr.trim());
      await expectation(printed);
      passed.push(name);
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const [event] = z.array(z.looseObject({ eventId: z.string() })).parse(await itemsAt('/events?limit=5'));
  const [order] = z.array(z.looseObject({ id: z.string() })).parse(await itemsAt('/entities/order?limit=5'));
  const [onboarding] = z.array(z.looseObject({ naturalPersonId: z.string() })).parse(await itemsAt('/onboardings'));
  if (event === undefined || order === undefined || onboarding === undefined)
    throw new DeploymentError('The API lists no event, order or onboarding.');
  const { naturalPersonId } = onboarding;

  await check('events ls --limit 5', async ({ lines }) => expectSame(lines, await itemsAt('/events?limit=5')));
  await check(`events show ${event.eventId}`, async ({ answer }) =>
    expectSame(answer, await ask(`/events/${event.eventId}?body=omit`)),
  );
  await check('quarantine count', async ({ answer }) => expectSame(answer, await ask('/quarantine')));
  await check('quarantine ls', async ({ lines }) => expectSame(lines, await itemsAt('/events?quarantineReason=ANY')));
  await check('orders ls --limit 5', async ({ lines }) => expectSame(lines, await itemsAt('/entities/order?limit=5')));
  await check(`orders show ${order.id}`, async ({ answer }) =>
    expectSame(answer, await ask(`/entities/order/${order.id}`)),
  );
  await check('onboardings ls', async ({ lines }) => expectSame(lines, await itemsAt('/onboardings')));
  await check(`persons show ${naturalPersonId}`, async ({ answer }) =>
    expectSame(answer, await ask(`/entities/natural-person/${naturalPersonId}`)),
  );
  await check('dlq ls', ({ lines }) =>
    expectSame(
      queueStatus.parse(lines).filter(({ waiting }) => waiting > 0),
      [],
    ),
  );
  await check('dlq show WebhooksDlq', ({ lines }) => expectSame(lines, []));
  await check('status', ({ answer }) => {
    const { queues, quarantined } = z.looseObject({ queues: queueStatus, quarantined: z.int() }).parse(answer);
    expectSame([queues.map(({ name }) => name), quarantined], [[...queueNames], 0]);
  });
  let findings = '';
  await check('doctor', ({ lines }) => {
    const all = z.array(finding).min(1).parse(lines);
    const others = all.filter(({ result }) => result !== 'good').map(({ check: name, detail }) => `${name}: ${detail}`);
    findings = `doctor: ${all.length} findings, of which not good: ${others.join('; ') || 'none'}`;
  });
  await check('webhooks plan', ({ answer }) =>
    expectSame(z.looseObject({ failed: z.array(z.unknown()) }).parse(answer).failed, []),
  );
  await check('token show', ({ answer }) => z.looseObject({ hasToken: z.literal(true) }).parse(answer));

  await check(`events replay ${event.eventId} --all --yes`, ({ answer }) =>
    expectSame(answer, { count: 1, replayed: 1, quarantined: null }),
  );
  await check('drain --yes', ({ answer }) => z.looseObject({ drained: z.literal(true) }).parse(answer));
  await check('token refresh --force --yes', ({ answer }) =>
    z.looseObject({ refreshed: z.literal(true) }).parse(answer),
  );
  await check('webhooks apply --yes', ({ answer }) =>
    expectSame(z.looseObject({ failed: z.array(z.unknown()) }).parse(answer).failed, []),
  );
  if (failed.length > 0) throw new DeploymentError(`These commands failed:\n${failed.join('\n')}`);
  return `${passed.length} commands with the printed policies: ${passed.join(', ')}\n${findings}`;
}

/** @throws {DeploymentError} if a command did not print what the API answers */
function expectSame(printed: unknown, answered: unknown): void {
  if (!isDeepStrictEqual(printed, answered))
    throw new DeploymentError(`it printed ${JSON.stringify(printed)} in place of ${JSON.stringify(answered)}`);
}

/** Runs `drawbridge` with `--json`. @param caller who runs it; the operator of all other steps by default */
function run(
  { root, env, environment, target }: DeployRun,
  caller: Caller | undefined,
  ...commandLine: readonly string[]
): Promise<Printed> {
  const credentials =
    caller === undefined
      ? {}
      : {
          AWS_ACCESS_KEY_ID: caller.accessKeyId,
          AWS_SECRET_ACCESS_KEY: caller.secretAccessKey,
          AWS_SESSION_TOKEN: '',
        };
  const program = target.isEmulator ? 'tools/deploy/tools/drawbridge.ts' : 'cli/main.ts';
  const args = [join(root, program), ...commandLine, '--env', environment, '--json'];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: root, env: { ...env, ...credentials }, timeout: maxCommandMs },
      (error, stdout, stderr) => {
        const lines = stdout.split('\n').filter((line) => line !== '');
        const exit = z
          .object({ code: z.number() })
          .catch({ code: 2 })
          .parse(error ?? { code: 0 }).code;
        resolve({ exit, stderr, lines: lines.map(parseJson), answer: parseJson(stdout) });
      },
    );
  });
}
