import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { httpUrl } from '#cli/command/http-url.ts';
import { type RequestTarget, requestUrl } from '#cli/command/request-url.ts';
import { isLaptop } from '#cli/deployment/deployment.ts';
import { readEndpoints } from '#cli/deployment/read-endpoints.ts';
import type { Output } from '#cli/output/output.ts';
import { quote } from '#sandbox/terminal/quote.ts';
import { parseJson } from '#shared/parse-json.ts';

/** Its path is below the address of the control API. */
export type ControlRequest = RequestTarget & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
};

/** The control API of the sandbox platform. */
export type ControlClient = {
  /** @throws {CommandError} for a refusal, or if the platform does not answer */
  readonly send: <Schema extends z.ZodType>(request: ControlRequest, answer: Schema) => Promise<z.output<Schema>>;
};

const globalOptions = z.object({ env: z.string(), directory: z.string(), control: z.string().optional() });

const refusal = z.object({ message: z.string() });

/** Adds the option that names a platform without Drawbridge. */
export function addControlOption(command: Command): Command {
  return command.option(
    '--control <url>',
    'the control API of a platform that drawbridge platform runs',
    httpUrl('http://localhost:4010/control'),
  );
}

/** What a command of the sandbox platform gets. @throws {CommandError} if there is no sandbox platform */
export function createControl(
  command: Command,
  deps: CommandDeps,
): { readonly output: Output; readonly control: ControlClient } {
  const { env, directory, control } = globalOptions.parse(command.optsWithGlobals());
  if (!isLaptop(env))
    throw new CommandError(
      `The environment ${env} has no sandbox platform.`,
      'run the command without --env, beside npm start.',
    );
  const origin = (control ?? readEndpoints(directory).control).replace(/\/$/, '');
  return { output: createContext(command, deps).output, control: createControlClient(origin, deps) };
}

/** The command that lists what can be named in a request of this path. */
function nextAt(path: string): string | undefined {
  if (path.startsWith('/personas')) return 'drawbridge persona ls lists the personas.';
  if (path.startsWith('/triggers')) return 'drawbridge trigger --list lists the life cycles.';
  if (path.startsWith('/deliveries/')) return 'drawbridge deliveries ls lists the ids.';
  if (path === '/platform-profile') return 'drawbridge profile show shows every field.';
  return path.startsWith('/faults/') ? 'drawbridge fault ls lists the faults.' : undefined;
}

export function createControlClient(origin: string, { fetch }: Pick<CommandDeps, 'fetch'>): ControlClient {
  return {
    send: async ({ method, body, ...target }, schema) => {
      const url = requestUrl(origin, target);
      const json = body === undefined ? undefined : JSON.stringify(body);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method, headers, ...(json !== undefined && { body: json }) }).catch(
        (cause: unknown) => {
          throw new CommandError(
            `The sandbox platform does not answer at ${origin}.`,
            'npm start, or drawbridge platform for a platform without Drawbridge.',
            { cause },
          );
        },
      );
      const read = parseJson(await answer.text());
      if (answer.ok) return z.parse(schema, read);
      const { message } = refusal.catch({ message: 'it gave no reason.' }).parse(read);
      if (answer.status === 401)
        throw new CommandError(
          `${origin} is the platform, and not its control API.`,
          `run the command again with --control ${quote(new URL('/control', origin).href)}`,
        );
      throw new CommandError(
        `The sandbox platform answered ${answer.status}: ${message}`,
        nextAt(target.path) ?? `see --help of the command, or ${origin}/openapi.json.`,
      );
    },
  };
}
