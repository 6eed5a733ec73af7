import { CommandError, messageOf } from '#cli/command/command-error.ts';

/** What the SDK says if no server was reached. */
const networkCodes = /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

/**
 * What a user does about an error of AWS. A stack helps no operator whose role lacks a permission.
 *
 * @returns undefined for an error that does not come from AWS, such as a defect of this command
 */
export function explainAwsError(cause: unknown): CommandError | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { name, message } = cause;
  const explained = (text: string, next: string) => new CommandError(text, next, { cause });
  if (name === 'CredentialsProviderError' || /^(?:Expired|InvalidClientToken|UnrecognizedClient)/.test(name))
    return explained(`There are no valid AWS credentials: ${message}`, 'aws sts get-caller-identity');
  if (message.includes('Region is missing') || message.startsWith('Region not accepted: region=""'))
    return explained('No AWS region is set.', 'run the command again with --region eu-central-1.');
  if (message.startsWith('Region not accepted'))
    return explained(message, 'run the command again with --region, such as --region eu-central-1.');
  if (networkCodes.test(codeOf(cause)) || ('$metadata' in cause && name === 'TimeoutError'))
    return explained(
      `AWS does not answer: ${message}`,
      'check your network, --region and AWS_ENDPOINT_URL, and run the command again.',
    );
  if (!('$fault' in cause)) return undefined;
  if (/AccessDenied|NotAuthorized|UnauthorizedOperation/.test(name))
    return explained(
      `AWS does not allow this to your role: ${message}`,
      'drawbridge policy reader prints what your role needs to read, and drawbridge policy operator what the other commands need.',
    );
  if (/Throttl|TooManyRequests|LimitExceeded/.test(name))
    return explained(`AWS throttles the requests: ${message}`, 'wait a minute, and run the command again.');
  return explained(
    `AWS answered ${name}: ${message}`,
    'check the names in the command, --env and --region, or run drawbridge doctor.',
  );
}

/** What has happened, and what to try next if the error says that: an error of AWS as `explainAwsError` says it, or any other. */
export function explainError(error: unknown): { readonly reason: string; readonly next: string | undefined } {
  const [reason = '', next] = messageOf(explainAwsError(error) ?? error).split('\nNext: ');
  return { reason, next };
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
