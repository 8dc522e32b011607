import { Buffer } from 'node:buffer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole, submitSoleDraftTool } from '#contract/keepers/sole.ts'
import { keys } from '#contract/keys/keys.ts'
import { importArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import type { FakeReply } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { canaryKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { sweepEchoes } from './echoes/check-time-triggers.ts'
import { resumeEmbedding, waitForEmbedding } from './memory-cards/embedding-job.ts'

const dayMs = 24 * 60 * 60 * 1000

describe.each(engines)('withdrawn content, on %s', (engine) => {
  let replies: (FakeReply | string)[] = []
  let app: ProviderApp
  let ada: Actor
  let keeper: Keeper
  beforeEach(async () => {
    replies = []
    app = await createProviderApp(engine, { answer: () => replies.shift() ?? 'Nothing more.' })
    ada = await app.as('ada')
    keeper = await createTestKeeper(ada)
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
  })
  afterEach(() => app.close())

  const createCard = async (content: string) => {
    const { data } = await ada.call(reflections.create, { params: { id: keeper.id }, body: { content } })
    return (await ada.call(reflections.promote, { params: { id: data.id } })).data.id
  }

  it('does not reach a model with an unapproved statement', async () => {
    const [walk, ill] = ['I walk the harbour every morning.', 'I was treated for CANARYILLNESS in spring.']
    const [first, second] = [await createCard(walk), await createCard(ill)]
    const createStatement = (text: string, id: string) => ({
      ...{ text, kind: 'add' },
      sources: [{ entity: 'card', id, quote: text }],
    })
    const statements = [createStatement(walk, first), createStatement(ill, second)]
    replies = [{ text: '', calls: [{ name: submitSoleDraftTool, arguments: { statements } }] }, 'Done.']
    const params = { id: keeper.id }
    const { data } = await ada.call(sole.askForDraft, { params, body: {} })
    const [approved] = data.draft?.statements ?? []
    await ada.call(sole.approve, { params, body: { statementIds: [approved?.id ?? ''] } })
    const sentForDraft = async () => {
      const requestsBefore = app.fakes.openai.requests.length
      await ada.call(sole.askForDraft, { params, body: {} })
      return JSON.stringify(app.fakes.openai.requests.slice(requestsBefore))
    }
    expect(await sentForDraft(), 'while the card may be read').toContain('not approved')

    await ada.call(memoryCards.update, { params: { id: second }, body: { aiVisible: false } })
    const sent = await sentForDraft()
    expect(sent).toContain(walk)
    expect(sent).not.toContain('CANARYILLNESS')
    await ada.call(memoryCards.remove, { params: { id: second } })
    expect(await sentForDraft()).not.toContain('CANARYILLNESS')
  })

  it('in a deleted keeper is not sent, even by a running job', async () => {
    await createCard('CANARY card')
    const now = app.services.now().getTime()
    const job = { keeper_id: keeper.id, owner_id: ada.id, state: 'running', model: 'text-embedding-3-small' }
    await app.services.db
      .insertInto('embedding_jobs')
      .values({ id: 'job', ...job, total: 1, done: 0, created_at: now, updated_at: now, lease_until: 0 } as never)
      .execute()
    await ada.call(keepers.remove, { params: { id: keeper.id } })
    await resumeEmbedding(app.services, { leaseExpiredBefore: Number.POSITIVE_INFINITY })
    await waitForEmbedding(app.services)
    expect(app.fakes.openai.requests).toEqual([])
    const jobs = await app.services.db.selectFrom('embedding_jobs').select('state').execute()
    expect(jobs).toEqual([{ state: 'done' }])
  })

  it('does not trigger a recently changed echo after an import', async () => {
    const createdAt = new Date(app.services.now().getTime() - 400 * dayMs).toISOString()
    const body = { message: 'After silence', sealed: true, createdAt }
    const { data } = await ada.call(echoes.create, { params: { id: keeper.id }, body })
    await ada.call(echoes.update, { params: { id: data.id }, body: { triggerConditions: { silentDays: 30 } } })
    const archive = await ada.fetch(`/api/keeper/keepers/${keeper.id}/export`)
    await importArchive(ada, Buffer.from(await archive.arrayBuffer()))
    await sweepEchoes(app.services)
    const all = (await ada.call(keepers.list)).data
    const other = all.find(({ id }) => id !== keeper.id)
    const listStates = async (id = '') =>
      (await ada.call(echoes.list, { params: { id } })).data.map(({ state }) => state)
    expect({ statesKeeperId: await listStates(keeper.id), statesOtherId: await listStates(other?.id) }).toEqual({
      statesKeeperId: ['pending'],
      statesOtherId: ['pending'],
    })
    expect(app.mails).toEqual([])
  })

  it('with unknown moments beyond the parameter limit is rejected', async () => {
    const { data: journey } = await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Far' } })
    const [path] = (await ada.call(journeys.paths, { params: { id: journey.id } })).data
    const waypoints = Array.from({ length: 200 }, (_, at) => ({
      title: `Stage ${at}`,
      momentIds: Array.from({ length: 200 }, (_, moment) => `${at}-${moment}`.padStart(20, '0')),
    }))
    const answer = await ada.call(journeys.updatePath, { params: { id: path?.id ?? '' }, body: { waypoints } })
    expect({ status: answer.status, fields: Object.keys(answer.body.fields ?? {}) }).toEqual({
      status: 400,
      fields: ['waypoints'],
    })
  })
})
