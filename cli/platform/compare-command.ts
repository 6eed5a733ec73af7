import type { Command } from 'commander';
import * as z from 'zod';
import { appHelp } from '#cli/command/app-help.ts';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { readJsonFile } from '#cli/command/read-json-file.ts';
import { readFileProfile } from '#cli/doctor/platform/platform-access.ts';
import { printFindings, printProfile } from '#cli/doctor/print-findings.ts';
import { compareRecording } from './recording/compare-recording.ts';
import { isRecordable, type Recording, recording } from './recording/recording.ts';

const compareOptions = z.object({ env: z.string(), app: z.string().optional() });

/** Adds `platform compare`: a recording beside the specification and the profile. */
export function addCompareCommand(platform: Command, deps: CommandDeps): void {
  const command = platform
    .command('compare')
    .description(
      'Compares a recording with the specification and the platformProfile of the settings file, and asks no platform.',
    )
    .argument('<recording>', 'a file of drawbridge platform record')
    .option('--app <folder>', appHelp)
    .action((file: string) => {
      const { env, app } = compareOptions.parse(command.optsWithGlobals());
      const { output } = createContext(command, deps);
      const { findings, platformProfile } = compareRecording(readRecording(file, deps), readFileProfile({ env, app }));
      printFindings(findings, output);
      printProfile(platformProfile, output);
      if (findings.some(({ result }) => result === 'problem')) deps.exit(exitCodes.found);
    });
  documentCommand(command, {
    examples: [
      'drawbridge platform compare platform-recording.json',
      'drawbridge platform compare recordings/test.json --env test --json',
    ],
    json: 'one finding a line: `check`, `result` (`good`, `problem`, `unknown`), `detail`, `remedy`. The last line is `platformProfile`',
    found:
      'a difference needs a setting, or no setting covers it. What the recording does not have is `unknown`, and no problem',
  });
}

/** @throws {CommandError} */
function readRecording(file: string, deps: CommandDeps): Recording {
  const content = readJsonFile(file, deps);
  const result = isRecordable(content) ? recording.safeParse(content) : undefined;
  if (result?.success) return result.data;
  throw new CommandError(
    `${file} is not a recording of this release.`,
    'drawbridge platform record --force writes one.',
  );
}
