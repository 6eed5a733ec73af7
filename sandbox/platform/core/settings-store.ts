import * as z from 'zod';
import { type Settings, settings } from './settings.ts';

/** A change of some settings. `settings.partial()` would fill in the defaults. */
export const settingsChange = z.strictObject(
  Object.fromEntries(Object.entries(settings.shape).map(([name, field]) => [name, field.unwrap().optional()])),
);

/** Values are checked when the change is applied. */
export type SettingsChange = Readonly<Partial<Record<keyof Settings, unknown>>>;

export type SettingsStore = {
  readonly read: () => Settings;
  /** @throws {z.ZodError} for an invalid setting */
  readonly change: (change: SettingsChange) => Settings;
};

/** Creates the settings: the given ones and the defaults. @throws {z.ZodError} for an invalid setting */
export function createSettings(initial: SettingsChange): SettingsStore {
  let current = settings.parse(initial);
  return {
    read: () => current,
    change: (change) => {
      current = settings.parse({ ...current, ...change });
      return current;
    },
  };
}

/** Picks a word with the probability of its weight. @param random from 0 to 1 */
export function pickByWeight(words: Readonly<Record<string, number>>, random: number): string {
  const entries = Object.entries(words).filter(([, weight]) => weight > 0);
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random * total;
  for (const [word, weight] of entries) {
    left -= weight;
    if (left < 0) return word;
  }
  return entries.at(-1)?.[0] ?? '';
}
