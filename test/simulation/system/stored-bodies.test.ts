import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { installStoredBodies, readStoredBody, storeBody } from './stored-bodies.ts';

const body = fc.oneof(fc.uint8Array(), fc.uint8Array({ minLength: 0xfff0, maxLength: 0x1000f, size: 'max' }));

describe('uncompressed bodies in a history', () => {
  it('inflate to the original bytes', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        expect(readStoredBody(storeBody(bytes))).toEqual(Buffer.from(bytes));
        // Any RFC 1951 reader must read the body.
        expect(zlib.inflateRawSync(storeBody(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('inflate compressed input like the real function', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        expect(readStoredBody(zlib.deflateRawSync(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('accept a text as input', () => {
    expect(readStoredBody(storeBody('é')).toString()).toBe('é');
  });

  it('are refused when they are damaged or too long', () => {
    const stored = storeBody('four');
    expect(() => readStoredBody(stored.subarray(0, -1))).toThrow('unexpected end of file');
    expect(() => readStoredBody(stored.with(3, 0))).toThrow('invalid stored block lengths');
    expect(() => readStoredBody(stored, { maxOutputLength: 3 })).toThrow(RangeError);
    expect(readStoredBody(stored, { maxOutputLength: 4 }).toString()).toBe('four');
  });
});

describe('a thread with uncompressed bodies', () => {
  let restore: () => void = () => undefined;
  afterEach(() => restore());

  it('deflates again after the real functions are restored', () => {
    const real = zlib.deflateRawSync('four');
    restore = installStoredBodies();
    expect(zlib.deflateRawSync('four')).toEqual(storeBody('four'));
    restore();
    expect(zlib.deflateRawSync('four')).toEqual(real);
    expect(storeBody('four')).not.toEqual(real);
  });
});
