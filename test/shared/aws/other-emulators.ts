/** Set by `node tools/conformance/main.ts`: other emulators of DynamoDB and SQS, which the sandbox forwards to. */
export const otherEmulators = {
  dynamodb: process.env['DYNAMODB_ORIGIN'],
  sqs: process.env['SQS_ORIGIN'],
};
