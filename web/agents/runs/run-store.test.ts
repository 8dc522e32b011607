import { beforeEach, expect, test, vi } from 'vitest'
import type { RunEvent } from '#contract/agents/runs.ts'
import { createAnswer, createJsonAnswer } from '#tests/keeper-answer.ts'
import { ApiError } from '#web/api/api.ts'
import { type FollowedRun, openRun } from './run-store.ts'

interface Connection {
  request: string
  signal: AbortSignal | null | undefined
  send: (...events: RunEvent[]) => void
}

let connections: Connection[]
let frames: (() => void)[]
/** Answers of calls that don't stream. */
let answerCall: () => Response

beforeEach(() => {
  connections = []
  frames = []
  answerCall = () => createJsonAnswer({ success: true, data: {} })
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
  vi.stubGlobal('cancelAnimationFrame', () => undefined)
  vi.stubGlobal('fetch', async (address: string, { method, headers, signal }: RequestInit) => {
    const isStream = new Headers(headers).get('Accept') === 'text/event-stream'
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start: (streamController) => {
        controller = streamController
      },
    })
    const send = (...events: RunEvent[]) => {
      const lines = events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      controller?.enqueue(new TextEncoder().encode(lines.join('')))
      if (events.some(({ event }) => event === 'done' || event === 'error')) controller?.close()
    }
    signal?.addEventListener('abort', () => controller?.error(signal.reason))
    connections.push({ request: `${method ?? 'GET'} ${address}`, signal, send })
    return isStream ? createAnswer(body, { headers: { 'Content-Type': 'text/event-stream' } }) : answerCall()
  })
})

const newRun = { agentId: 'kip', input: 'Ahoy' }
const started = (run_id: string): RunEvent => ({ event: 'start', data: { run_id, session_id: 's1' } })
const snapshot = (run_id: string, response: string): RunEvent => ({
  event: 'snapshot',
  data: { run_id, session_id: null, response, tools: [] },
})
const text = (delta: string): RunEvent => ({ event: 'text', data: { delta } })
const failed = (run_id: string, code: string): RunEvent => ({
  event: 'error',
  data: { code, message: 'No.', run_id, processing_time_ms: 5, response: '' },
})
const source = (n: number, title: string): RunEvent => ({
  event: 'source',
  data: { n, entity: 'card', id: title, title, href: null },
})
const tool = (id: string, state: 'asks' | 'running' | 'done'): RunEvent => ({
  event: 'tool',
  data: { id, name: 'search', title: 'Search', agent_slug: 'kip', arguments: {}, result: null, state },
})
const paint = () => {
  for (const frame of frames.splice(0)) frame()
}
const waitForView = (run: FollowedRun, expected: object) =>
  vi.waitFor(() => expect(run.getSnapshot()).toMatchObject(expected))
async function openStarted(runId: string) {
  const run = openRun(newRun)
  const onChange = vi.fn()
  const unsubscribe = run.subscribe(onChange)
  await vi.waitFor(() => expect(connections).toHaveLength(1))
  connections[0]?.send(started(runId))
  await waitForView(run, { runId })
  return { run, onChange, unsubscribe, send: connections[0]?.send ?? (() => undefined) }
}

test('text and reasoning reach listeners once a frame, other events right away', async () => {
  const { run, onChange, send } = await openStarted('batched')
  expect(run.getSnapshot()).toMatchObject({ status: 'running', sessionId: 's1' })
  onChange.mockClear()
  send({ event: 'reasoning', data: { delta: 'Hm.' } }, text('A'), text('hoy'), text('!'))
  await waitForView(run, { text: 'Ahoy!', reasoning: 'Hm.' })
  expect({ frames: frames.length, changes: onChange.mock.calls.length }).toEqual({ frames: 1, changes: 0 })
  paint()
  expect(onChange).toHaveBeenCalledTimes(1)
  send({ event: 'span-text', data: { span_id: 'one', delta: 'Yes' } }, tool('t', 'running'))
  await waitForView(run, { spanTexts: { one: 'Yes' } })
  expect(onChange).toHaveBeenCalledTimes(2)
})

test('a tool call is one changing line; sources are sorted and unique', async () => {
  const { run, send } = await openStarted('lines')
  send(tool('t', 'asks'), tool('u', 'running'), tool('t', 'done'))
  send(source(2, 'Two'), source(1, 'One'), source(2, 'Two'))
  await waitForView(run, { sources: [{ n: 1 }, { n: 2 }] })
  expect(run.getSnapshot().tools).toMatchObject([
    { id: 't', state: 'done' },
    { id: 'u', state: 'running' },
  ])
})

test('everything that shows a run shares its stream, which closes with the last', async () => {
  const first = openRun({ runId: 'shared' })
  const second = openRun({ runId: 'shared' })
  expect(second).toBe(first)
  const [leaveFirst, leaveSecond] = [first.subscribe(vi.fn()), second.subscribe(vi.fn())]
  await vi.waitFor(() => expect(connections).toHaveLength(1))
  leaveFirst()
  await Promise.resolve()
  expect(connections[0]?.signal?.aborted).toBe(false)
  leaveSecond()
  const stay = first.subscribe(vi.fn())
  await Promise.resolve()
  expect(connections[0]?.signal?.aborted, 'taken over in the same commit').toBe(false)
  stay()
  await first.finished
  expect(connections[0]?.signal?.aborted).toBe(true)
  expect(openRun({ runId: 'shared' })).not.toBe(first)
})

test('an interrupted run resumes with its text until the snapshot, a failed one does not', async () => {
  const { run, send } = await openStarted('resumed')
  send(text('Ah'), failed('resumed', 'interrupted'))
  await run.finished
  expect(run.getSnapshot()).toMatchObject({ status: 'interrupted', reason: 'No.', ms: 5 })
  expect(openRun({ runId: 'resumed' })).toBe(run)
  expect(run.getSnapshot()).toMatchObject({ status: 'running', text: 'Ah', reconnecting: true })
  await vi.waitFor(() => expect(connections).toHaveLength(2))
  connections[1]?.send(snapshot('resumed', 'Ahoy'), failed('resumed', 'provider-failed'))
  await run.finished
  openRun({ runId: 'resumed' })
  expect(run.getSnapshot()).toMatchObject({ status: 'error', text: 'Ahoy', failureCode: 'provider-failed' })
})

test('a stop before the start reaches the server once the run has an id', async () => {
  const run = openRun(newRun)
  run.subscribe(vi.fn())
  await vi.waitFor(() => expect(connections).toHaveLength(1))
  answerCall = () => createJsonAnswer({ success: false, error: 'Busy.' }, { status: 503 })
  const stopped = run.stop()
  expect(run.getSnapshot().stopping).toBe(true)
  connections[0]?.send(started('stopped'))
  await stopped
  expect(connections.map(({ request }) => request).slice(1)).toEqual([
    expect.stringMatching(/^POST .*\/runs\/stopped\/stop$/),
  ])
  expect(run.getSnapshot()).toMatchObject({ status: 'running', stopping: false, stopProblem: 'Busy.' })
})

test('a run that cannot start is refused, or mocked while the server is unreachable', async () => {
  vi.stubGlobal('fetch', async () => createJsonAnswer({ success: false, error: 'Not today.' }, { status: 403 }))
  const refused = openRun(newRun, () => 'Mock')
  await refused.finished
  expect(refused.getSnapshot()).toMatchObject({ status: 'error', reason: 'Not today.', refusal: expect.any(ApiError) })
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  const mocked = openRun(newRun, () => 'Mock')
  await mocked.finished
  expect(mocked.getSnapshot()).toMatchObject({ status: 'success', text: 'Mock', mock: true, offline: true })
})
