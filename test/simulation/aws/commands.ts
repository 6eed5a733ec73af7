import { NotSimulatedError } from './expression-reader.ts';

/** A command of the SDK. */
export type Command = { readonly input: object };

type CommandClass<Input extends object> = new (input: Input) => { readonly input: Input };

/** The implementation of one command of a simulated service. */
export type Operation = readonly [command: new (input: never) => Command, perform: (input: object) => object];

/**
 * @param fields the fields of the input that are simulated
 * @throws {NotSimulatedError} when the input has any other field
 */
export function operation<Input extends object>(
  command: CommandClass<Input>,
  fields: readonly (keyof Input & string)[],
  perform: (input: Input) => object,
): Operation {
  const known: ReadonlySet<string> = new Set(fields);
  return [
    command,
    (input) => {
      for (const field of Object.keys(input))
        if (!known.has(field) && Reflect.get(input, field) !== undefined)
          throw new NotSimulatedError(
            `The simulation does not support ${field} of ${command.name}: add the field and compare with the emulator.`,
          );
      return perform(input as Input);
    },
  ];
}

/** Performs a command synchronously. The caller adds the asynchronous behaviour. */
export type Service = (command: Command) => object;

export function createService(operations: readonly Operation[]): Service {
  const byClass = new Map<unknown, Operation[1]>(operations);
  return (command) => {
    const perform = byClass.get(command.constructor);
    if (perform === undefined)
      throw new NotSimulatedError(
        `The simulation does not support ${command.constructor.name}: add the command and compare with the emulator.`,
      );
    return perform(command.input);
  };
}
