import { describe, expect, it } from 'vitest';
import type { Call } from '#test/simulation/faults/io-behaviour.ts';
import { readFaults, UnknownFaultError, writeFaults } from './enumerated-fault.ts';
import { variantsOfEnvironment, variantsOfIo } from './fault-variants.ts';

const put: Call = { service: 'dynamodb', operation: 'PutItem', caller: 'store' };
const list: Call = { service: 'platform', operation: 'GET /webhooks-undelivered?cursor', caller: 'drain' };

describe('enumerated faults', () => {
  it('are read as they are written', () => {
    const variants = [...variantsOfIo(put), ...variantsOfIo(list), ...variantsOfEnvironment('clock skew')];
    const faults = variants.map((variant, index) => ({ at: index + 1, variant }));
    expect(readFaults(writeFaults(faults))).toEqual(faults);
    expect(writeFaults(faults)).toContain('2:crash-after-an-io,');
  });

  it('may be none', () => {
    expect(readFaults('none')).toEqual([]);
    expect(readFaults('')).toEqual([]);
  });

  it.each(['throttling', '0:throttling', '-1:throttling', '7:nothing', '7', '1:throttling,', 'clock-skew:1'])(
    'are refused where they are none: %s',
    (text) => {
      expect(() => readFaults(text)).toThrow(UnknownFaultError);
    },
  );

  it('are all that an I/O can have', () => {
    expect(variantsOfIo(put).map(({ kind }) => kind)).toEqual([
      'crash before an I/O',
      'crash after an I/O',
      'lost request',
      'lost acknowledgement',
      'lost acknowledgement, sent again',
      'late request',
      'late request',
      'throttling',
      'slow I/O',
      'slow I/O',
    ]);
    expect(variantsOfIo(list).map(({ kind }) => kind)).toContain('refused cursor');
  });

  it('are none of those that make the whole of a history', () => {
    expect(variantsOfEnvironment('secret rotation in between')).toEqual([]);
  });
});
