import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import type { AudioOutput } from '#contract/agents/runs.ts'
import { runs } from '#contract/agents/runs.ts'
import { keys } from '#contract/keys/keys.ts'
import { DatabaseUnavailable } from '#server/db/database-errors.ts'
import { getMediaPath } from '#server/media/folder-media.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { dayMs } from '#server/values/time-units.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { elevenlabsVoices } from '#tests/fakes/model-providers/elevenlabs-format.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'

const voice = { voice_id: '21m00Tcm4TlvDq8ikWAM', voice_name: 'Rachel' }

describe.each(engines)('a speaking agent on %s', (engine) => {
  const { app, ada, ben } = useApp(() => createProviderApp(engine), ['ada', 'ben'])
  beforeAll(() => saveKeys(ada, 'elevenlabs'))
  beforeEach(resetBreakers)

  const createSpeaker = async (fields: object = {}) => {
    return createTestAgent(ada, {
      purpose: 'Reads aloud.',
      model_provider: 'elevenlabs',
      config: voice,
      ...fields,
    })
  }
  const say = async (agentId: string, input = 'Good evening, dear house.', actor = ada) => {
    const { status, data } = await actor.call(agents.run, { body: { agentId, input } })
    expect(status).toBe(200)
    return { ...data, output: data.output as AudioOutput }
  }
  const listen = (actor: Actor, url: string, range?: string) =>
    actor.fetch(url, range ? { headers: { range } } : undefined)
  const listMediaFiles = () => {
    const folder = join(app.services.settings.dataDir, 'media')
    return existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      : []
  }

  it('speaks the input and reports length, voice and duration', async () => {
    const { id } = await createSpeaker()
    const { response, output, usage, run_id, mock_mode } = await say(id)
    expect(response).toMatch(/^Spoke 25 characters as Rachel, 0:\d\d, MP3\.$/)
    expect(output).toEqual({
      type: 'audio',
      mime: 'audio/mpeg',
      url: `/api/kip/runs/${run_id}/audio`,
      bytes: expect.any(Number),
    })
    expect(usage).toEqual({ input_tokens: 7, output_tokens: 0, cost_usd: null, estimated: true })
    expect(mock_mode).toBe(false)
    expect(app.fakes.elevenlabs.requests.at(-1)).toMatchObject({
      path: `/v1/text-to-speech/${voice.voice_id}?output_format=mp3_44100_64`,
      body: { text: 'Good evening, dear house.', model_id: 'eleven_multilingual_v2' },
    })
    const answer = await listen(ada, output.url)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.length).toBe(output.bytes)
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfb])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(output.bytes),
      'content-disposition': expect.stringMatching(/^attachment; filename="agent-\w{8}-[\d-]{10}-\w{8}\.mp3"$/),
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const { data } = await ada.call(agents.logs)
    expect(JSON.parse(data.logs[0]?.output ?? '')).toEqual(output)
    const runRow = await app.services.db
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', run_id)
      .executeTakeFirstOrThrow()
    expect(runRow.status).toBe('success')
    expect(runRow.response).toEqual(response)
    expect(runRow.attempts).toBe(1)
  })

  it('streams one line and ends with the recording', async () => {
    const { id } = await createSpeaker()
    const { events } = await ada.stream(agents.run, { body: { agentId: id, input: 'Hello.' } })
    expect(events.filter(({ event }) => ['done', 'error'].includes(event)).map(({ event }) => event)).toEqual(['done'])
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { output: { type: 'audio', mime: 'audio/mpeg' } } })
    const deltas = events.filter(({ event }) => event === 'text').map(({ data }) => data.delta)
    expect(deltas.join('')).toBe(events.at(-1)?.data.response)
  })

  it.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=400-', 206, 400, undefined],
    ['bytes=-7', 206, -7, undefined],
    ['bytes=9-2', 200, 0, undefined],
    ['bytes=0-1,5-6', 200, 0, undefined],
    ['lines=1-2', 200, 0, undefined],
  ])('answers %i for the range %s', async (range, status, start, end) => {
    const { output } = await say((await createSpeaker()).id)
    const fullAudio = Buffer.from(await (await listen(ada, output.url)).arrayBuffer())
    const part = await listen(ada, output.url, range)
    expect(part.status).toBe(status)
    expect(Buffer.from(await part.arrayBuffer()).equals(fullAudio.subarray(start, end))).toBe(true)
    const first = start < 0 ? fullAudio.length + start : start
    const last = (end ?? fullAudio.length) - 1
    expect(part.headers.get('content-range')).toBe(status === 206 ? `bytes ${first}-${last}/${fullAudio.length}` : null)
  })

  it('answers 416 with the length for a range past the end', async () => {
    const { output } = await say((await createSpeaker()).id)
    const answer = await listen(ada, output.url, 'bytes=99999999-')
    expect(answer.status).toBe(416)
    expect(answer.headers.get('content-range')).toBe(`bytes */${output.bytes}`)
  })

  it('only the runner can hear the recording', async () => {
    const agent = await createSpeaker({ visibility: 'public', agent_class: 'Lead' })
    await (await app.as('cleo', ['super-admin'])).call(keys.savePlatform, {
      body: { provider: 'elevenlabs', api_key: 'platform0elevenlabs0key' },
    })
    const { output } = await say(agent.id, 'Hello.', ben)
    const readBody = async (response: Response) => ({ ...((await response.json()) as object), requestId: '' })
    const random = await readBody(await listen(ada, '/api/kip/runs/0123456789abcdef0123456789abcdef/audio'))
    for (const actor of [ada, await app.as('cleo'), app.visitor()]) {
      const answer = await listen(actor, output.url)
      expect(answer.status).toBe(404)
      expect(await readBody(answer)).toEqual(random)
    }
    expect((await listen(ben, output.url)).status).toBe(200)

    const visitor = app.visitor()
    const visitorRun = await say(agent.slug, 'Hello from outside.', visitor)
    expect((await listen(visitor, visitorRun.output.url)).status).toBe(200)
    expect((await listen(app.visitor(), visitorRun.output.url)).status).toBe(404)
    expect((await listen(ada, visitorRun.output.url)).status).toBe(404)
  })

  it('speaks for visitors on its owner’s key up to the daily limit', async () => {
    const publicFields = { visibility: 'public', agent_class: 'Lead', visitors_spend_owner_key: true }
    const runAgent = (agentId: string, text: string) =>
      app.visitor().call(agents.run, { body: { agentId, input: text } })
    const countRequests = () => app.fakes.elevenlabs.requests.length
    const previous = countRequests()
    const closed = await createSpeaker({ ...publicFields, visitor_daily_usd: 0 })
    const refused = await runAgent(closed.id, 'Hello from outside.')
    expect(refused).toMatchObject({
      status: 429,
      body: { error: 'This agent has answered all it can today. Come back tomorrow.' },
    })
    expect(countRequests()).toBe(previous)

    // 1,000 characters cost 12 cents; the long purpose, which isn't sent, costs nothing.
    const thousand = 'a'.repeat(1000)
    const { id } = await createSpeaker({ ...publicFields, purpose: 'p'.repeat(8000), visitor_daily_usd: 0.25 })
    for (const status of [200, 200, 429]) expect((await runAgent(id, thousand)).status).toBe(status)
    expect(countRequests()).toBe(previous + 2)
    expect((await runAgent(id, 'Short.')).status, 'the remaining budget is used').toBe(200)
    const { response } = await say(id, thousand)
    expect(response, 'visitor limits don’t apply to the owner').toContain('1,000 characters')
  })

  describe('without a voice', () => {
    const listVoiceRequests = () => app.fakes.elevenlabs.requests.filter(({ path }) => path === '/v1/voices')

    it('uses the first voice of the account, notes it, and lists voices once', async () => {
      const { id } = await createSpeaker({ config: {} })
      const previous = listVoiceRequests().length
      const { response, run_id } = await say(id)
      await say(id)
      expect(response).toMatch(/^Spoke 25 characters as Rachel, /)
      expect(app.fakes.elevenlabs.requests.at(-1)?.path).toContain(`/text-to-speech/${voice.voice_id}?`)
      expect(listVoiceRequests().length).toBe(previous + 1)
      const { data } = await ada.call(runs.show, { params: { runId: run_id } })
      expect(data.notes).toEqual([
        'The agent has no voice set, so Keeper used Rachel, the first voice in the ElevenLabs account.',
      ])
    })

    it('a speaking agent without a voice also speaks in a Lead’s streamed chat', async () => {
      const { id } = await createSpeaker({ config: {}, agent_class: 'Lead' })
      const { events } = await ada.stream(agents.run, { body: { agentId: id, input: 'Hello.' } })
      expect(events.at(-1)).toMatchObject({ event: 'done', data: { response: expect.stringContaining('as Rachel') } })
    })

    it('fails before speaking if voices can’t be listed, and names the field', async () => {
      const { id } = await createSpeaker({ config: {} })
      app.services.modelLists.forget(ada.id, 'elevenlabs')
      app.fakes.elevenlabs.script(['status-401-permission'])
      const answer = await ada.call(agents.run, { body: { agentId: id, input: 'Hello.' } })
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 409, code: 'voice-missing' })
      expect(answer.body.error).toContain('config.voice_id')
      expect(app.fakes.elevenlabs.requests.at(-1)?.path).toBe('/v1/voices')
      const { data } = await ada.call(runs.show, { params: { runId: answer.data.run_id } })
      expect(data).toMatchObject({ status: 'error', error_code: 'voice-missing', attempts: 0, output: null })
      app.services.modelLists.forget(ada.id, 'elevenlabs')
    })

    it('fails if the account has no voice', async () => {
      const { id } = await createSpeaker({ config: {} })
      app.services.modelLists.forget(ada.id, 'elevenlabs')
      const voices = elevenlabsVoices.voices.splice(0)
      const answer = await ada.call(agents.run, { body: { agentId: id, input: 'Hello.' } })
      elevenlabsVoices.voices.push(...voices)
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 409, code: 'voice-missing' })
      expect(answer.body.error).toContain('neither does the ElevenLabs account')
      app.services.modelLists.forget(ada.id, 'elevenlabs')
    })
  })

  it('answers with a text mock without a key or local server', async () => {
    const dot = await app.as('dot')
    const { id } = await createTestAgent(dot, { name: 'Unkeyed', model_provider: 'elevenlabs' })
    const { elevenlabs } = app.services.settings.providers
    const { baseUrl } = elevenlabs
    elevenlabs.baseUrl = null
    await app.services.db.deleteFrom('provider_keys').where('owner', '=', 'platform').execute()
    const { data } = await dot.call(agents.run, { body: { agentId: id, input: 'Hello.' } })
    elevenlabs.baseUrl = baseUrl
    expect(data.mock_mode).toBe(true)
    expect(data.output).toEqual({ type: 'text', text: data.response })
    expect((await listen(dot, `/api/kip/runs/${data.run_id}/audio`)).status).toBe(404)
  })

  it('stores nothing when the provider breaks off', async () => {
    const { id } = await createSpeaker({ model_settings: { retry: { max_retries: 0, retry_delay_ms: 100 } } })
    const countMedia = async () => ({
      files: listMediaFiles().length,
      rows: await countRows(app.services.db, 'media'),
    })
    const previous = await countMedia()
    const answer = await ada.call(agents.run, { body: { agentId: id, input: 'Hello. [[fault:body-cut]]' } })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 502, code: 'provider-unreachable' })
    expect(await countMedia()).toEqual(previous)
    expect((await listen(ada, `/api/kip/runs/${answer.data.run_id}/audio`)).status).toBe(404)
  })

  describe('paying for delivered speech', () => {
    const speakAndFetchSpending = async (text: string, max_retries = 0) => {
      const { id } = await createSpeaker({ model_settings: { retry: { max_retries, retry_delay_ms: 100 } } })
      for (const table of ['model_calls', 'spend_windows'] as const) await app.services.db.deleteFrom(table).execute()
      const answer = await ada.call(agents.run, { body: { agentId: id, input: text.padEnd(1000, '.') } })
      const run = (await ada.call(runs.show, { params: { runId: answer.data.run_id } })).data
      const calls = await app.services.db.selectFrom('model_calls').select(['input_tokens', 'failure']).execute()
      const windows = await app.services.db.selectFrom('spend_windows').select(['bucket', 'micros']).execute()
      return { answer, run, calls, spentMicros: windows.find(({ bucket }) => bucket === `mine:${ada.id}`)?.micros ?? 0 }
    }

    it.each([['body-cut'], ['huge-body']])('charges for an incomplete recording: %s', async (fault) => {
      const { answer, run, calls, spentMicros } = await speakAndFetchSpending(`Hello. [[fault:${fault}]]`)
      expect(answer.status).toBe(502)
      expect(calls).toEqual([{ input_tokens: 250, failure: answer.body.code }])
      expect({ input_tokens: run.usage.input_tokens, spentMicros }).toEqual({ input_tokens: 250, spentMicros: 120_000 })
    })

    it('charges for every attempt', async () => {
      app.fakes.elevenlabs.script(['body-cut', 'status-500'])
      const { answer, calls, spentMicros } = await speakAndFetchSpending('Hello.', 2)
      expect(answer.status).toBe(200)
      expect(calls).toEqual([{ input_tokens: 500, failure: null }])
      expect(spentMicros).toBe(240_000)
    })

    it('charges for a recording that can’t be stored, and says so', async () => {
      const folder = join(app.services.settings.dataDir, 'media')
      rmSync(folder, { recursive: true, force: true })
      writeFileSync(folder, 'A file where the folder of recordings should be.')
      const { answer, run, calls, spentMicros } = await speakAndFetchSpending('Hello.')
      rmSync(folder)
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 503, code: 'not-stored' })
      expect(answer.body.error).toBe('The recording couldn’t be saved. Try again in a moment.')
      expect(calls).toEqual([{ input_tokens: 250, failure: null }])
      expect(run.status).toBe('error')
      expect(run.usage.input_tokens).toBe(250)
      expect(spentMicros).toBe(120_000)
      expect(app.logLines.some((line) => line.includes('a recording could not be saved'))).toBe(true)
    })

    it('stores the recording once despite a short database failure', async () => {
      const { db } = app.services
      const write = db.write.bind(db)
      let attempts = 0
      db.write = async (statement) => {
        if (!('compile' in statement) || !statement.compile(db).sql.startsWith('insert into "media"'))
          return write(statement)
        attempts++
        if (attempts === 2) await write(statement)
        if (attempts < 3) throw new DatabaseUnavailable('unavailable')
        return write(statement)
      }
      const previous = await countRows(db, 'media')
      const { answer, spentMicros } = await speakAndFetchSpending('Hello.')
      db.write = write
      expect({ status: answer.status, attempts, spentMicros }).toEqual({
        status: 200,
        attempts: 3,
        spentMicros: 120_000,
      })
      expect(await countRows(db, 'media')).toBe(previous + 1)
    })

    it('charges nothing for a refusal', async () => {
      const { calls, spentMicros } = await speakAndFetchSpending('Hello. [[fault:status-400]]')
      expect({ calls, spentMicros }).toEqual({
        calls: [{ input_tokens: 0, failure: 'provider-refused' }],
        spentMicros: 0,
      })
    })

    it('never sends a text too long for one recording', async () => {
      const sent = app.fakes.elevenlabs.requests.length
      const { answer, spentMicros } = await speakAndFetchSpending('a'.repeat(10_001))
      expect(answer).toMatchObject({
        body: { code: 'request-too-large', error: expect.stringContaining('at most 10,000 characters') },
      })
      expect({ requestCount: app.fakes.elevenlabs.requests.length, spentMicros }).toEqual({
        requestCount: sent,
        spentMicros: 0,
      })
    })
  })

  it('stores identical audio once and sweeps orphaned files after a day', async () => {
    const first = await createSpeaker()
    const second = await createSpeaker()
    const [one, two, other] = [
      await say(first.id),
      await say(second.id),
      await say(first.id, 'Something much longer than that, word by word.'),
    ]
    const shas = await app.services.db.selectFrom('media').select(['run_id', 'sha256']).execute()
    const getSha = (runId: string) => shas.find((row) => row.run_id === runId)?.sha256 ?? ''
    const getPath = (runId: string) => getMediaPath(app.services.settings.dataDir, getSha(runId))
    expect(getSha(one.run_id)).toBe(getSha(two.run_id))

    await ada.call(agents.remove, { body: { id: first.id } })
    expect((await listen(ada, other.output.url)).status).toBe(404)
    await sweepMedia(app.services)
    expect(existsSync(getPath(other.run_id)), 'the recording is less than a day old').toBe(true)
    app.passTime(dayMs + 60_000)
    await sweepMedia(app.services)
    expect(existsSync(getPath(other.run_id))).toBe(false)
    expect(existsSync(getPath(two.run_id)), 'the same audio still has an owner').toBe(true)
    expect((await listen(ada, two.output.url)).status).toBe(200)

    await app.services.db.deleteFrom('people').where('id', '=', ada.id).execute()
    app.passTime(dayMs)
    await sweepMedia(app.services)
    expect(existsSync(getPath(two.run_id))).toBe(false)
  })

  it('reports a recording missing from the disk', async () => {
    const cleo = await app.as('cleo')
    const data = await createTestAgent(cleo, { name: 'Cleo’s', model_provider: 'elevenlabs', config: voice })
    await saveKeys(cleo, 'elevenlabs')
    const { output } = await say(data.id, 'Hello.', cleo)
    rmSync(join(app.services.settings.dataDir, 'media'), { recursive: true })
    const answer = await listen(cleo, output.url)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: 'The recording of this run is no longer on the server.' })
    expect(app.logLines.some((line) => line.includes('the bytes of a recording are missing'))).toBe(true)
  })
})
