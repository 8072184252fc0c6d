import { expect, test } from 'vitest';
import { decodeAwsChunked } from './aws-chunked.ts';

test('chunks are joined, extensions ignored, and trailing headers read', () => {
  const raw = Buffer.from('3;chunk-signature=x\r\nabc\r\n2\r\nde\r\n0\r\nX-Amz-Checksum-Crc32: sum==\r\n\r\n');
  const { body, trailers } = decodeAwsChunked(raw);
  expect(body.toString()).toBe('abcde');
  expect(trailers).toEqual({ 'x-amz-checksum-crc32': 'sum==' });
});

test.each(['', '5\r\nabc', 'zz\r\n', '3\r\nabc\r\n'])('a body that ends early is refused: %j', (raw) => {
  expect(() => decodeAwsChunked(Buffer.from(raw))).toThrow(expect.objectContaining({ code: 'IncompleteBody' }));
});
