import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { journeys } from '#contract/keepers/journeys.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { createAnswer } from '#tests/keeper-answer.ts'
import { ApiError, call } from '#web/api/api.ts'
import { createClientId } from './create-client-id.ts'
import { destroyLocalStore, LocalStore } from './local-store.ts'
import { createPendingWrite, type PendingWrite } from './pending-write.ts'
import { sendOrQueue, uploadOrQueue } from './send-or-queue.ts'
import { StoreClosedError, setPageOwner } from './signed-in-user.ts'
import { getCurrentQueue, getPageQueue, WriteQueue } from './write-queue.ts'

interface ReceivedRequest {
  method: string
  path: string
  body: Record<string, unknown>
  key: string | null
  ifMatch: string | null
  authorization: string | null
}

/** A fake reflections API with client ids, idempotency keys and revisions. */
function createFakeServer() {
  const rows = new Map<string, Record<string, unknown> & { rev: number }>()
  const received: ReceivedRequest[] = []
  const server = {
    rows,
    received,
    /** `losing-responses`: requests arrive, but fail in the browser. */
    connection: 'online' as 'online' | 'offline' | 'losing-responses',
    refuse: undefined as { status: number; body: object } | undefined,
    fetch: async (url: string, init: RequestInit) => {
      if (server.connection === 'offline') throw new TypeError('Failed to fetch')
      const headers = new Headers(init.headers)
      const method = init.method ?? 'GET'
      const body = init.body instanceof Blob ? { bytes: await init.body.text() } : JSON.parse(String(init.body ?? '{}'))
      const ifMatch = headers.get('If-Match')
      const [key, authorization] = [headers.get('Idempotency-Key'), headers.get('Authorization')]
      received.push({ method, path: url, body, key, ifMatch, authorization })
      const answer = server.refuse ? server.refuse : respond(method, url, body, ifMatch)
      if (server.connection === 'losing-responses') throw new TypeError('Failed to fetch')
      return createAnswer(JSON.stringify(answer.body), { status: answer.status })
    },
  }
  function respond(method: string, url: string, body: Record<string, unknown>, ifMatch: string | null) {
    if (url === '/ping') return { status: 200, body: { success: true, data: {} } }
    if (url.includes('/media')) return { status: 200, body: { success: true, data: { id: 'm' } } }
    const isCompletion = url.endsWith('/complete')
    if (method === 'POST' && !isCompletion) {
      const id = String(body.id)
      const row = rows.get(id) ?? { ...body, rev: 1 }
      rows.set(id, row)
      return { status: 200, body: { success: true, data: row } }
    }
    const id = url.split('/').at(isCompletion ? -2 : -1) ?? ''
    const row = rows.get(id)
    if (!row) return { status: 404, body: { success: false, error: 'Reflection not found', code: 'not-found' } }
    if (method === 'DELETE') rows.delete(id)
    if (ifMatch !== null && Number(ifMatch) !== row.rev) {
      const data = { yours: { ...row, ...body, rev: Number(ifMatch) }, current: row }
      return { status: 409, body: { success: false, error: 'Changed meanwhile', code: 'stale', data } }
    }
    rows.set(id, { ...row, ...body, rev: row.rev + 1 })
    return { status: 200, body: { success: true, data: isCompletion ? { journey: rows.get(id) } : rows.get(id) } }
  }
  return server
}

const storage = new Map<string, string>()
const signIn = (id: string) => storage.set('keeper_token', `token of ${id}`).set('keeper_user', JSON.stringify({ id }))
const writeContext = { what: 'Reflection', keeperId: 'k' }

describe('writes while the server is unreachable', () => {
  let server: ReturnType<typeof createFakeServer>
  let userNumber = 0

  const create = (id: string, content: string) =>
    sendOrQueue(reflections.create, { params: { id: 'k' }, body: { id, content } }, writeContext)
  const edit = (id: string, content: string, ifMatch?: number) =>
    sendOrQueue(reflections.update, { params: { id }, body: { content }, ...(ifMatch && { ifMatch }) }, writeContext)
  const queue = () => getCurrentQueue() as WriteQueue
  const getReceivedWrites = () => server.received.filter(({ path }) => path !== '/ping')

  const reconnect = () => {
    server.connection = 'online'
    return queue().flush()
  }

  beforeEach(async () => {
    userNumber += 1
    storage.clear()
    signIn(`user-${userNumber}`)
    vi.stubGlobal('localStorage', createMemoryStorage(storage))
    server = createFakeServer()
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => server.fetch(url, init))
    // Resets the journal's last outcome.
    await fetchSomething()
  })
  afterEach(async () => {
    queue().close()
    await destroyLocalStore(`user-${userNumber}`)
  })
  // Any response marks the server as reachable.
  const fetchSomething = () => call({ method: 'GET', path: '/ping', returns: undefined } as never)

  it('are sent once, in order, when it is back', async () => {
    server.connection = 'offline'
    const ids = Array.from({ length: 20 }, createClientId)
    for (const [n, id] of ids.entries()) expect(await create(id, `text ${n}`)).toEqual({ state: 'queued' })
    expect(queue().getWrites()).toHaveLength(20)
    await reconnect()
    expect(queue().getWrites()).toEqual([])
    expect([...server.rows.keys()]).toEqual(ids)
    expect(getReceivedWrites()).toHaveLength(20)
  })

  it('carry the time they were written', async () => {
    server.connection = 'offline'
    const startedAt = Date.now()
    await create(createClientId(), 'offline')
    const [write] = queue().getWrites()
    const createdAt = Date.parse(String(write?.body?.createdAt))
    expect(createdAt).toBeGreaterThanOrEqual(startedAt)
    expect(createdAt).toBeLessThanOrEqual(Date.now())
  })

  it('are not duplicated by a lost answer, and later edits follow', async () => {
    server.connection = 'losing-responses'
    const id = createClientId()
    await create(id, 'first')
    await edit(id, 'second', 1)
    await edit(id, 'third', 1)
    expect(
      queue()
        .getWrites()
        .map(({ endpoint }) => endpoint.method),
    ).toEqual(['POST', 'PUT'])
    await reconnect()
    expect([...server.rows.values()]).toMatchObject([{ content: 'third', rev: 2 }])
    expect(queue().getWrites()).toEqual([])
  })

  it('an edit of an unsent create is merged into it', async () => {
    server.connection = 'offline'
    await create(createClientId(), 'lets the page notice that the server is unreachable')
    const id = createClientId()
    await create(id, 'first')
    await edit(id, 'second')
    expect(queue().getWrites()).toHaveLength(2)
    await reconnect()
    expect(server.rows.get(id)).toMatchObject({ content: 'second', rev: 1 })
  })

  it('a lost answer causes no conflict, and later text is saved on top', async () => {
    const id = createClientId()
    await create(id, 'first')
    server.connection = 'losing-responses'
    await edit(id, 'second', 1)
    await edit(id, 'third', 1)
    await reconnect()
    expect(server.rows.get(id)).toMatchObject({ content: 'third', rev: 3 })
    expect(queue().getWrites()).toEqual([])
    // The page still sends the revision it loaded.
    expect(await edit(id, 'fourth', 1)).toMatchObject({ state: 'sent' })
  })

  it('a lost answer causes no conflict for topics and files either', async () => {
    const id = createClientId()
    const savedMoment = { id, body: 'first', topics: [] as object[], media: [] as object[], rev: 1 }
    server.rows.set(id, savedMoment)
    const body = { body: 'second', topics: ['Lake'], mediaIds: ['m1', 'm2'] }
    server.connection = 'losing-responses'
    await sendOrQueue(moments.update, { params: { id }, body, ifMatch: 1 }, writeContext)
    const topics = [{ id: 't', name: 'Lake', color: 'ochre' }]
    server.rows.set(id, { ...savedMoment, body: 'second', topics, media: [{ id: 'm1' }, { id: 'm2' }], rev: 2 })
    await reconnect()
    expect(queue().getWrites()).toEqual([])
    expect(server.rows.get(id)).toMatchObject({ rev: 2, topics })
  })

  it('a conflicting edit waits with both texts and blocks nothing else', async () => {
    const id = createClientId()
    await create(id, 'first')
    server.connection = 'offline'
    await edit(id, 'mine', 1)
    const other = createClientId()
    await create(other, 'another thing')
    server.rows.set(id, { ...server.rows.get(id), content: 'theirs', rev: 2 })
    await reconnect()
    expect(server.rows.has(other)).toBe(true)
    const [blockedWrite] = queue().getWrites()
    expect(blockedWrite).toMatchObject({
      state: 'stale',
      yours: { content: 'mine' },
      current: { content: 'theirs', rev: 2 },
    })
    expect(server.rows.get(id)?.content).toBe('theirs')
    await queue().requeueResolved(blockedWrite as PendingWrite, { body: { content: 'both' }, ifMatch: 2 })
    expect(server.rows.get(id)).toMatchObject({ content: 'both', rev: 3 })
    expect(queue().getWrites()).toEqual([])
  })

  it('a refused write stays and can be changed and sent again', async () => {
    server.connection = 'offline'
    const id = createClientId()
    await create(id, 'too long')
    server.connection = 'online'
    server.refuse = { status: 400, body: { success: false, error: 'Use fewer words.', code: 'bad-input' } }
    await queue().flush()
    expect(queue().getWrites()).toMatchObject([
      { state: 'refused', body: { content: 'too long' }, refusal: { words: 'Use fewer words.', status: 400 } },
    ])
    server.refuse = undefined
    expect(await edit(id, 'shorter')).toEqual({ state: 'queued' })
    await queue().flush()
    expect(server.rows.get(id)).toMatchObject({ content: 'shorter' })
    expect(queue().getWrites()).toEqual([])
  })

  it('a discarded write counts as discarded until a new one is queued', async () => {
    server.connection = 'offline'
    const [discardedId, sentId] = [createClientId(), createClientId()]
    await create(discardedId, 'not this')
    await create(sentId, 'but this')
    await queue().discard(queue().getWrites()[0] as PendingWrite)
    await reconnect()
    expect([...server.rows.keys()]).toEqual([sentId])
    expect(queue().wasDiscarded(discardedId)).toBe(true)
    expect(queue().wasDiscarded(sentId)).toBe(false)
    server.connection = 'offline'
    await create(discardedId, 'after all')
    expect(queue().wasDiscarded(discardedId)).toBe(false)
  })

  it('a refusal by a reachable server rejects and queues nothing', async () => {
    server.refuse = { status: 400, body: { success: false, error: 'Write something first.', code: 'bad-input' } }
    await expect(create(createClientId(), ' ')).rejects.toBeInstanceOf(ApiError)
    expect(queue().getWrites()).toEqual([])
  })

  it('a write that fails five times does not block others', async () => {
    server.connection = 'offline'
    await create(createClientId(), 'poison')
    server.connection = 'online'
    server.refuse = { status: 500, body: { success: false, error: 'Something broke', code: 'internal' } }
    for (let attempt = 0; attempt < 5; attempt++) await queue().flush()
    expect(queue().getWrites()).toMatchObject([{ state: 'refused', refusal: { status: 500 } }])
  })

  it('a large file that a proxy cuts off each time does not block others', async () => {
    server.connection = 'offline'
    const picture = new Blob([new Uint8Array(2_500_000)], { type: 'image/png' })
    await uploadOrQueue('k', picture, { name: 'lake.png' }, 'Picture')
    const id = createClientId()
    await create(id, 'behind it')
    server.connection = 'online'
    const { fetch } = server
    server.fetch = async (url, init) => {
      if (url.includes('/media')) return new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
      return fetch(url, init)
    }
    for (let attempt = 0; attempt < 4; attempt++) await queue().flush()
    expect(queue().getWrites()).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
    await queue().flush()
    expect(queue().getWrites()).toMatchObject([
      { state: 'refused', refusal: { words: expect.stringContaining('may not accept 3 MB at once') } },
    ])
    expect([...server.rows.keys()]).toEqual([id])
  })

  it('a large file waits as long as the server is unreachable, a small one always', async () => {
    server.connection = 'offline'
    const bytes = new Uint8Array(2_500_000)
    await uploadOrQueue('k', new Blob([bytes], { type: 'image/png' }), { name: 'lake.png' }, 'Picture')
    for (let attempt = 0; attempt < 8; attempt++) await queue().flush()
    expect(queue().getWrites()).toMatchObject([{ state: 'waiting' }])
    const small = new Blob([bytes.slice(0, 400_000)], { type: 'image/png' })
    await queue().discard(queue().getWrites()[0] as PendingWrite)
    await uploadOrQueue('k', small, { name: 'pond.png' }, 'Picture')
    const { fetch } = server
    server.fetch = async (url, init) => {
      if (url.includes('/media')) throw new TypeError('Failed to fetch')
      return fetch(url, init)
    }
    server.connection = 'online'
    for (let attempt = 0; attempt < 8; attempt++) await queue().flush()
    expect(queue().getWrites()).toMatchObject([{ state: 'waiting' }])
  })

  it('a picture is uploaded before the entry that references it', async () => {
    server.connection = 'offline'
    const { id } = await uploadOrQueue(
      'k',
      new Blob(['picture'], { type: 'image/png' }),
      { name: 'lake.png' },
      'Picture',
    )
    await create(createClientId(), `names ${id}`)
    await reconnect()
    expect(getReceivedWrites().map(({ path }) => path.split('?')[0])).toEqual([
      '/api/keeper/keepers/k/media',
      '/api/keeper/keepers/k/reflections',
    ])
    expect(getReceivedWrites()[0]?.body).toEqual({ bytes: 'picture' })
    expect(getReceivedWrites()[0]?.path).toContain(`id=${id}`)
  })

  it('two tabs send each write once and both update', async () => {
    server.connection = 'offline'
    for (let n = 0; n < 10; n++) await create(createClientId(), `text ${n}`)
    const otherTab = new WriteQueue(new LocalStore(`user-${userNumber}`))
    await otherTab.load()
    expect(otherTab.getWrites()).toHaveLength(10)
    server.connection = 'online'
    await Promise.all([queue().flush(), otherTab.flush()])
    await vi.waitFor(() => expect(otherTab.getWrites()).toEqual([]))
    expect(getReceivedWrites()).toHaveLength(10)
    otherTab.close()
  })

  describe('of two tabs on one entity', () => {
    const id = createClientId()
    let otherTab: WriteQueue
    /** Queues a write as a tab that was already open. */
    const enqueueInOtherTab = (endpoint: typeof reflections.update | typeof reflections.remove, content?: string) => {
      const input = { params: { id }, ...(content && { body: { content }, ifMatch: 1 }) }
      const at = new Date(Date.now() + 1).toISOString()
      const hand = { page: 'the other tab', since: '2026-01-01T00:00:00.000Z', at }
      return otherTab.enqueue({ ...createPendingWrite(endpoint, input, writeContext), hand } as PendingWrite)
    }
    const getContent = () => server.rows.get(id)?.content
    beforeEach(async () => {
      otherTab = new WriteQueue(new LocalStore(`user-${userNumber}`))
      await create(id, 'first')
      server.connection = 'offline'
    })
    afterEach(() => otherTab.close())

    it('conflict when the second tab had not seen the first', async () => {
      await enqueueInOtherTab(reflections.update, 'of the other tab')
      await queue().load()
      await edit(id, 'of this tab', 1)
      expect(queue().getWrites()).toHaveLength(2)
      await reconnect()
      expect(getContent()).toBe('of the other tab')
      expect(queue().getWrites()).toMatchObject([
        { state: 'stale', yours: { content: 'of this tab' }, current: { content: 'of the other tab' } },
      ])
    })

    it('sent for another tab do not update this tab’s revision', async () => {
      await enqueueInOtherTab(reflections.update, 'of the other tab')
      await reconnect()
      expect(getContent()).toBe('of the other tab')
      await expect(edit(id, 'of this tab', 1)).rejects.toMatchObject({ code: 'stale' })
      expect(getContent()).toBe('of the other tab')
    })

    it('are sent before a deletion from the other tab', async () => {
      await edit(id, 'of this tab', 1)
      await enqueueInOtherTab(reflections.remove)
      await reconnect()
      expect(server.received.slice(-2).map(({ method, body }) => ({ method, content: body.content }))).toEqual([
        { method: 'PUT', content: 'of this tab' },
        { method: 'DELETE', content: undefined },
      ])
      expect(queue().getWrites()).toEqual([])
    })
  })

  describe('blocked because the server has a newer version', () => {
    const id = createClientId()
    let otherTab: WriteQueue
    const createEdit = (content: string) =>
      createPendingWrite(reflections.update, { params: { id }, body: { content }, ifMatch: 1 }, writeContext)
    const getBlockedWrite = () => queue().getWrites()[0] as PendingWrite
    /** Simulates an edit in a tab that was already open when the write was blocked. */
    const typeInOtherTab = (content: string) => otherTab.enqueue(createEdit(content))
    const getSentBodies = () => getReceivedWrites().map(({ body }) => body)
    beforeEach(async () => {
      otherTab = new WriteQueue(new LocalStore(`user-${userNumber}`))
      server.rows.set(id, { id, content: 'theirs', rev: 2 })
      const stale = { state: 'stale', yours: { content: 'mine' }, current: { content: 'theirs', rev: 2 } } as const
      await queue().enqueue({ ...createEdit('mine'), ...stale })
    })
    afterEach(() => otherTab.close())

    it('a decision is sent on the revision that was shown', async () => {
      await queue().requeueResolved(getBlockedWrite(), { body: { content: 'ours' }, ifMatch: 2 })
      expect(getSentBodies()).toEqual([{ content: 'ours' }])
      expect(queue().getWrites()).toEqual([])
    })

    it('a decision on an outdated view does not replace later text', async () => {
      const displayedWrite = getBlockedWrite()
      await typeInOtherTab('mine, and more')
      const decision = { body: { content: 'ours' }, ifMatch: 2 }
      await expect(queue().requeueResolved(displayedWrite, decision)).rejects.toThrow('Review it again')
      expect(getSentBodies()).toEqual([])
      expect(queue().getWrites()).toMatchObject([
        { state: 'stale', body: { content: 'mine, and more' }, current: { content: 'theirs', rev: 2 } },
      ])
      await queue().requeueResolved(getBlockedWrite(), { body: { content: 'ours, and more' }, ifMatch: 2 })
      expect(getSentBodies()).toEqual([{ content: 'ours, and more' }])
    })

    it('discarding on an outdated view does not drop later text', async () => {
      const displayedWrite = getBlockedWrite()
      await typeInOtherTab('mine, and more')
      await expect(queue().discard(displayedWrite)).rejects.toThrow('Review it again')
      expect(queue().getWrites()).toMatchObject([{ body: { content: 'mine, and more' } }])
      await queue().discard(getBlockedWrite())
      expect(queue().getWrites()).toEqual([])
      expect(getSentBodies()).toEqual([])
    })

    it('a write decided in another tab is not reported as saved here', async () => {
      const displayedWrite = getBlockedWrite()
      await otherTab.load()
      const otherDecision = { body: { content: 'of the other tab' }, ifMatch: 2 }
      await otherTab.requeueResolved(otherTab.getWrites()[0] as PendingWrite, otherDecision)
      const decision = { body: { content: 'ours' }, ifMatch: 2 }
      await expect(queue().requeueResolved(displayedWrite, decision)).rejects.toThrow('Review it again')
      expect(getSentBodies()).toEqual([{ content: 'of the other tab' }])
    })
  })

  it('an edit merged into one without a revision keeps its revision', async () => {
    const id = createClientId()
    await create(id, 'first')
    server.connection = 'offline'
    await edit(id, 'first')
    await edit(id, 'mine', 1)
    server.rows.set(id, { ...server.rows.get(id), content: 'theirs', rev: 2 })
    await reconnect()
    expect(server.rows.get(id)?.content).toBe('theirs')
    expect(queue().getWrites()).toMatchObject([{ state: 'stale', yours: { content: 'mine' } }])
  })

  describe('a journey completed offline and then renamed', () => {
    const id = createClientId()
    const rename = (title: string) =>
      sendOrQueue(journeys.update, { params: { id }, body: { title }, ifMatch: 3 }, { what: 'Journey', keeperId: 'k' })
    beforeEach(async () => {
      server.rows.set(id, { id, title: 'The crossing', rev: 3 })
      server.connection = 'offline'
      await sendOrQueue(journeys.complete, { params: { id }, body: {} }, { what: 'Journey', keeperId: 'k' })
    })

    it('has both changes when the server is back', async () => {
      await rename('The long crossing')
      await reconnect()
      expect(server.rows.get(id)).toMatchObject({ title: 'The long crossing', rev: 5 })
      expect(queue().getWrites()).toEqual([])
    })

    it('has both changes when the rename is saved after reconnecting', async () => {
      await reconnect()
      expect(await rename('The long crossing')).toMatchObject({ state: 'sent', answer: { rev: 5 } })
    })

    it('keeps another person’s rename and reports the conflict', async () => {
      await rename('The long crossing')
      server.rows.set(id, { id, title: 'The detour', rev: 4 })
      await reconnect()
      expect(server.rows.get(id)).toMatchObject({ title: 'The detour', rev: 5 })
      expect(queue().getWrites()).toMatchObject([{ state: 'stale', current: { title: 'The detour' } }])
    })
  })

  it('are never sent for or shown to another user', async () => {
    server.connection = 'offline'
    await create(createClientId(), 'of the first person')
    const first = queue()
    server.connection = 'online'
    signIn('somebody-else')
    await first.flush()
    await getCurrentQueue()?.load()
    expect(getCurrentQueue()?.getWrites()).toEqual([])
    expect(getReceivedWrites()).toEqual([])
    getCurrentQueue()?.close()
    signIn(`user-${userNumber}`)
    await queue().flush()
    expect(getReceivedWrites()).toHaveLength(1)
  })

  it('are rejected when someone else signed in in another tab', async () => {
    setPageOwner(`user-${userNumber}`)
    try {
      const listPendingWrites = async () => {
        await getCurrentQueue()?.load()
        return getCurrentQueue()?.getWrites()
      }
      signIn('ben')
      await expect(create(createClientId(), 'Mine.')).rejects.toThrow(StoreClosedError)
      expect(getReceivedWrites()).toEqual([])
      expect(await listPendingWrites(), 'none of the writes waits for Ben').toEqual([])
      getCurrentQueue()?.close()
      signIn(`user-${userNumber}`)
      expect(await listPendingWrites(), 'the author’s form still has the text').toEqual([])
      expect(await create(createClientId(), 'Mine.')).toMatchObject({ state: 'sent' })
      setPageOwner(null)
      signIn('ben')
      setPageOwner('ben')
      expect(await create(createClientId(), 'Of Ben.')).toMatchObject({ state: 'sent' })
      const senders = getReceivedWrites().map(({ authorization }) => authorization)
      expect(senders).toEqual([`Bearer token of user-${userNumber}`, 'Bearer token of ben'])
      getCurrentQueue()?.close()
      signIn(`user-${userNumber}`)
    } finally {
      // Test files share module state.
      setPageOwner(null)
    }
  })

  it('stay in view while the session is lost, and are sent after signing in again', async () => {
    server.connection = 'offline'
    await create(createClientId(), 'waits')
    server.connection = 'online'
    storage.clear()
    await getPageQueue()?.flush()
    expect({ current: getCurrentQueue(), pending: getPageQueue()?.getWrites() }).toMatchObject({
      current: null,
      pending: [{ state: 'waiting', body: { content: 'waits' } }],
    })
    expect(getReceivedWrites()).toEqual([])
    signIn(`user-${userNumber}`)
    await queue().flush()
    expect(getReceivedWrites()).toHaveLength(1)
    expect(queue().getWrites()).toEqual([])
  })

  it('deleting an unsent create leaves nothing to send', async () => {
    server.connection = 'offline'
    await create(createClientId(), 'lets the page notice that the server is unreachable')
    const id = createClientId()
    await create(id, 'never mind')
    await sendOrQueue(reflections.remove, { params: { id } }, writeContext)
    await reconnect()
    expect(server.rows.has(id)).toBe(false)
    expect(getReceivedWrites()).toHaveLength(1)
  })
})
