import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { agents, type PublicAgent } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { ApiError, call, Unreachable } from '#web/api.ts'
import { reasonText } from '../runs/run-agent.ts'
import { mockAnswer } from '../sample-agents.ts'
import { batchText } from './batch-text.ts'
import { rememberSession } from './chat-memory.ts'
import { chatReducer, emptyChat, failedQuestion, replyUnderWay } from './chat-reducer.ts'
import { type FollowedEvent, followRun, type RunBeginning } from './follow-run.ts'
import { findMessages, openChatSession } from './open-chat-session.ts'
import { workLine } from './work-line.ts'

export interface ChatOptions {
  agent: PublicAgent
  signedIn: boolean
  /** The server is out of reach: answers are made here, and say so. */
  offline: boolean
  wantedId: string | undefined
  onSession: (sessionId: string | null) => void
  /** The server has the words. */
  onTaken: () => void
  /** The server did not take the words: they go back into the box. */
  onRefused: (text: string) => void
}

export function useChat(options: ChatOptions) {
  const { agent, signedIn, offline } = options
  const latest = useRef(options)
  latest.current = options
  const [state, dispatch] = useReducer(chatReducer, emptyChat)
  const [sessionId, setSessionId] = useState<string | null>()
  const [restoredFrom, setRestoredFrom] = useState<string>()
  const [notice, setNotice] = useState<string>()
  const [stopping, setStopping] = useState(false)
  const leave = useRef<AbortController>(undefined)
  const stopWanted = useRef(false)

  const adoptSession = useCallback(
    (id: string | null) => {
      setSessionId(id)
      rememberSession(agent.slug, id)
      latest.current.onSession(id)
    },
    [agent.slug],
  )

  const hear = useCallback(
    (event: FollowedEvent) => {
      if (event.event === 'start') {
        latest.current.onTaken()
        if (event.data.session_id) adoptSession(event.data.session_id)
        if (stopWanted.current) void call(runs.stop, { params: { runId: event.data.run_id } }).catch(() => undefined)
        dispatch({ type: 'started', runId: event.data.run_id })
      } else if (event.event === 'snapshot') {
        dispatch({ type: 'snapshot', runId: event.data.run_id, response: event.data.response })
      } else if (event.event === 'text') dispatch({ type: 'text', delta: event.data.delta })
      else if (event.event === 'tool') dispatch({ type: 'work', line: workLine(event.data) })
      else if (event.event === 'lost') dispatch({ type: 'lost' })
      else if (event.event === 'done') {
        dispatch({ type: 'done', response: event.data.response, mock: event.data.mock_mode })
      } else if (event.event === 'error') {
        dispatch({ type: 'failed', response: event.data.response, stopped: event.data.code === 'stopped' })
      }
    },
    [adoptSession],
  )

  const follow = useCallback(
    (beginning: RunBeginning) => {
      leave.current?.abort()
      const controller = new AbortController()
      leave.current = controller
      stopWanted.current = false
      setStopping(false)
      const batch = batchText(hear)
      controller.signal.addEventListener('abort', batch.drop)
      return followRun(beginning, batch.hear, { signal: controller.signal })
    },
    [hear],
  )

  const look = useCallback(
    async (id: string) => {
      const messages = await findMessages(id).catch(() => undefined)
      if (!messages) return
      dispatch({ type: 'loaded', messages })
      const running = messages.findLast((message) => message.status === 'running')
      if (running?.run_id) void follow({ runId: running.run_id })
    },
    [follow],
  )

  useEffect(() => {
    let left = false
    if (offline) return setSessionId(null)
    void openChatSession({ agent, signedIn, wantedId: latest.current.wantedId }).then((opened) => {
      if (left) return
      dispatch({ type: 'loaded', messages: opened.messages })
      setNotice(opened.notice)
      setRestoredFrom(opened.messages.at(-1)?.created_at)
      adoptSession(opened.id)
      const running = opened.messages.findLast((message) => message.status === 'running')
      if (running?.run_id) void follow({ runId: running.run_id })
    })
    return () => {
      left = true
      leave.current?.abort()
    }
  }, [agent, signedIn, offline, adoptSession, follow])

  const reply = replyUnderWay(state)
  const count = state.entries.length
  // Another tab may have gone on with this conversation.
  useEffect(() => {
    if (!sessionId || reply) return
    async function visible() {
      if (document.hidden || !sessionId) return
      const messages = await findMessages(sessionId).catch(() => undefined)
      if (messages && messages.length > count) await look(sessionId)
    }
    document.addEventListener('visibilitychange', visible)
    addEventListener('focus', visible)
    return () => {
      document.removeEventListener('visibilitychange', visible)
      removeEventListener('focus', visible)
    }
  }, [sessionId, reply, count, look])

  function send(text: string): boolean {
    const words = text.trim()
    if (words === '' || reply || sessionId === undefined) return false
    setNotice(undefined)
    dispatch({
      type: 'sent',
      key: crypto.randomUUID?.() ?? String(Date.now()),
      text: words,
      at: new Date().toISOString(),
    })
    if (offline) {
      dispatch({ type: 'done', response: mockAnswer(agent, words), mock: true })
      latest.current.onTaken()
      return true
    }
    follow({ agentId: agent.id, input: words, sessionId }).catch((reason) => refused(reason, text))
    return true
  }

  function refused(reason: unknown, text: string) {
    if (reason instanceof DOMException && reason.name === 'AbortError') return
    latest.current.onRefused(text)
    const isOurFault = reason instanceof Unreachable || (reason instanceof ApiError && reason.status >= 500)
    dispatch({ type: 'refused', keep: isOurFault })
    if (isOurFault) return
    setNotice(reasonText(reason))
    if (!(reason instanceof ApiError) || !sessionId) return
    if (reason.status === 409) void look(sessionId)
    if (reason.status === 404) adoptSession(null)
  }

  async function stop() {
    setStopping(true)
    stopWanted.current = true
    if (!reply?.runId) return
    await call(runs.stop, { params: { runId: reply.runId } }).catch(() => setStopping(false))
  }

  async function beginAnew() {
    leave.current?.abort()
    dispatch({ type: 'cleared' })
    setRestoredFrom(undefined)
    setNotice(undefined)
    if (!agent.memory_enabled || offline) return
    try {
      adoptSession((await call(agents.createSession, { body: { agentId: agent.id } })).id)
    } catch {
      // The server makes one with the first message.
      adoptSession(null)
    }
  }

  return {
    entries: state.entries,
    reconnecting: state.reconnecting,
    ready: sessionId !== undefined,
    sessionId: sessionId ?? null,
    restoredFrom,
    notice,
    reply,
    question: failedQuestion(state),
    stopping: stopping && reply !== undefined,
    send,
    stop,
    beginAnew,
  }
}
