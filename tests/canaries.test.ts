import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { addressBook } from '#contract/index.ts'
import { moments } from '#contract/keepers/moments.ts'
import { keys } from '#contract/keys/keys.ts'
import { backupBeforeMigration } from '#server/db/backup.ts'
import { fakeProviders } from '#tests/fake-providers.ts'
import { cast } from './cast.ts'
import { engines } from './engines.ts'
import { linesOf } from './every-table.ts'
import { answerOf, lineFor, secretsOfWorld } from './permission-matrix-cells.ts'
import { adasCanary, makeWorld, type World } from './permission-matrix-world.ts'
import { canaryKeys, canaryPlatformKeys } from './provider-app.ts'
import { requestOf } from './test-app.ts'

const foundIn = (text: string, words: readonly string[]) => words.filter((word) => text.includes(word))

function filesBelow(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder]
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
const bytesBelow = (folder: string) =>
  filesBelow(folder)
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')

describe.each(engines)('secrets and Ada’s text on %s', (engine) => {
  let world: World
  const secrets = [...secretsOfWorld]
  const log = () => world.app.logLines.join('\n')
  const dataDir = () => world.app.services.settings.dataDir

  beforeAll(async () => {
    world = await makeWorld(engine)
    for (const call of addressBook()) {
      const sample = await lineFor(call).sample(world)
      const token = (await world.tokenOf('owner')) ?? ''
      secrets.push(token)
      await world.app.services.db.deleteFrom('throttle_windows').execute()
      await answerOf(world.app.fetch, call, sample, token)
      // With a key, her runs would call a provider.
      await world.app.services.db.deleteFrom('provider_keys').execute()
    }
    // The setup makes every call once.
  }, 300_000)
  afterAll(() => world.app.close())

  it('stay out of the log at trace level, the audit trail and error answers', async () => {
    for (const provider of fakeProviders) {
      await world.asAda(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })
      const headers = { authorization: `Bearer ${await world.tokenOf('super-admin')}` }
      const { path, init } = requestOf(keys.savePlatform, {
        body: { provider, api_key: canaryPlatformKeys[provider] },
        headers,
      })
      expect((await world.app.fetch(path, init)).status).toBe(200)
    }
    const all = [...secrets, adasCanary]
    const { path, init } = requestOf(diagnostics.formDebug, { body: { all: all.slice(0, 14) } })
    await (
      await world.app.fetch(path, { ...init, headers: { ...init.headers, 'x-note': all.slice(0, 14).join(' ') } })
    ).text()
    const wrong = requestOf(accounts.login, { body: { email: adasCanary, password: cast.ada.password } })
    await (await world.app.fetch(wrong.path, wrong.init)).text()
    // Makes a statement fail while all her text is in its values.
    const params = { id: await world.keeper() }
    await sql`alter table moments rename to moments_away`.execute(world.app.services.db as never)
    const failed = requestOf(moments.create, {
      params,
      body: { body: `Frost. ${adasCanary}` },
      headers: { authorization: `Bearer ${await world.tokenOf('owner')}` },
    })
    const answer = await world.app.fetch(failed.path, failed.init)
    await sql`alter table moments_away rename to moments`.execute(world.app.services.db as never)
    expect(answer.status).toBe(500)
    expect(foundIn(await answer.text(), all)).toEqual([])
    expect(log()).toContain('moments')
    expect(foundIn(log(), all)).toEqual([])
    const audit = (await linesOf(world.app.services.db, 'audit_events')).join('\n')
    expect(audit.length).toBeGreaterThan(100)
    expect(foundIn(audit, all)).toEqual([])
  })

  it('appear only sealed in database files and backups', async () => {
    const path = await backupBeforeMigration(world.app.services.db, dataDir(), 'canaries', new Date())
    const archive = bytesBelow(path)
    expect(foundIn(archive, secrets)).toEqual([])
    expect(foundIn(archive, [adasCanary])).toEqual([adasCanary])
    expect(foundIn(bytesBelow(dataDir()), secrets)).toEqual([])
  })

  it('are noticed when any of these leaks them', async () => {
    const [key = ''] = secrets
    world.app.services.log.info({ note: adasCanary }, 'planted')
    expect(foundIn(log(), [adasCanary])).toEqual([adasCanary])
    await world.app.services.db.updateTable('people').set({ nickname: key }).where('id', '=', world.adaId).execute()
    const path = await backupBeforeMigration(world.app.services.db, dataDir(), 'leak', new Date())
    expect(foundIn(bytesBelow(path), secrets)).toEqual([key])
    const session = requestOf(accounts.session, {
      headers: { authorization: `Bearer ${await world.tokenOf('owner')}` },
    })
    expect(foundIn(await (await world.app.fetch(session.path, session.init)).text(), secrets)).toEqual([key])
    expect(foundIn((await linesOf(world.app.services.db, 'people')).join('\n'), secrets)).toEqual([key])
  })
})
