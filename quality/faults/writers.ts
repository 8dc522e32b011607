import { createHash, randomBytes } from 'node:crypto'
import {
  type AcknowledgedWrites,
  type EntityKind,
  formatBoardState,
  formatMomentState,
  formatRunState,
} from './acknowledged-writes.ts'

export interface LoadWorld {
  token: string
  keeperId: string
  agentId: string
}

const password = 'a-gates-password-5'
const createPicture = () =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), randomBytes(3_000)])
const createClientId = () => randomBytes(16).toString('hex')
const isInLowerHalf = (hexadecimalId: string) => hexadecimalId < '8'

export async function createLoadWorld(address: string, setupToken: string | undefined): Promise<LoadWorld> {
  const email = `gate-${createClientId().slice(0, 8)}@keeper.example`
  const registered = await sendRequest(address, undefined, 'POST', '/api/kam/auth/register', {
    email,
    password,
    setupToken,
  })
  const token = String(requireData<{ token: string }>(registered).token)
  const callApi = async <T>(method: string, path: string, body: unknown) =>
    requireData<T>(await sendRequest(address, token, method, path, body))
  const keeper = await callApi<{ id: string }>('POST', '/api/keeper/keepers', {
    title: 'The Harbour Year',
    purpose: 'Keep what the harbour says.',
    keeperType: 'journal',
    memoryPattern: 'sole',
  })
  const agent = await callApi<{ id: string }>('POST', '/api/kip/agents', {
    name: 'Harbour Hand',
    purpose: 'Answers.',
    memory_enabled: true,
    model_provider: 'openai',
    model_settings: { model: 'gpt-4o', max_tokens: 200, retry: { max_retries: 0, retry_delay_ms: 100 } },
  })
  if (setupToken) await callApi('PUT', '/api/kip/usage/budget', { scope: 'platform', limit_usd: 10_000 })
  return { token, keeperId: keeper.id, agentId: agent.id }
}

export interface WriteResponse {
  status: number
  text: string
  retryAfter: string | null
}

export async function sendRequest(
  address: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<WriteResponse> {
  const isPicture = Buffer.isBuffer(body)
  const response = await fetch(`${address}${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': isPicture ? 'image/png' : 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isPicture ? new Uint8Array(body) : JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') }
}

export function requireData<T>({ status, text }: WriteResponse): T {
  if (status !== 200) throw new Error(`refused with ${status}: ${text.slice(0, 300)}`)
  const body = JSON.parse(text) as { success?: boolean; data?: T }
  return body.success === true ? (body.data as T) : (body as T)
}

export interface RunningWriters {
  statuses: Map<number, number>
  /** Responses other than success, 507 and 503 with Retry-After. */
  problems: string[]
  /** Time of the last success, from `performance.now()`. */
  lastSuccessAt: number
  stop(): void
  finished: Promise<void>
}

/** Eight concurrent writers of agents, moments, boards and runs; results are recorded in `writes`. With `shouldRetry`, a writer with a broken connection retries instead of ending. */
export function startWriters(
  address: string,
  world: LoadWorld,
  writes: AcknowledgedWrites,
  { shouldRetry = false, pauseMs = 0 }: { shouldRetry?: boolean; pauseMs?: number } = {},
): RunningWriters {
  let isStopped = false
  const statuses = new Map<number, number>()
  const problems: string[] = []
  const stop = () => {
    isStopped = true
  }
  const runningWriters = { statuses, problems, lastSuccessAt: performance.now(), stop }

  async function send<T>(
    method: string,
    path: string,
    body: unknown,
    expectation?: [EntityKind, string, string | null],
  ): Promise<T | null> {
    if (expectation) writes.start(...expectation)
    const response = await sendRequest(address, world.token, method, path, body)
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (response.status === 200) {
      runningWriters.lastSuccessAt = performance.now()
      if (expectation) writes.confirm(...expectation)
      return requireData<T>(response)
    }
    if (response.status === 507) {
      if (expectation) writes.refuse(expectation[0], expectation[1])
    } else if (response.status !== 503 || response.retryAfter === null)
      problems.push(`${method} ${path}: ${response.status} ${response.text.slice(0, 200)}`)
    return null
  }

  const createChatStory = () => {
    const { agentId } = world
    let sessionId: string | undefined
    return async () => {
      sessionId ??= (await send<{ id: string }>('POST', '/api/kip/agents', { action: 'createSession', agentId }))?.id
      if (!sessionId) return
      const question = { action: 'run', agentId, sessionId, input: 'What does the harbour say?' }
      const ran = await send<{ run_id: string; response: string }>('POST', '/api/kip/agents', question)
      if (ran) writes.confirm('run', ran.run_id, formatRunState(ran.response, [ran.response]))
      else sessionId = undefined
    }
  }
  const createStories = (): (() => Promise<unknown>)[] => [
    async () => {
      const slug = `hand-${createClientId()}`
      const created = await send<{ id: string }>('POST', '/api/kip/agents', { name: 'Hand', slug, purpose: 'first' }, [
        'agent',
        slug,
        'first',
      ])
      if (!created) return
      const purpose = `edited ${randomBytes(40).toString('hex')}`
      await send('PUT', '/api/kip/agents', { id: created.id, purpose }, ['agent', slug, purpose])
      await send('DELETE', '/api/kip/agents', { id: created.id }, ['agent', slug, null])
    },
    async () => {
      const id = createClientId()
      const bytes = createPicture()
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const file = await send<{ id: string }>('POST', `/api/keeper/keepers/${world.keeperId}/media`, bytes)
      if (!file) return
      const topics = [`topic ${id.slice(0, 1)}`, `topic ${id.slice(1, 2)}+`]
      const body = `The ferry was late. ${id}`
      const created = await send(
        'POST',
        `/api/keeper/keepers/${world.keeperId}/moments`,
        { id, body, topics, mediaIds: [file.id] },
        ['moment', id, formatMomentState(body, topics, [sha256])],
      )
      if (!created) return
      const editedBody = `${body} And then it came.`
      await send('PUT', `/api/keeper/moments/${id}`, { body: editedBody, topics: ['harbour'] }, [
        'moment',
        id,
        formatMomentState(editedBody, ['harbour'], [sha256]),
      ])
      if (isInLowerHalf(id)) await send('DELETE', `/api/keeper/moments/${id}`, undefined, ['moment', id, null])
    },
    async () => {
      const id = createClientId()
      const created = await send('POST', '/api/boards', { id, name: 'Board' }, [
        'board',
        id,
        formatBoardState('Board', ['Cover', 'Settings']),
      ])
      if (!created) return
      await send('PATCH', `/api/boards/${id}`, { name: `Board ${id}` }, [
        'board',
        id,
        formatBoardState(`Board ${id}`, ['Cover', 'Settings']),
      ])
      if (isInLowerHalf(id)) await send('DELETE', `/api/boards/${id}`, undefined, ['board', id, null])
    },
    createChatStory(),
  ]
  const repeatStory = async (story: () => Promise<unknown>) => {
    while (!isStopped) {
      try {
        await story()
      } catch (error) {
        if (!isConnectionError(error)) throw error
        if (!shouldRetry) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  const all = Promise.all([...createStories(), ...createStories()].map(repeatStory))
  return Object.assign(runningWriters, { finished: all.then(() => undefined) })
}

function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError || (error as Error).name === 'SocketError'
}
