import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { models } from '#contract/agents/models.ts'
import { usageCalls } from '#contract/agents/usage.ts'
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
import { closeAbandonedTranscriptions, stopTranscriptions, transcriptionLeaseMs } from './execute-transcription.ts'

const spokenText = 'I keep my word, even when nobody looks.'

describe.each(engines)('transcribing a recording, on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let keeperId: string
  beforeEach(async () => {
    resetBreakers()
    app = await createProviderApp(engine)
    ada = await app.as('ada')
    keeperId = (await createTestKeeper(ada)).id
    for (const provider of ['openai', 'together'] as const) {
      await hasKey(provider)
      await ada.call(models.list, { query: { provider } })
      await ada.call(keys.removePersonal, { params: { provider } })
      app.fakes[provider].requests.length = 0
    }
  })
  afterEach(async () => {
    await stopTranscriptions(app.services)
    await app.close()
  })

  const hasKey = (provider: 'openai' | 'together', apiKey = canaryKeys[provider]) =>
    ada.call(keys.savePersonal, { body: { provider, apiKey } })
  const recorded = async (more: object = {}): Promise<VoiceEntry> => {
    const body = { label: 'Promises', belief: 'A promise is kept.', audioId: await uploadMedia(ada, keeperId), ...more }
    return (await ada.call(voice.create, { params: { id: keeperId }, body })).data
  }
  const transcribe = ({ id }: Pick<VoiceEntry, 'id'>) => ada.call(voice.transcribe, { params: { id } })
  const entry = async () => (await ada.call(voice.list, { params: { id: keeperId } })).data[0] as VoiceEntry
  const waitForOutcome = async () => {
    await eventually(async () => expect((await entry()).transcriptStatus).not.toBe('queued'))
    return entry()
  }
  const ledger = () => app.services.db.selectFrom('model_calls').selectAll().execute()
  const offered = async () => (await ada.call(voice.transcription)).data

  it('is queued, stored apart from the belief, and billed in the ledger', async () => {
    await hasKey('openai')
    expect(await offered()).toEqual({ provider: 'openai', model: 'whisper-1' })
    const entryId = await recorded()
    const requested = await transcribe(entryId)
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
    expect(await ledger()).toEqual([
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
    await ada.call(voice.update, { params: { id: entryId.id }, body: { belief: 'Edited.' } })
    expect(await entry()).toMatchObject({ belief: 'Edited.', transcript: spokenText })
    expect(app.logLines.join('\n')).not.toContain(spokenText)
  })

  it('is refused with a message without a key', async () => {
    expect(await offered()).toEqual({ provider: null, model: null })
    const { status, body } = await transcribe(await recorded())
    expect({ status, error: body.error }).toEqual({
      status: 409,
      error: expect.stringContaining('Save an OpenAI or Together AI key'),
    })
    expect(app.requestCount()).toBe(0)
  })

  it('sends nothing for an entry that is not for AI', async () => {
    await hasKey('openai')
    const { status, body } = await transcribe(await recorded({ aiVisible: false }))
    expect({ status, error: body.error }).toEqual({ status: 422, error: expect.stringContaining('not for AI') })
    expect(app.requestCount()).toBe(0)
  })

  it('requires a recording', async () => {
    await hasKey('openai')
    expect((await transcribe(await recorded({ audioId: null }))).status).toBe(409)
  })

  it('reports a failing personal key without using the platform’s', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    await cleo.call(keys.savePlatform, { body: { provider: 'openai', api_key: canaryPlatformKeys.openai } })
    expect((await offered()).provider).toBe('openai')
    await hasKey('together', 'canary0wrong0together0Zq83')
    expect((await offered()).provider).toBe('together')
    await transcribe(await recorded())
    expect(await waitForOutcome()).toMatchObject({
      transcriptStatus: 'failed',
      transcript: null,
      transcriptError: expect.stringContaining('did not accept the key'),
    })
    expect({
      openaiRequestsCount: app.fakes.openai.requests.length,
      togetherRequestsCount: app.fakes.together.requests.length,
    }).toEqual({ openaiRequestsCount: 0, togetherRequestsCount: 1 })
    expect((await ledger()).map(({ failure, cost_micros }) => [failure, cost_micros])).toEqual([['key-rejected', 0]])
  })

  it('can be retried after a failure', async () => {
    await hasKey('openai')
    app.fakes.openai.script(['status-400'])
    const entryId = await recorded()
    await transcribe(entryId)
    expect((await waitForOutcome()).transcriptError).toBe('OpenAI couldn’t use this recording.')
    await transcribe(entryId)
    expect(await waitForOutcome()).toMatchObject({ transcriptStatus: 'done', transcriptError: null })
  })

  it('bills an interrupted attempt and the successful one', async () => {
    await hasKey('openai')
    app.fakes.openai.script(['body-cut'])
    await transcribe(await recorded())
    expect((await waitForOutcome()).transcriptStatus).toBe('done')
    const [call] = await ledger()
    expect(call).toMatchObject({ estimated: true, failure: null })
    expect(call?.input_tokens).toBeGreaterThan(170)
  })

  it('sends once for five concurrent requests', async () => {
    await hasKey('openai')
    const entryId = await recorded()
    const answers = await Promise.all(Array.from({ length: 5 }, () => transcribe(entryId)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await waitForOutcome()
    expect(app.fakes.openai.requests).toHaveLength(1)
    expect(await ledger()).toHaveLength(1)
  })

  it('sends nothing over budget and leaves the entry unchanged', async () => {
    await hasKey('openai')
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 0.0001 } })
    const { status } = await transcribe(await recorded())
    expect(status).toBe(429)
    expect((await entry()).transcriptStatus).toBe('none')
    expect(app.requestCount()).toBe(0)
  })

  it('is stored after a four-second database outage and billed once', async () => {
    await hasKey('openai')
    const { db, modelRuntime } = app.services
    const waits: number[] = []
    modelRuntime.sleep = async (ms) => void waits.push(ms)
    const entryId = await recorded()
    const batch = db.batch.bind(db)
    db.batch = async (writes) => {
      const isFinalWrite = writes.some((write) => 'compile' in write && write.compile(db).sql.includes('model_calls'))
      if (!isFinalWrite || waits.length === 4) return batch(writes)
      if (waits.length === 3) await batch(writes)
      throw new DatabaseUnavailable('away')
    }
    await transcribe(entryId)
    await eventually(() => expect(waits).toEqual([100, 400, 1000, 2500]))
    await stopTranscriptions(app.services)
    expect(await entry()).toMatchObject({ transcriptStatus: 'done', transcript: spokenText })
    expect(await ledger()).toHaveLength(1)
  })

  it('reserves its maximum cost while it runs', async () => {
    await hasKey('openai')
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 1 } })
    app.fakes.openai.script(['headers-never'])
    await transcribe(await recorded())
    await eventually(() => expect(app.fakes.openai.requests).toHaveLength(1))
    const getReserved = async () =>
      (await app.services.db.selectFrom('spend_windows').select('micros').execute())[0]?.micros
    const atFirst = await getReserved()
    expect(atFirst).toBeGreaterThan(0)
    app.passTime(transcriptionLeaseMs)
    await releaseReservations(app.services)
    expect(await getReserved()).toBe(atFirst)
    app.passTime(2 * 60_000)
    await releaseReservations(app.services)
    expect(await getReserved()).toBe(0)
  })

  it('fails after a restart and leaves nothing queued', async () => {
    await hasKey('openai')
    app.fakes.openai.script(['headers-never'])
    const entryId = await recorded()
    await transcribe(entryId)
    await stopTranscriptions(app.services)
    expect(await entry()).toMatchObject({
      transcriptStatus: 'failed',
      transcriptError: expect.stringContaining('server restarted'),
    })

    const left = { transcript_status: 'queued' as const, transcript_until: app.services.now().getTime() + 60_000 }
    await app.services.db.updateTable('voice_entries').set(left).execute()
    await closeAbandonedTranscriptions(app.services)
    expect((await entry()).transcriptStatus).toBe('queued')
    app.passTime(61_000)
    await closeAbandonedTranscriptions(app.services)
    expect((await entry()).transcriptStatus).toBe('failed')
  })

  it('is discarded when the recording was replaced', async () => {
    await hasKey('openai')
    app.fakes.openai.script(['slow-loris'])
    const entryId = await recorded()
    await transcribe(entryId)
    const audioId = await uploadMedia(ada, keeperId)
    await ada.call(voice.update, { params: { id: entryId.id }, body: { audioId } })
    await eventually(async () => expect(await ledger()).toHaveLength(1))
    expect(await entry()).toMatchObject({ audioId, transcript: null, transcriptStatus: 'none' })
  })
})
