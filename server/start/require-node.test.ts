import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isNodeSupported, minNodeVersion } from './require-node.ts'

test.each(['24.7.0', '24.21.0', '25.0.0', '100.1.0'])('Node %s starts Keeper', (version) => {
  expect(isNodeSupported(version)).toBe(true)
})

test.each(['18.20.0', '20.20.2', '22.30.0', '24.0.0', '24.6.9', '9.11.0'])('Node %s is too old', (version) => {
  expect(isNodeSupported(version)).toBe(false)
})

const olderNode = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.1.0' } })`

test.each([
  'server/entry.ts',
  'server/main.ts',
  'scripts/keeper.ts',
  'scripts/start.ts',
  'scripts/build.ts',
  'scripts/map.ts',
])('on an older Node, node %s says which one is needed, and exits with 1', (file) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${olderNode}`, fileURLToPath(new URL(`../../${file}`, import.meta.url))],
    { encoding: 'utf8' },
  )
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(`Keeper needs Node ${minNodeVersion} or newer.`)])
})
