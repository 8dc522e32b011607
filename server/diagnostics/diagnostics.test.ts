import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { audit } from '#contract/administration/audit.ts'
import { agents } from '#contract/agents/agents.ts'
import { completeSettings } from '#contract/agents/model-settings.ts'
import { versions } from '#contract/agents/versions.ts'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { createApp } from '#server/app.ts'
import { json } from '#server/db/database.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { createTestApp } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const testUUID = '0b9f3a52-3f5e-4c57-9a5d-6f0f3f6e0a11'

describe.each(engines)('diagnostics, on %s', (engine) => {
  const { app } = useTestApp(engine)

  it('anyone learns that the server works, and nothing else', async () => {
    const visitor = app.visitor()
    expect((await visitor.call(diagnostics.ping)).text).toBe('{"status":"ok"}')
    expect((await visitor.call(diagnostics.health)).text).toBe('{"status":"ok","reasons":[]}')
    expect((await visitor.call(diagnostics.facts)).text).toBe('{"status":"ok","reasons":[]}')
    expect((await visitor.call(diagnostics.platformStatus)).text).toBe('{"status":"ok"}')
  })

  it('people who are signed in learn a little more', async () => {
    const ada = await app.as('ada')
    expect((await ada.call(diagnostics.facts)).data).toMatchObject({ status: 'ok', server: { engine } })
    expect((await ada.call(diagnostics.test)).data.message).toBe('The API answers.')
  })

  it('no other site can read the answers', async () => {
    for (const path of ['/ping', '/health']) {
      const origin = { origin: 'https://elsewhere.example' }
      const preflight = await app.fetch(path, { method: 'OPTIONS', headers: origin })
      const got = await app.fetch(path, { headers: origin })
      expect({ preflightStatus: preflight.status, gotStatus: got.status }).toEqual({
        preflightStatus: 204,
        gotStatus: 200,
      })
      for (const { headers } of [preflight, got]) {
        expect(headers.get('access-control-allow-origin')).toBeNull()
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      }
    }
  })

  it('the database state contains no path or address', async () => {
    const ada = await app.as('ada')
    const { data, text } = await ada.call(diagnostics.database)
    expect(data).toMatchObject({ engine, reachable: true, integrity: 'ok' })
    expect(data.migrations).toEqual({ applied: migrations.length, pending: [] })
    expect(data.tables).toBeGreaterThan(30)
    expect(text).not.toContain(app.services.settings.dataDir)
    expect(text).not.toMatch(/postgres:\/\/|[/\\]tmp|data\.db/)
  })

  it('a value survives the round trip and leaves no row', async () => {
    const ada = await app.as('ada')
    const ben = await app.as('ben')
    await ada.call(diagnostics.uuidTest, { body: { testUUID, testString: '' } })
    const previous = await listThrottleRows()
    for (const testString of ['ping', 'ünï 🗝 "quoted" %_', '']) {
      const body = { testUUID, testString, userID: ben.id }
      expect((await ada.call(diagnostics.uuidTest, { body })).data).toMatchObject({ testUUID, testString })
    }
    expect(await listThrottleRows()).toEqual(previous)
    const wrong = await ada.call(diagnostics.uuidTest, { body: { testUUID: 'none', testString: 'x' } })
    expect({ status: wrong.status, fields: wrong.body.fields }).toEqual({
      status: 400,
      fields: { testUUID: 'Send a UUID.' },
    })
  })

  const listThrottleRows = async () => {
    const rows = await app.services.db.selectFrom('throttle_windows').select('bucket').execute()
    return rows.map(({ bucket }) => bucket).sort()
  }

  it('a submitted form is dropped and reaches neither log nor database', async () => {
    const ada = await app.as('ada')
    const previous = await computeDatabaseHash(app.services.db)
    const body = { action: 'create', domainId: 'x', formData: { name: 'canary-of-a-form', password: 'canary-too' } }
    const answer = await ada.call(diagnostics.formDebug, { body })
    expect({ status: answer.status, success: answer.body.success }).toEqual({ status: 200, success: true })
    expect(`${answer.text}${app.logLines.join('')}`).not.toContain('canary')
    const notes = app.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a form was sent')
    expect(notes, 'told at the level that is on').toEqual([
      {
        level: 'info',
        time: expect.any(String),
        requestId: expect.any(String),
        personId: ada.id,
        msg: 'a form was sent',
      },
    ])
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
  })

  it('repairs need the permission, and the refusal names it', async () => {
    const ada = await app.as('ada')
    const dot = await app.as('dot', ['developer', 'admin'])
    const previous = await computeDatabaseHash(app.services.db)
    for (const repair of [diagnostics.fixDatabase, diagnostics.fixKipProvider]) {
      expect((await app.visitor().call(repair)).status).toBe(401)
      for (const someone of [ada, dot]) {
        const { status, body } = await someone.call(repair)
        expect({ status, code: body.code, error: body.error }).toEqual({
          status: 403,
          code: 'permission-missing',
          error: 'You need the permission "system_configuration" for this. Ask a super-admin for a role that has it.',
        })
      }
    }
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
  })

  it('a pending migration is backed up, applied once and audited', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    const pending = { name: '9001-pots', statements: () => ['create table pots (id text primary key)'] }
    migrations.push(pending)
    try {
      const health = await cleo.call(diagnostics.health)
      expect({ status: health.status, reasons: health.data.reasons }).toEqual({
        status: 503,
        reasons: ['Pending database migrations: 1.'],
      })
      expect((await cleo.call(diagnostics.database)).data.migrations.pending).toEqual(['9001-pots'])
      const [first, second] = await Promise.all([
        cleo.call(diagnostics.fixDatabase),
        cleo.call(diagnostics.fixDatabase),
      ])
      for (const answer of [first, second]) expect(answer.body).toMatchObject({ success: true, data: { errors: [] } })
      const messages = [...first.data.actions, ...second.data.actions].map(({ message }) => message)
      expect(messages.filter((message) => message === 'Applied the migration 9001-pots.')).toHaveLength(1)
      expect(messages).toContain('No migration was pending.')
      expect(messages).toContain('A backup was saved to the backups folder first.')
      expect(messages.join(' ')).not.toContain(app.services.settings.dataDir)
      await app.services.db.write(sql`insert into pots (id) values ('a pot')`)
      expect((await cleo.call(diagnostics.health)).status).toBe(200)
    } finally {
      migrations.pop()
      await app.services.db.write(sql`delete from keeper_migrations where name = '9001-pots'`)
      await app.services.db.write(sql`drop table pots`)
    }
    const { data } = await cleo.call(audit.list, { query: { action: 'database-repaired' } })
    expect(data.items.map(({ actor, details }) => [actor?.id, details.applied, details.errors]).sort()).toEqual([
      [cleo.id, '9001-pots', '0'],
      [cleo.id, 'none', '0'],
    ])
  })

  it('a failing migration is reported and rolled back', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    migrations.push({ name: '9001-broken', statements: () => ['create table pots (id text)', 'drop table nowhere'] })
    try {
      const { status, body } = await cleo.call(diagnostics.fixDatabase)
      expect({ status, success: body.success }).toEqual({ status: 200, success: false })
      expect(body.error).toMatch(/^Migration 9001-broken failed and was undone: /)
      expect(body.data?.errors).toEqual([{ error: body.error }])
    } finally {
      migrations.pop()
    }
    expect((await cleo.call(diagnostics.health)).status).toBe(200)
  })

  it('built-in agents get their provider back as a new version each', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    const { db } = app.services
    const ownAgent = await cleo.call(agents.create, {
      body: { name: 'Mine', purpose: 'p', model_provider: 'together' },
    })
    const damage = { model_provider: 'elevenlabs' as const, status: 'error' as const }
    await db.updateTable('agents').set(damage).where('id', '=', 'built-in-kip').execute()
    const warm = json({ ...completeSettings('openai', undefined), temperature: 2 })
    await db.updateTable('agents').set({ model_settings: warm }).where('id', '=', 'built-in-ceox').execute()
    await db.deleteFrom('agents').where('id', '=', 'built-in-code-agent').execute()

    const { data, body } = await cleo.call(diagnostics.fixKipProvider)
    expect(body.success).toBe(true)
    expect(data.errors).toEqual([])
    expect(data.actions.map(({ message }) => message).sort()).toEqual([
      'CeoX: changed from openai gpt-6-luna to openai gpt-6-luna.',
      'Code Agent was missing and has been restored.',
      'Kip: changed from elevenlabs gpt-6-luna, status error, to openai gpt-6-luna.',
    ])
    const kip = await cleo.call(agents.byId, { query: { id: 'built-in-kip' } })
    expect(kip.data).toMatchObject({ model_provider: 'openai', status: 'ready', rev: 2 })
    expect(kip.data.model_settings).toEqual(completeSettings('openai', undefined))
    const versionList = await cleo.call(versions.list, { params: { agentId: 'built-in-kip' } })
    expect(versionList.data.items.map(({ version }) => version)).toEqual([2, 1])
    expect((await cleo.call(agents.byId, { query: { id: ownAgent.data.id } })).data).toEqual(ownAgent.data)

    const again = await cleo.call(diagnostics.fixKipProvider)
    expect(again.data.actions).toEqual([
      { message: 'Nothing to do: all 5 built-in agents use the default provider and its default settings.' },
    ])
    const { items } = (await cleo.call(audit.list, { query: { action: 'built-in-agents-repaired' } })).data
    expect(items.map(({ details }) => details.agents?.split(', ').sort().join(' ')).sort()).toEqual([
      'ceox code-agent kip',
      'none',
    ])
  })

  it('a lost database is reported without the reason, which is logged', async () => {
    const broken = await createTestApp(engine)
    await broken.services.db.close()
    const health = await broken.visitor().call(diagnostics.health)
    expect({ status: health.status, health: health.text }).toEqual({
      status: 503,
      health: '{"status":"unavailable","reasons":["The database isn’t responding."]}',
    })
    expect((await broken.visitor().call(diagnostics.ping)).status).toBe(200)
    expect(broken.logLines.some((line) => line.includes('isn’t responding'))).toBe(true)
    await broken.close()
  })

  it('a missing data folder is reported without its path', async () => {
    const broken = await createTestApp(engine)
    const { dataDir } = broken.services.settings
    rmSync(dataDir, { recursive: true })
    const health = await broken.visitor().call(diagnostics.health)
    expect({ status: health.status, reasons: health.data.reasons }).toEqual({
      status: 503,
      reasons: ['The data folder isn’t writable.'],
    })
    expect(health.text).not.toContain(dataDir)
    await broken.close()
  })

  it('a stopping server answers health checks and refuses everything else', async () => {
    const stopping = createApp(app.services)
    stopping.refuseNewRequests()
    const request = async (path: string) => {
      const headers = { host: 'localhost' }
      const answer = await stopping.fetch(new Request(`http://localhost${path}`, { headers }))
      return { status: answer.status, body: await answer.json() }
    }
    const reasons = ['The server is shutting down.']
    expect(await request('/health')).toEqual({ status: 503, body: { status: 'unavailable', reasons } })
    expect((await request('/ping')).body).toMatchObject({ code: 'shutting-down' })
  })
})
