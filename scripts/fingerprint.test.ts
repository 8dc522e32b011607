import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildIfStale, computeFingerprint, isFresh, root } from './fingerprint.ts'

afterEach(() => vi.unstubAllEnvs())

test('changing or unsetting a build variable makes a build stale', () => {
  const computeCurrent = () => computeFingerprint({ inputs: ['package.json'], variables: ['KEEPER_SERVICE_WORKER'] })
  const ordinary = computeCurrent()
  vi.stubEnv('KEEPER_SERVICE_WORKER', 'off')
  expect(computeCurrent()).not.toBe(ordinary)
  vi.unstubAllEnvs()
  expect(computeCurrent()).toBe(ordinary)
})

test('a build made with another Node is used', () => {
  const fingerprint = computeFingerprint({ inputs: ['package.json'] })
  const { version } = process
  Object.defineProperty(process, 'version', { value: 'v99.0.0' })
  expect(computeFingerprint({ inputs: ['package.json'] })).toBe(fingerprint)
  Object.defineProperty(process, 'version', { value: version })
})

describe('building', () => {
  let folder: string
  beforeEach(() => {
    mkdirSync(join(root, 'dist'), { recursive: true })
    folder = mkdtempSync(join(root, 'dist/test-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const target = () => {
    const path = relative(root, folder)
    return { output: `${path}/out`, stamp: `${path}/stamp`, inputs: [`${path}/source`] }
  }
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const build = (text: string) =>
    buildIfStale(target(), async (directory) => {
      mkdirSync(directory)
      writeFileSync(join(directory, 'file'), text)
    })
  const readOutput = () => readFileSync(join(folder, 'out/file'), 'utf8')

  test('replaces the output when a source changed, and only then', async () => {
    write('source', 'one')
    expect(await build('first')).toBeGreaterThan(0)
    expect(await build('again')).toBeUndefined()
    expect(readOutput()).toBe('first')
    write('source', 'two')
    await build('second')
    expect(readOutput()).toBe('second')
    expect(isFresh(target())).toBe(true)
  })

  test('a failed build leaves the previous build and its fingerprint', async () => {
    write('source', 'one')
    await build('first')
    write('source', 'two')
    const failing = buildIfStale(target(), async (directory) => {
      mkdirSync(directory)
      throw new Error('out of memory')
    })
    await expect(failing).rejects.toThrow('out of memory')
    expect(isFresh(target())).toBe(false)
    write('source', 'one')
    expect(isFresh(target())).toBe(true)
    expect(readOutput()).toBe('first')
  })
})
