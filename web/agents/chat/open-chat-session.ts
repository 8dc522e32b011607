import { agents, type PublicAgent } from '#contract/agents/agents.ts'
import type { ChatMessage } from '#contract/agents/chat.ts'
import { ApiError, call } from '#web/api/api.ts'
import { chatKeyPrefix } from '#web/api/api-token.ts'

export interface OpenedSession {
  id: string | null
  messages: ChatMessage[]
  notice?: string
}

interface SessionRequest {
  agent: Pick<PublicAgent, 'id' | 'slug' | 'memory_enabled'>
  requestedId: string | undefined
  signedIn: boolean
  scope?: string | undefined
}

/**
 * Opens the session in the URL, else this browser's last one, else the newest, else a new one. With `scope`, opens only the
 * session of that scope. Never rejects.
 */
export async function openChatSession({ agent, requestedId, signedIn, scope }: SessionRequest): Promise<OpenedSession> {
  if (!agent.memory_enabled) return { id: null, messages: [] }
  let notice: string | undefined
  try {
    const rememberedId = getRememberedSessionId(scope ?? agent.slug, signedIn)
    for (const id of new Set([requestedId, rememberedId])) {
      if (!id) continue
      const messages = await findMessages(id, agent.id)
      if (messages) return { id, messages, ...(notice && { notice }) }
      if (id === requestedId && !scope) notice = 'The session at this address was deleted or isn’t yours.'
    }
    if (scope) return { id: null, messages: [] }
    const newestId = signedIn && !notice ? await findNewestSessionId(agent.id) : undefined
    if (newestId) return { id: newestId, messages: (await findMessages(newestId)) ?? [] }
    const createdSession = await call(agents.createSession, { body: { agentId: agent.id } })
    return { id: createdSession.id, messages: [], ...(notice && { notice: `${notice} A new one was started.` }) }
  } catch {
    return { id: null, messages: [], notice: 'Your earlier sessions couldn’t be opened. You can still write.' }
  }
}

export async function findMessages(sessionId: string, agentId?: string): Promise<ChatMessage[] | undefined> {
  try {
    return await call(agents.messages, { query: { sessionId, ...(agentId !== undefined && { agentId }) } })
  } catch (reason) {
    if (reason instanceof ApiError && reason.status < 500) return undefined
    throw reason
  }
}

async function findNewestSessionId(agentId: string): Promise<string | undefined> {
  const { sessions } = await call(agents.sessions, { query: { agentId, page: 1, pageSize: 1 } })
  return sessions[0]?.id
}

/** Separate keys for visitors and signed-in people; slugs never contain a slash. */
const getStorageKey = (slug: string, signedIn: boolean) => `${chatKeyPrefix}${signedIn ? '' : 'visitor/'}${slug}`

export function getRememberedSessionId(slug: string, signedIn: boolean): string | undefined {
  try {
    return localStorage.getItem(getStorageKey(slug, signedIn)) ?? undefined
  } catch {
    return undefined
  }
}

export function rememberSession(slug: string, signedIn: boolean, sessionId: string | null): void {
  try {
    if (sessionId) localStorage.setItem(getStorageKey(slug, signedIn), sessionId)
    else localStorage.removeItem(getStorageKey(slug, signedIn))
  } catch {}
}
