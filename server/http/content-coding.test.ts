import { expect, it } from 'vitest'
import { chooseCoding } from './web-files.ts'

it.each([
  [null, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000, gzip ;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['gzip, *;q=0', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['br;q=high', 'identity'],
  ['brotli, x-br, gzipped', 'identity'],
] as const)('Accept-Encoding %o is answered with %s', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding)
})
