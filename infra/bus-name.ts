/** The name of an environment's event bus. It is fixed, so that a partner's own stacks need no reference to ours. */
export function busNameOf(environment: string): string {
  return `drawbridge-${environment}`;
}
