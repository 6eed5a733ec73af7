import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { ApiError, CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { moment, resolveMoments } from '#cli/command/list-options.ts';
import { readJsonFile } from '#cli/command/read-json-file.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import { countOf } from '#cli/output/count-of.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { erasePerson } from './person-query.ts';
import { type Erasure, parseErasures, readErasures } from './read-erasures.ts';

const repeatOptions = z.object({
  since: z.string().optional(),
  until: z.string().optional(),
  list: z.boolean().default(false),
  file: z.string().optional(),
});

/** Bounds what the command asks of the function. */
const concurrency = 4;

/** Adds `persons repeat-erasures`: what a restored backup has brought back is erased again. */
export function addRepeatErasuresCommand(persons: Command, deps: CommandDeps): void {
  const command = persons
    .command('repeat-erasures')
    .description(
      'Repeats the erasures since a time, because a restored backup brings erased persons back. Asks first. You can run it again.',
    )
    .option(
      '--since <time>',
      'only erasures of this time or later: the time that was restored, such as 2026-01-31T08:00:00Z',
      moment,
    )
    .option('--until <time>', 'only erasures of this time or earlier', moment)
    .option('--list', 'print the erasures, and repeat none: with --json a file to keep outside the region')
    .option('--file <file>', 'read the erasures from a file of --list --json, in place of the log of this region')
    .action(async (given: unknown) => {
      const { output, connect, confirm } = createContext(command, deps);
      const deployment = await connect();
      const options = await resolveMoments(repeatOptions.parse(given), deployment, deps);
      const erasures = await findErasures(deployment, options, deps);
      const count = erasures.length;
      if (options.list) {
        output.answer({ count, erasures }, () =>
          erasures.map(({ onboardingId }) => `onboardingId:${onboardingId}`).join('\n'),
        );
        return;
      }
      if (count === 0) {
        output.answer({ count, erased: 0, refused: [] }, () => 'There is no erasure to repeat.');
        return;
      }
      await confirm(
        `repeat ${countOf(count, 'erasure')} since ${options.since ?? 'the first one of the file'}, which cannot be undone`,
      );
      await recordAction(deployment, { message: 'erasures repeated', size: count }, deps);
      const progress = deps.startProgress('Erasing', count);
      const [first, ...others] = erasures;
      const repeat = async (erasure: Erasure) => {
        const refusal = await repeatErasure(deployment, erasure, deps);
        progress.advance(1);
        return refusal;
      };
      // The first one fills the index of persons, if a restore needs that: concurrent ones would wait for each other.
      const refusals = [
        ...(first === undefined ? [] : [await repeat(first)]),
        ...(await mapConcurrent(others, concurrency, repeat)),
      ];
      const refused = refusals.filter((refusal) => refusal !== undefined);
      const erased = count - refused.length;
      progress.stop(`${countOf(erased, 'erasure')} of ${count} repeated.`);
      output.answer({ count, erased, refused }, () =>
        [
          `${countOf(erased, 'erasure')} of ${count} repeated.`,
          ...refused.map(({ onboardingId, reason }) => `Refused: onboardingId:${onboardingId}: ${reason}`),
        ].join('\n'),
      );
      if (refused.length > 0) deps.exit(exitCodes.found);
    });
  documentCommand(command, {
    examples: [
      'drawbridge persons repeat-erasures --since 2026-03-01T12:00:00Z --env production',
      'drawbridge persons repeat-erasures --since 2026-03-01T12:00:00Z --list --json --env production > erasures.json',
      'drawbridge persons repeat-erasures --file erasures.json --env production',
    ],
    json: '`count`, `erased`, and in `refused` the `onboardingId` and `reason` of each erasure that the API refused. With `--list`: `count`, and in `erasures` the ids of each',
    found: 'the API refused an erasure, such as that of an onboarding that is open again',
    writes: 'removes again what Drawbridge stores about these persons. This cannot be undone',
  });
}

type RepeatOptions = z.infer<typeof repeatOptions>;

/** The erasures to repeat: of the file, or of the log. @throws {CommandError} */
async function findErasures(
  deployment: Deployment,
  { file, since, until }: RepeatOptions,
  deps: CommandDeps,
): Promise<readonly Erasure[]> {
  if (file === undefined && since !== undefined) return readErasures(deployment, { since, until }, deps);
  if (file !== undefined && since === undefined && until === undefined) return parseErasures(readJsonFile(file, deps));
  throw new CommandError(
    'The command repeats the erasures of a time, or those of a file.',
    'give either --since, and --until if needed, or --file.',
  );
}

type Refusal = { readonly onboardingId: string; readonly reason: string };

/** @returns why the API refuses it; undefined if it is done @throws {CommandError} if no other one can be done either */
async function repeatErasure(
  { api }: Pick<Deployment, 'api'>,
  { onboardingId, otherOnboardingIds, naturalPersonIds, identificationVerificationIds }: Erasure,
  { wait }: Pick<CommandDeps, 'wait'>,
): Promise<Refusal | undefined> {
  const query = {
    naturalPersonId: naturalPersonIds.join(',') || undefined,
    identificationVerificationId: identificationVerificationIds.join(',') || undefined,
    onboardingId: otherOnboardingIds.join(',') || undefined,
  };
  try {
    await erasePerson(`onboardingId:${onboardingId}`, query, { api, wait });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 403) throw error;
    return { onboardingId, reason: error.message.replaceAll('\n', ' ') };
  }
}
