import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { agents } from '#contract/agents/agents.ts'
import { domains } from '#contract/domains/domains.ts'
import { createMemoryStorage } from '#tests/memory-storage.ts'
import { ApiError, call, callEnvelope, NetworkError, onInvalidToken, stream, UnreadableResponse } from './api.ts'
import { getReachability, getRecentCalls } from './api-journal.ts'

const stored = new Map<string, string>()

function answer(body: unknown, init: ResponseInit = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(text, init)),
  )
}

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', createMemoryStorage(stored))
})

describe('a call', () => {
  it('returns the data of an envelope and a bare answer as it is', async () => {
    answer({ success: true, data: [] })
    expect(await call(agents.list)).toEqual([])
    answer([{ id: 'd' }])
    expect(await call(domains.mine)).toEqual([{ id: 'd' }])
  })

  it('returns the whole envelope on request', async () => {
    answer({ success: true, data: { response: 'Hi' }, processing_time_ms: 7 })
    const whole = await callEnvelope(agents.run, { body: { agentId: 'kip', input: 'Hi' } })
    expect(whole.processing_time_ms).toBe(7)
  })

  it('fails with the message of the server in either shape', async () => {
    answer({ success: false, error: 'No such agent', code: 'not-found', requestId: 'r1' }, { status: 404 })
    await expect(call(agents.list)).rejects.toMatchObject({
      message: 'No such agent',
      status: 404,
      code: 'not-found',
      requestId: 'r1',
    })
    answer({ success: false, error: { message: 'Wrong', code: 'wrong-credentials' } }, { status: 401 })
    await expect(call(accounts.session)).rejects.toMatchObject({ message: 'Wrong', code: 'wrong-credentials' })
  })

  it('includes the request id of a server failure once', async () => {
    const error = 'Something failed on the server. Try again, or give the request id to who runs this server.'
    answer({ success: false, error, requestId: 'r1' }, { status: 500 })
    const expectedText = `${error} Request r1.`
    await expect(call(agents.list)).rejects.toMatchObject({
      message: expectedText,
      serverMessage: expectedText,
      requestId: 'r1',
    })
    answer({ success: false, error: { message: 'Rate limit exceeded' }, requestId: 'r2' }, { status: 502 })
    await expect(call(agents.list)).rejects.toMatchObject({ serverMessage: 'Rate limit exceeded. Request r2.' })
    answer({ success: false, error: 'Boom' }, { status: 500 })
    await expect(call(agents.list)).rejects.toMatchObject({ serverMessage: 'Boom', requestId: undefined })
    answer({ success: false, requestId: 'r3' }, { status: 500 })
    await expect(call(agents.list)).rejects.toMatchObject({
      message: 'HTTP error! status: 500',
      serverMessage: undefined,
    })
  })

  it('shows the status when the server sends no message', async () => {
    answer('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' })
    const reason = await call(agents.list).catch((thrown: unknown) => thrown)
    expect(reason).toBeInstanceOf(ApiError)
    expect(reason).toMatchObject({
      message: 'HTTP error! status: 502',
      statusText: 'Bad Gateway',
      serverMessage: undefined,
    })
  })

  it('distinguishes an unreadable answer from a refusal', async () => {
    answer('<html>')
    await expect(call(agents.list)).rejects.toBeInstanceOf(UnreadableResponse)
    answer({ agents: [] })
    await expect(call(agents.list)).rejects.toBeInstanceOf(UnreadableResponse)
  })

  it.each([[[null]], [[{}]], [{ logs: [null], totalPages: 1 }], [{ logs: [{}] }]])(
    'cannot read a list with empty rows: %j',
    async (data) => {
      for (const body of [{ success: true, data }, data]) {
        answer(body)
        const refusal = expect(callEnvelope(agents.list)).rejects
        await refusal.toBeInstanceOf(UnreadableResponse)
        await refusal.toMatchObject({ message: 'The server’s answer couldn’t be read.', serverMessage: undefined })
      }
    },
  )

  it('gives an agent without rights an empty list and changes nothing else', async () => {
    const row = { id: 'a', name: 'Kip', agent_class: 'Lead' }
    answer({ success: true, data: [row] })
    expect(await call(agents.list)).toEqual([{ ...row, may: {} }])
    answer({ success: true, data: row })
    expect(await call(agents.byId, { query: { id: 'a' } })).toEqual({ ...row, may: {} })
    const may = { run: true, edit: false, share: false, remove: false }
    answer({ success: true, data: [{ ...row, may, tools: [], config: {} }] })
    expect(await call(agents.list)).toEqual([{ ...row, may, tools: [], config: {} }])
    answer({ success: true, data: { topics: ['one'], counts: [1, 2], config: {} } })
    expect(await call(agents.list)).toEqual({ topics: ['one'], counts: [1, 2], config: {} })
  })

  it('distinguishes no answer from a bad one and records it', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.reject(new TypeError('Failed to fetch'))),
    )
    await expect(call(agents.list)).rejects.toBeInstanceOf(NetworkError)
    expect(getReachability()).toBe('unreachable')
    answer({ success: true, data: [] })
    await call(agents.logs, { query: { agentId: 'secret' } }).catch(() => undefined)
    expect(getReachability()).toBe('reached')
    expect(getRecentCalls()[0]).toMatchObject({ method: 'GET', path: '/api/kip/agents', status: 200 })
  })

  it('reports a dead token only when that token was sent and refused', async () => {
    const dead = vi.fn()
    const stop = onInvalidToken(dead)
    answer({ success: false, error: 'Please sign in' }, { status: 401 })
    await call(agents.list).catch(() => undefined)
    expect(dead).not.toHaveBeenCalled()
    stored.set('keeper_token', 'kps_1')
    await call(agents.list).catch(() => undefined)
    expect(dead).toHaveBeenCalledOnce()
    answer({ success: false, error: { message: 'Wrong', code: 'wrong-credentials' } }, { status: 401 })
    await call(accounts.changePassword, { body: { currentPassword: 'x', newPassword: 'long enough' } }).catch(
      () => undefined,
    )
    expect(dead).toHaveBeenCalledOnce()
    stop()
  })
})

describe('a stream', () => {
  it('passes on parsed events and ends with the answer', async () => {
    answer('event: text\ndata: {"delta":"Hi"}\n\n', { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } })
    const events: unknown[] = []
    await stream(agents.run, { body: { agentId: 'kip', input: 'Hi' } }, (event, data) => events.push([event, data]))
    expect(events).toEqual([['text', { delta: 'Hi' }]])
  })

  it('refuses an answer that is not a stream', async () => {
    answer({ success: true, data: {} }, { headers: { 'Content-Type': 'application/json' } })
    const reading = stream(agents.run, { body: { agentId: 'kip', input: 'Hi' } }, () => undefined)
    await expect(reading).rejects.toBeInstanceOf(UnreadableResponse)
  })
})
