import { type FaultVariant, variantNamed } from './fault-variants.ts';

/** A fault at a numbered fault point of a history. Written `17:throttling`. */
export type EnumeratedFault = { readonly at: number; readonly variant: FaultVariant };

/** The text of a fault is invalid. */
export class UnknownFaultError extends Error {
  override readonly name = 'UnknownFaultError';
}

export function writeFault({ at, variant }: EnumeratedFault): string {
  return `${at}:${variant.name}`;
}

/** Writes faults with commas, in the order in which they happen. */
export function writeFaults(faults: readonly EnumeratedFault[]): string {
  return faults.map(writeFault).join(',');
}

/** Reads faults. `none` and an empty text are no faults. @throws {UnknownFaultError} */
export function readFaults(text: string): readonly EnumeratedFault[] {
  return text === '' || text === 'none' ? [] : text.split(',').map(readFault);
}

function readFault(text: string): EnumeratedFault {
  const [number = '', ...name] = text.split(':');
  const variant = variantNamed(name.join(':'));
  if (!/^[1-9]\d*$/.test(number) || variant === undefined)
    throw new UnknownFaultError(`"${text}" is not a fault: write a number and a name, such as 17:throttling.`);
  return { at: Number(number), variant };
}
