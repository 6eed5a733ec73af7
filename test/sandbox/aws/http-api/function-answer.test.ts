import { describe, expect, it } from 'vitest';
import { readFunctionAnswer } from '#sandbox/aws/http-api/http-api-event.ts';

/** What is sent, its body as text. */
function sent(answer: unknown): unknown {
  const read = readFunctionAnswer(JSON.stringify(answer));
  return read && { ...read, body: Buffer.from(read.body).toString() };
}

describe('sandbox aws: the answer of a function with a status code', () => {
  it('is sent with its fields unchanged', () => {
    expect(sent({ statusCode: 201, headers: { 'x-order': '7' }, body: 'created' })).toEqual({
      status: 201,
      headers: { 'x-order': '7' },
      body: 'created',
    });
  });

  it('may omit every other field', () => {
    expect(sent({ statusCode: 200 })).toEqual({ status: 200, headers: {}, body: '' });
  });

  it('may have a Base64 body, which is sent as bytes', () => {
    const body = Buffer.from([0, 255, 128]).toString('base64');
    const read = readFunctionAnswer(JSON.stringify({ statusCode: 200, body, isBase64Encoded: true }));
    expect(Buffer.from(read?.body ?? [])).toEqual(Buffer.from([0, 255, 128]));
  });

  it('may have a status and headers that are text or numbers', () => {
    expect(sent({ statusCode: '202', headers: { 'retry-after': 30 } })).toMatchObject({
      status: 202,
      headers: { 'retry-after': '30' },
    });
  });

  it('sets each of its cookies', () => {
    expect(sent({ statusCode: 200, cookies: ['a=1', 'b=2; Secure'] })).toMatchObject({
      headers: { 'set-cookie': ['a=1', 'b=2; Secure'] },
    });
  });
});

describe('sandbox aws: the answer of a function without a status code', () => {
  it.each([[{ done: true }], [[1, 2]], [7], [null]])('is sent as JSON: %j', (answer) => {
    expect(sent(answer)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    });
  });
});

describe('sandbox aws: an invalid answer of a function', () => {
  it.each([
    ['a status that is no number', { statusCode: 'fine' }],
    ['a status that there is not', { statusCode: 42 }],
    ['a status with a fraction', { statusCode: 200.5 }],
    ['no status', { statusCode: null }],
    ['a body that is no text', { statusCode: 200, body: { done: true } }],
    ['headers in a list', { statusCode: 200, headers: ['a'] }],
    ['a header name that cannot be sent', { statusCode: 200, headers: { 'no spaces': '1' } }],
    ['a header value that cannot be sent', { statusCode: 200, headers: { location: '/a\r\nset-cookie: b=1' } }],
  ])('is rejected by the host: %s', (_, answer) => {
    expect(readFunctionAnswer(JSON.stringify(answer))).toBeUndefined();
  });
});
