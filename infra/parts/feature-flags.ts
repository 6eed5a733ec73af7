import type { Stack } from 'aws-cdk-lib';
import { CURRENT_VERSION_EXPIRED_FLAGS, DEFAULT_CROSS_STACK_REFERENCES, FLAGS } from 'aws-cdk-lib/cx-api';

/** Flags that are on or off. Of the others, such as the partitions that a template is for, no value stands for none. */
const switches = Object.entries(FLAGS).filter(
  ([name, { recommendedValue }]) =>
    typeof recommendedValue === 'boolean' && !CURRENT_VERSION_EXPIRED_FLAGS.includes(name),
);

/**
 * Gives a stack the feature flags that it is tested with, regardless of the app: a flag of the partner's app would change the
 * templates, and so what an upgrade replaces. Call it before the stack has children.
 */
export function pinFeatureFlags(stack: Stack): void {
  for (const [name, { unconfiguredBehavesLike }] of switches)
    stack.node.setContext(name, unconfiguredBehavesLike?.v2 ?? false);
  stack.node.setContext(DEFAULT_CROSS_STACK_REFERENCES, 'strong');
}
