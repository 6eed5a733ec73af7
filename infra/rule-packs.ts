import {
  AwsSolutionsChecks,
  HIPAASecurityChecks,
  type NagPack,
  NIST80053R5Checks,
  PCIDSS321Checks,
  ServerlessChecks,
} from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** The rules of cdk-nag that every synthesis checks. */
export function rulePacks(root: IConstruct): readonly NagPack[] {
  return [
    new AwsSolutionsChecks(root),
    new ServerlessChecks(root),
    new HIPAASecurityChecks(root),
    new NIST80053R5Checks(root),
    new PCIDSS321Checks(root),
  ];
}
