import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPlainHttp, PlainHeaders, PlainRequest } from './plain-http.ts';

const name = fc.constantFrom('accept', 'Accept', 'X-Webhook-Secret', 'content-type', 'b');
const value = fc.constantFrom('a', 'b, c', '');
const step = fc.record({ act: fc.constantFrom('set', 'append', 'delete', 'get', 'has'), name, value });
type Step = {
  readonly act: 'set' | 'append' | 'delete' | 'get' | 'has';
  readonly name: string;
  readonly value: string;
};

function perform(headers: Headers | PlainHeaders, { act, name: on, value: to }: Step): unknown {
  if (act === 'set' || act === 'append') return headers[act](on, to);
  return headers[act](on);
}

describe('the plain headers of the simulation', () => {
  it('behave like the headers of Node under every sequence of operations', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value), fc.array(step), (given, steps) => {
        const [plain, real] = [new PlainHeaders(given), new Headers(given)];
        for (const one of steps) expect(perform(plain, one as Step)).toEqual(perform(real, one as Step));
        expect([...plain]).toEqual([...real]);
        expect([...new PlainHeaders(plain)]).toEqual([...real]);
        const entries: string[] = [];
        plain.forEach((to, on) => void entries.push(`${on}: ${to}`));
        expect(entries).toEqual([...real].map((entry) => entry.join(': ')));
      }),
    );
  });
});

const bodies: readonly (readonly [string, RequestInit])[] = [
  ['none', {}],
  ['a text', { method: 'POST', body: '{"é":1}', headers: { 'Content-Type': 'application/json' } }],
  ['a form', { method: 'POST', body: new URLSearchParams({ a: 'é b' }) }],
];

describe('a plain request of the simulation', () => {
  it.each(bodies)('reads like a request of Node with the body: %s', async (_, init) => {
    const [plain, real] = [
      new PlainRequest('https://a.example/b?c=d', init),
      new Request('https://a.example/b?c=d', init),
    ];
    expect(await plain.text()).toBe(await real.text());
    expect([plain.url, plain.method, plain.bodyUsed]).toEqual([real.url, real.method, real.bodyUsed]);
    expect(plain.headers.get('content-type')).toBe(real.headers.get('content-type'));
  });

  it('refuses a body that is a stream', () => {
    expect(() => new PlainRequest('https://a.example', { body: new ReadableStream() })).toThrow(
      'does not support this body',
    );
  });
});

describe('a plain response of the simulation', () => {
  type Make = () => Response;
  const makers: readonly (readonly [string, Make])[] = [
    ['of nothing', () => new Response(null, { status: 204 })],
    ['of a text', () => new Response('é', { status: 201 })],
    ['with headers', () => new Response('{}', { headers: { 'Content-Type': 'application/json', b: 'c' } })],
    ['of bytes', () => new Response(Buffer.from('{"a":1}'))],
    ['of JSON', () => Response.json({ a: [1] }, { status: 500 })],
    ['of JSON of a type', () => Response.json({}, { headers: { 'content-type': 'application/problem+json' } })],
  ];
  const read = async (response: Response) => ({
    status: response.status,
    headers: [...response.headers],
    body: Buffer.from(await response.arrayBuffer()).toString(),
    bodyUsed: response.bodyUsed,
    again: await response.text().catch((error: unknown) => (error as Error).name),
  });
  const inForm = async (type: string) =>
    new Response(new TextEncoder().encode('a=1&b=%C3%A9').buffer, { headers: { 'content-type': type } })
      .formData()
      .then(
        (form) => [...form],
        (error: unknown) => (error as Error).name,
      );

  let expected: readonly unknown[];
  let restore: () => void;
  beforeAll(async () => {
    expected = await Promise.all(makers.map(([, make]) => read(make())));
    restore = installPlainHttp();
  });
  afterAll(() => restore());

  it.each(makers.map(([what, make], index) => ({ what, make, index })))(
    'reads like a response of Node: $what',
    async ({ make, index }) => {
      expect(make()).not.toHaveProperty('redirected');
      expect(await read(make())).toEqual(expected[index]);
    },
  );

  it('reads a form and refuses multipart forms', async () => {
    expect(await inForm('application/x-www-form-urlencoded')).toEqual([
      ['a', '1'],
      ['b', 'é'],
    ]);
    expect(await inForm('multipart/form-data')).toBe('TypeError');
  });
});
