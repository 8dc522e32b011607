import { randomUUID } from 'node:crypto'
import { type Asker, dataOf } from './asking.ts'

export interface Somebody {
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
export const newClientId = () => randomUUID().replaceAll('-', '')

export async function makePeople(asker: Asker, count: number, prefix = 'person'): Promise<Somebody[]> {
  const people: Somebody[] = []
  let next = 0
  const one = async () => {
    while (next < count) people.push(await makeSomebody(asker, `${prefix}-${next++}@keeper.example`))
  }
  await Promise.all(Array.from({ length: 4 }, one))
  return people
}

async function makeSomebody(asker: Asker, email: string): Promise<Somebody> {
  const account = dataOf<{ user: { id: string }; token: string }>(
    await asker.ask('POST', '/api/kam/auth/register', { body: { email, password, name: 'Somebody of the gates' } }),
  )
  const { token } = account
  const make = async <T>(path: string, body: unknown) => dataOf<T>(await asker.ask('POST', path, { token, body }))
  const keeper = await make<{ id: string }>('/api/keeper/keepers', {
    ...{ title: 'The harbour year', purpose: 'Keep what the harbour says.', keeperType: 'journal' },
    memoryPattern: 'sole',
  })
  const board = await make<{ id: string }>('/api/boards', { name: 'The harbour' })
  const agent = await make<{ id: string }>('/api/kip/agents', {
    ...{ name: 'Harbour master', purpose: 'Answer about the harbour.', memory_enabled: true },
    ...{ model_provider: 'openai', model: 'gpt-4o' },
  })
  const session = await make<{ id: string }>('/api/kip/agents', { action: 'createSession', agentId: agent.id })
  return {
    ...{ id: account.user.id, email, token, keeperId: keeper.id, board: { id: board.id } },
    ...{ agentId: agent.id, sessionId: session.id, reflections: [], moments: [] },
  }
}
