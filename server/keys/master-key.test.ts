import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MasterKeyUnusable, readMasterSecret } from './master-key.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-master-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const refuseLinks = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error(`${code}: link`), { code, syscall: 'link' })
}

describe('the key file, without hard links', () => {
  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EIO', 'EACCES', 'EINVAL'])(
    'is created when linking fails with %s',
    async (code) => {
      const secret = await readMasterSecret(null, folder, refuseLinks(code))
      expect(secret).toMatch(/^[\w-]{43}$/)
      expect(readdirSync(folder)).toEqual(['master.key'])
      expect(readFileSync(join(folder, 'master.key'), 'utf8')).toBe(`${secret}\n`)
      expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600)
      expect(await readMasterSecret(null, folder)).toBe(secret)
    },
  )

  it('is shared by eight concurrent starts', async () => {
    const secrets = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        readMasterSecret(null, folder, ...(index % 2 ? [refuseLinks('EPERM')] : ([] as const))),
      ),
    )
    expect(new Set(secrets).size).toBe(1)
    expect(readdirSync(folder)).toEqual(['master.key'])
  })

  it('a key file that another process is still writing is waited for', async () => {
    const path = join(folder, 'master.key')
    writeFileSync(path, '')
    const reading = readMasterSecret(null, folder, refuseLinks('EPERM'))
    await later(100)
    writeFileSync(path, 'the key of the other process\n')
    expect(await reading).toBe('the key of the other process')
  })
})

it('an empty key file is refused in one line and stays', async () => {
  writeFileSync(join(folder, 'master.key'), ' \n')
  const refused = await readMasterSecret(null, folder).catch((error) => error)
  expect(refused).toBeInstanceOf(MasterKeyUnusable)
  expect(refused.message).toMatch(/^The key file .* is empty\. Put your copy of it back\.[^\n]*$/)
  expect(readdirSync(folder)).toEqual(['master.key'])
})

it("a key file that can't be read is refused in one line", async () => {
  mkdirSync(join(folder, 'master.key'))
  const refused = await readMasterSecret(null, folder).catch((error) => error)
  expect(refused).toBeInstanceOf(MasterKeyUnusable)
  expect(refused.message).toMatch(/^The key file .*master\.key can’t be read \(EISDIR\)\.[^\n]*$/)
})
