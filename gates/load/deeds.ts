import { type Asker, dataOf } from './asking.ts'
import { newClientId, password, type Somebody } from './people.ts'

export interface Deed {
  name: string
  weight: number
  carryOut(asker: Asker, who: Somebody): Promise<unknown>
}

const sentences = [
  'The ferry was late, so Per and I ate the cardamom buns on the quay.',
  'My father measured flour on the brass scale and whistled.',
  'We counted boats until the fog took them, one after the other.',
  'She said that the light in March is honest, and closed the shutters.',
]
const words = ['ferry', 'flour scale', 'boats fog', 'light shutters', 'harbour', 'cardamom quay']
const oneOf = <T>(all: T[]): T => all[Math.floor(Math.random() * all.length)] as T
const text = () => `${oneOf(sentences)} ${oneOf(sentences)} ${Math.random().toString(36).slice(2)}`
/** Max entries of a kind per person; the oldest one is deleted. */
const mostKept = 20
const picture = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.alloc(20_000, 'picture'),
])

function reading(name: string, weight: number, path: (who: Somebody) => string): Deed {
  return {
    name,
    weight,
    carryOut: async (asker, who) => expectStatus(await asker.ask('GET', path(who), { token: who.token }), 200),
  }
}

function expectStatus<A extends { status: number; text: string }>(answer: A, status: number): A {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`)
  return answer
}

export const everydayDeeds: Deed[] = [
  reading('agents', 8, () => '/api/kip/agents'),
  reading('keepers', 6, () => '/api/keeper/keepers'),
  reading('boards', 4, () => '/api/board-data'),
  reading('a board', 4, ({ board }) => `/api/board-data/${board.id}`),
  reading('dashboard', 4, ({ keeperId }) => `/api/keeper/keepers/${keeperId}/dashboard`),
  reading('moments', 12, ({ keeperId }) => `/api/keeper/keepers/${keeperId}/moments?limit=20`),
  reading('reflections', 10, ({ keeperId }) => `/api/keeper/keepers/${keeperId}/reflections?limit=20`),
  reading('cards', 6, ({ keeperId }) => `/api/keeper/keepers/${keeperId}/memory-cards?limit=20`),
  reading('calendar', 2, ({ keeperId }) => {
    return `/api/keeper/keepers/${keeperId}/moments/calendar?from=2026-10-01&to=2026-10-31`
  }),
  reading('messages', 4, ({ sessionId }) => `/api/kip/agents?messages=true&sessionId=${sessionId}`),
  reading('session', 6, () => '/api/kam/auth/session'),
  reading('search', 8, ({ keeperId }) => {
    return `/api/keeper/keepers/${keeperId}/memory-cards/search?query=${encodeURIComponent(oneOf(words))}`
  }),
  {
    name: 'catch a moment',
    weight: 6,
    async carryOut(asker, who) {
      const path = `/api/keeper/keepers/${who.keeperId}/moments`
      const { id } = dataOf<{ id: string }>(
        await asker.ask('POST', path, {
          token: who.token,
          body: { body: text(), topics: [oneOf(words)], mood: { score: 1, words: [] } },
        }),
      )
      who.moments.push(id)
      const oldest = who.moments.length > mostKept ? who.moments.shift() : undefined
      if (oldest)
        expectStatus(await asker.ask('DELETE', `/api/keeper/moments/${oldest}`, { token: who.token, body: {} }), 200)
    },
  },
  {
    name: 'write a reflection',
    weight: 5,
    async carryOut(asker, who) {
      const path = `/api/keeper/keepers/${who.keeperId}/reflections`
      const headers = { 'idempotency-key': newClientId() }
      const { id } = dataOf<{ id: string }>(
        await asker.ask('POST', path, { token: who.token, body: { content: text() }, headers }),
      )
      who.reflections.push(id)
      const oldest = who.reflections.length > mostKept ? who.reflections.shift() : undefined
      if (oldest)
        expectStatus(
          await asker.ask('DELETE', `/api/keeper/reflections/${oldest}`, { token: who.token, body: {} }),
          200,
        )
    },
  },
  {
    name: 'edit a reflection',
    weight: 5,
    async carryOut(asker, who) {
      const id = who.reflections.at(-1)
      if (!id) return
      const body = { content: text() }
      expectStatus(await asker.ask('PUT', `/api/keeper/reflections/${id}`, { token: who.token, body }), 200)
    },
  },
  {
    name: 'keep a memory and let it go',
    weight: 2,
    async carryOut(asker, who) {
      const { token } = who
      const made = await asker.ask('POST', `/api/keeper/keepers/${who.keeperId}/reflections`, {
        ...{ token, body: { content: text() } },
      })
      const { id } = dataOf<{ id: string }>(made)
      const card = await asker.ask('POST', `/api/keeper/reflections/${id}/promote`, { token, body: {} })
      const cardId = dataOf<{ id: string }>(card).id
      const gone = await asker.ask('DELETE', `/api/keeper/memory-cards/${cardId}`, { token, body: {} })
      expectStatus(gone, 200)
      expectStatus(await asker.ask('DELETE', `/api/keeper/reflections/${id}`, { token, body: {} }), 200)
    },
  },
  {
    name: 'save a board',
    weight: 3,
    async carryOut(asker, who) {
      const body = { name: `The harbour ${Math.random().toString(36).slice(2)}` }
      expectStatus(await asker.ask('PATCH', `/api/boards/${who.board.id}`, { token: who.token, body }), 200)
    },
  },
  {
    name: 'point on a board',
    weight: 3,
    async carryOut(asker, who) {
      const body = { tab: '0'.repeat(32), cursor: { x: 10, y: 10 }, selection: [] }
      expectStatus(await asker.ask('POST', `/api/boards/${who.board.id}/presence`, { token: who.token, body }), 200)
    },
  },
  {
    name: 'upload a picture and look at it',
    weight: 1,
    async carryOut(asker, { keeperId, token }) {
      const bytes = { mime: 'image/png', data: Buffer.concat([picture, Buffer.from(newClientId())]) }
      const { id } = dataOf<{ id: string }>(
        await asker.ask('POST', `/api/keeper/keepers/${keeperId}/media?name=a.png`, { token, bytes }),
      )
      expectStatus(await asker.ask('GET', `/api/keeper/media/${id}`, { token }), 200)
      expectStatus(await asker.ask('DELETE', `/api/keeper/media/${id}`, { token, body: {} }), 200)
    },
  },
]

export const signInAndOut: Deed = {
  name: 'sign in and out',
  weight: 1,
  async carryOut(asker, { email }) {
    const { token } = dataOf<{ token: string }>(
      await asker.ask('POST', '/api/kam/auth/login', { body: { email, password } }),
    )
    expectStatus(await asker.ask('POST', '/api/kam/auth/logout', { token, body: {} }), 200)
    expectStatus(await asker.ask('GET', '/api/kam/auth/session', { token }), 401)
  },
}

export const refusedDeeds: Deed[] = [
  {
    name: 'request something missing',
    weight: 2,
    carryOut: async (asker, { token }) =>
      expectStatus(await asker.ask('GET', `/api/keeper/reflections/${newClientId()}`, { token }), 404),
  },
  {
    name: 'come with an ended session',
    weight: 1,
    carryOut: async (asker) => expectStatus(await asker.ask('GET', '/api/kip/agents', { token: newClientId() }), 401),
  },
  {
    name: 'send what is not valid',
    weight: 2,
    carryOut: async (asker, { keeperId, token }) =>
      expectStatus(
        await asker.ask('POST', `/api/keeper/keepers/${keeperId}/moments`, { token, body: { body: 7 } }),
        400,
      ),
  },
  {
    name: 'send too much',
    weight: 1,
    carryOut: async (asker, { keeperId, token }) =>
      expectStatus(
        await asker.ask('POST', `/api/keeper/keepers/${keeperId}/moments`, {
          token,
          body: { body: 'x'.repeat(300_000) },
        }),
        400,
      ),
  },
]

/** Chats and tabs with open connections; `seconds` is how long a tab listens. */
export function streamedDeeds(seconds: number): Deed[] {
  return [
    {
      name: 'chat',
      weight: 2,
      async carryOut(asker, who) {
        // People wait for an answer before the next question.
        if (who.isChatting) return
        who.isChatting = true
        const { token, agentId, sessionId } = who
        const body = { action: 'run', agentId, sessionId, input: 'pieces=20' }
        const stream = await asker.stream('POST', '/api/kip/agents', { token, body })
        await stream.ended
        who.isChatting = false
        if (!stream.text().includes('event: done')) throw new Error(`a chat ended with ${stream.text().slice(-300)}`)
      },
    },
    {
      name: 'go away in mid-chat',
      weight: 1,
      async carryOut(asker, { token, agentId }) {
        const body = { action: 'run', agentId, input: 'pieces=40' }
        const stream = await asker.stream('POST', '/api/kip/agents', { token, body })
        if (stream.status !== 200) throw new Error(`a chat was refused with ${stream.status}`)
        await new Promise((resolve) => setTimeout(resolve, 400))
        stream.close()
      },
    },
    {
      name: 'listen',
      weight: 2,
      async carryOut(asker, { token }) {
        const stream = await asker.stream('GET', '/api/events', { token })
        if (stream.status !== 200) throw new Error(`a tab was refused with ${stream.status}`)
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000 * Math.random()))
        stream.close()
      },
    },
  ]
}

/** Runs random actions of random people by weight and keeps at most 20 failures. */
export class Mix {
  readonly counts = new Map<string, number>()
  readonly failures: string[] = []
  failed = 0
  readonly #asker: Asker
  readonly #people: Somebody[]
  readonly #bag: Deed[]

  constructor(asker: Asker, people: Somebody[], deeds: Deed[]) {
    this.#asker = asker
    this.#people = people
    this.#bag = deeds.flatMap((deed) => Array.from({ length: deed.weight }, () => deed))
  }

  /** Never rejects. */
  async one(): Promise<void> {
    const deed = oneOf(this.#bag)
    this.counts.set(deed.name, (this.counts.get(deed.name) ?? 0) + 1)
    try {
      await deed.carryOut(this.#asker, oneOf(this.#people))
    } catch (error) {
      this.failed += 1
      if (this.failures.length < 20) this.failures.push(`${deed.name}: ${(error as Error).message}`)
    }
  }
}
