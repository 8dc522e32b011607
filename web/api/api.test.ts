import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { agents } from '#contract/agents/agents.ts'
import { domains } from '#contract/domains/domains.ts'
import { createAnswer } from '#tests/keeper-answer.ts'
import { createMemoryStorage } from '#tests/memory-storage.ts'
import {
  ApiError,
  call,
  callEnvelope,
  fetchFile,
  NetworkError,
  onInvalidToken,
  stream,
  UnreadableResponse,
} from './api.ts'
import { checkConnection, getReachability, getRecentCalls, onForeignAnswer } from './api-journal.ts'

const stored = new Map<string, string>()

function stubAnswer(body: unknown, init: ResponseInit = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => createAnswer(text, init)),
  )
}

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', createMemoryStorage(stored))
})

describe('a call', () => {
  it('returns the data of an envelope and a bare answer as it is', async () => {
    stubAnswer({ success: true, data: [] })
    expect(await call(agents.list)).toEqual([])
    stubAnswer([{ id: 'd' }])
    expect(await call(domains.mine)).toEqual([{ id: 'd' }])
  })

  it('returns the whole envelope on request', async () => {
    stubAnswer({ success: true, data: { response: 'Hi' }, processing_time_ms: 7 })
    const envelope = await callEnvelope(agents.run, { body: { agentId: 'kip', input: 'Hi' } })
    expect(envelope.processing_time_ms).toBe(7)
  })

  it('fails with the message of the server in either shape', async () => {
    stubAnswer({ success: false, error: 'No such agent', code: 'not-found', requestId: 'r1' }, { status: 404 })
    await expect(call(agents.list)).rejects.toMatchObject({
      message: 'No such agent',
      status: 404,
      code: 'not-found',
      requestId: 'r1',
    })
    stubAnswer({ success: false, error: { message: 'Wrong', code: 'wrong-credentials' } }, { status: 401 })
    await expect(call(accounts.session)).rejects.toMatchObject({ message: 'Wrong', code: 'wrong-credentials' })
  })

  it('includes the request id of a server failure once', async () => {
    const error =
      'Something failed on the server. Try again, or give the request id to the person who runs this server.'
    stubAnswer({ success: false, error, requestId: 'r1' }, { status: 500 })
    const expectedText = `${error} Request r1.`
    await expect(call(agents.list)).rejects.toMatchObject({
      message: expectedText,
      serverMessage: expectedText,
      requestId: 'r1',
    })
    stubAnswer({ success: false, error: { message: 'Rate limit exceeded' }, requestId: 'r2' }, { status: 502 })
    await expect(call(agents.list)).rejects.toMatchObject({ serverMessage: 'Rate limit exceeded. Request r2.' })
    stubAnswer({ success: false, error: 'Boom' }, { status: 500 })
    await expect(call(agents.list)).rejects.toMatchObject({ serverMessage: 'Boom', requestId: undefined })
    stubAnswer({ success: false, requestId: 'r3' }, { status: 500 })
    await expect(call(agents.list)).rejects.toMatchObject({
      message: 'HTTP error! status: 500',
      serverMessage: undefined,
    })
  })

  it('shows the status when the server sends no message', async () => {
    stubAnswer('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' })
    const reason = await call(agents.list).catch((thrown: unknown) => thrown)
    expect(reason).toBeInstanceOf(ApiError)
    expect(reason).toMatchObject({
      message: 'HTTP error! status: 502',
      statusText: 'Bad Gateway',
      serverMessage: undefined,
    })
  })

  it('distinguishes an unreadable answer from a refusal', async () => {
    stubAnswer('<html>')
    await expect(call(agents.list)).rejects.toBeInstanceOf(UnreadableResponse)
    stubAnswer({ agents: [] })
    await expect(call(agents.list)).rejects.toBeInstanceOf(UnreadableResponse)
  })

  it.each([[[null]], [[{}]], [{ logs: [null], totalPages: 1 }], [{ logs: [{}] }]])(
    'cannot read a list with empty rows: %j',
    async (data) => {
      for (const body of [{ success: true, data }, data]) {
        stubAnswer(body)
        const refusal = expect(callEnvelope(agents.list)).rejects
        await refusal.toBeInstanceOf(UnreadableResponse)
        await refusal.toMatchObject({ message: 'The server’s answer couldn’t be read.', serverMessage: undefined })
      }
    },
  )

  it('gives an agent without rights empty ones and changes nothing else', async () => {
    const row = { id: 'a', name: 'Kip', agent_class: 'Lead' }
    stubAnswer({ success: true, data: [row] })
    expect(await call(agents.list)).toEqual([{ ...row, may: {} }])
    stubAnswer({ success: true, data: row })
    expect(await call(agents.byId, { query: { id: 'a' } })).toEqual({ ...row, may: {} })
    const may = { run: true, edit: false, share: false, remove: false }
    stubAnswer({ success: true, data: [{ ...row, may, tools: [], config: {} }] })
    expect(await call(agents.list)).toEqual([{ ...row, may, tools: [], config: {} }])
    stubAnswer({ success: true, data: { topics: ['one'], counts: [1, 2], config: {} } })
    expect(await call(agents.list)).toEqual({ topics: ['one'], counts: [1, 2], config: {} })
  })

  it('distinguishes no answer from a bad one and records it', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.reject(new TypeError('Failed to fetch'))),
    )
    await expect(call(agents.list)).rejects.toBeInstanceOf(NetworkError)
    expect(getReachability()).toBe('unreachable')
    stubAnswer({ success: true, data: [] })
    await call(agents.logs, { query: { agentId: 'secret' } }).catch(() => undefined)
    expect(getReachability()).toBe('reached')
    expect(getRecentCalls()[0]).toMatchObject({ method: 'GET', path: '/api/kip/agents', status: 200 })
  })

  it('reports an invalid token only when that token was sent and refused', async () => {
    const listener = vi.fn()
    const stop = onInvalidToken(listener)
    stubAnswer({ success: false, error: 'Please sign in' }, { status: 401 })
    await call(agents.list).catch(() => undefined)
    expect(listener).not.toHaveBeenCalled()
    stored.set('keeper_token', 'kps_1')
    await call(agents.list).catch(() => undefined)
    expect(listener).toHaveBeenCalledOnce()
    stubAnswer({ success: false, error: { message: 'Wrong', code: 'wrong-credentials' } }, { status: 401 })
    await call(accounts.changePassword, { body: { currentPassword: 'x', newPassword: 'long enough' } }).catch(
      () => undefined,
    )
    expect(listener).toHaveBeenCalledOnce()
    stop()
  })
})

describe('an answer of a proxy', () => {
  const answerAsProxy = (body: string, init: ResponseInit = {}) =>
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => new Response(body, init)),
    )

  it('never changes who is signed in, whatever it says', async () => {
    const listener = vi.fn()
    const stop = onInvalidToken(listener)
    stored.set('keeper_token', 'kps_1')
    for (const body of ['', '<h1>Sign in</h1>', '{"success":false,"error":"Sign in","code":"not-signed-in"}']) {
      answerAsProxy(body, { status: 401 })
      await expect(call(agents.list)).rejects.toMatchObject({ receivedStatus: 401, isForeign: true })
    }
    // A proxy can name its own pages the same way.
    answerAsProxy('<h1>Sign in</h1>', { status: 401, headers: { 'X-Request-Id': 'nginx-1' } })
    await call(agents.list).catch(() => undefined)
    expect(listener).not.toHaveBeenCalled()
    stop()
  })

  it.each([400, 403, 404, 409, 412, 422])(
    'status %i of a proxy says nothing about what is on the server',
    async (status) => {
      answerAsProxy('{"success":false,"error":"Blocked by rule 7","code":"stale","data":{}}', { status })
      await expect(call(agents.list)).rejects.toMatchObject({
        serverMessage: `The proxy in front of this server refused this (${status}). Try again, or ask the person who runs the server.`,
        body: '',
        code: undefined,
        data: undefined,
        status: 502,
      })
    },
  )

  it('a proxy that refuses the size is reported with the size', async () => {
    answerAsProxy('<h1>413 Request Entity Too Large</h1>', { status: 413 })
    const bytes = new Blob([new Uint8Array(3.6 * 1024 * 1024)])
    await expect(call(agents.list, { bytes } as never)).rejects.toMatchObject({
      serverMessage:
        'The proxy in front of this server doesn’t accept 4 MB at once. Send less, or ask the person who runs the server to raise its limit.',
      status: 413,
    })
  })

  it.each([
    [401, 'wants you to sign in (401). Reload this page.'],
    [407, 'wants you to sign in (407). Reload this page.'],
    [429, 'takes no more requests right now. Wait a minute, then try again.'],
    [511, 'wants you to sign in (511). Reload this page.'],
  ])('status %i of a proxy says what to do', async (status, text) => {
    answerAsProxy('<h1>No</h1>', { status })
    await expect(call(agents.list)).rejects.toMatchObject({
      serverMessage: `The proxy in front of this server ${text}`,
    })
  })

  it.each([502, 503, 504, 521, 522, 524, 530])(
    'status %i of a proxy means that the server is unreachable',
    async (status) => {
      answerAsProxy('<h1>Bad Gateway</h1>', { status })
      const reason = await call(agents.list).catch((thrown: unknown) => thrown)
      expect(reason).toBeInstanceOf(NetworkError)
      expect(reason).toMatchObject({
        message: `The server couldn’t be reached: the proxy in front of it answered ${status}.`,
      })
      await expect(fetchFile(agents.list)).rejects.toBeInstanceOf(NetworkError)
    },
  )

  it('an error page of a proxy shows the status', async () => {
    answerAsProxy('Internal error', { status: 500 })
    await expect(call(agents.list)).rejects.toMatchObject({ message: 'HTTP error! status: 500', body: '' })
  })

  it.each(['', '<h1>Welcome to the network</h1>', '[', 'null'])(
    'status 200 of a proxy with %j is no answer',
    async (body) => {
      answerAsProxy(body)
      const reason = await call(agents.list).catch((thrown: unknown) => thrown)
      expect(reason).toBeInstanceOf(UnreadableResponse)
      expect(reason).toMatchObject({
        message: 'The proxy in front of this server answered in its place. Reload this page.',
      })
      await expect(fetchFile(agents.list)).rejects.toBeInstanceOf(UnreadableResponse)
    },
  )
})

describe('the connection', () => {
  it.each([
    ['a redirect to a sign-on', { type: 'opaqueredirect', status: 0, headers: new Headers() }, 'sign-on'],
    ['a page of a sign-on', new Response('<h1>Sign in</h1>'), 'sign-on'],
    ['a refusal by a sign-on', new Response('', { status: 401 }), 'sign-on'],
    ['a network that wants a sign-in', new Response('', { status: 511 }), 'sign-on'],
    ['a proxy without its server', new Response('', { status: 502 }), 'unreachable'],
    ['the server', createAnswer('{}', { status: 503 }), 'reached'],
  ])('the connection to %s is recognized', async (_, response, reachability) => {
    const previousReachability = reachability === 'unreachable' ? 'reached' : 'unreachable'
    vi.stubGlobal('fetch', () =>
      previousReachability === 'reached'
        ? Promise.resolve(createAnswer('{}', {}))
        : Promise.reject(new TypeError('No network')),
    )
    await checkConnection()
    expect(getReachability()).toBe(previousReachability)
    const ping = vi.fn(async () => response)
    vi.stubGlobal('fetch', ping)
    await checkConnection()
    expect(ping).toHaveBeenCalledWith('/ping', { redirect: 'manual', cache: 'no-store' })
    expect(getReachability()).toBe(reachability)
  })

  it('is checked after an answer that isn’t the server’s', async () => {
    const check = vi.fn()
    const stop = onForeignAnswer(check)
    stubAnswer({ success: true, data: [] })
    await call(agents.list)
    expect(check).not.toHaveBeenCalled()
    vi.stubGlobal('fetch', async () => new Response('', { status: 403 }))
    await call(agents.list).catch(() => undefined)
    expect(check).toHaveBeenCalledOnce()
    expect(getReachability()).toBe('reached')
    stop()
  })
})

describe('a stream', () => {
  it('passes on parsed events and ends with the answer', async () => {
    stubAnswer('event: text\ndata: {"delta":"Hi"}\n\n', {
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8' },
    })
    const events: unknown[] = []
    await stream(agents.run, { body: { agentId: 'kip', input: 'Hi' } }, (event, data) => events.push([event, data]))
    expect(events).toEqual([['text', { delta: 'Hi' }]])
  })

  it('ends when a silent connection sends no heartbeat, and only then', async () => {
    vi.useFakeTimers()
    let send: (text: string) => void = () => undefined
    let wasCancelled = false
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text))
      },
      cancel() {
        wasCancelled = true
      },
    })
    const headers = { 'Content-Type': 'text/event-stream', 'X-Request-Id': 'r1' }
    vi.stubGlobal('fetch', async () => new Response(body, { headers }))
    const events: unknown[] = []
    const reading = stream(agents.run, { body: { agentId: 'kip', input: 'Hi' } }, (event) => events.push(event))
    for (let minute = 0; minute < 2; minute++) {
      send(': still here\n\n')
      await vi.advanceTimersByTimeAsync(40_000)
    }
    send('event: text\ndata: 1\n\n')
    await vi.advanceTimersByTimeAsync(44_000)
    expect({ events, wasCancelled }).toEqual({ events: ['text'], wasCancelled: false })
    await vi.advanceTimersByTimeAsync(1001)
    await reading
    expect(wasCancelled).toBe(true)
    vi.useRealTimers()
  })

  it('refuses an answer that is not a stream', async () => {
    stubAnswer({ success: true, data: {} }, { headers: { 'Content-Type': 'application/json' } })
    const reading = stream(agents.run, { body: { agentId: 'kip', input: 'Hi' } }, () => undefined)
    await expect(reading).rejects.toBeInstanceOf(UnreadableResponse)
  })
})
