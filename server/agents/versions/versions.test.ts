import { beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import type { GoldenResult } from '#contract/agents/golden-questions.ts'
import { sharing } from '#contract/agents/sharing.ts'
import { type AgentSnapshot, versions } from '#contract/agents/versions.ts'
import { addBuiltInAgents } from '#server/agents/built-in-agents.ts'
import { json } from '#server/db/database.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { computeDatabaseHash, dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('versions of an agent on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let agent: Agent
  beforeEach(async () => {
    agent = await createTestAgent(ada, { purpose: 'As it was.', visibility: 'shared' })
  })

  const update = (changes: object, actor = ada, ifMatch?: number) =>
    actor.call(agents.update, {
      body: { id: agent.id, ...changes } as never,
      ...(ifMatch !== undefined && { ifMatch }),
    })
  const listVersions = (query: Record<string, string | number> = {}, actor = ada) =>
    actor.call(versions.list, { params: { agentId: agent.id }, query })
  const showVersion = (version: number, actor = ada) =>
    actor.call(versions.show, { params: { agentId: agent.id, version: String(version) } })
  const restoreVersion = (version: number, actor = ada) =>
    actor.call(versions.restore, { params: { agentId: agent.id, version: String(version) } })
  const grantBen = (rights: string[]) =>
    ada.call(sharing.grant, { params: { agentId: agent.id, personId: ben.id }, body: { rights: rights as never } })

  it('every save creates a version with its author and changes', async () => {
    await grantBen(['edit'])
    await update({ purpose: 'As it is.', model_settings: { temperature: 0.2 } })
    await update({ tools: ['read_sole'] }, ben)
    const { items, next_cursor } = (await listVersions()).data
    expect(next_cursor).toBeNull()
    expect(
      items.map(({ version, author, origin, changes }) => ({ version, by: author?.name, origin, changes })),
    ).toEqual([
      {
        version: 3,
        by: 'Ben Haugen',
        origin: 'saved',
        changes: [{ field: 'tools', before: [], after: ['read_sole'] }],
      },
      {
        version: 2,
        by: 'Ada Lindqvist',
        origin: 'saved',
        changes: [
          { field: 'purpose', before: 'As it was.', after: 'As it is.' },
          { field: 'model_settings.temperature', before: 0.7, after: 0.2 },
        ],
      },
      { version: 1, by: 'Ada Lindqvist', origin: 'created', changes: [] },
    ])
    const version = (await showVersion(2)).data
    expect(version).toEqual({ version: 2, snapshot: expect.objectContaining({ purpose: 'As it is.', tools: [] }) })
    expect(JSON.stringify(version), 'no ids, no owner').not.toMatch(new RegExp(`${agent.id}|${ada.id}`))
  })

  it('are listed in pages', async () => {
    for (let save = 2; save <= 7; save++) await update({ purpose: `Save ${save}` })
    const first = (await listVersions({ limit: 3 })).data
    expect(first.items.map(({ version }) => version)).toEqual([7, 6, 5])
    expect(first.items[2]?.changes, 'compared with the version on the next page').toEqual([
      { field: 'purpose', before: 'Save 4', after: 'Save 5' },
    ])
    await update({ purpose: 'Concurrent' })
    const second = (await listVersions({ limit: 3, cursor: first.next_cursor ?? '' })).data
    expect(second.items.map(({ version }) => version)).toEqual([4, 3, 2])
    const last = (await listVersions({ limit: 3, cursor: second.next_cursor ?? '' })).data
    expect(last.items.map(({ version }) => version)).toEqual([1])
    expect(last.next_cursor).toBeNull()
    for (const query of [{ cursor: 'x' }, { cursor: '0' }, { limit: 0 }, { limit: 101 }])
      expect((await listVersions(query as never)).status, JSON.stringify(query)).toBe(400)
    expect((await listVersions({ cursor: '999999999999999' })).data.items).toHaveLength(8)
  })

  it('a refused save creates no version', async () => {
    const previousDump = await dumpDatabase(app.services.db)
    await update({ slug: 'kip' })
    await update({ name: '' })
    await update({ purpose: 'Stale.' }, ada, 7)
    await update({ purpose: 'Not mine.' }, ben)
    await update({ golden_run_id: 'f'.repeat(32) })
    expect(await dumpDatabase(app.services.db)).toBe(previousDump)
  })

  it('concurrent saves all appear in the history', async () => {
    await grantBen(['edit'])
    await Promise.all([
      ...Array.from({ length: 4 }, (_, index) => update({ purpose: `Ada ${index}` })),
      ...Array.from({ length: 4 }, (_, index) => update({ purpose: `Ben ${index}` }, ben)),
    ])
    const { items } = (await listVersions()).data
    expect(items.map(({ version }) => version)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    const texts = await Promise.all(
      items.map(async ({ version }) => (await showVersion(version)).data.snapshot.purpose),
    )
    expect(texts.toSorted()).toEqual(
      ['As it was.', ...[0, 1, 2, 3].flatMap((index) => [`Ada ${index}`, `Ben ${index}`])].toSorted(),
    )
    const currentAgent = (await ada.call(agents.byId, { query: { id: agent.id } })).data
    expect({ rev: currentAgent.rev, purpose: currentAgent.purpose }).toEqual({ rev: 9, purpose: texts[0] })
  })

  it('restoring creates a new version equal to the old one', async () => {
    await update({
      purpose: 'Changed.',
      tools: ['read_sole'],
      config: { tagline: 'x' },
      model_provider: 'anthropic',
      visibility: 'private',
      visitor_daily_usd: 3,
    })
    const { status, data } = await restoreVersion(1)
    expect({ status, notes: data.notes }).toEqual({ status: 200, notes: [] })
    expect(data.agent).toEqual({ ...agent, rev: 3, updated_at: expect.any(String) })
    const { items } = (await listVersions()).data
    expect(items[0]).toMatchObject({ version: 3, origin: 'restored', restored_version: 1 })
    const reversedChanges = items[1]?.changes.map(({ field, before, after }) => ({
      field,
      before: after,
      after: before,
    }))
    expect(items[0]?.changes).toHaveLength(11)
    expect(items[0]?.changes).toEqual(expect.arrayContaining(reversedChanges ?? []))
    expect((await restoreVersion(9)).status).toBe(404)
    expect((await restoreVersion(2)).data.agent).toMatchObject({ purpose: 'Changed.', visibility: 'private', rev: 4 })
  })

  it('restoring keeps the current status', async () => {
    await update({ purpose: 'Changed.' })
    await app.services.db.updateTable('agents').set({ status: 'error' }).where('id', '=', agent.id).execute()
    expect((await restoreVersion(1)).data.agent).toMatchObject({ purpose: 'As it was.', status: 'error' })
  })

  it('restoring brings back a free slug and notes a taken one', async () => {
    const first = agent.slug
    await update({ slug: `${first}-renamed` })
    expect((await restoreVersion(1)).data.agent.slug).toBe(first)
    await update({ slug: `${first}-again` })
    const other = await createTestAgent(ada, { name: 'Other', slug: first })
    const { data } = await restoreVersion(1)
    expect(data.agent.slug).toBe(`${first}-again`)
    expect(data.notes).toEqual([`The slug "${first}" is now taken, so the slug stays "${first}-again".`])
    expect((await ada.call(agents.byId, { query: { id: first } })).data.id).toBe(other.id)
  })

  it('a version that could not be saved today isn’t restored', async () => {
    await update({ purpose: 'Second.' })
    const stored = await app.services.db
      .selectFrom('agent_versions')
      .select('snapshot')
      .where('agent_id', '=', agent.id)
      .executeTakeFirstOrThrow()
    const snapshot = { ...stored.snapshot, tools: ['a_tool_that_is_gone'] }
    await app.services.db
      .updateTable('agent_versions')
      .set({ snapshot: json(snapshot) })
      .where('agent_id', '=', agent.id)
      .execute()
    await update({ purpose: 'Now.' })
    const previousHash = await computeDatabaseHash(app.services.db)
    const answer = await restoreVersion(1)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields ?? {})).toEqual(['tools'])
    expect(await computeDatabaseHash(app.services.db)).toBe(previousHash)
  })

  it('editors can restore, but not visibility', async () => {
    await update({ visibility: 'public' })
    await update({ visibility: 'shared', purpose: 'Now.' })
    await grantBen(['edit'])
    const { data } = await restoreVersion(2, ben)
    expect(data.agent).toMatchObject({ purpose: 'As it was.', visibility: 'shared' })
    expect(data.notes).toEqual(['The agent stays shared: only its owner can change who sees it.'])
    await grantBen(['run', 'share', 'delete'])
    for (const attempt of [listVersions({}, ben), showVersion(1, ben), restoreVersion(1, ben)])
      expect((await attempt).status).toBe(403)
    await grantBen([])
    for (const attempt of [listVersions({}, ben), showVersion(1, ben), restoreVersion(1, ben)])
      expect((await attempt).status).toBe(404)
  })

  it('shows golden results of a published version', async () => {
    const answer = {
      run_id: null,
      judge_run_id: null,
      answer: 'a',
      reason: '',
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: null,
      ms: 1,
    }
    const createResult = (passed: boolean) => ({
      question_id: 'q',
      question: 'q',
      expectation: 'a',
      judged_by: 'contains' as const,
      before: null,
      after: { ...answer, passed, mock_mode: false },
      second: null,
    })
    const id = `golden-${agent.id}`
    await app.services.db
      .insertInto('golden_runs')
      .values({
        id,
        agent_id: agent.id,
        person_id: ada.id,
        base_rev: 1,
        candidate: null,
        status: 'done',
        results: json<GoldenResult[]>([createResult(true), createResult(true), createResult(false)]),
        created_at: 1,
        finished_at: 2,
        lease_until: 3,
      })
      .execute()
    await update({ purpose: 'Tried.', golden_run_id: id })
    await update({ purpose: 'Not tried.' })
    expect((await listVersions()).data.items.map(({ golden }) => golden)).toEqual([null, { passed: 2, total: 3 }, null])
    const other = await createTestAgent(ada)
    const foreign = await ada.call(agents.update, { body: { id: other.id, golden_run_id: id } })
    expect(foreign.status).toBe(400)
    expect(Object.keys(foreign.body.fields ?? {})).toEqual(['golden_run_id'])
  })

  it('counts the visible runs of a version', async () => {
    await grantBen(['run', 'edit'])
    const run = (actor: Actor) => actor.call(agents.run, { body: { agentId: agent.id, input: 'hello' } })
    await run(ada)
    await run(ben)
    await update({ purpose: 'Second.' })
    await run(ben)
    const listRunCounts = async (actor: Actor) => (await listVersions({}, actor)).data.items.map(({ runs }) => runs)
    expect(await listRunCounts(ada)).toEqual([1, 2])
    expect(await listRunCounts(ben)).toEqual([1, 1])
  })

  it('a new agent’s first version is stored with its first change', async () => {
    const listVersionRows = () =>
      app.services.db.selectFrom('agent_versions').select('rev').where('agent_id', '=', agent.id).execute()
    expect(await listVersionRows()).toEqual([])
    expect((await listVersions()).data.items).toMatchObject([{ version: 1, author: { id: ada.id }, origin: 'created' }])
    expect((await showVersion(1)).data.snapshot.purpose).toBe('As it was.')
    await update({ purpose: 'Changed.' })
    expect((await listVersions()).data.items.map(({ version, changes }) => [version, changes.length])).toEqual([
      [2, 1],
      [1, 0],
    ])
    expect((await listVersionRows()).length).toBe(2)
    expect((await restoreVersion(1)).data.agent.purpose).toBe('As it was.')
  })

  it('an older agent’s state is stored at its next change', async () => {
    await update({ purpose: 'Second.' })
    await app.services.db.deleteFrom('agent_versions').where('agent_id', '=', agent.id).execute()
    expect((await listVersions()).data.items).toMatchObject([{ version: 2, author: { id: ada.id }, origin: 'saved' }])
    await update({ purpose: 'Third.' })
    expect((await listVersions()).data.items.map(({ version, origin }) => [version, origin])).toEqual([
      [3, 'saved'],
      [2, 'saved'],
    ])
    expect((await showVersion(2)).data.snapshot.purpose).toBe('Second.')
    expect((await showVersion(1)).status).toBe(404)
  })

  it('built-in agents have one initial version, even after restarts', async () => {
    await addBuiltInAgents(app.services)
    const cleo = await app.as('cleo', ['super-admin'])
    const listVersionsOfKip = () => cleo.call(versions.list, { params: { agentId: 'kip' } })
    expect((await listVersionsOfKip()).data.items).toMatchObject([{ version: 1, author: null, origin: 'created' }])
    await cleo.call(agents.update, { body: { id: 'kip', purpose: 'Guides.' } })
    await addBuiltInAgents(app.services)
    expect((await listVersionsOfKip()).data.items.map(({ author }) => author?.name)).toEqual(['Cleo Aas', undefined])
    expect((await ada.call(versions.list, { params: { agentId: 'kip' } })).status).toBe(403)
  })

  it('unchanged long fields are stored once and present in every version', async () => {
    const createPurpose = (word: string) =>
      `${word} ${'does what it is told, slowly and well. '.repeat(190)}`.slice(0, 7900)
    const config = { personality: 'Calm. '.repeat(600), notes: 'Kept with the agent. '.repeat(1000) }
    const getStoredLength = async () => {
      const query = app.services.db.selectFrom('agent_versions').select('snapshot').where('agent_id', '=', agent.id)
      return (await query.execute()).reduce((sum, { snapshot }) => sum + JSON.stringify(snapshot).length, 0)
    }
    await update({ purpose: createPurpose('One'), config })
    await update({ purpose: createPurpose('Two') })
    const previousLength = await getStoredLength()
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    for (const name of names) await update({ name: `Agent ${name}` })
    for (const version of [2, 3, 2, 3]) expect((await restoreVersion(version)).status).toBe(200)
    await update({ config: { ...config, tagline: 'Other' } })
    expect((await getStoredLength()) - previousLength).toBeLessThan(13 * 700 + JSON.stringify(config).length)
    const stored = await Promise.all(
      [2, 3, 7, 11, 12, 15, 16].map(async (version) => (await showVersion(version)).data.snapshot),
    )
    expect(stored.map((snapshot) => snapshot.purpose.slice(0, 3))).toEqual([
      'One',
      'Two',
      'Two',
      'Two',
      'One',
      'Two',
      'Two',
    ])
    expect(stored.map((snapshot) => snapshot.config.personality)).toEqual(stored.map(() => config.personality))
    expect(stored.map((snapshot) => snapshot.config.notes)).toEqual(stored.map(() => config.notes))
    const { items } = (await listVersions({ limit: 3 })).data
    expect(items[0]?.changes).toEqual([{ field: 'config.tagline', after: 'Other' }])
    expect(items[1]?.changes.map(({ field }) => field)).toEqual(['purpose'])
  })

  it('reads the valid fields of an outdated snapshot', async () => {
    const outdatedSnapshot = {
      name: 'From long ago',
      purpose: 'Was.',
      agent_class: 'Wizard',
      tools: 'read_sole',
      model_provider: 'anthropic',
      model_settings: { model: 'claude-2', temperature: 9 },
      a_field_that_is_gone: true,
    }
    await update({ purpose: 'Now.' })
    await app.services.db
      .updateTable('agent_versions')
      .set({ snapshot: json(outdatedSnapshot as unknown as AgentSnapshot) })
      .where('agent_id', '=', agent.id)
      .where('rev', '=', 1)
      .execute()
    const { snapshot } = (await showVersion(1)).data
    expect(snapshot).toMatchObject({
      name: 'From long ago',
      purpose: 'Was.',
      agent_class: 'Standard',
      tools: [],
      visibility: 'private',
    })
    expect(snapshot.model_settings.max_tokens).toBe(4000)
    expect((await listVersions()).data.items).toHaveLength(2)
    const { data } = await restoreVersion(1)
    expect(data.agent).toMatchObject({ name: 'From long ago', slug: agent.slug, model_provider: 'anthropic' })
  })
})
