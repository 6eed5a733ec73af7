import type { Context } from 'aws-lambda';

/** What Lambda hands to a handler besides the event, with this much of its time left. */
export function lambdaContext(remainingMilliseconds = 30_000): Context {
  const gone = () => {
    throw new Error('Lambda has had no callbacks since Node 24.');
  };
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: 'test',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:test',
    memoryLimitInMB: '1024',
    awsRequestId: 'request-1',
    logGroupName: '/aws/lambda/test',
    logStreamName: 'stream',
    getRemainingTimeInMillis: () => remainingMilliseconds,
    done: gone,
    fail: gone,
    succeed: gone,
  };
}
