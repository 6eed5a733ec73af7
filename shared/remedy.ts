/** What an operator needs where something is wrong. The same in the console, on the command line, in alarms and in the documentation. */
export type Remedy = {
  /** What has happened, and what it does or does not affect. */
  readonly means: string;
  readonly fix: string;
  /** Of the command line, such as `drawbridge quarantine ls`, without an environment. Words in capitals are to be replaced. */
  readonly commands: readonly string[];
};

/** The commands as an operator of an environment types them. @param environment undefined for the laptop */
export function commandsIn(environment: string | undefined, { commands }: Pick<Remedy, 'commands'>): readonly string[] {
  return environment === undefined ? commands : commands.map((command) => `${command} --env ${environment}`);
}
