import { expect } from 'vitest';
import type { Command, Service } from './commands.ts';

/** An emulator's client of the SDK. */
export type Client = { readonly send: (command: never) => Promise<object> };

/** What a command was answered with, so that two services can be compared: an error by its name. */
export type Answer = { readonly output: object } | { readonly error: string };

export async function ask(client: Client, command: Command): Promise<Answer> {
  return client.send(command as never).then(
    ({ ...output }: { readonly $metadata?: unknown }) => ({ output: withoutMetadata(output) }),
    (error: unknown) => ({ error: nameOf(error) }),
  );
}

export function perform(service: Service, command: Command): Answer {
  try {
    return { output: service(command) };
  } catch (error) {
    return { error: nameOf(error) };
  }
}

/** Both get the same commands, and must answer the same. */
export async function expectSameAnswers(
  client: Client,
  service: Service,
  commands: readonly Command[],
  normalised: (answer: Answer) => unknown = (answer) => answer,
): Promise<void> {
  for (const command of commands) {
    const question = { command: command.constructor.name, input: command.input };
    const expected = await ask(client, command);
    expect({ ...question, answer: normalised(perform(service, command)) }).toEqual({
      ...question,
      answer: normalised(expected),
    });
  }
}

function withoutMetadata({ $metadata: _, ...output }: { readonly $metadata?: unknown }): object {
  return output;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}
