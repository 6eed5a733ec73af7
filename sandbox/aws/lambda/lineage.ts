import { createHash } from 'node:crypto';

/**
 * How often Lambda runs a function in one chain of requests. AWS says "approximately 16".
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
const maxRunsInChain = 16;

/** How often each function has run in a chain of requests, by the name that it has there. */
type Lineage = ReadonlyMap<string, number>;

/** Whether the function has run in the chain of this trace header so often that Lambda stops it. */
export function isRecursive(traceHeader: string | undefined, functionArn: string): boolean {
  return (readLineage(traceHeader).get(nameInLineage(functionArn)) ?? 0) >= maxRunsInChain;
}

/**
 * The trace header of an invocation: what caused it, and one more run of the function. AWS does not document the lineage of a
 * batch whose messages have several chains. Here the batch continues all of them.
 */
export function continueTrace(
  causes: readonly (string | undefined)[],
  functionArn: string,
  newId: () => string,
): string {
  const lineage = new Map<string, number>();
  for (const [name, runs] of causes.flatMap((cause) => [...readLineage(cause)]))
    lineage.set(name, Math.max(runs, lineage.get(name) ?? 0));
  const own = nameInLineage(functionArn);
  lineage.set(own, (lineage.get(own) ?? 0) + 1);
  const root = fieldOf(causes.find((cause) => cause !== undefined) ?? '', 'Root') ?? newRoot(newId);
  const text = [...lineage].map(([name, runs]) => `${name}:${runs}`).join('|');
  return `Root=${root};Parent=${hexDigits(newId).slice(0, 16)};Sampled=0;Lineage=${text}`;
}

function readLineage(traceHeader = ''): Lineage {
  const runs = (fieldOf(traceHeader, 'Lineage') ?? '').split('|').map((part) => part.split(':'));
  return new Map(runs.flatMap(([name = '', count]) => (Number(count) > 0 ? [[name, Number(count)]] : [])));
}

function fieldOf(traceHeader: string, name: string): string | undefined {
  return traceHeader
    .split(';')
    .find((field) => field.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

/** Lambda writes a short hash as well, and does not document of what. */
function nameInLineage(functionArn: string): string {
  return createHash('sha256').update(functionArn).digest('hex').slice(0, 8);
}

function newRoot(newId: () => string): string {
  const digits = hexDigits(newId);
  return `1-${digits.slice(0, 8)}-${digits.slice(8, 32)}`;
}

function hexDigits(newId: () => string): string {
  return newId().replaceAll('-', '').padEnd(32, '0');
}
