import { beforeEach, describe, expect, it } from 'vitest'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { agents } from '#contract/agents/agents.ts'
import { boardFiles } from '#contract/boards/board-files.ts'
import { boards } from '#contract/boards/boards.ts'
import { listEndpoints } from '#contract/index.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { topics } from '#contract/keepers/topics.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { createReflectionArchive, previewArchive, waitForImportJob } from '#tests/archives.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { listTables } from '#tests/every-table.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { createIncompressibleText } from '#tests/long-text.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { personTables } from './person-tables.ts'
import { classifiedCalls, getStorageEffect } from './person-usage.ts'

const megabyte = 1024 * 1024
const createText = (length: number) => 'Told and told again. '.repeat(length / 20).slice(0, length)

describe.each(engines)("a person's space for texts, on %s", (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
    app.services.settings.limits.textBytesPerPerson = megabyte
  })

  const createMoment = (body: string, actor = ada, id = keeperId) =>
    actor.call(moments.create, { params: { id }, body: { body } })
  const updateMoment = (id: string, body: object) => ada.call(moments.update, { params: { id }, body })
  const fetchStorage = async (actor = ada) => (await actor.call(ownAccount.storage)).data.texts
  /** Writes until it is refused. */
  const fillSpace = async () => {
    const ids: string[] = []
    for (let index = 0; index < 20; index++) {
      const { status, data } = await createMoment(createText(100_000))
      if (status !== 200) return ids
      ids.push(data.id)
    }
    throw new Error('nothing was refused')
  }

  it('refuses creates with 413, stating usage and advice', async () => {
    const ids = await fillSpace()
    expect(ids.length).toBeGreaterThan(8)
    expect(ids.length).toBeLessThan(12)
    const refused = await createMoment('One more.')
    expect(refused.status).toBe(413)
    expect(refused.body.error).toMatch(
      /^Your texts take [12] MB of the 1 MB each person has here, so your change wasn’t saved\. Delete/,
    )
    expect((await createMoment('Of somebody else.', ben, (await createTestKeeper(ben)).id)).status).toBe(200)
  })

  it('allows reading, deleting, shortening, exporting and signing in', async () => {
    const [first = '', second = ''] = await fillSpace()
    expect((await ada.call(moments.show, { params: { id: first } })).status).toBe(200)
    expect((await updateMoment(first, { pinned: true })).status).toBe(200)
    expect((await updateMoment(first, { body: createText(60_000) })).status).toBe(200)
    expect((await updateMoment(second, { body: createText(150_000) })).status).toBe(413)
    expect((await ada.call(moments.show, { params: { id: second } })).data.body).toHaveLength(100_000)
    expect((await ada.call(keepers.update, { params: { id: keeperId }, body: { title: 'Another' } })).status).toBe(200)
    expect((await ada.fetch('/api/kam/auth/download')).status).toBe(200)
    expect((await ada.call(moments.remove, { params: { id: second } })).status).toBe(200)
    expect((await ada.call(entries.restore, { params: { entity: 'moment', id: second } })).status).toBe(200)
  })

  it('also refuses edits once their history exceeds the reserve', async () => {
    const agent = await createTestAgent(ada, { name: 'Small edits', purpose: 'Answers.' })
    const [first = '', second = ''] = await fillSpace()
    const statuses: number[] = []
    for (let index = 0; index < 14; index++)
      statuses.push((await updateMoment(first, { body: String(index % 10).repeat(100_000) })).status)
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    expect(statuses.at(-1)).toBe(413)
    expect((await ada.call(keepers.update, { params: { id: keeperId }, body: { title: 'Another' } })).status).toBe(413)
    const body = { id: agent.id, purpose: 'Answers shortly.' }
    expect((await ada.call(agents.update, { body })).status).toBe(413)
    expect((await ada.call(moments.remove, { params: { id: second } })).status).toBe(200)
  })

  it('stops an import that is larger than its zip suggests', async () => {
    const job = await previewArchive(ada, await createReflectionArchive(160, createIncompressibleText(19_000, 1)))
    await ada.call(transfer.begin, { params: { jobId: job.id }, body: {} })
    const failed = await waitForImportJob(ada, job.id, 'failed', 'done')
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringMatching(/^Your texts take/) })
    expect((await fetchStorage()).bytes).toBeLessThan(3 * megabyte)
  })

  it('counts boards saved as templates right away', async () => {
    const board = (await ada.call(boards.create, { body: {} })).data
    const frames = Array.from({ length: 8 }, (_, index) =>
      createFrameInput('code_snippet', {
        slug: `f${index}`,
        x: index * 400,
        content: { code: createIncompressibleText(19_000, index + 1) },
      }),
    )
    await ada.call(boards.save, { params: { id: board.id }, body: { frames } })
    const statuses: number[] = []
    for (let index = 0; index < 12; index++)
      statuses.push((await ada.call(boards.saveTemplate, { body: { boardId: board.id, name: `T${index}` } })).status)
    expect({ first: statuses[0], last: statuses.at(-1) }).toEqual({ first: 200, last: 413 })
  })

  it('is available again after a purge', async () => {
    const ids = await fillSpace()
    for (const id of ids.slice(0, 3)) await ada.call(moments.remove, { params: { id } })
    expect((await createMoment('Still in the trash.')).status).toBe(413)
    await app.services.db.deleteFrom('moments').where('deleted_at', 'is not', null).execute()
    await ada.call(moments.remove, { params: { id: ids[4] ?? '' } })
    expect((await createMoment('There is space.')).status).toBe(200)
  })

  it('counts earlier data, even in a new process', async () => {
    app.services.settings.limits.textBytesPerPerson = 0
    for (let index = 0; index < 12; index++) expect((await createMoment(createText(100_000))).status).toBe(200)
    await app.services.usage.count(ada.id)
    app.services.settings.limits.textBytesPerPerson = megabyte
    const { PersonUsage } = await import('./person-usage.ts')
    const started = new PersonUsage(app.services)
    await expect(started.requireSpace(ada.id)).rejects.toMatchObject({ kind: 'too-large' })
    await expect(started.requireSpace(ben.id)).resolves.toBeUndefined()
  })

  it('also limits rows', async () => {
    app.services.settings.limits.rowsPerPerson = 20
    let status = 200
    for (let index = 0; index < 30 && status === 200; index++) ({ status } = await createMoment('Short.'))
    expect(status).toBe(413)
    expect((await createMoment('Short.')).body.error).toMatch(/^You have \d+ of the 20 entries and other rows/)
    expect((await fetchStorage()).rows).toBeLessThan(30)
  })

  it('counts copies right away: repeated duplication reaches the limit', async () => {
    const board = (await ada.call(boards.create, { body: {} })).data
    const frames = Array.from({ length: 4 }, (_, index) =>
      createFrameInput('from-newer-release', {
        slug: `f${index}`,
        x: index * 400,
        content: { words: createIncompressibleText(40_000, index + 1) },
      }),
    )
    await ada.call(boards.save, { params: { id: board.id }, body: { frames } })
    const statuses: number[] = []
    for (let index = 0; index < 12; index++)
      statuses.push((await ada.call(boardFiles.duplicate, { params: { id: board.id }, body: {} })).status)
    expect(statuses[0]).toBe(200)
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(8)
    expect(statuses.at(-1)).toBe(413)
    expect((await ada.call(boards.save, { params: { id: board.id }, body: { name: 'Renamed' } })).status).toBe(200)
    expect((await ada.call(boards.save, { params: { id: board.id }, body: { frames: [] } })).status).toBe(200)
  })

  it('repeats the answer of an earlier create even without space', async () => {
    const headers = { 'idempotency-key': 'sent-twice' }
    const body = { body: 'Sent twice.' }
    const first = await ada.call(moments.create, { params: { id: keeperId }, body, headers })
    await fillSpace()
    const again = await ada.call(moments.create, { params: { id: keeperId }, body, headers })
    expect({ status: again.status, id: again.data.id }).toEqual({ status: 200, id: first.data.id })
  })

  it("is shown with its limits and counts entries others can't see", async () => {
    const previous = await fetchStorage()
    expect(previous).toMatchObject({ maxBytes: megabyte, maxRows: 2_000_000 })
    await createMoment(createText(50_000))
    const current = await fetchStorage()
    expect(current.rows).toBe(previous.rows + 1)
    expect(current.bytes - previous.bytes).toBeGreaterThan(50_000)
    expect(current.bytes - previous.bytes).toBeLessThan(60_000)
    app.services.settings.limits.textBytesPerPerson = 0
    app.services.settings.limits.rowsPerPerson = 0
    expect(await fetchStorage(ben)).toMatchObject({ maxBytes: null, maxRows: null })
    expect((await createMoment('No limit.')).status).toBe(200)
  })

  it('counts waypoints and the rows that undo a topic merge', async () => {
    const { data: journey } = await ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'Long' } })
    const momentIds: string[] = []
    for (let index = 0; index < 5; index++) {
      const body = { body: 'Short.', topics: ['Father'] }
      momentIds.push((await ada.call(moments.create, { params: { id: keeperId }, body })).data.id)
    }
    const dadRequest = { params: { id: keeperId }, body: { name: 'Dad' } }
    const { data: target } = await ada.call(topics.create, dadRequest)
    const { data: existing } = await ada.call(topics.list, { params: { id: keeperId } })
    const id = existing.find(({ name }) => name === 'Father')?.id ?? ''
    const previous = await fetchStorage()
    const body = { title: 'Path', waypoints: [{ title: 'Waypoint', momentIds }] }
    await ada.call(journeys.createPath, { params: { id: journey.id }, body })
    const withWaypoints = await fetchStorage()
    expect(withWaypoints.rows - previous.rows).toBe(1 + 1 + momentIds.length)
    await ada.call(topics.merge, { params: { id, targetId: target.id } })
    expect((await fetchStorage()).rows - withWaypoints.rows).toBeGreaterThanOrEqual(1 + momentIds.length)
  })

  it('every table is counted, or listed here as small', async () => {
    const uncountedTables = [
      ...['audit_events', 'board_changes', 'board_guests', 'budget_holds', 'budgets', 'context_texts', 'model_prices'],
      'model_services',
      ...['backup_checks', 'backup_jobs', 'backup_schedules'],
      ...['one_time_links', 'people', 'person_usage', 'provider_keys', 'role_grants', 'search_entries'],
      ...['search_pending', 'sessions', 'spend_windows'],
      ...['throttle_windows', 'trusted_tool_servers'],
      ...['app_locks', 'identities', 'oauth_clients', 'passkeys', 'pending_emails', 'pending_sign_ins'],
      ...['platform_settings', 'recovery_codes', 'remembered_devices', 'second_factors', 'used_challenges'],
    ]
    const countedTables = personTables.map(({ table }) => table as string)
    expect(new Set(countedTables).size).toBe(countedTables.length)
    expect([...countedTables, ...uncountedTables].sort()).toEqual(
      [...(await listTables(app.services.db)).keys()].sort(),
    )
  })
})

describe('lists of storage effects', () => {
  it('every listed call exists and writes', () => {
    const existing = new Map(listEndpoints().map(({ area, name, endpoint }) => [`${area}.${name}`, endpoint]))
    for (const call of classifiedCalls) expect(existing.get(call)?.method, call).toMatch(/POST|PUT|PATCH/)
  })

  it('creates need space, deleting never does', () => {
    for (const { area, name, endpoint } of listEndpoints()) {
      const effect = getStorageEffect(area, name, endpoint)
      if (endpoint.method === 'GET') expect({ name, effect }).toEqual({ name, effect: 'nothing' })
      if (endpoint.method === 'DELETE') expect({ name, effect }).toEqual({ name, effect: 'deletion' })
      if (endpoint.supportsIdempotencyKey && endpoint.access === 'person' && area !== 'keys')
        expect({ area: `${area}.${name}`, effect }).toEqual({ area: `${area}.${name}`, effect: 'addition' })
    }
  })
})
