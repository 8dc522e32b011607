import { beforeEach, describe, expect, it } from 'vitest'
import { administration } from '#contract/administration/administration.ts'
import { connections } from '#contract/connections/connections.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { createSlowAgent, type SlowAgent } from '#tests/slow-agent.ts'

describe.each(engines)('access that changes while an agent answers a program, on %s', (engine) => {
  let slow: SlowAgent
  beforeEach(async () => {
    slow = await createSlowAgent(engine)
    return () => slow.app.close()
  })

  const connect = async (actor = slow.ada) =>
    (await actor.call(connections.createToken, { body: { name: 'Editor', scopes: ['run:agents'] } })).data
  const post = (path: string, token: string, body: object) =>
    slow.app.fetch(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })
  const findRun = () => slow.app.services.db.selectFrom('runs').select(['id', 'status']).executeTakeFirst()
  const startEndlessAnswer = async (token: string, kind: 'stream' | 'whole' | 'tool') => {
    slow.app.fakes.openai.script([kind === 'stream' ? 'silent-mid' : 'headers-never'])
    const question = { model: 'slow', messages: [{ role: 'user', content: 'count' }], stream: kind === 'stream' }
    const call = { name: 'ask_agent', arguments: { agent: 'slow', question: 'count' } }
    const answer = (
      kind === 'tool'
        ? post('/mcp', token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
        : post('/v1/chat/completions', token, question)
    ).then((response) => response.text())
    await eventually(async () => {
      const run = await findRun()
      expect(slow.app.services.runs.find(run?.id ?? '')).toBeDefined()
    })
    return answer
  }

  it.each(['stream', 'whole', 'tool'] as const)('stops the answer when it is revoked: %s', async (kind) => {
    const { token, connection } = await connect()
    const answer = startEndlessAnswer(token, kind)
    await eventually(async () => expect((await findRun())?.status).toBe('running'))
    await slow.ada.call(connections.revoke, { params: { id: connection.id } })
    expect(await answer).toMatch(/stopped/)
    expect((await findRun())?.status).not.toBe('running')
  })

  it('stops the answer when its keepers change, and not when its name does', async () => {
    const keeper = await createTestKeeper(slow.ada)
    const { token, connection } = await connect()
    const answer = startEndlessAnswer(token, 'stream')
    await eventually(async () => expect((await findRun())?.status).toBe('running'))
    const change = (body: object) => slow.ada.call(connections.update, { params: { id: connection.id }, body })
    await change({ name: 'Reader' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await findRun())?.status).toBe('running')
    await change({ keeperIds: [keeper.id] })
    expect(await answer).toMatch(/stopped/)
  })

  it('stops the answer when the account is deactivated', async () => {
    const { token } = await connect(slow.ben)
    const answer = startEndlessAnswer(token, 'stream')
    await eventually(async () => expect((await findRun())?.status).toBe('running'))
    const admin = await slow.app.as('cleo', ['super-admin'])
    const { id } = (await slow.app.services.authenticate(token))!
    expect((await admin.call(administration.deactivate, { params: { id } })).status).toBe(200)
    expect(await answer).toMatch(/stopped/)
  })

  it('starts no answer without space for it', async () => {
    const { token } = await connect()
    slow.app.services.settings.limits.textBytesPerPerson = 1
    const chat = await post('/v1/chat/completions', token, {
      model: 'slow',
      messages: [{ role: 'user', content: 'a' }],
    })
    expect(chat.status).toBe(413)
    const call = { name: 'ask_agent', arguments: { agent: 'slow', question: 'count' } }
    const tool = await post('/mcp', token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
    expect(await tool.text()).toContain('each person has here')
    expect(await findRun()).toBeUndefined()
  })
})
