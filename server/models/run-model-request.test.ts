import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  canaryKey,
  canaryPrompt,
  canarySystem,
  runModelToEnd,
  toModelRequest,
} from '#tests/fakes/model-providers/run-model-to-end.ts'
import {
  type FakeOptions,
  type ProviderFake,
  startProviderFake,
} from '#tests/fakes/model-providers/start-provider-fake.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { resetBreakers } from './breaker.ts'
import { runModel } from './run-model.ts'

type Chat = 'openai' | 'anthropic' | 'together'

const openFakes: ProviderFake[] = []
async function getFake(options: FakeOptions): Promise<ProviderFake> {
  const fake = await startProviderFake(options)
  openFakes.push(fake)
  return fake
}

beforeEach(resetBreakers)
afterEach(async () => {
  await Promise.all(openFakes.splice(0).map((fake) => fake.close()))
})

describe.each<Chat>(['openai', 'anthropic', 'together'])('%s', (provider) => {
  it.each([
    { fault: 'cut-before-text', stream: true, lost: 2 },
    { fault: 'error-first', stream: true, lost: 2 },
    { fault: 'body-cut', stream: false, lost: 2 },
    { fault: 'error-only', stream: true, lost: 0 },
    { fault: 'status-500', stream: true, lost: 0 },
    { fault: 'reset-before-answer', stream: false, lost: 0 },
  ])('two times $fault before success (stream: $stream) lose $lost answers', async ({ fault, stream, lost }) => {
    const fake = await getFake({ provider })
    const callModel = () => runModelToEnd({ provider, baseUrl: fake.baseUrl, stream })
    fake.script([fault, fault])
    expect((await callModel()).finish?.lostResponseCount ?? 0).toBe(lost)
    fake.script([fault, fault, fault])
    expect((await callModel()).failure).toMatchObject({ lostResponseCount: lost, hasAnswerStarted: lost > 0 })
  })

  it.each([true, false])(
    'is sent the key, the system text, the messages and the settings (stream: %s)',
    async (stream) => {
      const fake = await getFake({ provider })
      const messages = [
        { role: 'user' as const, content: 'Hello' },
        { role: 'assistant' as const, content: 'Hello, who is there?' },
        { role: 'user' as const, content: canaryPrompt },
      ]
      const { outcome, finish } = await runModelToEnd({
        provider,
        baseUrl: fake.baseUrl,
        model: 'some-model',
        messages,
        stream,
      })

      expect(outcome).toBe('ok:stop')
      expect(finish?.usage).toEqual({ input_tokens: 17, output_tokens: 23, estimated: false })
      const [request] = fake.requests
      const body = request?.body as Record<string, unknown>
      const headers = request?.headers ?? {}
      expect(request?.path).toBe(provider === 'anthropic' ? '/v1/messages' : '/v1/chat/completions')
      expect(headers[provider === 'anthropic' ? 'x-api-key' : 'authorization']).toBe(
        provider === 'anthropic' ? canaryKey : `Bearer ${canaryKey}`,
      )
      expect(headers['user-agent']).toBe('keeper')
      expect(body).toMatchObject({ model: 'some-model', temperature: 0.7, max_tokens: 200 })
      expect(body.stream ?? false).toBe(stream)
      expect(JSON.stringify(body)).toContain(canarySystem)
      expect((body.messages as { role: string }[]).map(({ role }) => role).filter((role) => role !== 'system')).toEqual(
        ['user', 'assistant', 'user'],
      )
    },
  )

  it('is called without a key header if there is no key', async () => {
    const fake = await getFake({ provider, keyless: true })
    expect((await runModelToEnd({ provider, baseUrl: `${fake.baseUrl}/`, key: null })).outcome).toBe('ok:stop')
    const headers = Object.keys(fake.requests[0]?.headers ?? {})
    expect(headers).not.toContain('authorization')
    expect(headers).not.toContain('x-api-key')
  })

  it('gets a temperature in its range, with a note', async () => {
    const fake = await getFake({ provider })
    const { events } = await runModelToEnd({ provider, baseUrl: fake.baseUrl, temperature: 1.6 })
    const expectedTemperature = provider === 'openai' ? 1.6 : 1
    expect(fake.requests[0]?.body).toMatchObject({ temperature: expectedTemperature })
    expect(events.filter(({ type }) => type === 'note')).toHaveLength(provider === 'openai' ? 0 : 1)
  })

  it('answers in the third attempt after two temporary failures', async () => {
    const fake = await getFake({ provider })
    fake.script(['status-503', 'reset-before-body'])
    const result = await runModelToEnd({ provider, baseUrl: fake.baseUrl })
    expect(result).toMatchObject({ outcome: 'ok:stop', attempts: 3, waits: [100, 200] })
    expect(result.events.map(({ type }) => type).filter((type) => type !== 'text')).toEqual([
      'attempt',
      'retry',
      'attempt',
      'retry',
      'attempt',
      'finish',
    ])
  })

  it('estimates usage if the provider sends no plausible one', async () => {
    const fake = await getFake({ provider })
    for (const model of ['fault-usage-absent', 'fault-usage-absurd', 'fault-usage-negative']) {
      for (const stream of [true, false]) {
        const { finish, text } = await runModelToEnd({ provider, baseUrl: fake.baseUrl, model, stream })
        expect(finish?.usage).toEqual({
          input_tokens: Math.ceil(canarySystem.length / 4) + Math.ceil(canaryPrompt.length / 4),
          output_tokens: Math.ceil(text.length / 4),
          estimated: true,
        })
      }
    }
  })

  it('is disconnected when the run is stopped', async () => {
    const fake = await getFake({ provider, wordDelayMs: 15 })
    const abortController = new AbortController()
    const texts: string[] = []
    const running = (async () => {
      for await (const event of runModel(
        createVirtualRuntime(),
        toModelRequest({ provider, baseUrl: fake.baseUrl, signal: abortController.signal }),
      )) {
        if (event.type !== 'text') continue
        texts.push(event.delta)
        if (texts.length === 3) abortController.abort()
      }
    })()
    const failure: unknown = await running.catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'stopped', attempts: 1, wasInFlight: true })
    expect(texts.length).toBeLessThan(6)
    await vi.waitFor(() => expect(fake.getInFlightCount()).toBe(0), { timeout: 1000 })
  })

  it('is disconnected when the consumer returns early', async () => {
    const fake = await getFake({ provider })
    for await (const event of runModel(
      createVirtualRuntime(),
      toModelRequest({ provider, baseUrl: fake.baseUrl, model: 'fault-silent-mid' }),
    )) {
      if (event.type === 'text') break
    }
    await vi.waitFor(() => expect(fake.getInFlightCount()).toBe(0), { timeout: 1000 })
  })

  it('reuses its connection for the next run', async () => {
    const fake = await getFake({ provider })
    const connections = new Set<string>()
    for (let run = 0; run < 3; run += 1) {
      await runModelToEnd({ provider, baseUrl: fake.baseUrl })
      connections.add(String(fake.requests.at(-1)?.port))
      // The body ends shortly after the end mark.
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    expect(connections.size).toBe(1)
  })
})

it('notes a setting that is left out because the model refuses it', async () => {
  const fake = await getFake({ provider: 'openai' })
  for (const stream of [true, false]) {
    const { events } = await runModelToEnd({
      provider: 'openai',
      baseUrl: fake.baseUrl,
      model: 'gpt-5-mini',
      temperature: 0.3,
      stream,
    })
    expect(events).toContainEqual({ type: 'note', text: 'gpt-5-mini doesn’t accept temperature, so it was left out.' })
    expect(fake.requests.at(-1)?.body).not.toHaveProperty('temperature')
  }
})

it('notes a left-out setting that has the number of the default temperature', async () => {
  const fake = await getFake({ provider: 'openai' })
  const question = { provider: 'openai', baseUrl: fake.baseUrl, model: 'gpt-5-mini', stream: true } as const
  const { events } = await runModelToEnd({ ...question, temperature: 0.7, topP: 0.7, presencePenalty: 0.1 })
  const notes = events.flatMap((event) => (event.type === 'note' ? [event.text] : []))
  expect(notes).toEqual([
    'gpt-5-mini doesn’t accept top_p, so it was left out.',
    'gpt-5-mini doesn’t accept presence_penalty, so it was left out.',
  ])
})

it('a followed redirect is detected (control)', async () => {
  const fake = await getFake({ provider: 'openai' })
  const body = JSON.stringify({ model: 'fault-redirect-307', stream: true })
  await fetch(`${fake.baseUrl}/chat/completions`, { method: 'POST', body, headers: { 'x-api-key': canaryKey } })
  expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/elsewhere'])
})

describe('what is never sent', () => {
  it('is a key no header can carry', async () => {
    const fake = await getFake({ provider: 'openai' })
    const key = 'sk-broken\r\nx-injected: yes'
    const result = await runModelToEnd({ provider: 'openai', baseUrl: fake.baseUrl, key })
    expect(result.outcome).toBe('key-rejected')
    expect(result.failure?.message).not.toContain('sk-broken')
    expect(fake.requests).toEqual([])
  })

  it('is any request of a run that was stopped before its start', async () => {
    const fake = await getFake({ provider: 'openai' })
    const result = await runModelToEnd({ provider: 'openai', baseUrl: fake.baseUrl, signal: AbortSignal.abort() })
    expect(result).toMatchObject({ outcome: 'stopped', attempts: 0 })
    expect(result.failure?.wasInFlight).toBe(false)
    expect(fake.requests).toEqual([])
  })

  it('is another attempt of a run that is stopped while it waits', async () => {
    const fake = await getFake({ provider: 'openai' })
    const abortController = new AbortController()
    const runtime = createVirtualRuntime()
    runtime.sleep = async () => {
      abortController.abort()
      throw abortController.signal.reason
    }
    const result = await runModelToEnd(
      { provider: 'openai', baseUrl: fake.baseUrl, model: 'fault-status-503', signal: abortController.signal },
      runtime,
    )
    expect(result).toMatchObject({ outcome: 'stopped', attempts: 1 })
    expect(result.failure?.wasInFlight).toBe(false)
    expect(fake.requests).toHaveLength(1)
  })

  it('is a key or address of the environment', async () => {
    const otherServer = await getFake({ provider: 'openai' })
    process.env.OPENAI_API_KEY = 'sk-from-the-environment'
    process.env.OPENAI_BASE_URL = otherServer.baseUrl
    onTestFinished(() => {
      delete process.env.OPENAI_API_KEY
      delete process.env.OPENAI_BASE_URL
    })
    const calls: string[] = []
    const fetch: typeof globalThis.fetch = async (url, init) => {
      calls.push(`${String(url)} ${new Headers(init?.headers).get('authorization')}`)
      throw new TypeError('fetch failed')
    }
    await runModelToEnd(
      { provider: 'openai', baseUrl: null, key: null, maxRetries: 0 },
      createVirtualRuntime({ fetch }),
    )
    expect(calls).toEqual(['https://api.openai.com/v1/chat/completions null'])
  })
})

it('an endless answer ends at the limit and keeps the received text', async () => {
  const fake = await getFake({ provider: 'openai', wordDelayMs: 30 })
  const result = await runModelToEnd({ provider: 'openai', baseUrl: fake.baseUrl, limits: { maxMs: 250 } })
  expect(result.outcome).toBe('interrupted')
  expect(result.text.length).toBeGreaterThan(10)
})

it("a slow consumer doesn't count against the provider", async () => {
  const fake = await getFake({ provider: 'openai' })
  const request = toModelRequest({ provider: 'openai', baseUrl: fake.baseUrl, limits: { idleMs: 40 } })
  let hasFinished = false
  for await (const event of runModel(createVirtualRuntime(), request)) {
    if (event.type === 'text' && event.delta.includes('garden'))
      await new Promise((resolve) => setTimeout(resolve, 120))
    if (event.type === 'finish') hasFinished = true
  }
  expect(hasFinished).toBe(true)
})
