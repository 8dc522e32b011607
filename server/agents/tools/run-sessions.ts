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
  const opened = existing ?? openSharedSession(sessions, serverId, open)
  try {
    return await use(await opened)
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
  let sessions = sessionsByRun.get(run)
  if (!sessions) {
    const opened: Sessions = new Map()
    sessions = opened
    sessionsByRun.set(run, opened)
    void run.finished.then(() => {
      for (const session of opened.values())
        session.then((openedSession) => openedSession.close()).catch(() => undefined)
    })
  }
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
