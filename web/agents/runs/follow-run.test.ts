import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '#web/api/api.ts'
import { type FollowedEvent, followRun } from './follow-run.ts'

type StreamCall = (
  endpoint: { method: string },
  _input: unknown,
  onEvent: (...event: [string, unknown]) => void,
) => Promise<void>
type Connection = [events: [string, unknown][], failure?: Error]

/** Plays the connections in order and records the requests. */
async function follow(runStart: Parameters<typeof followRun>[0], connections: Connection[]) {
  const methods: string[] = []
  const eventNames: string[] = []
  const waitsMs: number[] = []
  const stream: StreamCall = async ({ method }, _input, onEvent) => {
    methods.push(method)
    const [events, failure] = connections.shift() ?? [[], new NetworkError('gone')]
    for (const [name, data] of events) onEvent(name, data)
    if (failure) throw failure
  }
  const recordEvent = (event: FollowedEvent) => eventNames.push(event.event)
  const options = {
    signal: new AbortController().signal,
    stream: stream as never,
    wait: async (ms: number) => void waitsMs.push(ms),
  }
  const rejected = await followRun(runStart, recordEvent, options).then(
    () => undefined,
    (reason: Error) => reason,
  )
  return { methods, eventNames, waitsMs, rejected }
}

const newRun = { agentId: 'kip', input: 'Hi' }
const start: [string, unknown] = ['start', { run_id: 'r1', session_id: null }]
const word: [string, unknown] = ['text', { delta: 'a' }]
const snapshot: [string, unknown] = ['snapshot', { run_id: 'r1', session_id: null, response: 'a', tools: [] }]
const done: [string, unknown] = ['done', { response: 'ab' }]
const refused = (status: number, wait?: string) =>
  new ApiError(
    {
      status,
      statusText: '',
      headers: new Headers({ 'X-Request-Id': 'request-1', ...(wait && { 'Retry-After': wait }) }),
    },
    '{"error":"no"}',
  )

test('a successful run reports its events from start to end', async () => {
  const { eventNames, methods } = await follow(newRun, [[[start, word, done]]])
  expect(eventNames).toEqual(['start', 'text', 'done'])
  expect(methods).toEqual(['POST'])
})

test('a broken or ended stream is resumed', async () => {
  const { eventNames, methods } = await follow(newRun, [
    [[start, word], new NetworkError('cut')],
    [[snapshot, word]],
    [[snapshot, done]],
  ])
  expect(eventNames).toEqual(['start', 'text', 'lost', 'snapshot', 'text', 'lost', 'snapshot', 'done'])
  expect(methods).toEqual(['POST', 'GET', 'GET'])
})

test('a run that never started rejects without events', async () => {
  const { eventNames, rejected } = await follow(newRun, [[[], refused(429)]])
  expect(eventNames).toEqual([])
  expect(rejected).toBeInstanceOf(ApiError)
  expect((await follow(newRun, [[[]]])).rejected).toBeInstanceOf(NetworkError)
})

test('an unknown run fails right away, an unreachable server after retries', async () => {
  expect((await follow({ runId: 'r1' }, [[[], refused(404)]])).eventNames).toEqual(['error'])
  const unreachable = await follow({ runId: 'r1' }, [])
  expect(unreachable.eventNames.at(-1)).toBe('error')
  expect(unreachable.methods.length).toBeGreaterThan(5)
})

test('a long answer is followed through any number of broken connections', async () => {
  const cut: Connection = [[snapshot, word], new NetworkError('cut')]
  const { eventNames, waitsMs } = await follow({ runId: 'r1' }, [
    ...Array<Connection>(30).fill(cut),
    [[snapshot, done]],
  ])
  expect(eventNames.at(-1)).toBe('done')
  expect(waitsMs).toEqual(Array(30).fill(1000))
})

test('a 429 waits for Retry-After and then follows the run', async () => {
  const { eventNames, waitsMs } = await follow({ runId: 'r1' }, [
    [[], refused(429, '5')],
    [[snapshot, word], new NetworkError('cut')],
    [[snapshot, done]],
  ])
  expect(eventNames).toEqual(['lost', 'snapshot', 'text', 'lost', 'snapshot', 'done'])
  expect(waitsMs).toEqual([5000, 1000])
})

test('a run with a delay is followed after it', async () => {
  const { eventNames, waitsMs } = await follow({ runId: 'r1', delayMs: 8000 }, [[[snapshot, done]]])
  expect({ eventNames, waitsMs }).toEqual({ eventNames: ['snapshot', 'done'], waitsMs: [8000] })
})

test('no events follow the terminal one', async () => {
  expect((await follow(newRun, [[[start, done, word]]])).eventNames).toEqual(['start', 'done'])
})
