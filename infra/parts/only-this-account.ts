import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** The condition of a policy that accepts a service only on behalf of the account of the stack. */
export function onlyThisAccount(scope: IConstruct) {
  return { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } };
}
