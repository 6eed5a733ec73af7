import { type Host, type HostOptions, startHost } from '#sandbox/aws/host.ts';
import { parseJson } from '#shared/parse-json.ts';
import { type Declare, synthesizeFixture } from './fixture-assembly.ts';

/** A small stack, running. */
export type FixtureHost = {
  readonly host: Host;
  /** What the function wrote, each line of it that is JSON. */
  readonly written: (functionName: string) => readonly unknown[];
  /** What the function answers to the event. @throws when it fails */
  readonly call: (functionName: string, event?: unknown) => Promise<unknown>;
  /** How the function fails at the event. @throws when it does not */
  readonly failureOf: (
    functionName: string,
    event?: unknown,
  ) => Promise<{ readonly errorType: string; readonly errorMessage: string }>;
  readonly queueUrl: (queue: string) => string;
  readonly close: () => Promise<void>;
};

export async function startFixture(
  declare: Declare,
  options: Omit<HostOptions, 'assembly' | 'onLog'> = {},
): Promise<FixtureHost> {
  const assembly = synthesizeFixture(declare);
  const log: { readonly functionName: string; readonly line: string }[] = [];
  const host = await startHost({
    assembly: assembly.directory,
    onLog: (functionName, line) => log.push({ functionName, line }),
    ...options,
  }).catch((error: unknown) => {
    assembly.remove();
    throw error;
  });

  function invoke(functionName: string, event: unknown) {
    const called = host.functions.find(functionName);
    if (called === undefined) throw new Error(`There is no function ${functionName}.`);
    return called.invoke(JSON.stringify(event));
  }

  return {
    host,
    written: (functionName) =>
      log
        .filter((entry) => entry.functionName === functionName)
        .map(({ line }) => parseJson(line))
        .filter((value) => value !== undefined),
    call: async (functionName, event = {}) => {
      const result = await invoke(functionName, event);
      if (result.error !== undefined) throw new Error(`${result.error.errorType}: ${result.error.errorMessage}`);
      return JSON.parse(result.payload);
    },
    failureOf: async (functionName, event = {}) => {
      const result = await invoke(functionName, event);
      if (result.error === undefined) throw new Error(`${functionName} did not fail: ${result.payload}`);
      return result.error;
    },
    queueUrl: (queue) => host.blueprint.queues.find(({ name }) => name === queue)?.ref ?? '',
    close: async () => {
      await host.close();
      assembly.remove();
    },
  };
}
