import { describe, expect, it } from 'vitest';
import { explainAwsError } from '#cli/deployment/explain-aws-error.ts';

/** As the SDK throws them. */
const answered = (name: string) =>
  Object.assign(new Error(`the text of ${name}`), { name, $fault: 'client', $metadata: {} });

describe('cli: explainAwsError', () => {
  it.each([
    ['AccessDeniedException', 'AWS does not allow this to your role', 'drawbridge policy operator'],
    ['ExpiredTokenException', 'There are no valid AWS credentials', 'aws sts get-caller-identity'],
    ['UnrecognizedClientException', 'There are no valid AWS credentials', 'aws sts get-caller-identity'],
    ['ThrottlingException', 'AWS throttles the requests', 'wait a minute'],
    ['ResourceNotFoundException', 'AWS answered ResourceNotFoundException', '--region'],
  ])('says what %s means, and what to do next', (name, what, next) => {
    const message = explainAwsError(answered(name))?.message;
    expect(message).toContain(`${what}: the text of ${name}\nNext: `);
    expect(message).toContain(next);
  });

  it('says that the region is missing, and that AWS does not answer', () => {
    expect(explainAwsError(new Error('Region is missing'))?.message).toBe(
      'No AWS region is set.\nNext: run the command again with --region eu-central-1.',
    );
    expect(explainAwsError(new Error('Region not accepted: region="" is not a valid'))?.message).toContain(
      'No AWS region is set.',
    );
    const noRegion = 'Region not accepted: region="a b" is not a valid hostname component.';
    expect(explainAwsError(new Error(noRegion))?.message).toBe(
      `${noRegion}\nNext: run the command again with --region, such as --region eu-central-1.`,
    );
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(explainAwsError(refused)?.message).toContain('AWS does not answer: connect ECONNREFUSED');
  });

  it('keeps the stack of a defect in our code', () => {
    expect(explainAwsError(new TypeError('undefined is not a function'))).toBeUndefined();
    expect(explainAwsError('text')).toBeUndefined();
  });
});
