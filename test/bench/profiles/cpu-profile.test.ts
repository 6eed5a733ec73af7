import { describe, expect, it } from 'vitest';
import { selfTimes } from './cpu-profile.ts';

const bundle = `"use strict";
// node_modules/@smithy/core/dist-es/index.js
var a = () => 1;
// node_modules/zod/v4/core/core.js
var b = () => 2;
// shared/aws/client/aws-client.ts
var c = () => 3;
// functions/webhook-ingest/receive/receive.ts
var d = () => 4;
`;

const frame = (id: number, url: string, lineNumber = 0, functionName = 'f') => ({
  id,
  callFrame: { functionName, url, lineNumber },
});

describe('the profile of a bundle', () => {
  it('gives each sample to the package of its line, or to the part of Node, and leaves out idle time', () => {
    const file = 'file:///tmp/function.cjs';
    const nodes = [
      frame(1, file, 2),
      frame(2, file, 4),
      frame(3, file, 6),
      frame(4, file, 8),
      frame(5, 'node:_http_client'),
      frame(6, 'node:internal/crypto/hash'),
      frame(7, ''),
      frame(8, '', 0, '(garbage collector)'),
      frame(9, '', 0, '(idle)'),
    ];
    const samples = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1];
    expect(selfTimes({ nodes, samples, timeDeltas: samples.map(() => 500) }, bundle)).toEqual({
      '@smithy/core': 1,
      zod: 0.5,
      'Drawbridge: clients of AWS': 0.5,
      'Drawbridge: the rest': 0.5,
      'Node: HTTP and sockets': 0.5,
      'Node: crypto and zlib': 0.5,
      'native code of Node and V8': 0.5,
      'garbage collection': 0.5,
    });
  });
});
