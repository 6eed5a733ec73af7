import { type FaultVariant, variantNamed } from './fault-variants.ts';

/** A fault at one occasion of a history, by the number of the occasion. Written `17:throttling`. */
export type EnumeratedFault = { readonly at: number; readonly variant: FaultVariant };

/** What was written is no fault. */
export class UnknownFaultError extends Error {
  override readonly name = 'UnknownFaultError';
}

export function writeFault({ at, variant }: EnumeratedFault): string {
  return `${at}:${variant.name}`;
}

/** Faults with a comma in between, in the order in which they happen. */
export function writeFaults(faults: readonly EnumeratedFault[]): string {
  return faults.map(writeFault).join(',');
}

/** Reads what was written; `none` is none. @throws {UnknownFaultError} */
export function readFaults(text: string): readonly EnumeratedFault[] {
  return text === '' || text === 'none' ? [] : text.split(',').map(readFault);
}

function readFault(text: string): EnumeratedFault {
  const [number = '', ...name] = text.split(':');
  const variant = variantNamed(name.join(':'));
  if (!/^[1-9]\d*$/.test(number) || variant === undefined)
    throw new UnknownFaultError(`"${text}" is no fault: write it as it was printed, such as 17:throttling.`);
  return { at: Number(number), variant };
}
