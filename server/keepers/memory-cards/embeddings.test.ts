import { beforeEach, describe, expect, it } from 'vitest'
import { usageCalls } from '#contract/agents/usage.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { keys } from '#contract/keys/keys.ts'
import { DatabaseUnavailable } from '#server/db/database-errors.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import { resumeEmbedding, stopEmbedding, waitForEmbedding } from './embedding-job.ts'

const openaiModel = 'text-embedding-3-small'

describe.each(engines)('embeddings of memory cards, on %s', (engine) => {
  let keeper: Keeper

  const { app, ada } = useApp(() => createProviderApp(engine), ['ada'], { perTest: true })
  beforeEach(async () => {
    keeper = await createTestKeeper(ada)
  })

  const createCard = async (content: string, fields: { aiVisible?: boolean } = {}) => {
    const { data } = await ada.call(reflections.create, { params: { id: keeper.id }, body: { content, ...fields } })
    return (await ada.call(reflections.promote, { params: { id: data.id } })).data
  }
  const saveKey = (provider: 'openai' | 'together' | 'anthropic' = 'openai', apiKey = canaryKeys[provider]) =>
    ada.call(keys.savePersonal, { body: { provider, apiKey } })
  const fetchStatus = async () => (await ada.call(memoryCards.embeddingStatus, { params: { id: keeper.id } })).data
  const generate = () => ada.call(memoryCards.generateEmbeddings, { params: { id: keeper.id } })
  const embedAll = async () => {
    await generate()
    await waitForEmbedding(app.services)
    return fetchStatus()
  }
  const search = (query: string) => ada.call(memoryCards.search, { params: { id: keeper.id }, query: { query } })
  const show = async (id: string) => (await ada.call(memoryCards.show, { params: { id } })).data
  const listModels = async () =>
    (await app.services.db.selectFrom('card_vectors').select('model').execute()).map(({ model }) => model)
  const listSentBodies = () =>
    Object.values(app.fakes).flatMap(({ requests }) =>
      requests.filter(({ path }) => path.endsWith('/embeddings')).map(({ body }) => body as { input: string[] }),
    )
  const loadCalls = () => app.services.db.selectFrom('model_calls').selectAll().orderBy('created_at').execute()

  it('use the built-in vector without a key, with nothing pending', async () => {
    const card = await createCard('My father measured flour.')
    expect(card).toMatchObject({ embedded: true, embedding: 'built-in' })
    expect(await fetchStatus()).toMatchObject({
      total: 1,
      embedded: 1,
      pending: 0,
      model: 'built-in',
      lexical: true,
      job: null,
    })
    expect((await generate()).data.job).toBe(null)
    await search('flour')
    expect(app.providerRequestCount()).toBe(0)
  })

  it('wait for generation with a personal key, then find by meaning', async () => {
    const card = await createCard('Papa measured flour in the blue cup.')
    await saveKey()
    expect(await fetchStatus()).toMatchObject({ embedded: 0, pending: 1, model: openaiModel, lexical: false })
    expect(await show(card.id)).toMatchObject({ embedded: false, embedding: 'built-in' })
    const matchesBefore = await search('father bread')
    expect(matchesBefore.body.meaning).toMatchObject({
      searched: false,
      reason: 'No cards are embedded with the current model yet.',
    })
    expect(listSentBodies()).toEqual([])

    const job = (await generate()).data.job
    expect(job).toMatchObject({ state: expect.stringMatching(/^(?:running|done)$/), total: 1 })
    await waitForEmbedding(app.services)
    expect(await fetchStatus()).toMatchObject({
      embedded: 1,
      pending: 0,
      job: { state: 'done', total: 1, done: 1, error: null },
    })
    expect(await listModels()).toEqual([openaiModel])
    const matchesAfter = await search('father bread')
    expect(matchesAfter.data).toMatchObject([{ card: { id: card.id }, matched: ['meaning'] }])
    expect(matchesAfter.body.meaning).toEqual({ searched: true, model: openaiModel, lexical: false, reason: null })
    await search('father bread')
    expect(listSentBodies()).toEqual([
      {
        model: openaiModel,
        input: ['Papa measured flour in the blue cup.'],
        encoding_format: 'float',
        dimensions: 512,
      },
      { model: openaiModel, input: ['father bread'], encoding_format: 'float', dimensions: 512 },
    ])
  })

  it('record each paid call in the ledger and in usage with its cost', async () => {
    await createCard('A card of some length, so that it costs something.')
    await saveKey()
    await embedAll()
    expect(await loadCalls()).toMatchObject([
      {
        agent_id: 'embeddings',
        person_id: ada.id,
        provider: 'openai',
        model: openaiModel,
        key_source: 'personal',
        failure: null,
        output_tokens: 0,
        estimated: false,
      },
    ])
    const usage = await ada.call(usageCalls.show, { query: { groupBy: 'agent' } })
    expect(usage.data.rows.map(({ label }) => label)).toEqual(['Embedding memory cards'])
  })

  it('report an exhausted budget and send nothing', async () => {
    await createCard('A card.')
    await saveKey()
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 0 } })
    expect((await embedAll()).job).toMatchObject({ state: 'failed', error: expect.stringContaining('monthly budget') })
    expect(listSentBodies()).toEqual([])
    expect(await fetchStatus()).toMatchObject({ embedded: 0, pending: 1 })
  })

  it('prefer OpenAI over Together and personal keys over platform keys', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    await saveKey('anthropic')
    expect((await fetchStatus()).model).toBe('built-in')
    await cleo.call(keys.savePlatform, { body: { provider: 'openai', api_key: canaryPlatformKeys.openai } })
    expect((await fetchStatus()).model).toBe(openaiModel)
    await saveKey('together')
    expect((await fetchStatus()).model).toContain('multilingual-e5')
    await saveKey('openai')
    expect((await fetchStatus()).model).toBe(openaiModel)
  })

  it('find by meaning with Together’s model, above its threshold', async () => {
    await createCard('Dad walked along the quay.')
    await createCard('Numbers, invoices, spreadsheets.')
    await saveKey('together')
    await embedAll()
    const { data } = await search('father harbour')
    expect(data.map(({ card }) => card.content)).toEqual(['Dad walked along the quay.'])
    expect((await loadCalls())[0]).toMatchObject({ provider: 'together', estimated: true })
  })

  it('never send a card that is not for AI, a draft or in the trash', async () => {
    const hidden = await createCard('canary not for AI', { aiVisible: false })
    const draft = await createCard('canary draft')
    await app.services.db.updateTable('memory_cards').set({ state: 'draft' }).where('id', '=', draft.id).execute()
    const trashedCard = await createCard('canary trashed')
    await ada.call(memoryCards.remove, { params: { id: trashedCard.id } })
    await createCard('readable by AI')
    await saveKey()
    const { pending, embedded } = await embedAll()
    expect({ pending, embedded }).toEqual({ pending: 0, embedded: 3 })
    expect(JSON.stringify(listSentBodies())).not.toContain('canary')
    expect(listSentBodies()).toHaveLength(1)
    expect(await show(hidden.id)).toMatchObject({ embedded: true, embedding: 'built-in' })
    expect((await search('canary')).data.map(({ card }) => card.id)).toContain(hidden.id)
  })

  it('a provider’s embeddings are deleted when a card is marked not for AI', async () => {
    const { id } = await createCard('Papa measured flour.')
    await saveKey()
    await embedAll()
    expect(await listModels()).toEqual([openaiModel])
    await ada.call(memoryCards.update, { params: { id }, body: { aiVisible: false } })
    expect(await listModels()).toEqual(['built-in'])
    expect((await search('father')).data).toEqual([])
  })

  it('wait for the provider again after the text changed', async () => {
    const { id } = await createCard('Papa measured flour.')
    await saveKey()
    await embedAll()
    const changed = await ada.call(memoryCards.update, { params: { id }, body: { content: 'The quay at five.' } })
    expect(changed.data).toMatchObject({ embedded: false, embedding: 'built-in' })
    expect((await search('dad')).data).toEqual([])
    expect(await embedAll()).toMatchObject({ embedded: 1, pending: 0 })
    expect((await search('port')).data).toMatchObject([{ matched: ['meaning'] }])
  })

  it.each([
    ['status-401', /key/i],
    ['status-429-quota', /quota|credit|billing/i],
    ['html-as-promised-type', /answer/i],
    ['ok-html', /answer/i],
    ['redirect-307', /redirect/i],
    ['ok-error-json', /key/i],
  ])('end the job with a message when the provider answers %s', async (fault, message) => {
    await createCard('A card.')
    await saveKey()
    app.fakes.openai.script([fault])
    const { job, pending } = await embedAll()
    expect(job).toMatchObject({ state: 'failed', done: 0, error: expect.stringMatching(message) })
    expect(job?.error).not.toContain(canaryKeys.openai)
    expect({ pending, models: await listModels() }).toEqual({ pending: 1, models: ['built-in'] })
    expect((await loadCalls())[0]?.failure).toEqual(expect.any(String))
    // No other key replaces a failed one; a later attempt can succeed.
    expect(await embedAll()).toMatchObject({ pending: 0, job: { state: 'done' } })
    expect(listSentBodies().every((body) => body.input.length === 1)).toBe(true)
  })

  it.each([
    ['[[vector:short]]', /511 values where 512/],
    ['[[vector:missing]]', /answer/],
  ])('embeddings of an unexpected shape (%s) are not stored', async (marker, message) => {
    await createCard(`A card ${marker}`)
    await createCard('Another card')
    await saveKey()
    expect((await embedAll()).job).toMatchObject({ state: 'failed', error: expect.stringMatching(message) })
    expect(await listModels()).toEqual(['built-in', 'built-in'])
  })

  it('retry a busy provider', async () => {
    await createCard('A card.')
    await saveKey()
    app.fakes.openai.script(['status-429', 'body-cut', 'ok'])
    expect(await embedAll()).toMatchObject({ pending: 0, job: { state: 'done' } })
    expect(listSentBodies()).toHaveLength(3)
    expect((await loadCalls())[0], 'an interrupted request is billed too').toMatchObject({
      estimated: true,
      failure: null,
    })
  })

  it('keep a paid result through a brief database outage', async () => {
    await createCard('A card.')
    await saveKey()
    const { db } = app.services
    const batch = db.batch.bind(db)
    const failed = new Set<string>()
    db.batch = async (writes) => {
      const statements = writes.map((write) => ('compile' in write ? write.compile(db).sql : write.sql)).join()
      const table = ['model_calls', 'card_vectors'].find((name) => statements.includes(`insert into "${name}"`))
      if (!table || failed.has(table)) return batch(writes)
      failed.add(table)
      throw new DatabaseUnavailable('planted')
    }
    expect(await embedAll()).toMatchObject({ pending: 0, job: { state: 'done' } })
    expect([...failed]).toEqual(['model_calls', 'card_vectors'])
    expect(listSentBodies()).toHaveLength(1)
    expect(await loadCalls()).toHaveLength(1)
    expect(await listModels()).toEqual([openaiModel])
  })

  it('fall back to word search, and say so, when a query cannot be embedded', async () => {
    await createCard('Papa measured flour.')
    await saveKey()
    await embedAll()
    app.fakes.openai.script(['status-500'])
    const response = await search('flour')
    expect(response.status).toBe(200)
    expect(response.data).toMatchObject([{ matched: ['words'] }])
    expect(response.body.meaning).toMatchObject({ searched: false, reason: expect.stringContaining('OpenAI') })
  })

  it('send 250 cards in three requests of one job and publish progress', async () => {
    await saveKey()
    const { id } = await createCard('card 0')
    await copyRow(app.services.db, 'memory_cards', id, {
      count: 249,
      values: (index) => ({ id: `c${index}`, reflection_id: null, words: null, content: `card ${index + 1}` }),
    })
    const events: unknown[] = []
    const unsubscribe = app.services.live.subscribe(ada.id, (event) => events.push(event))
    await Promise.all([generate(), generate()])
    await waitForEmbedding(app.services)
    unsubscribe()
    expect(listSentBodies().map(({ input }) => input.length)).toEqual([100, 100, 50])
    expect((await fetchStatus()).job).toMatchObject({ state: 'done', total: 250, done: 250 })
    expect(events.filter((event) => JSON.stringify(event).includes('embedding')).length).toBeGreaterThanOrEqual(2)
    expect(await app.services.db.selectFrom('embedding_jobs').select('id').execute()).toHaveLength(1)
  })

  it('resume an abandoned job without paying again', async () => {
    await saveKey()
    for (const text of ['one', 'two', 'three']) await createCard(text)
    const now = app.services.now().getTime()
    const job = { id: 'j', keeper_id: keeper.id, owner_id: ada.id, model: openaiModel, state: 'running' as const }
    await app.services.db
      .insertInto('embedding_jobs')
      .values({ ...job, total: 3, done: 0, error: null, created_at: now, updated_at: now, lease_until: now + 1000 })
      .execute()
    await resumeEmbedding(app.services)
    expect(listSentBodies()).toEqual([])
    app.passTime(2000)
    await Promise.all([resumeEmbedding(app.services), resumeEmbedding(app.services), fetchStatus()])
    await waitForEmbedding(app.services)
    expect(await fetchStatus()).toMatchObject({ pending: 0, job: { id: 'j', state: 'done', done: 3 } })
    expect(listSentBodies()).toHaveLength(1)
  })

  it('leave the job for the next start when the server stops', async () => {
    await saveKey()
    await createCard('one')
    app.fakes.openai.script(['headers-never'])
    await generate()
    await expect.poll(() => listSentBodies().length).toBe(1)
    await stopEmbedding(app.services)
    expect((await app.services.db.selectFrom('embedding_jobs').select(['state', 'lease_until']).execute())[0]).toEqual({
      state: 'running',
      lease_until: 0,
    })
    expect(await fetchStatus()).toMatchObject({ job: { state: 'running' } })
    await waitForEmbedding(app.services)
    expect(await fetchStatus()).toMatchObject({ pending: 0, job: { state: 'done' } })
  })

  it('return to built-in vectors without requests when the key is removed', async () => {
    await createCard('Papa measured flour.')
    await saveKey()
    await embedAll()
    await app.services.db.deleteFrom('provider_keys').execute()
    expect(await fetchStatus()).toMatchObject({ pending: 1, model: 'built-in' })
    const requestCount = listSentBodies().length
    expect(await embedAll()).toMatchObject({ pending: 0, job: { state: 'done' } })
    expect(await listModels()).toEqual(['built-in'])
    expect((await search('flour')).data[0]?.matched).toEqual(['words', 'meaning'])
    expect(listSentBodies()).toHaveLength(requestCount)
  })
})
