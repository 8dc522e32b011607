import type { Services } from '#server/services.ts'
import type { LiveRun } from '../runs/execute/run-registry.ts'
import { ToolServerFailure } from './tool-server-failure.ts'
import type { ToolServerSession } from './tool-server-session.ts'

type Sessions = Map<string, Promise<ToolServerSession>>

const sessionsByRun = new WeakMap<LiveRun, Sessions>()

interface SessionRequest<T> {
  runId: string
  serverId: string
  open: () => Promise<ToolServerSession>
  use: (session: ToolServerSession) => Promise<T>
}

/** Reopens a session the server has forgotten. @throws ToolServerFailure */
export async function withRunSession<T>(
  services: Services,
  { runId, serverId, open, use }: SessionRequest<T>,
): Promise<T> {
  const run = services.runs.find(runId)
  if (!run) return withNewSession(open, use)
  const sessions = getSessions(run)
  const existing = sessions.get(serverId)
  const session = existing ?? openSharedSession(sessions, serverId, open)
  try {
    return await use(await session)
  } catch (error) {
    // A request refused for an unknown session was not executed.
    const isForgotten = existing && error instanceof ToolServerFailure && error.isForgottenSession
    if (!isForgotten) throw error
    if (sessions.get(serverId) === existing) sessions.delete(serverId)
    return use(await (sessions.get(serverId) ?? openSharedSession(sessions, serverId, open)))
  }
}

function openSharedSession(
  sessions: Sessions,
  serverId: string,
  open: () => Promise<ToolServerSession>,
): Promise<ToolServerSession> {
  const opening = open()
  sessions.set(serverId, opening)
  opening.catch(() => {
    if (sessions.get(serverId) === opening) sessions.delete(serverId)
  })
  return opening
}

function getSessions(run: LiveRun): Sessions {
  const existing = sessionsByRun.get(run)
  if (existing) return existing
  const sessions: Sessions = new Map()
  sessionsByRun.set(run, sessions)
  void run.finished.then(() => {
    for (const opening of sessions.values()) opening.then((session) => session.close()).catch(() => undefined)
  })
  return sessions
}

async function withNewSession<T>(open: SessionRequest<T>['open'], use: SessionRequest<T>['use']): Promise<T> {
  const session = await open()
  try {
    return await use(session)
  } finally {
    session.close()
  }
}
