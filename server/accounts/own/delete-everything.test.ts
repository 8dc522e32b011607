import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveRun } from '#server/agents/runs/execute/run-registry.ts'
import type { Schema } from '#server/db/schema.ts'
import type { HostingDriver } from '#server/domains/hosting/hosting-driver.ts'
import { countAttempts } from '#server/http/throttle.ts'
import { getImportPath } from '#server/keepers/transfer/import-state.ts'
import { sweepImports } from '#server/keepers/transfer/sweep-imports.ts'
import { getMediaPath } from '#server/media/folder-media.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { dayMs } from '#server/values/time-units.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { listTables, readRowsAsText, seedEveryTable } from '#tests/every-table.ts'
import { insertMember } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { deleteAccounts } from './delete-accounts.ts'

/** Per table: its rows are deleted, lose the person's id, or contain only ids, which stay. Every table needs an entry. */
const decisions: Record<keyof Schema, 'deleted' | 'anonymized' | 'ids-only'> = {
  agent_classes: 'deleted',
  agent_grants: 'deleted',
  agent_keeper_types: 'deleted',
  agent_versions: 'deleted',
  agents: 'deleted',
  answered_creates: 'deleted',
  app_locks: 'deleted',
  audit_events: 'ids-only',
  backup_checks: 'ids-only',
  backup_jobs: 'ids-only',
  backup_schedules: 'ids-only',
  board_changes: 'deleted',
  board_frames: 'deleted',
  board_guests: 'deleted',
  board_pictures: 'deleted',
  board_templates: 'deleted',
  board_versions: 'deleted',
  boards: 'deleted',
  budget_holds: 'deleted',
  budgets: 'deleted',
  card_vectors: 'deleted',
  chat_fingerprints: 'deleted',
  chat_sessions: 'deleted',
  connection_tokens: 'deleted',
  connections: 'deleted',
  context_texts: 'anonymized',
  trusted_tool_servers: 'anonymized',
  domain_boards: 'deleted',
  domain_journeys: 'deleted',
  domain_keepers: 'deleted',
  domain_members: 'deleted',
  domains: 'deleted',
  echoes: 'deleted',
  embedding_jobs: 'deleted',
  engagement_templates: 'deleted',
  entry_history: 'deleted',
  entry_topics: 'deleted',
  golden_questions: 'deleted',
  golden_runs: 'deleted',
  held_slugs: 'anonymized',
  identities: 'deleted',
  import_jobs: 'deleted',
  invitations: 'deleted',
  journeys: 'deleted',
  keeper_templates: 'deleted',
  keeper_type_templates: 'deleted',
  keeper_types: 'deleted',
  keepers: 'deleted',
  logbook_entries: 'deleted',
  media: 'deleted',
  memory_cards: 'deleted',
  memory_patterns: 'deleted',
  memory_reads: 'deleted',
  messages: 'deleted',
  model_calls: 'deleted',
  model_prices: 'anonymized',
  model_services: 'anonymized',
  moments: 'deleted',
  oauth_clients: 'anonymized',
  oauth_codes: 'deleted',
  one_time_links: 'deleted',
  passkeys: 'deleted',
  paths: 'deleted',
  pending_emails: 'deleted',
  pending_sign_ins: 'deleted',
  people: 'deleted',
  person_usage: 'deleted',
  personal_tool_servers: 'deleted',
  proposal_senders: 'deleted',
  proposals: 'deleted',
  platform_settings: 'anonymized',
  provider_keys: 'deleted',
  recovery_codes: 'deleted',
  reflections: 'deleted',
  remembered_devices: 'deleted',
  role_grants: 'deleted',
  run_spans: 'deleted',
  runs: 'deleted',
  second_factors: 'deleted',
  sessions: 'deleted',
  sole_reviewers: 'deleted',
  sole_versions: 'deleted',
  sources: 'deleted',
  search_entries: 'deleted',
  search_pending: 'deleted',
  spend_windows: 'deleted',
  template_runs: 'deleted',
  themes: 'deleted',
  throttle_windows: 'deleted',
  tool_decisions: 'deleted',
  topic_aliases: 'deleted',
  topic_merge_links: 'deleted',
  topic_merges: 'deleted',
  topics: 'deleted',
  used_challenges: 'anonymized',
  voice_entries: 'deleted',
  waypoint_moments: 'deleted',
  waypoints: 'deleted',
}

describe.each(engines)('deleting an account, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  const detachedHosts: string[] = []
  beforeEach(() => {
    detachedHosts.length = 0
    const hosting = { name: 'dns', detach: async ({ hostname }) => void detachedHosts.push(hostname) } as HostingDriver
    app.services.hosting = hosting
  })

  /** A row in every table, and files. `word` must not appear in other people's data. */
  async function seed(actor: Actor, by: Actor, word: string) {
    const { services } = app
    const { db } = services
    const canary = `canary${word}`
    const recording = new TextEncoder().encode(`${canary} spoken`)
    const { sha256 } = await services.media.write([recording], new Date())
    const overrideAnonymized = (table: keyof Schema, row: object) =>
      decisions[table] === 'anonymized' ? { [table]: row } : {}
    const ids = await seedEveryTable(db, {
      personId: actor.id,
      actorId: by.id,
      canary,
      newId: services.newId,
      now: services.now().getTime(),
      overrides: {
        agents: { slug: `harbour-hand-${word}`, visibility: 'public' },
        audit_events: { subject: 'viewer', details: '{}', action: 'role-granted', actor_id: actor.id },
        budgets: { scope: 'mine', subject: actor.id },
        spend_windows: { bucket: `mine:${actor.id}` },
        budget_holds: { bucket: `mine:${actor.id}` },
        media: { sha256 },
        throttle_windows: null,
        ...overrideAnonymized('oauth_clients', { id: `client-${word}`, name: 'x', redirect_uris: '[]' }),
        ...overrideAnonymized('held_slugs', { slug: `once-${word}` }),
        ...overrideAnonymized('model_prices', { provider: 'openai', model: `model-${word}` }),
        ...overrideAnonymized('model_services', { id: `service-${word}`, name: 'x', base_url: 'x', sealed: 'x' }),
        ...overrideAnonymized('trusted_tool_servers', { id: `server-${word}`, name: `server-${word}` }),
        ...overrideAnonymized('platform_settings', { name: `setting-${word}`, value: 'x' }),
        // Hashes of random numbers, which belong to no person.
        used_challenges: null,
        backup_checks: null,
        backup_jobs: null,
        backup_schedules: null,
        ...overrideAnonymized('context_texts', { scope: `scope-${word}`, body: 'What the platform says.' }),
      },
    })
    for (const subject of [actor.id, cast[actor.id === ada.id ? 'ada' : 'ben'].email])
      await countAttempts(services, { kind: 'seeded', limit: 1, windowMs: 1000 }, subject)
    const zipPath = getImportPath(services, ids.get('import_jobs') ?? '')
    await mkdir(dirname(zipPath), { recursive: true })
    await writeFile(zipPath, `${canary} zip`)
    return { ids, canary, sha256, zipPath }
  }
  async function readTables(): Promise<Map<string, string[]>> {
    const lines = new Map<string, string[]>()
    for (const table of (await listTables(app.services.db)).keys())
      lines.set(table, (await readRowsAsText(app.services.db, table)).toSorted())
    return lines
  }
  const passDeletionDate = async () => {
    await app.services.db
      .updateTable('people')
      .set({ deletes_at: app.services.now().getTime() + 14 * dayMs })
      .where('id', '=', ada.id)
      .execute()
    app.passTime(15 * dayMs)
  }

  it('every table has a decision', async () => {
    expect([...(await listTables(app.services.db)).keys()].toSorted()).toEqual(Object.keys(decisions).toSorted())
  })

  it("leaves nothing of Ada's in any table or file, and everything of Ben's", async () => {
    const adasRows = await seed(ada, ada, 'ada')
    const bensRows = await seed(ben, ada, 'ben')
    const { db, settings } = app.services
    await db
      .insertInto('invitations')
      .values({
        id: 'about-ada',
        domain_id: bensRows.ids.get('domains') ?? '',
        email: cast.ada.email,
        email_folded: cast.ada.email.toLowerCase(),
        role: 'friend',
        note: '',
        token_hash: 'about-ada',
        invited_by: ben.id,
        created_at: 1,
        sent_at: 1,
        expires_at: 1,
      })
      .execute()
    await db
      .insertInto('spend_windows')
      .values({ bucket: `agent:${adasRows.ids.get('agents')}`, window_start: 1, micros: 1 })
      .execute()
    await db
      .insertInto('domain_members')
      .values({
        domain_id: adasRows.ids.get('domains') ?? '',
        person_id: ben.id,
        role: 'user',
        added_at: 1,
        agreed_at: 1,
        note: 'about-ada',
      })
      .execute()
    const isAdas = (line: string) =>
      [...adasRows.ids.values()].some((id) => line.includes(id)) || line.includes('canaryada')
    const previous = await readTables()
    const tablesOfNoPerson = ['throttle_windows', 'used_challenges', 'backup_checks', 'backup_jobs', 'backup_schedules']
    for (const [table, lines] of previous) {
      if (!tablesOfNoPerson.includes(table)) expect(lines.filter(isAdas), table).not.toEqual([])
    }
    const received: string[] = []
    app.services.live.subscribe(ben.id, ({ type }) => received.push(type))
    await passDeletionDate()
    expect(await deleteAccounts(app.services)).toBe(1)

    const remaining = await readTables()
    for (const [table, lines] of remaining) {
      const canaries = lines.filter((line) => /canaryada/i.test(line) || line.toLowerCase().includes(cast.ada.email))
      expect(canaries, table).toEqual([])
      if (decisions[table as keyof Schema] === 'deleted') expect(lines.filter(isAdas), table).toEqual([])
      if (table !== 'audit_events') expect(lines.join().includes(ada.id), table).toBe(false)
    }
    for (const [table, lines] of previous) {
      const bensLines = lines.filter((line) => line.includes('canaryben') || line.includes(ben.id))
      const expected = bensLines
        .filter((line) => !line.includes('"about-ada"'))
        .map((line) => (table === 'audit_events' ? line : line.replaceAll(`"${ada.id}"`, 'null')))
        .map((line) => line.replace(/"author_name":"canaryben\w+"/, '"author_name":"Someone who left"'))
      const matches = (remaining.get(table) ?? []).filter((line) => line.includes('canaryben') || line.includes(ben.id))
      expect(matches.toSorted(), table).toEqual(expected.toSorted())
    }
    for (const table of ['model_prices', 'model_services', 'context_texts', 'trusted_tool_servers', 'held_slugs'])
      expect(remaining.get(table)?.length).toBeGreaterThan(1)
    expect(remaining.get('held_slugs')?.join()).toContain('"harbour-hand-ada"')
    expect(remaining.get('throttle_windows')).toHaveLength((previous.get('throttle_windows')?.length ?? 0) - 2)
    expect(received).toContain('domains-changed')
    expect(detachedHosts).toEqual(['canaryadadomainscustomdomain'])

    expect(await readFile(getMediaPath(settings.dataDir, bensRows.sha256), 'utf8')).toContain('canaryben')
    expect(await readFile(bensRows.zipPath, 'utf8')).toContain('canaryben')
    await db.close()
    for (const file of await readdir(settings.dataDir, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      const bytes = (await readFile(join(file.parentPath, file.name))).toString('latin1')
      expect(bytes.toLowerCase(), file.name).not.toContain('canaryada')
      expect(bytes, file.name).not.toContain(cast.ada.email)
    }
  })

  it('keeps bytes that Ben has too, and is completed after a crash', async () => {
    const { services } = app
    const adasRows = await seed(ada, ada, 'ada')
    const shared = { person_id: ben.id, sha256: adasRows.sha256, mime: 'audio/mpeg', bytes: 1, created_at: 1 }
    await services.db
      .insertInto('media')
      .values({ id: 'bens', ...shared } as never)
      .execute()
    await passDeletionDate()
    // Crashes after the rows, so the files are left to the sweeps.
    const crashingServices = {
      ...services,
      settings: {
        ...services.settings,
        get dataDir(): string {
          throw new Error('the process died')
        },
      },
    }
    services.log.level = 'silent'
    expect(await deleteAccounts(crashingServices as typeof services)).toBe(0)
    expect(await services.db.selectFrom('people').select('id').where('id', '=', ada.id).execute()).toEqual([])
    await sweepImports(services)
    await sweepMedia(services)
    await expect(readFile(adasRows.zipPath)).rejects.toThrow('ENOENT')
    expect(
      createHash('sha256')
        .update(await readFile(getMediaPath(services.settings.dataDir, adasRows.sha256)))
        .digest('hex'),
    ).toBe(adasRows.sha256)
  })

  it('is published to people who shared something, and to no one else', async () => {
    const { services } = app
    const [cleo, dot] = [await app.as('cleo'), await app.as('dot')]
    const adasRows = await seed(ada, ben, 'ada')
    const cleosRows = await seed(cleo, dot, 'ben')
    for (const [{ ids }, { id }] of [
      [adasRows, ben],
      [cleosRows, dot],
    ] as const) {
      const rights = { may_run: true, may_edit: false, may_share: false, may_delete: false }
      const grant = { agent_id: ids.get('agents') ?? '', person_id: id, ...rights, granted_by: null, granted_at: 1 }
      await insertMember(services, ids.get('domains') ?? '', { id }, 'user')
      await services.db.insertInto('agent_grants').values(grant).execute()
    }
    const received: string[] = []
    for (const [name, { id }] of Object.entries({ ben, cleo, dot }))
      services.live.subscribe(id, ({ type }) => received.push(`${name}: ${type}`))
    // With running rows, since the heartbeat stops runs without any.
    const insertRun = async (ids: ReadonlyMap<string, string>, personId: string) => {
      const [id, agentId] = [ids.get('runs') ?? '', ids.get('agents') ?? '']
      await services.db.updateTable('runs').set({ status: 'running' }).where('id', '=', id).execute()
      return new LiveRun({ sessionId: null, visitorId: null, id, personId, agentId })
    }
    const [cleosRun, bensRun] = [await insertRun(cleosRows.ids, cleo.id), await insertRun(adasRows.ids, ben.id)]
    const listRuns = vi.spyOn(services.runs, 'list').mockReturnValue([cleosRun, bensRun])
    await passDeletionDate()
    expect(await deleteAccounts(services)).toBe(1)
    listRuns.mockRestore()
    expect(received.toSorted()).toEqual(['ben: agents-changed', 'ben: domains-changed'])
    expect(cleosRun.abortController.signal.aborted).toBe(false)
    expect(bensRun.abortController.signal.aborted).toBe(true)
    expect(detachedHosts).toEqual(['canaryadadomainscustomdomain'])
    expect(await readFile(cleosRows.zipPath, 'utf8')).toContain('canaryben')
  })

  it('resumes after a crash among the rows', async () => {
    const { services } = app
    await seed(ada, ada, 'ada')
    await passDeletionDate()
    const { db } = services
    const batch = db.batch.bind(db)
    let batchCount = 0
    db.batch = async (writes) => {
      if (++batchCount === 2) throw new Error('the process died')
      return batch(writes)
    }
    services.log.level = 'silent'
    expect(await deleteAccounts(services)).toBe(0)
    const [closedAccount] = await db.selectFrom('people').selectAll().where('id', '=', ada.id).execute()
    expect(closedAccount?.deactivated_at).not.toBeNull()
    expect(await deleteAccounts(services)).toBe(1)
    expect((await readTables()).get('people')?.join()).not.toContain(ada.id)
  })
})
