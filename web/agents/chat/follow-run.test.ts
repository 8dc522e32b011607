import { expect, test } from 'vitest'
import { ApiError, Unreachable } from '#web/api.ts'
import { type FollowedEvent, followRun } from './follow-run.ts'

type Connection = [events: [string, unknown][], failure?: Error]

/** Plays the connections in order and records the requests. */
async function follow(beginning: Parameters<typeof followRun>[0], connections: Connection[]) {
  const asked: string[] = []
  const told: string[] = []
  const waited: number[] = []
  const stream = async (
    endpoint: { method: string },
    _input: unknown,
    onEvent: (name: string, data: unknown) => void,
  ) => {
    asked.push(endpoint.method)
    const [events, failure] = connections.shift() ?? [[], new Unreachable('gone')]
    for (const [name, data] of events) onEvent(name, data)
    if (failure) throw failure
  }
  const tell = (event: FollowedEvent) => told.push(event.event)
  const options = {
    signal: new AbortController().signal,
    stream: stream as never,
    wait: async (ms: number) => void waited.push(ms),
  }
  const rejected = await followRun(beginning, tell, options).then(
    () => undefined,
    (reason: Error) => reason,
  )
  return { asked, told, waited, rejected }
}

const begin = { agentId: 'kip', input: 'Hi' }
const start: [string, unknown] = ['start', { run_id: 'r1', session_id: null }]
const word: [string, unknown] = ['text', { delta: 'a' }]
const snapshot: [string, unknown] = ['snapshot', { run_id: 'r1', session_id: null, response: 'a', tools: [] }]
const done: [string, unknown] = ['done', { response: 'ab' }]
const refused = (status: number, wait?: string) =>
  new ApiError({ status, statusText: '', headers: new Headers(wait ? { 'Retry-After': wait } : {}) }, '{"error":"no"}')

test('a successful run reports its events from start to end', async () => {
  const { told, asked } = await follow(begin, [[[start, word, done]]])
  expect(told).toEqual(['start', 'text', 'done'])
  expect(asked).toEqual(['POST'])
})

test('a broken or ended stream is resumed', async () => {
  const { told, asked } = await follow(begin, [
    [[start, word], new Unreachable('cut')],
    [[snapshot, word]],
    [[snapshot, done]],
  ])
  expect(told).toEqual(['start', 'text', 'lost', 'snapshot', 'text', 'lost', 'snapshot', 'done'])
  expect(asked).toEqual(['POST', 'GET', 'GET'])
})

test('a run that never started rejects without events', async () => {
  const { told, rejected } = await follow(begin, [[[], refused(429)]])
  expect(told).toEqual([])
  expect(rejected).toBeInstanceOf(ApiError)
  expect((await follow(begin, [[[]]])).rejected).toBeInstanceOf(Unreachable)
})

test('an unknown run fails right away, an unreachable server after retries', async () => {
  expect((await follow({ runId: 'r1' }, [[[], refused(404)]])).told).toEqual(['error'])
  const away = await follow({ runId: 'r1' }, [])
  expect(away.told.at(-1)).toBe('error')
  expect(away.asked.length).toBeGreaterThan(5)
})

test('a long answer is followed through any number of broken connections', async () => {
  const cut: Connection = [[snapshot, word], new Unreachable('cut')]
  const { told, waited } = await follow({ runId: 'r1' }, [...Array<Connection>(30).fill(cut), [[snapshot, done]]])
  expect(told.at(-1)).toBe('done')
  expect(waited).toEqual(Array(30).fill(1000))
})

test('a 429 waits for Retry-After and then follows the run', async () => {
  const { told, waited } = await follow({ runId: 'r1' }, [
    [[], refused(429, '5')],
    [[snapshot, word], new Unreachable('cut')],
    [[snapshot, done]],
  ])
  expect(told).toEqual(['lost', 'snapshot', 'text', 'lost', 'snapshot', 'done'])
  expect(waited).toEqual([5000, 1000])
})

test('a run with a delay is followed after it', async () => {
  const { told, waited } = await follow({ runId: 'r1', restMs: 8000 }, [[[snapshot, done]]])
  expect([told, waited]).toEqual([['snapshot', 'done'], [8000]])
})

test('no events follow the terminal one', async () => {
  expect((await follow(begin, [[[start, done, word]]])).told).toEqual(['start', 'done'])
})
