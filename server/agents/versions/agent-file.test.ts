import { describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { sharing } from '#contract/agents/sharing.ts'
import { type AgentFile, versions } from '#contract/agents/versions.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('agent files on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  const createAgent = (fields: object = {}, actor = ada) => createTestAgent(actor, fields)
  const exportFile = async (agentId: string, actor = ada) =>
    (await actor.call(versions.exportFile, { params: { agentId } })).data
  const importFile = (file: unknown, options: object = {}, actor = ada) =>
    actor.call(versions.importFile, { body: { file, ...options } })
  const addQuestions = (agentId: string) =>
    app.services.db
      .insertInto('golden_questions')
      .values(
        ['first', 'second'].map((question, index) => ({
          id: `${agentId}-${index}`,
          agent_id: agentId,
          question,
          expectation: 'yes',
          judged_by: index === 0 ? ('contains' as const) : ('judged' as const),
          source_run_id: null,
          created_by: ada.id,
          created_at: index,
          updated_at: index,
        })),
      )
      .execute()
  const expectRefusal = async (file: unknown, options: object, status: number) => {
    const previous = await dumpDatabase(app.services.db)
    const answer = await importFile(file, options)
    expect(answer.status).toBe(status)
    expect(await dumpDatabase(app.services.db)).toBe(previous)
    return answer.body
  }

  it.each(['Standard', 'Coordinator', 'Lead'])('exporting and importing a %s preserves it', async (agent_class) => {
    const original = await createAgent({
      agent_class,
      context_scope: '',
      memory_enabled: true,
      tools: ['read_sole', 'http_fetch'],
      permissions: ['read'],
      config: { bundle: ['kip'], tagline: 'Ahoy “there”', avatar: '⚓', extra: { deep: [1, null] } },
      model_provider: 'anthropic',
      model: 'a-model-of-next-year',
      model_settings: { temperature: 0.3, retry: { max_retries: 0, retry_delay_ms: 500 } },
      visibility: 'public',
      visitor_daily_usd: 0.25,
    })
    await addQuestions(original.id)
    const file = await exportFile(original.id)
    const { status, data } = await importFile(file, { slug: `${original.slug}-copy` })
    expect(status).toBe(200)
    expect(data).toMatchObject({ slug: `${original.slug}-copy`, owner_id: ada.id, rev: 1 })
    expect(data.id).not.toBe(original.id)
    const again = await exportFile(data.id)
    expect({ ...again, exported_at: '', agent: { ...again.agent, slug: '' } }).toEqual({
      ...file,
      exported_at: '',
      agent: { ...file.agent, slug: '' },
    })
    expect(again.golden_questions).toHaveLength(2)
    const history = (await ada.call(versions.list, { params: { agentId: data.id } })).data.items
    expect(history).toMatchObject([{ version: 1, origin: 'imported', author: { id: ada.id } }])
  })

  it('contains no ids, owner or keys and is named after the agent', async () => {
    const original = await createAgent()
    const answer = await ada.call(versions.exportFile, { params: { agentId: original.id } })
    for (const secret of [original.id, ada.id, 'owner_id', 'willowbrook', 'created_at'])
      expect(answer.text).not.toContain(secret)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${original.slug}.agent.json"`)
  })

  it('viewers can export an agent, with golden questions only for editors', async () => {
    const original = await createAgent({ visibility: 'shared' })
    await addQuestions(original.id)
    const grantBen = (rights: string[]) =>
      ada.call(sharing.grant, { params: { agentId: original.id, personId: ben.id }, body: { rights: rights as never } })
    expect((await ben.call(versions.exportFile, { params: { agentId: original.id } })).status).toBe(404)
    await grantBen(['run'])
    expect((await exportFile(original.id, ben)).golden_questions).toEqual([])
    await grantBen(['edit'])
    expect((await exportFile(original.id, ben)).golden_questions).toHaveLength(2)
  })

  it('refuses a taken slug and suggests a free one', async () => {
    const original = await createAgent({ slug: 'twice-there' })
    await createAgent({ slug: 'twice-there-2' }, ben)
    const file = await exportFile(original.id)
    const body = await expectRefusal(file, {}, 409)
    expect(body.code).toBe('slug-taken')
    expect(body.data).toEqual({ suggestedSlug: 'twice-there-3' })
    expect(Object.keys(body.fields ?? {})).toEqual(['slug'])
    expect((await expectRefusal(file, { slug: 'twice-there-2' }, 409)).data).toEqual({
      suggestedSlug: 'twice-there-2-2',
    })
    expect((await importFile(file, { slug: 'twice-there-3' })).status).toBe(200)
    const kip = await exportFile('kip')
    expect((await expectRefusal(kip, {}, 409)).data).toEqual({ suggestedSlug: 'kip-2' })
    expect(Object.keys((await expectRefusal(file, { slug: 'login' }, 400)).fields ?? {})).toEqual(['slug'])
    expect((await ada.call(agents.byId, { query: { id: 'twice-there' } })).data).toEqual(original)
  })

  it('refuses unknown names unless the person leaves them out', async () => {
    const file = await exportFile((await createAgent({ tools: ['read_sole'] })).id)
    const agent = { ...file.agent, slug: 'left-out', tools: ['read_sole', 'sonar', 'radar'] }
    const body = await expectRefusal({ ...file, agent }, {}, 400)
    expect(Object.keys(body.fields ?? {})).toEqual(['tools'])
    expect(body.data).toEqual({ unknown: ['sonar', 'radar'] })
    await expectRefusal({ ...file, agent }, { leave_out: ['sonar'] }, 400)
    expect((await importFile({ ...file, agent }, { leave_out: ['sonar', 'radar'] })).data.tools).toEqual(['read_sole'])

    const round = {
      ...agent,
      slug: 'a-round',
      tools: [],
      agent_class: 'Coordinator',
      config: { bundle: ['kip', 'nobody'] },
    }
    const bundle = await expectRefusal({ ...file, agent: round }, {}, 400)
    expect(Object.keys(bundle.fields ?? {})).toEqual(['config.bundle'])
    expect(bundle.data).toEqual({ unknown: ['nobody'] })
    expect((await importFile({ ...file, agent: round }, { leave_out: ['nobody'] })).data.config.bundle).toEqual(['kip'])
    await expectRefusal({ ...file, agent: { ...round, slug: 'no-round' } }, { leave_out: ['nobody', 'kip'] }, 400)
  })

  it('refuses files with invalid values', async () => {
    const file = await exportFile((await createAgent()).id)
    const agent = { ...file.agent, slug: 'from-a-file' }
    for (const [invalidFile, field] of [
      [{ ...file, keeper: 'board' }, 'file.keeper'],
      [{ ...file, format: 2 }, 'file.format'],
      [{ ...file, agent: { ...agent, name: '' } }, 'file.agent.name'],
      [{ ...file, agent: { ...agent, agent_class: 'Persona' } }, 'agent_class'],
      [{ ...file, agent: { ...agent, model_settings: { temperature: 3 } } }, 'file.agent.model_settings.temperature'],
      [{ ...file, golden_questions: [{ question: '', expectation: 'x' }] }, 'file.golden_questions.0.question'],
      [{ ...file, golden_questions: Array(51).fill({ question: 'q', expectation: 'x' }) }, 'file.golden_questions'],
      ['a text', 'file'],
    ] as const)
      expect(Object.keys((await expectRefusal(invalidFile, {}, 400)).fields ?? {})).toEqual([field])
    const { data } = await importFile({
      ...file,
      agent: { ...agent, id: 'chosen', owner_id: ben.id, rev: 9, created_at: '2001-01-01', status: 'error' },
    })
    expect(data).toMatchObject({ owner_id: ada.id, rev: 1, status: 'error' })
    expect([data.id, data.created_at]).not.toContain('chosen')
  })

  it('concurrent imports with the same slug create one agent', async () => {
    const file = { keeper: 'agent', format: 1, agent: { name: 'By Hand', purpose: 'p' } }
    expect((await importFile(file)).data).toMatchObject({ slug: 'by-hand', visibility: 'private', model: 'gpt-6-luna' })
    expect((await importFile(file)).data.slug, 'derived from the name').toMatch(/^by-hand-[0-9a-f]{8}$/)
    const named: unknown = { ...file, agent: { ...file.agent, slug: 'racing' } satisfies Partial<AgentFile['agent']> }
    const answers = await Promise.all(Array.from({ length: 4 }, () => importFile(named)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })
})
