import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { alarmsPage } from '#infra/parts/alarms.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { callApi, person, requestOnboarding } from './call-api.ts';
import { sendTo } from './change-host.ts';
import { collectPermissions, readOperatorPolicies } from './command-permissions.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { type CommandResult, runDrawbridge } from './run-drawbridge.ts';

const noLogTail = 'The laptop runs the saved queries, and answers no FilterLogEvents. Its lines are in functions.log.';

/** Why commands do not run on the laptop, by how they begin. */
const notOnLaptop: Readonly<Record<string, string>> = {
  'errors_of ': noLogTail,
  'warnings_of ': noLogTail,
  'lines_of ': noLogTail,
  'aws sns list-subscriptions-by-topic ': 'The laptop has no SNS: nothing is notified.',
  'aws sqs ': 'The queue FailedBackups exists only with the setting backup, and the laptop makes no backups.',
  'aws kms ': 'The laptop encrypts nothing, and has no keys.',
  'aws backup start-backup-job ': 'The laptop makes no backups.',
};

type Runbook = { readonly alarm: string; readonly commands: readonly string[] };

/** The commands of each alarm, as the page has them: one a line, unless a backslash continues the line. */
function readRunbooks(): readonly Runbook[] {
  const [, ...sections] = readFileSync(join(repositoryRoot, alarmsPage), 'utf8').split(/^## (?=\S+$)/m);
  return sections.map((section) => {
    const [, block = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(section) ?? [];
    const commands = block.split(/(?<!\\)\n/).filter((line) => line !== '' && !line.startsWith('# '));
    return { alarm: section.slice(0, section.indexOf('\n')), commands };
  });
}

const runbooks = readRunbooks();
const reasonFor = (command: string) => Object.keys(notOnLaptop).find((begin) => command.startsWith(begin));
const runnable = runbooks
  .map(({ alarm, commands }) => ({ alarm, commands: commands.filter((one) => reasonFor(one) === undefined) }))
  .filter(({ commands }) => commands.length > 0);

const eventType = 'TRANSFER_NOTIFICATION';
const permissions = collectPermissions();
let sandbox: HostedSandbox;
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    onAwsCall: permissions.onAwsCall,
    platform: { settings: { acceptSelfBeforeActive: true } },
  });
}, 120_000);
afterAll(() => sandbox.close());

/** Types what the page says, on the laptop in place of production. */
function type(command: string, replacements: Readonly<Record<string, string>>): Promise<CommandResult> {
  const local = command.replace(/^npx --no -- drawbridge (.*) --env production$/, '$1');
  const words = local
    .split(' ')
    .map((word) => word.replace(/[A-Z]+(?:_[A-Z]+)*$/, (name) => replacements[name] ?? name));
  const answers = Object.values(defaultCredentials);
  return runDrawbridge(sandbox, words, { askSecret: async () => answers.shift(), fetch: permissions.fetch });
}

/** Returns the id of an onboarding that has come to a step. */
async function onboard(externalId: string, step = 'AWAITING_VIDEO_CALL'): Promise<string> {
  await requestOnboarding(sandbox.endpoints.api, externalId);
  await expect.poll(() => stepOf(externalId), { timeout: 60_000 }).toBe(step);
  const { onboardingId } = await sandbox.readApi(`/onboardings/${externalId}`);
  return String(onboardingId);
}

async function stepOf(externalId: string): Promise<unknown> {
  return (await sandbox.readApi(`/onboardings/${externalId}`))['step'];
}

const urlOf = (type: string) => sandbox.platform.registrations.list().find((one) => one.eventType === type)?.url;

/** Waits until no dead-letter queue holds a message. */
async function awaitNoDeadLetters(): Promise<void> {
  const exitOf = async () => (await runDrawbridge(sandbox, ['dlq', 'ls', '--exit-code'])).exit;
  await expect.poll(exitOf, { timeout: 30_000 }).toBe(0);
}

/** What makes an alarm go off, and what is so after its commands. */
type Rehearsal = {
  /** Returns what the operator puts into the commands. */
  readonly arrange: () => Promise<Readonly<Record<string, string>>>;
  readonly after: (results: readonly CommandResult[]) => Promise<void> | void;
};

const rehearsals: Readonly<Record<string, Rehearsal>> = {
  MissedRuns: {
    arrange: async () => {
      const text = (StringValue: string) => ({ DataType: 'String', StringValue });
      const ERROR_MESSAGE = text('The role may not invoke Drain.');
      const SCHEDULE_ARN = text('arn:aws:scheduler:eu-central-1:000000000000:schedule/default/drain-runs');
      const MessageAttributes = { ERROR_CODE: text('AWS.Scheduler.AccessDenied'), ERROR_MESSAGE, SCHEDULE_ARN };
      await sendTo(sandbox.host, 'missed-runs', { MessageBody: '{}', MessageAttributes });
      return {};
    },
    after: async ([show, purge]) => {
      expect(show?.stdout).toMatch(
        /schedule +drain-runs +AWS\.Scheduler\.AccessDenied: The role may not invoke Drain\./,
      );
      expect(purge?.stdout).toContain('SQS deletes 1 message of MissedRuns');
      await awaitNoDeadLetters();
    },
  },
  TokenRefreshesDlq: {
    arrange: async () => {
      await sendTo(sandbox.host, 'token-refreshes-dlq', {
        MessageBody: '{}',
        MessageGroupId: 'g',
        MessageDeduplicationId: 'd',
      });
      return {};
    },
    after: () => awaitNoDeadLetters(),
  },
  RequestsDlq: {
    arrange: async () => {
      const text = (StringValue: string) => ({ DataType: 'String', StringValue });
      // As EventBridge sends an event for which it has no permission.
      await sendTo(sandbox.host, 'requests-dlq', {
        MessageBody: JSON.stringify({
          id: 'event-1',
          'detail-type': 'OnboardingRequested',
          source: 'partner',
          detail: { externalId: 'not-handed-over', person, identification: { mode: 'video' } },
        }),
        MessageAttributes: { ERROR_CODE: text('NO_PERMISSIONS'), ERROR_MESSAGE: text('No permission.') },
      });
      return {};
    },
    after: async ([show]) => {
      expect(show?.stdout).toMatch(/request +event-1 +NO_PERMISSIONS: No permission\./);
      expect(show?.stdout).not.toMatch(/not-handed-over|Mustermann/);
      await expect.poll(() => stepOf('not-handed-over'), { timeout: 60_000 }).toBe('AWAITING_VIDEO_CALL');
      await awaitNoDeadLetters();
    },
  },
  OnboardingsStopped: {
    arrange: async () => {
      const body = JSON.stringify({ message: 'Requestor-ID invalid' });
      const fault = ['fault', 'on', 'answer', '--operation', 'getNaturalPerson', '--status', '400', '--body', body];
      await runDrawbridge(sandbox, fault);
      const ONBOARDING_ID = await onboard('stopped', 'STOPPED');
      // The operator has fixed the cause.
      await runDrawbridge(sandbox, ['fault', 'off']);
      return { ONBOARDING_ID };
    },
    after: async ([ls, show]) => {
      expect(ls?.stdout).toContain('REQUESTOR_ID_INVALID');
      expect(show?.stdout).toContain('REQUESTOR_ID_INVALID');
      await expect.poll(() => stepOf('stopped'), { timeout: 60_000 }).toBe('AWAITING_VIDEO_CALL');
    },
  },
  UnknownWords: {
    arrange: async () => ({ ONBOARDING_ID: await onboard('unknown-word') }),
    after: ([show]) => expect(show?.stdout).toContain('AWAITING_VIDEO_CALL'),
  },
  OnboardingsStalled: {
    arrange: async () => ({ ONBOARDING_ID: await onboard('stalled'), STEP: 'AWAITING_VIDEO_CALL' }),
    after: () => expect.poll(() => stepOf('stalled'), { timeout: 60_000 }).toBe('CANCELED'),
  },
  ErasePersonErrors: {
    arrange: async () => {
      await onboard('erased');
      await callApi(sandbox.endpoints.api, 'POST', '/onboardings/erased/cancel');
      await expect.poll(() => stepOf('erased'), { timeout: 60_000 }).toBe('CANCELED');
      return { EXTERNAL_ID: 'erased' };
    },
    after: async () => expect((await sandbox.readApi('/onboardings/erased'))['status']).toBe(410),
  },
  DeliveriesUnauthorized: {
    arrange: async () => {
      sandbox.platform.registrations.register({ eventType, url: urlOf(eventType) ?? '', headers: [] });
      return {};
    },
    after: ([plan, apply]) => {
      expect([plan?.exit, apply?.exit]).toEqual([1, 0]);
      expect(sandbox.platform.registrations.get(eventType)?.headers).toHaveLength(1);
    },
  },
  RegistrationsForeign: {
    arrange: async () => {
      sandbox.platform.registrations.register({ eventType, url: 'https://other.example/webhooks', headers: [] });
      return { EVENT_TYPE: eventType };
    },
    after: () => expect(urlOf(eventType)).toContain(sandbox.endpoints.webhooks.url),
  },
};

describe('the page of the runbooks', () => {
  it('has commands that run on the laptop, or are named here with a reason why not', () => {
    const used = new Set(runbooks.flatMap(({ commands }) => commands.flatMap((one) => reasonFor(one) ?? [])));
    expect([...used].toSorted()).toEqual(Object.keys(notOnLaptop).toSorted());
    for (const { commands } of runnable)
      for (const command of commands) expect(command).toMatch(/^npx --no -- drawbridge .* --env production$/);
    expect(Object.keys(rehearsals).filter((alarm) => runnable.every((one) => one.alarm !== alarm))).toEqual([]);
  });

  /** Types each command. Returns what the commands print. */
  async function typeAll(commands: readonly string[], replacements: Readonly<Record<string, string>> = {}) {
    const results: CommandResult[] = [];
    for (const command of commands) {
      const result = await type(command, replacements);
      // 2: the command line does not know the command, or could not do it.
      expect(result.exit, `${command}: ${result.stderr}`).toBeLessThan(2);
      results.push(result);
    }
    return results;
  }

  const rehearsed = runnable.filter(({ alarm }) => alarm in rehearsals);

  it.each(rehearsed)(
    'has commands for $alarm that run as they are written',
    { timeout: 120_000 },
    async ({ alarm, commands }) => {
      const { arrange, after } = rehearsals[alarm] ?? {};
      await after?.(await typeAll(commands, await arrange?.()));
    },
  );

  it('has other commands that run as they are written', { timeout: 120_000 }, async () => {
    const typed = new Set(rehearsed.flatMap(({ commands }) => commands));
    const others = new Set(runnable.flatMap(({ commands }) => commands)).difference(typed);
    expect(others.size).toBeGreaterThan(0);
    await typeAll([...others]);
  });
});

describe('drawbridge policy', () => {
  it('allows an operator all that the runbooks have done', async () => {
    expect(permissions.deniedBy(await readOperatorPolicies(sandbox))).toEqual([]);
  });
});
