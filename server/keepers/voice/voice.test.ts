import { beforeEach, describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { topics } from '#contract/keepers/topics.ts'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { uploadMedia as upload } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('voice entries, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const send = (body: object, id = keeperId) => ada.call(voice.create, { params: { id }, body: body as never })
  const write = async (more: object = {}): Promise<VoiceEntry> => {
    const { status, data, text } = await send({ label: 'Promises', belief: 'A promise is kept.', ...more })
    expect(status, text).toBe(200)
    return data
  }
  const change = (id: string, body: object, ifMatch?: number) =>
    ada.call(voice.update, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const answerStillTrue = (id: string, body: object) =>
    ada.call(voice.stillTrue, { params: { id }, body: body as never })
  const list = async () => (await ada.call(voice.list, { params: { id: keeperId } })).data

  it.each(['label', 'belief'])('require a %s and trim values', async (field) => {
    const { status, body } = await send({ label: 'l', belief: 'b', [field]: ' \n ' })
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { [field]: 'Both label and belief are required' },
    })
    expect(body.error).toBe('Both label and belief are required')
    expect(await write({ label: ' l ', belief: ' b ' })).toMatchObject({ label: 'l', belief: 'b', strength: null })
    expect(await list()).toHaveLength(1)
  })

  it('store a repeated "still true?" answer once', async () => {
    const { id } = await write()
    const headers = { 'idempotency-key': 'asked-once' }
    const say = () => ada.call(voice.stillTrue, { params: { id }, body: { answer: true, note: 'yes' }, headers })
    await say()
    expect((await say()).data.stillTrue).toHaveLength(1)
    expect((await answerStillTrue(id, { answer: true, note: 'yes' })).data.stillTrue).toHaveLength(2)
  })

  it('append dated "still true?" answers without changing belief or revision', async () => {
    const { id } = await write({ strength: 4 })
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

  it('keep ten concurrent answers beside a save', async () => {
    const { id } = await write()
    const notes = Array.from({ length: 10 }, (_, n) => `note "${n}" \\ é`)
    const all = [...notes.map((note) => answerStillTrue(id, { answer: true, note })), change(id, { label: 'Saved' })]
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(11).fill(200))
    const [entry] = await list()
    expect(entry?.label).toBe('Saved')
    expect(entry?.stillTrue.map(({ note }) => note).sort()).toEqual(notes)
  })

  it('reject a stale save with both versions', async () => {
    const { id } = await write()
    await change(id, { belief: 'mine' }, 1)
    const { status, body } = await change(id, { belief: 'theirs' }, 1)
    expect([status, body.data]).toMatchObject([409, { yours: { belief: 'theirs' }, current: { belief: 'mine' } }])
  })

  it('keep their uploaded recording when edited', async () => {
    const audioId = await upload(ada, keeperId)
    const entry = await write({ audioId })
    expect(entry).toMatchObject({ audioId, durationMs: 4000, transcriptStatus: 'none' })
    expect((await change(entry.id, { belief: 'Other words.' })).data).toMatchObject({ audioId, durationMs: 4000 })
    const another = await upload(ada, keeperId)
    expect((await change(entry.id, { audioId: another })).data.audioId).toBe(another)
    expect((await change(entry.id, { audioId: null })).data).toMatchObject({ audioId: null, durationMs: null })
  })

  it('refuse recordings of others, used ones and pictures', async () => {
    const ben = await app.as('ben')
    const another = await createTestKeeper(ada, { title: 'Another' })
    const bens = await createTestKeeper(ben)
    const taken = await upload(ada, keeperId)
    await write({ audioId: taken })
    for (const audioId of [
      await upload(ada, another.id),
      await upload(ben, bens.id),
      taken,
      'nowhere',
      await upload(ada, keeperId, 'image/png'),
    ]) {
      const { status, body } = await send({ label: 'l', belief: 'b', audioId })
      expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: ['audioId'] })
    }
    expect(await list()).toHaveLength(1)
  })

  it('are created once per id with their recording', async () => {
    const body = { id: 'a'.repeat(32), label: 'l', belief: 'b', audioId: await upload(ada, keeperId) }
    const both = [await send(body), await send(body)]
    expect(both.map(({ status, data }) => [status, data.id, data.audioId])).toEqual([
      [200, body.id, body.audioId],
      [200, body.id, body.audioId],
    ])
    expect(await list()).toHaveLength(1)
  })

  it('mention an existing topic named by their label', async () => {
    await ada.call(topics.create, { params: { id: keeperId }, body: { name: 'Father' } })
    const body = { message: 'm', triggerConditions: { topic: 'father' } }
    await ada.call(echoes.create, { params: { id: keeperId }, body })
    await write({ label: 'A sentence of its own' })
    const state = async () => (await ada.call(echoes.list, { params: { id: keeperId } })).data[0]?.state
    expect(await state()).toBe('pending')
    await write({ label: 'FATHER' })
    expect(await state()).toBe('ready')
    expect(await app.services.db.selectFrom('topics').select('name').execute()).toEqual([{ name: 'Father' }])
  })

  it('are private to their owner in every call', async () => {
    const { id } = await write()
    const ben = await app.as('ben')
    const params = { params: { id } }
    const foreignReplies = [
      await ben.call(voice.list, { params: { id: keeperId } }),
      await ben.call(voice.update, { ...params, body: { belief: 'x' } }),
      await ben.call(voice.stillTrue, { ...params, body: { answer: false } }),
      await ben.call(voice.transcribe, params),
      await ben.call(voice.remove, params),
    ]
    expect(foreignReplies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    await ada.call(voice.remove, params)
    expect((await answerStillTrue(id, { answer: true })).status).toBe(404)
    expect(await list()).toEqual([])
  })
})
