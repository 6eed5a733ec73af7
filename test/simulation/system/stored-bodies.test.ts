import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { installStoredBodies, readStoredBody, storeBody } from './stored-bodies.ts';

const body = fc.oneof(fc.uint8Array(), fc.uint8Array({ minLength: 0xfff0, maxLength: 0x1000f, size: 'max' }));

describe('bodies that a history stores instead of deflating them', () => {
  it('inflate to what they were', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        expect(readStoredBody(storeBody(bytes))).toEqual(Buffer.from(bytes));
        // RFC 1951: for anybody else, too.
        expect(zlib.inflateRawSync(storeBody(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('inflate as they would have, where they were deflated', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        expect(readStoredBody(zlib.deflateRawSync(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('may be texts', () => {
    expect(readStoredBody(storeBody('é')).toString()).toBe('é');
  });

  it('are refused where they are not what was deflated, or more than may be', () => {
    const stored = storeBody('four');
    expect(() => readStoredBody(stored.subarray(0, -1))).toThrow('unexpected end of file');
    expect(() => readStoredBody(stored.with(3, 0))).toThrow('invalid stored block lengths');
    expect(() => readStoredBody(stored, { maxOutputLength: 3 })).toThrow(RangeError);
    expect(readStoredBody(stored, { maxOutputLength: 4 }).toString()).toBe('four');
  });
});

describe('a thread that stores them', () => {
  let restore: () => void = () => undefined;
  afterEach(() => restore());

  it('does so until the real functions are put back', () => {
    const real = zlib.deflateRawSync('four');
    restore = installStoredBodies();
    expect(zlib.deflateRawSync('four')).toEqual(storeBody('four'));
    restore();
    expect(zlib.deflateRawSync('four')).toEqual(real);
    expect(storeBody('four')).not.toEqual(real);
  });
});
