import { describe, expect, it } from 'vitest';
import type { Call } from '#test/simulation/faults/io-behaviour.ts';
import { readFaults, UnknownFaultError, writeFaults } from './enumerated-fault.ts';
import { variantsOfEnvironment, variantsOfIo } from './fault-variants.ts';

const put: Call = { service: 'dynamodb', operation: 'PutItem', caller: 'store' };
const list: Call = { service: 'platform', operation: 'GET /webhooks-undelivered?cursor', caller: 'drain' };

describe('the text of enumerated faults', () => {
  it('reads back to the faults it was written from', () => {
    const variants = [...variantsOfIo(put), ...variantsOfIo(list), ...variantsOfEnvironment('clock skew')];
    const faults = variants.map((variant, index) => ({ at: index + 1, variant }));
    expect(readFaults(writeFaults(faults))).toEqual(faults);
    expect(writeFaults(faults)).toContain('2:crash-after-an-io,');
  });

  it('reads as no faults when it is empty or none', () => {
    expect(readFaults('none')).toEqual([]);
    expect(readFaults('')).toEqual([]);
  });

  it.each(['throttling', '0:throttling', '-1:throttling', '7:nothing', '7', '1:throttling,', 'clock-skew:1'])(
    'is refused with an UnknownFaultError when it is invalid: %s',
    (text) => {
      expect(() => readFaults(text)).toThrow(UnknownFaultError);
    },
  );
});
