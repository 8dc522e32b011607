import { expect, test } from 'vitest'
import { formatSize } from './format-size.ts'

test.each([
  [0, '0 Bytes'],
  [1023, '1023 Bytes'],
  [1024, '1.00 KB'],
  [43_725, '42.70 KB'],
  [1_048_575, '1.00 MB'],
  [1_300_234, '1.24 MB'],
  [5 * 1024 ** 3, '5.00 GB'],
  [5000 * 1024 ** 3, '5000.00 GB'],
])('%d bytes read %s', (bytes, text) => expect(formatSize(bytes)).toBe(text))
