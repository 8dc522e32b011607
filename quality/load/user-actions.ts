import { type LoadClient, parseData } from './load-client.ts'
import { createClientId, type LoadPerson, password } from './people.ts'

export interface UserAction {
  name: string
  weight: number
  run(client: LoadClient, person: LoadPerson): Promise<unknown>
}

const sentences = [
  'The ferry was late, so Per and I ate the cardamom buns on the quay.',
  'My father measured flour on the brass scale and whistled.',
  'We counted boats until the fog took them, one after the other.',
  'She said that the light in March is honest, and closed the shutters.',
]
const searchTexts = ['ferry', 'flour scale', 'boats fog', 'light shutters', 'harbour', 'cardamom quay']
const pickRandom = <T>(all: T[]): T => all[Math.floor(Math.random() * all.length)] as T
const createText = () => `${pickRandom(sentences)} ${pickRandom(sentences)} ${Math.random().toString(36).slice(2)}`
const maxEntriesPerKind = 20
const picture = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.alloc(20_000, 'picture'),
])

function createReadAction(name: string, weight: number, path: (person: LoadPerson) => string): UserAction {
  return {
    name,
    weight,
    run: async (client, person) =>
      expectStatus(await client.request('GET', path(person), { token: person.token }), 200),
  }
}

function expectStatus<A extends { status: number; text: string }>(answer: A, status: number): A {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`)
  return answer
}

export const everydayActions: UserAction[] = [
  createReadAction('agents', 8, () => '/api/kip/agents'),
  createReadAction('keepers', 6, () => '/api/keeper/keepers'),
  createReadAction('boards', 4, () => '/api/board-data'),
  createReadAction('a board', 4, ({ board }) => `/api/board-data/${board.id}`),
  createReadAction('dashboard', 4, ({ keeperId }) => `/api/keeper/keepers/${keeperId}/dashboard`),
  createReadAction('moments', 12, ({ keeperId }) => `/api/keeper/keepers/${keeperId}/moments?limit=20`),
  createReadAction('reflections', 10, ({ keeperId }) => `/api/keeper/keepers/${keeperId}/reflections?limit=20`),
  createReadAction('cards', 6, ({ keeperId }) => `/api/keeper/keepers/${keeperId}/memory-cards?limit=20`),
  createReadAction('calendar', 2, ({ keeperId }) => {
    return `/api/keeper/keepers/${keeperId}/moments/calendar?from=2026-10-01&to=2026-10-31`
  }),
  createReadAction('messages', 4, ({ sessionId }) => `/api/kip/agents?messages=true&sessionId=${sessionId}`),
  createReadAction('session', 6, () => '/api/kam/auth/session'),
  createReadAction('search', 8, ({ keeperId }) => {
    return `/api/keeper/keepers/${keeperId}/memory-cards/search?query=${encodeURIComponent(pickRandom(searchTexts))}`
  }),
  {
    name: 'add a moment',
    weight: 6,
    async run(client, person) {
      const path = `/api/keeper/keepers/${person.keeperId}/moments`
      const { id } = parseData<{ id: string }>(
        await client.request('POST', path, {
          token: person.token,
          body: { body: createText(), topics: [pickRandom(searchTexts)], mood: { score: 1, words: [] } },
        }),
      )
      person.moments.push(id)
      const oldest = person.moments.length > maxEntriesPerKind ? person.moments.shift() : undefined
      if (oldest)
        expectStatus(
          await client.request('DELETE', `/api/keeper/moments/${oldest}`, { token: person.token, body: {} }),
          200,
        )
    },
  },
  {
    name: 'write a reflection',
    weight: 5,
    async run(client, person) {
      const path = `/api/keeper/keepers/${person.keeperId}/reflections`
      const headers = { 'idempotency-key': createClientId() }
      const { id } = parseData<{ id: string }>(
        await client.request('POST', path, { token: person.token, body: { content: createText() }, headers }),
      )
      person.reflections.push(id)
      const oldest = person.reflections.length > maxEntriesPerKind ? person.reflections.shift() : undefined
      if (oldest)
        expectStatus(
          await client.request('DELETE', `/api/keeper/reflections/${oldest}`, { token: person.token, body: {} }),
          200,
        )
    },
  },
  {
    name: 'edit a reflection',
    weight: 5,
    async run(client, person) {
      const id = person.reflections.at(-1)
      if (!id) return
      const body = { content: createText() }
      expectStatus(await client.request('PUT', `/api/keeper/reflections/${id}`, { token: person.token, body }), 200)
    },
  },
  {
    name: 'promote a reflection, then delete both',
    weight: 2,
    async run(client, person) {
      const { token } = person
      const created = await client.request('POST', `/api/keeper/keepers/${person.keeperId}/reflections`, {
        token,
        body: { content: createText() },
      })
      const { id } = parseData<{ id: string }>(created)
      const card = await client.request('POST', `/api/keeper/reflections/${id}/promote`, { token, body: {} })
      const cardId = parseData<{ id: string }>(card).id
      const deletion = await client.request('DELETE', `/api/keeper/memory-cards/${cardId}`, { token, body: {} })
      expectStatus(deletion, 200)
      expectStatus(await client.request('DELETE', `/api/keeper/reflections/${id}`, { token, body: {} }), 200)
    },
  },
  {
    name: 'save a board',
    weight: 3,
    async run(client, person) {
      const body = { name: `The harbour ${Math.random().toString(36).slice(2)}` }
      expectStatus(await client.request('PATCH', `/api/boards/${person.board.id}`, { token: person.token, body }), 200)
    },
  },
  {
    name: 'move the pointer on a board',
    weight: 3,
    async run(client, person) {
      const body = { tab: '0'.repeat(32), cursor: { x: 10, y: 10 }, selection: [] }
      expectStatus(
        await client.request('POST', `/api/boards/${person.board.id}/presence`, { token: person.token, body }),
        200,
      )
    },
  },
  {
    name: 'upload a picture and view it',
    weight: 1,
    async run(client, { keeperId, token }) {
      const bytes = { mime: 'image/png', data: Buffer.concat([picture, Buffer.from(createClientId())]) }
      const { id } = parseData<{ id: string }>(
        await client.request('POST', `/api/keeper/keepers/${keeperId}/media?name=a.png`, { token, bytes }),
      )
      expectStatus(await client.request('GET', `/api/keeper/media/${id}`, { token }), 200)
      expectStatus(await client.request('DELETE', `/api/keeper/media/${id}`, { token, body: {} }), 200)
    },
  },
]

export const signInAndOut: UserAction = {
  name: 'sign in and out',
  weight: 1,
  async run(client, { email }) {
    const { token } = parseData<{ token: string }>(
      await client.request('POST', '/api/kam/auth/login', { body: { email, password } }),
    )
    expectStatus(await client.request('POST', '/api/kam/auth/logout', { token, body: {} }), 200)
    expectStatus(await client.request('GET', '/api/kam/auth/session', { token }), 401)
  },
}

export const refusedActions: UserAction[] = [
  {
    name: 'request a missing resource',
    weight: 2,
    run: async (client, { token }) =>
      expectStatus(await client.request('GET', `/api/keeper/reflections/${createClientId()}`, { token }), 404),
  },
  {
    name: 'use an ended session',
    weight: 1,
    run: async (client) =>
      expectStatus(await client.request('GET', '/api/kip/agents', { token: createClientId() }), 401),
  },
  {
    name: 'send invalid input',
    weight: 2,
    run: async (client, { keeperId, token }) =>
      expectStatus(
        await client.request('POST', `/api/keeper/keepers/${keeperId}/moments`, { token, body: { body: 7 } }),
        400,
      ),
  },
  {
    name: 'send a moment that is too long',
    weight: 1,
    run: async (client, { keeperId, token }) =>
      expectStatus(
        await client.request('POST', `/api/keeper/keepers/${keeperId}/moments`, {
          token,
          body: { body: 'x'.repeat(300_000) },
        }),
        400,
      ),
  },
]

/** The fake provider answers in this many chunks, one every 50 ms. */
const requestChunks = (count: number) => `pieces=${count}`

export function createStreamedActions(maxListenSeconds: number): UserAction[] {
  return [
    {
      name: 'chat',
      weight: 2,
      async run(client, person) {
        if (person.isChatting) return
        person.isChatting = true
        const { token, agentId, sessionId } = person
        const body = { action: 'run', agentId, sessionId, input: requestChunks(20) }
        const stream = await client.stream('POST', '/api/kip/agents', { token, body })
        await stream.finished
        person.isChatting = false
        if (!stream.text().includes('event: done')) throw new Error(`a chat ended with ${stream.text().slice(-300)}`)
      },
    },
    {
      name: 'disconnect during a chat',
      weight: 1,
      async run(client, { token, agentId }) {
        const body = { action: 'run', agentId, input: requestChunks(40) }
        const stream = await client.stream('POST', '/api/kip/agents', { token, body })
        if (stream.status !== 200) throw new Error(`a chat was refused with ${stream.status}`)
        await new Promise((resolve) => setTimeout(resolve, 400))
        stream.close()
      },
    },
    {
      name: 'listen',
      weight: 2,
      async run(client, { token }) {
        const stream = await client.stream('GET', '/api/events', { token })
        if (stream.status !== 200) throw new Error(`a tab was refused with ${stream.status}`)
        await new Promise((resolve) => setTimeout(resolve, maxListenSeconds * 1000 * Math.random()))
        stream.close()
      },
    },
  ]
}

export class ActionMix {
  readonly counts = new Map<string, number>()
  readonly failures: string[] = []
  failed = 0
  readonly #client: LoadClient
  readonly #people: LoadPerson[]
  readonly #weightedActions: UserAction[]

  constructor(client: LoadClient, people: LoadPerson[], actions: UserAction[]) {
    this.#client = client
    this.#people = people
    this.#weightedActions = actions.flatMap((action) => Array.from({ length: action.weight }, () => action))
  }

  /** Never rejects. */
  async runOne(): Promise<void> {
    const action = pickRandom(this.#weightedActions)
    this.counts.set(action.name, (this.counts.get(action.name) ?? 0) + 1)
    try {
      await action.run(this.#client, pickRandom(this.#people))
    } catch (error) {
      this.failed += 1
      if (this.failures.length < 20) this.failures.push(`${action.name}: ${(error as Error).message}`)
    }
  }
}
