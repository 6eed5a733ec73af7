import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { runQuery } from '#cli/logs/run-query.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';

/** As many as CloudWatch gives for a query. */
const maxErasures = 10_000;

const fieldsWith = <Ids extends z.ZodType<readonly string[]>>(ids: Ids) => ({
  onboardingId: z.string(),
  otherOnboardingIds: ids,
  naturalPersonIds: ids,
  identificationVerificationIds: ids,
});

/** As the log has it. Lines of releases before 0.3.0 have only some of the ids. */
const logged = z.object(
  fieldsWith(
    z
      .string()
      .default('')
      .transform((text) => text.split(',').filter((id) => id !== '')),
  ),
);

const printed = z.strictObject(fieldsWith(z.array(z.string()).readonly()));

/** An erasure that was completed, with every id that repeats it. */
export type Erasure = Readonly<z.output<typeof printed>>;

export type ReadErasuresOptions = {
  /** Both are inclusive. ISO 8601. */
  readonly since: string;
  readonly until?: string | undefined;
};

/** Reads the erasures of a time from the log, each onboarding once. @throws {CommandError} also if there are too many */
export async function readErasures(
  deployment: Pick<Deployment, 'clients' | 'control' | 'resources'>,
  { since, until }: ReadErasuresOptions,
  deps: Pick<CommandDeps, 'fetch' | 'now' | 'wait'>,
): Promise<readonly Erasure[]> {
  const query = {
    name: 'erasures',
    text: [
      'fields onboardingId, otherOnboardingIds, naturalPersonIds, identificationVerificationIds',
      'filter message = "person erased"',
      'sort @timestamp asc',
    ].join(' | '),
    logGroups: [(await deployment.resources()).idOf('logGroup', 'ErasePerson')],
    names: [],
  };
  const to = until === undefined ? await readClock(deployment, deps) : new Date(until);
  const options = { from: since, to, set: {}, limit: maxErasures };
  const rows = await runQuery(query, options, { ...deps, logs: deployment.clients.logs });
  if (rows.length >= maxErasures)
    throw new CommandError(
      `The log has ${maxErasures} erasures of that time, or more: it gives no more at once. Nothing was done.`,
      'run the command for parts of the time: add --until, then run it again with that time as --since.',
    );
  return mergeErasures(z.array(logged).parse(rows));
}

const list = z.strictObject({ count: z.int(), erasures: z.array(printed) });

/** Reads what `--list --json` printed. @throws {CommandError} if it is something else, or a part of it */
export function parseErasures(content: unknown): readonly Erasure[] {
  const { success, data } = list.safeParse(content);
  if (success && data.count === data.erasures.length) return data.erasures;
  throw new CommandError(
    'The file is not a list of erasures, or is not complete. Nothing was done.',
    'name a file that `persons repeat-erasures --list --json` printed.',
  );
}

/** An erasure that was repeated, as a caller may, has a line for each time. */
export function mergeErasures(erasures: readonly Erasure[]): readonly Erasure[] {
  const merge = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())];
  return [...Map.groupBy(erasures, ({ onboardingId }) => onboardingId)].map(([onboardingId, lines]) => ({
    onboardingId,
    otherOnboardingIds: merge(lines.map((line) => line.otherOnboardingIds)),
    naturalPersonIds: merge(lines.map((line) => line.naturalPersonIds)),
    identificationVerificationIds: merge(lines.map((line) => line.identificationVerificationIds)),
  }));
}
