import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkDataFolder, isMounted } from './check-data-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-mount-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test('a folder is mounted if it, or one above it, is a mount point other than the root', () => {
  mkdirSync(join(folder, 'data/inner'), { recursive: true })
  const data = join(folder, 'data')
  expect(isMounted(data, ['/', data])).toBe(true)
  expect(isMounted(join(data, 'inner'), ['/', data])).toBe(true)
  expect(isMounted(data, ['/'])).toBe(false)
  expect(isMounted(data, ['/', join(folder, 'dat'), join(data, 'inner')])).toBe(false)
})

test('without a mount, the folder is refused only where one is required', () => {
  vi.stubEnv('KEEPER_DATA_DIR', join(folder, 'data'))
  expect(checkDataFolder(folder, { requireMount: false })).toBeUndefined()
  // Machines that run tests can have the folder for temporary files mounted.
  const failure = checkDataFolder('/', { requireMount: true })
  if (failure) expect(failure).toMatch(/isn’t a mounted volume.*--require-mount\.$/)
})

test('settings that can’t be read are left to the server’s own message', () => {
  vi.stubEnv('PORT', 'eighty')
  expect(checkDataFolder(folder, { requireMount: true })).toBeUndefined()
})
