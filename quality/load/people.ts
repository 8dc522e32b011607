import { randomUUID } from 'node:crypto'
import { type LoadClient, parseData } from './load-client.ts'

export interface LoadPerson {
  id: string
  email: string
  token: string
  keeperId: string
  board: { id: string }
  agentId: string
  sessionId: string
  reflections: string[]
  moments: string[]
  isChatting?: boolean
}

export const password = 'a-long-password-of-the-gates-7'
export const createClientId = () => randomUUID().replaceAll('-', '')

export async function createPeople(client: LoadClient, count: number, prefix = 'person'): Promise<LoadPerson[]> {
  const people: LoadPerson[] = []
  let nextIndex = 0
  const worker = async () => {
    while (nextIndex < count) people.push(await createLoadPerson(client, `${prefix}-${nextIndex++}@keeper.example`))
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  return people
}

async function createLoadPerson(client: LoadClient, email: string): Promise<LoadPerson> {
  const account = parseData<{ user: { id: string }; token: string }>(
    await client.request('POST', '/api/kam/auth/register', {
      body: { email, password, name: 'Load Tester' },
    }),
  )
  const { token } = account
  const create = async <T>(path: string, body: unknown) =>
    parseData<T>(await client.request('POST', path, { token, body }))
  const keeper = await create<{ id: string }>('/api/keeper/keepers', {
    title: 'The harbour year',
    purpose: 'Keep what the harbour says.',
    keeperType: 'journal',
    memoryPattern: 'sole',
  })
  const board = await create<{ id: string }>('/api/boards', { name: 'The harbour' })
  const agent = await create<{ id: string }>('/api/kip/agents', {
    name: 'Harbour master',
    purpose: 'Answer about the harbour.',
    memory_enabled: true,
    model_provider: 'openai',
    model: 'gpt-4o',
  })
  const session = await create<{ id: string }>('/api/kip/agents', { action: 'createSession', agentId: agent.id })
  return {
    id: account.user.id,
    email,
    token,
    keeperId: keeper.id,
    board: { id: board.id },
    agentId: agent.id,
    sessionId: session.id,
    reflections: [],
    moments: [],
  }
}
