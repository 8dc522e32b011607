import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it } from 'vitest'
import { connections } from '#contract/connections/connections.ts'
import { proposals } from '#contract/connections/proposals.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { dayMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const address = new URL('http://localhost:3000/mcp')

describe.each(engines)('the MCP server on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  const createToken = async (body: object = {}, actor: Actor = ada) =>
    (await actor.call(connections.createToken, { body: { name: 'Claude', scopes: ['read:memory'], ...body } })).data
  const createFetch = (token: string) => async (url: string | URL, init?: RequestInit) =>
    app.fetch(String(url).replace('http://localhost:3000', ''), {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${token}` },
    })
  const connectLegacy = async (token: string) => {
    const client = new LegacyClient({ name: 'editor', version: '1' })
    await client.connect(new LegacyTransport(address, { fetch: createFetch(token) as typeof fetch }))
    return client
  }
  const connectModern = async (token: string) => {
    const client = new ModernClient({ name: 'assistant', version: '1' })
    await client.connect(new ModernTransport(address, { fetch: createFetch(token) as typeof fetch }))
    return client
  }
  const connect = { legacy: connectLegacy, modern: connectModern }
  const promote = async (keeperId: string, content: string, topic?: string) => {
    const { data } = await ada.call(reflections.create, { params: { id: keeperId }, body: { content, topic } })
    return (await ada.call(reflections.promote, { params: { id: data.id }, body: {} })).data.id
  }

  it.each(['legacy', 'modern'] as const)('lists tools by scope and gives memory to a %s client', async (era) => {
    const keeper = await createTestKeeper(ada)
    const card = await promote(keeper.id, 'My sister Ines lives in Bergen.', 'Family')
    const hidden = await promote(keeper.id, 'Ines has a secret in Bergen.')
    await ada.call(memoryCards.update, { params: { id: hidden }, body: { aiVisible: false } })
    const { token, connection } = await createToken()
    const client = await connect[era](token)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'read_story', 'list_moments', 'on_this_day'])
    expect(tools.every(({ annotations, outputSchema }) => annotations?.readOnlyHint === true && outputSchema)).toBe(
      true,
    )
    const result = await client.callTool({ name: 'search', arguments: { query: 'sister in Bergen' } })
    const { results } = result.structuredContent as { results: { id: string; text: string; url: string }[] }
    expect(results.map(({ id }) => id)).toEqual([`card:${card}`])
    expect(results[0]).toMatchObject({ text: '> My sister Ines lives in Bergen.' })
    expect(JSON.stringify(result)).not.toContain('secret')
    const fetched = await client.callTool({ name: 'fetch', arguments: { id: `card:${card}` } })
    expect(fetched.structuredContent).toMatchObject({ text: '> My sister Ines lives in Bergen.' })
    const refused = await client.callTool({ name: 'fetch', arguments: { id: `card:${hidden}` } })
    expect(refused.isError).toBe(true)
    const reads = await app.services.db.selectFrom('memory_reads').selectAll().orderBy('id').execute()
    expect(reads.map(({ entity_id, connection_id, purpose }) => ({ entity_id, connection_id, purpose }))).toEqual([
      { entity_id: card, connection_id: connection.id, purpose: 'search: sister in Bergen' },
      { entity_id: card, connection_id: connection.id, purpose: 'fetch' },
    ])
    await ada.call(connections.revoke, { params: { id: connection.id } })
    await expect(client.listTools()).rejects.toThrow()
    await client.close()
  })

  it('gives only the keepers, topics and fields that the person agreed to', async () => {
    const [family, work] = [await createTestKeeper(ada), await createTestKeeper(ada, { title: 'Work' })]
    await promote(family.id, 'We sail to Bergen in June.', 'Family')
    await promote(work.id, 'Bergen is a customer.', 'Work')
    const body = { body: 'Bergen in the rain.', mood: { score: -2, label: 'sad' }, topics: ['Family'] }
    await ada.call(moments.create, { params: { id: family.id }, body })
    await ada.call(moments.create, {
      params: { id: family.id },
      body: { body: 'Bergen, not for AI.', aiVisible: false },
    })
    const search = async (input: object) => {
      const { token } = await createToken(input)
      const client = await connectModern(token)
      const { structuredContent } = await client.callTool({ name: 'search', arguments: { query: 'Bergen' } })
      await client.close()
      return (structuredContent as { results: { title: string; text: string }[] }).results
    }
    const everything = await search({})
    expect(everything.map(({ text }) => text).sort()).toEqual([
      '> Bergen in the rain.',
      '> Bergen is a customer.',
      '> We sail to Bergen in June.',
    ])
    expect(JSON.stringify(everything)).toContain('sad')
    const limited = await search({ keeperIds: [family.id], topics: ['family'], withoutMoods: true })
    expect(limited.map(({ text }) => text).sort()).toEqual(['> Bergen in the rain.', '> We sail to Bergen in June.'])
    expect(JSON.stringify(limited)).not.toContain('sad')
    expect(await search({ keeperIds: [] })).toEqual([])
  })

  it('finds no moment by a mood that the program may not read', async () => {
    const keeper = await createTestKeeper(ada)
    const body = { body: 'Dinner with Ines.', mood: { score: -2, label: 'heartbroken' }, topics: [] }
    await ada.call(moments.create, { params: { id: keeper.id }, body })
    const search = async (withoutMoods: boolean, query: string) => {
      const client = await connectModern((await createToken({ withoutMoods })).token)
      const { structuredContent } = await client.callTool({ name: 'search', arguments: { query } })
      await client.close()
      return (structuredContent as { results: unknown[] }).results.length
    }
    for (const query of ['heartbroken', 'ines heartbroken', '"ines" heartbroken'])
      expect([query, await search(true, query)]).toEqual([query, 0])
    for (const query of ['ines', 'ines -heartbroken', 'ines"-heartbroken', 'ines -"heartbroken"'])
      expect([query, await search(true, query)]).toEqual([query, query.startsWith('ines"') ? 0 : 1])
    expect(await search(true, 'dinner -ines')).toBe(0)
    expect(await search(false, 'heartbroken')).toBe(1)
    expect(await search(false, 'ines -heartbroken')).toBe(0)
  })

  it('gives no earlier version that was hidden from AI or had another topic', async () => {
    const keeper = await createTestKeeper(ada)
    const create = (body: string, fields: object) =>
      ada.call(moments.create, { params: { id: keeper.id }, body: { body, topics: ['Family'], ...fields } })
    const moment = (await create('Bergen, where I hide.', { aiVisible: false })).data
    const other = (await create('Bergen, at the clinic.', { topics: ['Health'] })).data
    const card = await promote(keeper.id, 'In Bergen lives my affair.', 'Family')
    const diagnosis = await promote(keeper.id, 'Bergen is where I was diagnosed.', 'Health')
    await ada.call(memoryCards.update, { params: { id: card }, body: { aiVisible: false } })
    const memoryDay = app.services.now().toISOString().slice(0, 10)
    app.passTime(10 * dayMs)
    const shared = { aiVisible: true, topics: ['Family'] }
    await ada.call(moments.update, { params: { id: moment.id }, body: { ...shared, body: 'Bergen.' } })
    await ada.call(moments.update, { params: { id: other.id }, body: { ...shared, body: 'Bergen again.' } })
    const cardChange = { aiVisible: true, topic: 'Family' }
    await ada.call(memoryCards.update, { params: { id: card }, body: { ...cardChange, content: 'Bergen is a town.' } })
    await ada.call(memoryCards.update, { params: { id: diagnosis }, body: { ...cardChange, content: 'Bergen rains.' } })
    const client = await connectModern((await createToken({ topics: ['Family'] })).token)
    const callTool = async (name: string, args: object) =>
      JSON.stringify((await client.callTool({ name, arguments: args as Record<string, unknown> })).content)
    expect((await callTool('search', { query: 'Bergen' })).match(/> Bergen/g)).toHaveLength(4)
    const earlierTexts = [
      await callTool('search', { query: 'Bergen', as_of: memoryDay }),
      await callTool('list_moments', { as_of: memoryDay }),
      ...(await Promise.all(
        [`moment:${moment.id}`, `moment:${other.id}`, `card:${card}`, `card:${diagnosis}`].map((id) =>
          callTool('fetch', { id, as_of: memoryDay }),
        ),
      )),
    ].join()
    for (const hidden of ['hide', 'clinic', 'affair', 'diagnosed', 'Health']) expect(earlierTexts).not.toContain(hidden)
    await client.close()
  })

  it('merges proposals of two clients, which become memory only when approved', async () => {
    const keeper = await createTestKeeper(ada)
    const propose = async (name: string, content: string, args: object = {}) => {
      const { token } = await createToken({ name, scopes: ['propose:memory', 'read:memory'] })
      const client = await connectLegacy(token)
      const { structuredContent } = await client.callTool({ name: 'propose_memory', arguments: { content, ...args } })
      const search = await client.callTool({ name: 'search', arguments: { query: 'sister Bergen' } })
      await client.close()
      return { result: structuredContent as { state: string; note: string }, search: JSON.stringify(search) }
    }
    const first = await propose('Claude', 'Ada has a sister who lives in Bergen.', { quote: 'my sister in Bergen' })
    expect(first.result.state).toBe('waiting')
    await propose('Cursor', 'Ada’s sister lives in Bergen.')
    await propose('Cursor', 'Ada’s sister does not live in Bergen.')
    const { items, total } = (await ada.call(proposals.list)).data
    expect(total).toBe(2)
    expect(items[0]?.senders.map(({ name, content, quote }) => ({ name, content, quote }))).toEqual([
      { name: 'Claude', content: 'Ada has a sister who lives in Bergen.', quote: 'my sister in Bergen' },
      { name: 'Cursor', content: 'Ada’s sister lives in Bergen.', quote: null },
    ])
    expect(first.search).not.toContain('lives in Bergen')
    expect((await ada.call(memoryCards.list, { params: { id: keeper.id } })).data).toEqual([])
    const { id } = items[0]!
    const approve = { params: { id }, body: { content: 'My sister lives in Bergen.', topic: 'Family' } }
    expect((await ada.call(proposals.approve, approve)).data.entryId).toBe(id)
    expect((await ada.call(proposals.approve, approve)).status).toBe(409)
    await ada.call(proposals.reject, { params: { id: items[1]?.id ?? '' }, body: { reason: 'She does.' } })
    expect((await ada.call(memoryCards.list, { params: { id: keeper.id } })).data).toMatchObject([
      { content: 'My sister lives in Bergen.', topic: 'Family', state: 'active' },
    ])
    const repeated = await propose('Kiro', 'Ada’s sister doesn’t live in Bergen!')
    expect(repeated.result).toEqual({
      state: 'rejected',
      note: 'The person rejected this before, because: She does. Don’t propose it again.',
    })
    expect(repeated.search).toContain('My sister lives in Bergen.')
    expect((await ada.call(proposals.list)).data.total).toBe(0)
  })

  it('tells a program about earlier proposals only what it may know', async () => {
    const keeper = await createTestKeeper(ada)
    const connectProposer = async (input: object = {}) => {
      const client = await connectModern((await createToken({ scopes: ['propose:memory'], ...input })).token)
      return async (content: string) =>
        (await client.callTool({ name: 'propose_memory', arguments: { content } })).structuredContent
    }
    const [first, other] = [await connectProposer(), await connectProposer()]
    const limited = await connectProposer({ topics: ['Work'] })
    const [fact, guess] = ['Ada earns ninety thousand euros.', 'Ada earns ninety thousand.']
    const waiting = await first(fact)
    expect(await other(guess), 'the proposal waits like a new one').toEqual(waiting)
    const [proposal] = (await ada.call(proposals.list)).data.items
    expect(proposal?.senders).toHaveLength(2)
    const id = proposal?.id ?? ''
    await ada.call(proposals.approve, { params: { id }, body: { topic: 'Money' } })
    const third = await connectProposer()
    expect(await third(guess)).toMatchObject({ state: 'approved' })
    expect(await limited(guess), 'a card of another topic').toEqual(waiting)
    await app.services.db.deleteFrom('proposals').where('state', '=', 'waiting').execute()
    const change = { params: { id }, body: { aiVisible: false } }
    expect((await ada.call(memoryCards.update, change)).status).toBe(200)
    expect(await first(fact), 'its own').toMatchObject({ state: 'approved' })
    expect(await third(guess), 'a card that is not for AI').toEqual(waiting)
    expect((await ada.call(memoryCards.list, { params: { id: keeper.id } })).data).toHaveLength(1)
  })

  it('takes no proposals without space or above the limit of the keeper', async () => {
    const keeper = await createTestKeeper(ada)
    const { token } = await createToken({ scopes: ['propose:memory'] })
    const client = await connectModern(token)
    const propose = async (kind: string, content: string) =>
      JSON.stringify(await client.callTool({ name: `propose_${kind}`, arguments: { content } }))
    expect(await propose('memory', 'Ada has a boat.')).toContain('waiting')
    const { db, newId } = app.services
    const row = await db.selectFrom('proposals').selectAll().executeTakeFirstOrThrow()
    const rows = Array.from({ length: 499 }, () => ({ ...row, id: newId(), words: '' }))
    for (let index = 0; index < rows.length; index += 50)
      await db
        .insertInto('proposals')
        .values(rows.slice(index, index + 50))
        .execute()
    for (const kind of ['memory', 'moment', 'reflection'])
      expect(await propose(kind, 'A cello stands in the hall.')).toContain('500 proposals are waiting in this keeper')
    await db.deleteFrom('proposals').where('keeper_id', '=', keeper.id).execute()
    app.services.settings.limits.textBytesPerPerson = 1
    expect(await propose('memory', 'A cello stands in the hall.')).toContain('each person has here')
  })

  it('gives forms only to a program that may read or propose', async () => {
    for (const [scope, count] of [
      ['capture', 0],
      ['run:agents', 0],
      ['read:memory', 1],
      ['propose:memory', 1],
    ] as const) {
      const client = await connectModern((await createToken({ scopes: [scope] })).token)
      const { prompts } = await client.listPrompts()
      expect([scope, Math.min(1, prompts.length)]).toEqual([scope, count])
      if (count === 0) await expect(client.getPrompt({ name: 'weekly-review' })).rejects.toThrow()
      await client.close()
    }
  })

  it.each([
    ['*/*', 'text/event-stream'],
    ['application/json', 'application/json'],
    [undefined, 'text/event-stream'],
    ['text/event-stream', 'text/event-stream'],
  ])('answers a client that accepts %s, with and without a final slash', async (accept, expected) => {
    const { token } = await createToken()
    for (const path of ['/mcp', '/mcp/']) {
      const response = await app.fetch(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...(accept && { accept }) },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      })
      const text = await response.text()
      expect(response.status, text).toBe(200)
      expect(response.headers.get('content-type')).toContain(expected)
      if (expected === 'application/json') expect(JSON.parse(text).result.tools[0].name).toBe('search')
    }
  })

  it.each([
    { method: 'tools/list', params: null },
    { method: 'tools/list', params: { cursor: null, _meta: null } },
    { method: 'tools/call', params: { name: 'list_moments', arguments: null } },
  ])('takes null for what a client leaves out: %o', async (message) => {
    const { token } = await createToken()
    const response = await app.fetch('/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    })
    expect(await response.json()).toMatchObject({ id: 1, result: expect.anything() })
  })

  it('refuses other tokens, origins and methods', async () => {
    const post = (headers: object, body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}') =>
      app.fetch('/mcp', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
    const unknown = await post({ authorization: `Bearer ${ada.token}` })
    expect(unknown.status, 'a session token is no access token').toBe(401)
    expect(unknown.headers.get('www-authenticate')).toContain('Bearer')
    expect((await post({})).status).toBe(401)
    const { token } = await createToken()
    const authorization = `Bearer ${token}`
    expect((await post({ authorization, origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({ authorization }, '{')).status).toBe(400)
    const calls = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
    expect((await post({ authorization }, JSON.stringify(calls))).status, 'many calls count as one').toBe(400)
    for (const method of ['GET', 'DELETE'])
      expect((await app.fetch('/mcp', { method, headers: { authorization } })).status).toBe(405)
  })
})
