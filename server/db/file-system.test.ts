import { expect, test } from 'vitest'
import { findNetworkFileSystem } from './file-system.ts'

test.skipIf(process.platform !== 'linux').each([
  [0x6969, 'NFS'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xfe534d42 - 2 ** 32, 'SMB'],
  [0x65735546, 'FUSE'],
  [0xef53, undefined],
  [0x01021994, undefined],
  [0x9123683e, undefined],
  [0x2fc12fc1, undefined],
])('a folder of the type 0x%x is on %s', (type, name) => {
  expect(findNetworkFileSystem('/', () => type)).toBe(name)
})
