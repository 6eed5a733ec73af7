import { existsSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import * as z from 'zod';
import { appHelp } from '#cli/command/app-help.ts';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError, messageOf } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { readPlatformAccess } from '#cli/doctor/platform/platform-access.ts';
import { countOf } from '#cli/output/count-of.ts';
import { formatColumns, type Width } from '#cli/output/format-columns.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { readStoredBodies } from './recording/read-stored-bodies.ts';
import { recordPlatform } from './recording/record-platform.ts';
import { isRecordable, type Recording, type Shape } from './recording/recording.ts';

const recordOptions = z.object({
  out: z.string(),
  force: z.boolean(),
  events: z.boolean(),
  file: z.string().optional(),
  app: z.string().optional(),
});
const globalOptions = z.object({ env: z.string(), directory: z.string() });

/** Adds `platform record`: the shapes of what a platform answers and sends. */
export function addRecordCommand(platform: Command, deps: CommandDeps): void {
  const command = platform
    .command('record')
    .description(
      'Records the shapes of what the platform answers and sends: names, types and formats of fields. Keeps no value but status words, event types and error codes, and leaves out names that may be data as far as Drawbridge can tell: read the file before you commit it.',
    )
    .option('--out <file>', 'the file to write', 'platform-recording.json')
    .option('--force', 'replace the file if it exists', false)
    .option(
      '--events',
      'also record the bodies of the latest events of the deployment: the log of Query records the reads',
      false,
    )
    .option('--file <path>', 'reads {"clientId", "clientSecret"} from a file, or from the standard input with -')
    .option('--app <folder>', appHelp)
    .action(async (given: unknown) => {
      const { out, force, events, file, app } = recordOptions.parse(given);
      const { env, directory } = globalOptions.parse(command.optsWithGlobals());
      const { output, connect } = createContext(command, deps);
      if (!force && existsSync(out))
        throw new CommandError(`${out} exists: nothing was recorded.`, 'name a new file with --out, or add --force.');
      const deployment = events ? await connect() : undefined;
      const access = await readPlatformAccess({ env, directory, app, file }, deps);
      const recording = await recordPlatform(
        access,
        { environment: env, readStored: deployment && ((profile) => readStoredBodies(deployment.api, profile)) },
        { ...deps, fetch: createPlatformFetch(), timeout: (milliseconds) => AbortSignal.timeout(milliseconds) },
      );
      if (Object.keys(recording.operations).every((operation) => operation === 'Get Token'))
        throw new CommandError(
          'The token service gave no token: nothing was recorded.',
          'drawbridge doctor --platform',
        );
      if (!isRecordable(recording))
        throw new CommandError(
          'The answers have too many fields: nothing was recorded.',
          'Report it to the maintainers of Drawbridge.',
        );
      writeRecording(out, recording, force);
      const { notRecorded } = recording;
      const summary = { file: out, answers: rowsOf(recording), webhooks: webhookRowsOf(recording), notRecorded };
      output.answer(summary, (width) => formatSummary(summary, width));
    });
  documentCommand(command, {
    examples: [
      'drawbridge platform record',
      'drawbridge platform record --out recordings/test.json --events --env test',
    ],
    json: '`file`; `answers`, each with `operation`, `status`, `count` and `fields`; `webhooks`, each with `eventType`, `count` and `fields`; `notRecorded`',
  });
}

/** Sorted, so that two recordings of the same platform differ where the platform does. @throws {CommandError} */
function writeRecording(file: string, recording: Recording, isReplaced: boolean): void {
  try {
    writeFileSync(file, `${JSON.stringify(recording, undefined, 2)}\n`, { flag: isReplaced ? 'w' : 'wx' });
  } catch (cause) {
    throw new CommandError(`${file} cannot be written: ${messageOf(cause)}`, 'name another file with --out.', {
      cause,
    });
  }
}

type Row = { readonly count: number; readonly fields: number };
type Summary = {
  readonly file: string;
  readonly answers: readonly (Row & { readonly operation: string; readonly status: string })[];
  readonly webhooks: readonly (Row & { readonly eventType: string })[];
  readonly notRecorded: readonly string[];
};

function rowsOf({ operations }: Recording): Summary['answers'] {
  return Object.entries(operations).flatMap(([operation, byStatus]) =>
    Object.entries(byStatus ?? {}).map(([status, { answers, body }]) => ({
      operation,
      status,
      count: answers,
      fields: countFields(body),
    })),
  );
}

function webhookRowsOf({ webhooks }: Recording): Summary['webhooks'] {
  return Object.entries(webhooks).map(([eventType, { undelivered = 0, stored = 0, body }]) => ({
    eventType,
    count: undelivered + stored,
    fields: countFields(body),
  }));
}

function countFields(shape: Shape | undefined): number {
  if (shape === undefined) return 0;
  const fields = Object.values(shape.fields ?? {});
  return fields.length + [...fields, shape.items].reduce((sum, inner) => sum + countFields(inner), 0);
}

function formatSummary({ file, answers, webhooks, notRecorded }: Summary, width: Width): string {
  const rows = [
    ...answers.map(({ operation, status, count, fields }) => [operation, status, count, fields]),
    ...webhooks.map(({ eventType, count, fields }) => [eventType, 'webhook', count, fields]),
  ];
  const total = [...answers, ...webhooks].reduce((sum, { count }) => sum + count, 0);
  return [
    formatColumns(['of', 'status', 'count', 'fields'], rows, width),
    '',
    ...(notRecorded.length === 0 ? [] : ['Not recorded:', ...notRecorded.map((one) => `- ${one}`), '']),
    `${file} has the shapes of ${countOf(total, 'body', 'bodies')}, and no value but words. To compare it: drawbridge platform compare ${file}`,
  ].join('\n');
}
