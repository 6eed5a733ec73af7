import { describe, expect, it } from 'vitest';
import { readFunctionAnswer } from '#sandbox/aws/http-api/http-api-event.ts';

describe('sandbox aws: the answer of a function with a status code', () => {
  it('may omit every other field', () => {
    const answer = readFunctionAnswer(JSON.stringify({ statusCode: 200 }));
    expect(answer).toEqual({ status: 200, headers: {}, body: Buffer.from('') });
  });

  it('may have a Base64 body, which is sent as bytes', () => {
    const body = Buffer.from([0, 255, 128]).toString('base64');
    const read = readFunctionAnswer(JSON.stringify({ statusCode: 200, body, isBase64Encoded: true }));
    expect(Buffer.from(read?.body ?? [])).toEqual(Buffer.from([0, 255, 128]));
  });
});

describe('sandbox aws: an invalid answer of a function', () => {
  it.each([
    ['a status that is no number', { statusCode: 'fine' }],
    ['a header name that cannot be sent', { statusCode: 200, headers: { 'no spaces': '1' } }],
    ['a header value that cannot be sent', { statusCode: 200, headers: { location: '/a\r\nset-cookie: b=1' } }],
  ])('is rejected by the host: %s', (_, answer) => {
    expect(readFunctionAnswer(JSON.stringify(answer))).toBeUndefined();
  });
});
