import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, asyncProperty, string } from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createBackup } from '#server/db/backup.ts'
import { listFilesRecursively } from '#server/db/backup-archive.ts'
import { createLog } from '#server/http/log.ts'
import { readSettings } from '#server/settings/settings.ts'
import { createServices } from '#server/start/create-services.ts'
import { cast } from '#tests/cast.ts'
import { dumpDatabase } from '#tests/dump-database.ts'
import { createFreshDatabase, engines } from '#tests/engines.ts'
import { fakeProviders } from '#tests/fake-providers.ts'
import { canaryKeys, canaryPlatformKeys } from '#tests/provider-app.ts'
import { authenticate } from '../accounts/authenticate.ts'
import { register } from '../accounts/register.ts'
import { readMasterSecret } from './master-key.ts'
import { savePersonalKey, savePlatformKey } from './provider-keys.ts'
import { createSealer } from './sealer.ts'

const masterSecret = 'a master secret of more than 32 characters'

it('a sealed text opens only for its owner', async () => {
  const sealer = createSealer(masterSecret)
  await assert(
    asyncProperty(string({ unit: 'grapheme', maxLength: 200 }), async (secret) => {
      const sealed = sealer.seal(secret, 'ada|openai')
      expect(sealer.open(sealed, 'ada|openai')).toBe(secret)
      for (const other of ['ben|openai', 'ada|anthropic', 'platform|openai', ''])
        expect(() => sealer.open(sealed, other)).toThrow()
    }),
    { numRuns: 50 },
  )
})

it('sealing is randomized and opens only under its master secret', () => {
  const sealer = createSealer(masterSecret)
  expect(sealer.seal('sk-one', 'ada|openai')).not.toBe(sealer.seal('sk-one', 'ada|openai'))
  const another = createSealer('another master secret of 32 characters')
  expect(() => another.open(sealer.seal('sk-one', 'ada|openai'), 'ada|openai')).toThrow()
})

it("a sealed text changed anywhere doesn't open", () => {
  const sealer = createSealer(masterSecret)
  const sealed = sealer.seal('sk-canary', 'ada|openai')
  const parts = sealed.split('.')
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? ''
    const changed = [...parts]
    changed[index] = `${part[0] === 'A' ? 'B' : 'A'}${part.slice(1)}`
    expect(() => sealer.open(changed.join('.'), 'ada|openai'), `part ${index}`).toThrow()
  }
  for (const nonsense of ['', 'v1', 'v1...', 'v2.a.b.c', sealed.slice(0, -4)])
    expect(() => sealer.open(nonsense, 'ada|openai')).toThrow()
  // A truncated tag must not be accepted.
  const [version, iv, tag = '', text] = parts
  expect(() => sealer.open([version, iv, tag.slice(0, 6), text].join('.'), 'ada|openai')).toThrow()
})

it('derived values are stable and differ by text, purpose and master secret', () => {
  const sealer = createSealer(masterSecret)
  const derived = sealer.derive('invitation', 'one|1')
  expect(derived).toMatch(/^[\w-]{43}$/)
  expect(createSealer(masterSecret).derive('invitation', 'one|1')).toBe(derived)
  const otherValues = [
    sealer.derive('invitation', 'one|2'),
    sealer.derive('another', 'one|1'),
    createSealer('another master secret of 32 characters').derive('invitation', 'one|1'),
  ]
  expect(new Set([derived, ...otherValues]).size).toBe(4)
})

describe('the master key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-master-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is KEEPER_SECRET if set, without a file', async () => {
    expect(await readMasterSecret('given', folder)).toBe('given')
    expect(readdirSync(folder)).toEqual([])
  })

  it('is otherwise created once, private, and shared by concurrent starts', async () => {
    const secrets = await Promise.all(Array.from({ length: 5 }, () => readMasterSecret(null, folder)))
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toMatch(/^[\w-]{43}$/)
    expect(await readMasterSecret(null, folder)).toBe(secrets[0])
    expect(readdirSync(folder)).toEqual(['master.key'])
    expect((statSync(join(folder, 'master.key')).mode & 0o777).toString(8)).toBe('600')
  })
})

describe.each(engines)('keys at rest, on %s', (engine) => {
  it('appear nowhere in clear: rows, database files, backups, logs', async () => {
    const { db, dataDir, databaseUrl, close } = await createFreshDatabase(engine)
    const logLines: string[] = []
    const services = createServices({
      db,
      settings: readSettings({}),
      masterSecret,
      log: createLog('debug', { write: (line) => void logLines.push(line) }),
    })
    const { token } = await register(services, cast.ada, '127.0.0.1')
    const ada = await authenticate(services, token)
    if (!ada) throw new Error('Ada could not sign in')
    for (const provider of fakeProviders) {
      await savePersonalKey(services, ada, { provider, apiKey: canaryKeys[provider] })
      await savePlatformKey(services, null, { provider, api_key: canaryPlatformKeys[provider] })
    }
    const canaries = [...Object.values(canaryKeys), ...Object.values(canaryPlatformKeys), cast.ada.password, token]
    const rows = await dumpDatabase(db)
    await createBackup({ dataDir, databaseUrl }, new Date(), null)
    const names = await listFilesRecursively(dataDir)
    expect(names.filter((name) => /^backups\/.*\/(data\.db|rows\.jsonl)$/.test(name))).toHaveLength(1)
    const files = names.map((name) => readFileSync(join(dataDir, name), 'latin1'))
    if (engine === 'sqlite') expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['data.db', 'data.db-wal']))
    expect(files.join('').length).toBeGreaterThan(5_000)
    for (const canary of canaries)
      for (const text of [rows, ...files, logLines.join('')]) {
        expect(text.includes(canary)).toBe(false)
        expect(text.includes(canary.slice(4, -4))).toBe(false)
      }
    await close()
  })
})
