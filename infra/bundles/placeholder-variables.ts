import { Token } from 'aws-cdk-lib';

/** Accepted by every variable whose value only a deployment knows: the URL or the name of a resource. */
const placeholder = 'https://unresolved.example/none';

/**
 * The environment variables that a stack gives a function, complete enough to load the function outside AWS: values that only
 * a deployment knows are placeholders.
 *
 * @param variables as a construct has them, or a synthesized template
 */
export function placeholderVariables(variables: Readonly<Record<string, unknown>>): Record<string, string> {
  const isKnown = (value: unknown) => typeof value === 'string' && !Token.isUnresolved(value);
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, isKnown(value) ? String(value) : placeholder]),
  );
}
