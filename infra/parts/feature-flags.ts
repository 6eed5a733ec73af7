import type { Stack } from 'aws-cdk-lib';
import {
  CURRENT_VERSION_EXPIRED_FLAGS,
  DEFAULT_CROSS_STACK_REFERENCES,
  FLAGS,
  TARGET_PARTITIONS,
} from 'aws-cdk-lib/cx-api';

/** Flags that are on or off. Of the others, such as the partitions that a template is for, no value stands for none. */
const switches = Object.entries(FLAGS).filter(
  ([name, { recommendedValue }]) =>
    typeof recommendedValue === 'boolean' && !CURRENT_VERSION_EXPIRED_FLAGS.includes(name),
);

const pinned: Readonly<Record<string, boolean | string>> = {
  ...Object.fromEntries(
    switches.map(([name, { unconfiguredBehavesLike }]) => [name, unconfiguredBehavesLike?.v2 ?? false]),
  ),
  [DEFAULT_CROSS_STACK_REFERENCES]: 'strong',
};

/**
 * Gives a stack the feature flags that it is tested with, regardless of the app: a flag of the partner's app would change the
 * templates, and so what an upgrade replaces. Call it before the stack has children.
 */
export function pinFeatureFlags(stack: Stack): void {
  for (const [name, value] of Object.entries(pinned)) stack.node.setContext(name, value);
}

/** The context of our own app. Otherwise each `cdk` command prints a note on flags that are not set, which the stacks set anyway. The CDK reads that text as no partitions. */
export const appContext: Readonly<Record<string, unknown>> = { ...pinned, [TARGET_PARTITIONS]: 'undefined' };
