import { quote } from '#sandbox/terminal/quote.ts';

/** What a user types in a folder in which the package is installed. */
export const installedCommand = 'npx --no -- drawbridge';

const commandsOfNpm: ReadonlySet<string> = new Set(['exec', 'run', 'run-script', 'start']);

/** What a user types to run this program: npm says whether it started the process. Undefined if the user typed `drawbridge`. */
export function commandNameOf({
  npm_command: command = '',
}: Readonly<Record<string, string | undefined>>): string | undefined {
  return commandsOfNpm.has(command) ? installedCommand : undefined;
}

/** The names of all commands, which the texts of any command can name. A test compares them with the program. */
export const commandNames: readonly string[] = [
  'init',
  'start',
  'platform',
  'tour',
  'status',
  'doctor',
  'alarms',
  'upgrade',
  'events',
  'quarantine',
  'dlq',
  'persons',
  'verifications',
  'orders',
  'transfers',
  'onboardings',
  'webhooks',
  'drain',
  'token',
  'credentials',
  'tail',
  'listen',
  'bus',
  'reconcile',
  'console',
  'copy-rows',
  'logs',
  'audit',
  'settings',
  'cost',
  'policy',
  'trigger',
  'persona',
  'clock',
  'fault',
  'outage',
  'profile',
  'traffic',
  'requests',
  'deliveries',
  'reset',
  'snapshot',
  'fixture',
  'completion',
];

/** A text that already says npx --no -- drawbridge stays. The group is the rest of the line, up to the next command. */
const named = new RegExp(
  `(?<![\\w/@.-]|-- )drawbridge (?=(?:${commandNames.join('|')}|--help)(?![\\w-])((?:(?!drawbridge )[^\\n])*))`,
  'g',
);

export type TypedCommand = {
  /** What the user types to run this program. */
  readonly name: string;
  /** The options that name the deployment, such as `--env`, with their values. */
  readonly options: Readonly<Record<string, string>>;
};

/** Writes each command that a text for people names as its user has to type it, so that the user can copy the command. */
export function nameCommands(text: string, { name, options }: TypedCommand): string {
  return text.replaceAll(named, (_, rest: string) => {
    const missing = Object.entries(options).filter(([option]) => !rest.includes(option));
    return [name, ...missing.map(([option, value]) => `${option} ${quote(value)}`), ''].join(' ');
  });
}
