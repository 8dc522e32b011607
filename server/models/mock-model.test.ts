import { expect, it } from 'vitest'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { runMockModel } from './mock-model.ts'
import type { ModelEvent } from './model-request.ts'

const request = {
  provider: 'anthropic' as const,
  system: 'You are Kip.',
  messages: [{ role: 'user' as const, content: 'What grows in the shade?' }],
  signal: new AbortController().signal,
}

async function collectEvents({ stream = true, runtime = createVirtualRuntime() } = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of runMockModel(runtime, { ...request, stream })) events.push(event)
  return events
}

const getText = (events: ModelEvent[]) => events.map((event) => (event.type === 'text' ? event.delta : '')).join('')

it('the mock labels itself and answers deterministically', async () => {
  const text = getText(await collectEvents())
  expect(text).toMatch(/mock answer, because no Anthropic key is set/)
  expect(text).toContain('What grows in the shade?')
  expect(getText(await collectEvents())).toBe(text)
  expect(getText(await collectEvents({ stream: false }))).toBe(text)
})

it('the mock streams word by word, or answers in one chunk', async () => {
  const runtime = createVirtualRuntime()
  const streamed = await collectEvents({ runtime })
  expect(streamed.length).toBeGreaterThan(20)
  expect(runtime.waits).toHaveLength(streamed.length - 1)
  expect((await collectEvents({ stream: false })).map(({ type }) => type)).toEqual(['text', 'finish'])
})

it('the mock sends nothing and estimates its usage', async () => {
  const events = await collectEvents()
  expect(events.some(({ type }) => type === 'attempt')).toBe(false)
  expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop', usage: { input_tokens: 9, estimated: true } })
})

it('a stopped mock sends no further text', async () => {
  const stop = new AbortController()
  let text = ''
  const readUntilStopped = async () => {
    for await (const event of runMockModel(createVirtualRuntime(), { ...request, stream: true, signal: stop.signal })) {
      if (event.type === 'text') text += event.delta
      if (text.includes('mock')) stop.abort()
    }
  }
  const failure: unknown = await readUntilStopped().catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'stopped' })
  expect(text).toBe('This is a mock')
})
