import { expect, test } from 'vitest'
import { buildMegabytes, checkBuildMemory } from './build-memory.ts'

const megabyte = 1024 * 1024
const machine = (totalMegabytes: number, swapMegabytes = 0, limitMegabytes?: number) => ({
  totalBytes: totalMegabytes * megabyte,
  swapBytes: swapMegabytes * megabyte,
  limitBytes: limitMegabytes === undefined ? undefined : limitMegabytes * megabyte,
})

test.each([
  ['a machine with 1 GB, partly reserved', machine(960)],
  ['512 MB with swap', machine(480, 1024)],
  ['a container with enough', machine(8000, 0, buildMegabytes)],
  ['a limit above the memory of the machine', machine(2000, 0, 9_000_000)],
])('%s can build', (_name, memory) => {
  expect(checkBuildMemory(memory)).toBeUndefined()
})

test.each([
  ['a machine of 512 MB', machine(480), 'this machine has 480 MB'],
  [
    'a container that can’t use the swap of its machine',
    machine(8000, 8000, 512),
    'this container or service has 512 MB',
  ],
])('%s is told what to do instead', (_name, memory, expected) => {
  const text = checkBuildMemory(memory)
  expect(text).toContain(expected)
  expect(text).toContain('Use a release')
  expect(text).toContain('npm run node -- scripts/build.ts')
})
