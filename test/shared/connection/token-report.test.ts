import { describe, expect, it } from 'vitest';
import {
  digestToken,
  readForcedRefresh,
  readTokenReport,
  writeForcedRefresh,
  writeTokenReport,
} from '#shared/connection/token-report.ts';

const token = 'CANARYTOKENeyJhbGciOiJIUzI1NiJ9';

describe('failure mode: compare and invalidate. A report names the token that it is about', () => {
  it('names the token by its SHA-256, in hex', () => {
    expect(digestToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(readTokenReport(writeTokenReport(token))).toBe(digestToken(token));
  });

  it('promise 8: does not hold the token itself', () => {
    expect(writeTokenReport(token)).not.toContain(token);
  });

  it('is the same text for the same token, so that SQS takes its reports for one', () => {
    expect(writeTokenReport(token)).toBe(writeTokenReport(token));
    expect(writeTokenReport(token)).not.toBe(writeTokenReport(`${token}x`));
  });
});

describe('a message that reports no token asks for nothing but a look', () => {
  it.each(['', 'null', '7', '[]', '{}', '{"rejectedToken":7}', '{"detail-type":"Scheduled Event"}', 'CANARY'])(
    'reads no report of a token in %j',
    (message) => {
      expect(readTokenReport(message)).toBeUndefined();
      expect(readForcedRefresh(message)).toBeUndefined();
    },
  );
});

it('a forced refresh names the version that it replaces, and reports no token', () => {
  expect(readForcedRefresh(writeForcedRefresh('version-1'))).toBe('version-1');
  expect(readTokenReport(writeForcedRefresh('version-1'))).toBeUndefined();
});
