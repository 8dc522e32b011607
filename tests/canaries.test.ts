import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { listEndpoints } from '#contract/index.ts'
import { moments } from '#contract/keepers/moments.ts'
import { keys } from '#contract/keys/keys.ts'
import { backupBeforeMigration } from '#server/db/backup.ts'
import { fakeProviders } from '#tests/fake-providers.ts'
import { cast } from './cast.ts'
import { engines } from './engines.ts'
import { readRowsAsText } from './every-table.ts'
import { getPermissionLine, sendCell, worldSecrets } from './permission-matrix-cells.ts'
import { adaCanary, createPermissionWorld, type PermissionWorld } from './permission-matrix-world.ts'
import { canaryKeys, canaryPlatformKeys } from './provider-app.ts'
import { toRequest } from './test-app.ts'

const findCanaries = (text: string, canaries: readonly string[]) => canaries.filter((word) => text.includes(word))

function listFilesUnder(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder]
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
const readAllUnder = (folder: string) =>
  listFilesUnder(folder)
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')

describe.each(engines)('secrets and Ada’s text on %s', (engine) => {
  let world: PermissionWorld
  const secrets = [...worldSecrets]
  const getLog = () => world.app.logLines.join('\n')
  const getDataDir = () => world.app.services.settings.dataDir

  beforeAll(async () => {
    world = await createPermissionWorld(engine)
    for (const call of listEndpoints()) {
      const sample = await getPermissionLine(call).sample(world)
      const token = (await world.createToken('owner')) ?? ''
      secrets.push(token)
      await world.app.services.db.deleteFrom('throttle_windows').execute()
      await sendCell(world.app.fetch, call, sample, token)
      // With a key, her runs would call a provider.
      await world.app.services.db.deleteFrom('provider_keys').execute()
    }
    // The setup makes every call once.
  }, 300_000)
  afterAll(() => world.app.close())

  it('stay out of the log at trace level, the audit trail and error answers', async () => {
    for (const provider of fakeProviders) {
      await world.asAda(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })
      const headers = { authorization: `Bearer ${await world.createToken('super-admin')}` }
      const { path, init } = toRequest(keys.savePlatform, {
        body: { provider, api_key: canaryPlatformKeys[provider] },
        headers,
      })
      expect((await world.app.fetch(path, init)).status).toBe(200)
    }
    const allCanaries = [...secrets, adaCanary]
    const { path, init } = toRequest(diagnostics.formDebug, { body: { all: allCanaries.slice(0, 14) } })
    await (
      await world.app.fetch(path, {
        ...init,
        headers: { ...init.headers, 'x-note': allCanaries.slice(0, 14).join(' ') },
      })
    ).text()
    const wrongLogin = toRequest(accounts.login, { body: { email: adaCanary, password: cast.ada.password } })
    await (await world.app.fetch(wrongLogin.path, wrongLogin.init)).text()
    // Makes a statement fail that has her text in its values.
    const params = { id: await world.createKeeper() }
    await sql`alter table moments rename to hidden_moments`.execute(world.app.services.db as never)
    const failingRequest = toRequest(moments.create, {
      params,
      body: { body: `Frost. ${adaCanary}` },
      headers: { authorization: `Bearer ${await world.createToken('owner')}` },
    })
    const answer = await world.app.fetch(failingRequest.path, failingRequest.init)
    await sql`alter table hidden_moments rename to moments`.execute(world.app.services.db as never)
    expect(answer.status).toBe(500)
    expect(findCanaries(await answer.text(), allCanaries)).toEqual([])
    expect(getLog()).toContain('moments')
    expect(findCanaries(getLog(), allCanaries)).toEqual([])
    const audit = (await readRowsAsText(world.app.services.db, 'audit_events')).join('\n')
    expect(audit.length).toBeGreaterThan(100)
    expect(findCanaries(audit, allCanaries)).toEqual([])
  })

  it('appear only sealed in database files and backups', async () => {
    const path = await backupBeforeMigration(world.app.services.db, getDataDir(), 'canaries', new Date())
    const archive = readAllUnder(path)
    expect(findCanaries(archive, secrets)).toEqual([])
    expect(findCanaries(archive, [adaCanary])).toEqual([adaCanary])
    expect(findCanaries(readAllUnder(getDataDir()), secrets)).toEqual([])
  })

  it('are noticed when any of these leaks them', async () => {
    const [key = ''] = secrets
    world.app.services.log.info({ note: adaCanary }, 'planted')
    expect(findCanaries(getLog(), [adaCanary])).toEqual([adaCanary])
    await world.app.services.db.updateTable('people').set({ nickname: key }).where('id', '=', world.adaId).execute()
    const path = await backupBeforeMigration(world.app.services.db, getDataDir(), 'leak', new Date())
    expect(findCanaries(readAllUnder(path), secrets)).toEqual([key])
    const session = toRequest(accounts.session, {
      headers: { authorization: `Bearer ${await world.createToken('owner')}` },
    })
    expect(findCanaries(await (await world.app.fetch(session.path, session.init)).text(), secrets)).toEqual([key])
    expect(findCanaries((await readRowsAsText(world.app.services.db, 'people')).join('\n'), secrets)).toEqual([key])
  })
})
