import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** An output of the stack. The name does not depend on the construct that knows the value, since operators use it. */
export function addOutput(scope: Construct, name: string, description: string, value: string): void {
  new CfnOutput(Stack.of(scope), name, { description, value });
}
