import { CommandError } from './command-error.ts';

/** @throws {CommandError} naming the first word that cannot be the id of an event */
export function checkEventIds(...eventIds: readonly string[]): void {
  const wrong = eventIds.find((eventId) => !/^[\da-f]{64}$/.test(eventId));
  if (wrong !== undefined)
    throw new CommandError(
      `${wrong} is not the id of an event: an id has 64 hexadecimal digits.`,
      'drawbridge events ls lists the ids.',
    );
}
