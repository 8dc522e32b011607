import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { models } from '#contract/agents/models.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { topics } from '#contract/keepers/topics.ts'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import { keys } from '#contract/keys/keys.ts'
import { releaseReservations } from '#server/agents/usage/budget-reservations.ts'
import { DatabaseUnavailable } from '#server/db/database-errors.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { uploadMedia } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { closeAbandonedTranscriptions, stopTranscriptions, transcriptionLeaseMs } from './execute-transcription.ts'

describe.each(engines)('voice entries, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const sendEntry = (body: object, id = keeperId) => ada.call(voice.create, { params: { id }, body: body as never })
  const createEntry = async (fields: object = {}): Promise<VoiceEntry> => {
    const { status, data, text } = await sendEntry({ label: 'Promises', belief: 'A promise is kept.', ...fields })
    expect(status, text).toBe(200)
    return data
  }
  const updateEntry = (id: string, body: object, ifMatch?: number) =>
    ada.call(voice.update, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const answerStillTrue = (id: string, body: object) =>
    ada.call(voice.stillTrue, { params: { id }, body: body as never })
  const list = async () => (await ada.call(voice.list, { params: { id: keeperId } })).data

  it.each(['label', 'belief'])('require a %s and trim values', async (field) => {
    const { status, body } = await sendEntry({ label: 'l', belief: 'b', [field]: ' \n ' })
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { [field]: 'Both label and belief are required' },
    })
    expect(body.error).toBe('Both label and belief are required')
    expect(await createEntry({ label: ' l ', belief: ' b ' })).toMatchObject({
      label: 'l',
      belief: 'b',
      strength: null,
    })
    expect(await list()).toHaveLength(1)
  })

  it('store a repeated "still true?" answer once', async () => {
    const { id } = await createEntry()
    const headers = { 'idempotency-key': 'answered-once' }
    const answerWithKey = () =>
      ada.call(voice.stillTrue, { params: { id }, body: { answer: true, note: 'yes' }, headers })
    await answerWithKey()
    expect((await answerWithKey()).data.stillTrue).toHaveLength(1)
    expect((await answerStillTrue(id, { answer: true, note: 'yes' })).data.stillTrue).toHaveLength(2)
  })

  it('append dated "still true?" answers without changing belief or revision', async () => {
    const { id } = await createEntry({ strength: 4 })
    await answerStillTrue(id, { answer: true })
    app.passTime(24 * 60 * 60 * 1000)
    const { data } = await answerStillTrue(id, { answer: false, note: '  Not to strangers.  ' })
    expect(data).toMatchObject({ belief: 'A promise is kept.', rev: 1, strength: 4 })
    expect(data.stillTrue).toEqual([
      { answer: true, note: null, at: expect.any(String) },
      { answer: false, note: 'Not to strangers.', at: expect.any(String) },
    ])
    expect(Date.parse(data.stillTrue[1]?.at ?? '') - Date.parse(data.stillTrue[0]?.at ?? '')).toBeGreaterThan(
      86_000_000,
    )
  })

  it('keep ten concurrent answers next to a save', async () => {
    const { id } = await createEntry()
    const notes = Array.from({ length: 10 }, (_, index) => `note "${index}" \\ é`)
    const requests = [
      ...notes.map((note) => answerStillTrue(id, { answer: true, note })),
      updateEntry(id, { label: 'Saved' }),
    ]
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(11).fill(200))
    const [entry] = await list()
    expect(entry?.label).toBe('Saved')
    expect(entry?.stillTrue.map(({ note }) => note).sort()).toEqual(notes)
  })

  it('reject a stale save with both versions', async () => {
    const { id } = await createEntry()
    await updateEntry(id, { belief: 'mine' }, 1)
    const { status, body } = await updateEntry(id, { belief: 'theirs' }, 1)
    expect(status).toBe(409)
    expect(body.data).toMatchObject({ yours: { belief: 'theirs' }, current: { belief: 'mine' } })
  })

  it('keep their uploaded recording when edited', async () => {
    const audioId = await uploadMedia(ada, keeperId)
    const entry = await createEntry({ audioId })
    expect(entry).toMatchObject({ audioId, durationMs: 4000, transcriptStatus: 'none' })
    expect((await updateEntry(entry.id, { belief: 'Other words.' })).data).toMatchObject({ audioId, durationMs: 4000 })
    const another = await uploadMedia(ada, keeperId)
    expect((await updateEntry(entry.id, { audioId: another })).data.audioId).toBe(another)
    expect((await updateEntry(entry.id, { audioId: null })).data).toMatchObject({ audioId: null, durationMs: null })
  })

  it('reject pictures, used recordings and recordings of other people', async () => {
    const ben = await app.as('ben')
    const another = await createTestKeeper(ada, { title: 'Another' })
    const bensKeeper = await createTestKeeper(ben)
    const usedAudioId = await uploadMedia(ada, keeperId)
    await createEntry({ audioId: usedAudioId })
    for (const audioId of [
      await uploadMedia(ada, another.id),
      await uploadMedia(ben, bensKeeper.id),
      usedAudioId,
      'nowhere',
      await uploadMedia(ada, keeperId, 'image/png'),
    ]) {
      const { status, body } = await sendEntry({ label: 'l', belief: 'b', audioId })
      expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: ['audioId'] })
    }
    expect(await list()).toHaveLength(1)
  })

  it('are created once per id with their recording', async () => {
    const body = { id: 'a'.repeat(32), label: 'l', belief: 'b', audioId: await uploadMedia(ada, keeperId) }
    const responses = [await sendEntry(body), await sendEntry(body)]
    expect(responses.map(({ status, data }) => [status, data.id, data.audioId])).toEqual([
      [200, body.id, body.audioId],
      [200, body.id, body.audioId],
    ])
    expect(await list()).toHaveLength(1)
  })

  it('belong to the existing topic that has their label as its name', async () => {
    await ada.call(topics.create, { params: { id: keeperId }, body: { name: 'Father' } })
    const body = { message: 'm', triggerConditions: { topic: 'father' } }
    await ada.call(echoes.create, { params: { id: keeperId }, body })
    await createEntry({ label: 'A sentence of its own' })
    const fetchEchoState = async () => (await ada.call(echoes.list, { params: { id: keeperId } })).data[0]?.state
    expect(await fetchEchoState()).toBe('pending')
    await createEntry({ label: 'FATHER' })
    expect(await fetchEchoState()).toBe('ready')
    expect(await app.services.db.selectFrom('topics').select('name').execute()).toEqual([{ name: 'Father' }])
  })

  it('are private to their owner in every call', async () => {
    const { id } = await createEntry()
    const ben = await app.as('ben')
    const params = { params: { id } }
    const foreignResponses = [
      await ben.call(voice.list, { params: { id: keeperId } }),
      await ben.call(voice.update, { ...params, body: { belief: 'x' } }),
      await ben.call(voice.stillTrue, { ...params, body: { answer: false } }),
      await ben.call(voice.transcribe, params),
      await ben.call(voice.remove, params),
    ]
    expect(foreignResponses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    await ada.call(voice.remove, params)
    expect((await answerStillTrue(id, { answer: true })).status).toBe(404)
    expect(await list()).toEqual([])
  })
})

const spokenText = 'I keep my word, even when nobody looks.'

describe.each(engines)('a transcription, on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let keeperId: string
  beforeEach(async () => {
    resetBreakers()
    app = await createProviderApp(engine)
    ada = await app.as('ada')
    keeperId = (await createTestKeeper(ada)).id
    for (const provider of ['openai', 'together'] as const) {
      await saveKey(provider)
      await ada.call(models.list, { query: { provider } })
      await ada.call(keys.removePersonal, { params: { provider } })
      app.fakes[provider].requests.length = 0
    }
  })
  afterEach(async () => {
    await stopTranscriptions(app.services)
    await app.close()
  })

  const saveKey = (provider: 'openai' | 'together', apiKey = canaryKeys[provider]) =>
    ada.call(keys.savePersonal, { body: { provider, apiKey } })
  const createRecordedEntry = async (fields: object = {}): Promise<VoiceEntry> => {
    const body = {
      label: 'Promises',
      belief: 'A promise is kept.',
      audioId: await uploadMedia(ada, keeperId),
      ...fields,
    }
    return (await ada.call(voice.create, { params: { id: keeperId }, body })).data
  }
  const transcribe = ({ id }: Pick<VoiceEntry, 'id'>) => ada.call(voice.transcribe, { params: { id } })
  const fetchEntry = async () => (await ada.call(voice.list, { params: { id: keeperId } })).data[0] as VoiceEntry
  const waitForOutcome = async () => {
    await eventually(async () => expect((await fetchEntry()).transcriptStatus).not.toBe('queued'))
    return fetchEntry()
  }
  const listModelCalls = () => app.services.db.selectFrom('model_calls').selectAll().execute()
  const fetchOffer = async () => (await ada.call(voice.transcription)).data

  it('is queued, stored apart from the belief, and billed in the ledger', async () => {
    await saveKey('openai')
    expect(await fetchOffer()).toEqual({ provider: 'openai', model: 'whisper-1' })
    const recordedEntry = await createRecordedEntry()
    const requested = await transcribe(recordedEntry)
    expect({
      status: requested.status,
      transcriptStatus: requested.data.transcriptStatus,
      rev: requested.data.rev,
    }).toEqual({ status: 200, transcriptStatus: 'queued', rev: 1 })
    expect(await waitForOutcome()).toMatchObject({
      transcript: spokenText,
      transcriptStatus: 'done',
      language: 'english',
      belief: 'A promise is kept.',
      rev: 1,
    })
    expect(await listModelCalls()).toEqual([
      expect.objectContaining({
        agent_id: 'transcription',
        person_id: ada.id,
        provider: 'openai',
        model: 'whisper-1',
        key_source: 'personal',
        input_tokens: 170,
        cost_micros: 850,
        failure: null,
      }),
    ])
    await ada.call(voice.update, { params: { id: recordedEntry.id }, body: { belief: 'Edited.' } })
    expect(await fetchEntry()).toMatchObject({ belief: 'Edited.', transcript: spokenText })
    expect(app.logLines.join('\n')).not.toContain(spokenText)
  })

  it('is refused with a message without a key', async () => {
    expect(await fetchOffer()).toEqual({ provider: null, model: null })
    const { status, body } = await transcribe(await createRecordedEntry())
    expect({ status, error: body.error }).toEqual({
      status: 409,
      error: expect.stringContaining('Save an OpenAI or Together AI key'),
    })
    expect(app.providerRequestCount()).toBe(0)
  })

  it('sends nothing for an entry that is not for AI', async () => {
    await saveKey('openai')
    const { status, body } = await transcribe(await createRecordedEntry({ aiVisible: false }))
    expect({ status, error: body.error }).toEqual({ status: 422, error: expect.stringContaining('not for AI') })
    expect(app.providerRequestCount()).toBe(0)
  })

  it('requires a recording', async () => {
    await saveKey('openai')
    expect((await transcribe(await createRecordedEntry({ audioId: null }))).status).toBe(409)
  })

  it('reports a failing personal key without trying the platform key', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    await cleo.call(keys.savePlatform, { body: { provider: 'openai', api_key: canaryPlatformKeys.openai } })
    expect((await fetchOffer()).provider).toBe('openai')
    await saveKey('together', 'canary0wrong0together0Zq83')
    expect((await fetchOffer()).provider).toBe('together')
    await transcribe(await createRecordedEntry())
    expect(await waitForOutcome()).toMatchObject({
      transcriptStatus: 'failed',
      transcript: null,
      transcriptError: expect.stringContaining('did not accept the key'),
    })
    expect(app.fakes.openai.requests).toHaveLength(0)
    expect(app.fakes.together.requests).toHaveLength(1)
    expect((await listModelCalls()).map(({ failure, cost_micros }) => [failure, cost_micros])).toEqual([
      ['key-rejected', 0],
    ])
  })

  it('can be retried after a failure', async () => {
    await saveKey('openai')
    app.fakes.openai.script(['status-400'])
    const recordedEntry = await createRecordedEntry()
    await transcribe(recordedEntry)
    expect((await waitForOutcome()).transcriptError).toBe('OpenAI couldn’t use this recording.')
    await transcribe(recordedEntry)
    expect(await waitForOutcome()).toMatchObject({ transcriptStatus: 'done', transcriptError: null })
  })

  it('bills an interrupted attempt and the successful one', async () => {
    await saveKey('openai')
    app.fakes.openai.script(['body-cut'])
    await transcribe(await createRecordedEntry())
    expect((await waitForOutcome()).transcriptStatus).toBe('done')
    const [call] = await listModelCalls()
    expect(call).toMatchObject({ estimated: true, failure: null })
    expect(call?.input_tokens).toBeGreaterThan(170)
  })

  it('is sent once for five concurrent requests', async () => {
    await saveKey('openai')
    const recordedEntry = await createRecordedEntry()
    const responses = await Promise.all(Array.from({ length: 5 }, () => transcribe(recordedEntry)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await waitForOutcome()
    expect(app.fakes.openai.requests).toHaveLength(1)
    expect(await listModelCalls()).toHaveLength(1)
  })

  it('sends nothing over budget and leaves the entry unchanged', async () => {
    await saveKey('openai')
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 0.0001 } })
    const { status } = await transcribe(await createRecordedEntry())
    expect(status).toBe(429)
    expect((await fetchEntry()).transcriptStatus).toBe('none')
    expect(app.providerRequestCount()).toBe(0)
  })

  it('survives a four-second database outage and is billed once', async () => {
    await saveKey('openai')
    const { db, modelRuntime } = app.services
    const waits: number[] = []
    modelRuntime.sleep = async (ms) => void waits.push(ms)
    const recordedEntry = await createRecordedEntry()
    const batch = db.batch.bind(db)
    db.batch = async (writes) => {
      const isFinalWrite = writes.some((write) => 'compile' in write && write.compile(db).sql.includes('model_calls'))
      if (!isFinalWrite || waits.length === 4) return batch(writes)
      if (waits.length === 3) await batch(writes)
      throw new DatabaseUnavailable('planted')
    }
    await transcribe(recordedEntry)
    await eventually(() => expect(waits).toEqual([100, 400, 1000, 2500]))
    await stopTranscriptions(app.services)
    expect(await fetchEntry()).toMatchObject({ transcriptStatus: 'done', transcript: spokenText })
    expect(await listModelCalls()).toHaveLength(1)
  })

  it('reserves its maximum cost while it runs', async () => {
    await saveKey('openai')
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 1 } })
    app.fakes.openai.script(['headers-never'])
    await transcribe(await createRecordedEntry())
    await eventually(() => expect(app.fakes.openai.requests).toHaveLength(1))
    const getReserved = async () =>
      (await app.services.db.selectFrom('spend_windows').select('micros').execute())[0]?.micros
    const initialReserved = await getReserved()
    expect(initialReserved).toBeGreaterThan(0)
    app.passTime(transcriptionLeaseMs)
    await releaseReservations(app.services)
    expect(await getReserved()).toBe(initialReserved)
    app.passTime(2 * 60_000)
    await releaseReservations(app.services)
    expect(await getReserved()).toBe(0)
  })

  it('fails after a restart and leaves nothing queued', async () => {
    await saveKey('openai')
    app.fakes.openai.script(['headers-never'])
    const recordedEntry = await createRecordedEntry()
    await transcribe(recordedEntry)
    await stopTranscriptions(app.services)
    expect(await fetchEntry()).toMatchObject({
      transcriptStatus: 'failed',
      transcriptError: expect.stringContaining('server restarted'),
    })

    const queuedState = {
      transcript_status: 'queued' as const,
      transcript_until: app.services.now().getTime() + 60_000,
    }
    await app.services.db.updateTable('voice_entries').set(queuedState).execute()
    await closeAbandonedTranscriptions(app.services)
    expect((await fetchEntry()).transcriptStatus).toBe('queued')
    app.passTime(61_000)
    await closeAbandonedTranscriptions(app.services)
    expect((await fetchEntry()).transcriptStatus).toBe('failed')
  })

  it('is discarded when the recording was replaced', async () => {
    await saveKey('openai')
    app.fakes.openai.script(['slow-loris'])
    const recordedEntry = await createRecordedEntry()
    await transcribe(recordedEntry)
    await eventually(() => expect(app.fakes.openai.requests).toHaveLength(1))
    const audioId = await uploadMedia(ada, keeperId)
    await ada.call(voice.update, { params: { id: recordedEntry.id }, body: { audioId } })
    await eventually(async () => expect(await listModelCalls()).toHaveLength(1))
    expect(await fetchEntry()).toMatchObject({ audioId, transcript: null, transcriptStatus: 'none' })
  })
})
