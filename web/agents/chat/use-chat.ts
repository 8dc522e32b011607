import { use, useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { agents, type PublicAgent } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import { runs } from '#contract/agents/runs.ts'
import { ApiError, call, stream, Unreachable } from '#web/api.ts'
import { reasonText } from '../runs/reason-text.ts'
import { mockAnswer } from '../sample-agents.ts'
import type { ChatEntry } from './chat-entry.ts'
import { rememberSession } from './chat-memory.ts'
import { chatReducer, emptyChat, failedTurn, replyUnderWay } from './chat-reducer.ts'
import { failureText, refusalText } from './come-back.ts'
import type { AskForRun, FollowedEvent, RunAsked } from './follow-run.ts'
import { OnCustomHost } from './on-custom-host.ts'
import { findMessages, openChatSession } from './open-chat-session.ts'
import { arrivedAfterAll, newlyAsked } from './refreshed-entries.ts'
import { useFollowedRun } from './use-followed-run.ts'
import { useOtherTabs } from './use-other-tabs.ts'

export interface ChatOptions {
  agent: PublicAgent
  signedIn: boolean
  /** The server can't be reached: answers are mocked locally. */
  offline: boolean
  wantedId: string | undefined
  /** Keeps this conversation separate from others with the agent. */
  place?: string
  onSession: (sessionId: string | null) => void
  onSent: (text: string, editOf: string | undefined) => void
  onTaken: () => void
  /** The text returns to where it was written. */
  onRefused: (text: string, editOf: string | undefined) => void
}

/** `beginning` is the request; `text` is restored on refusal. */
interface Turn {
  beginning: RunAsked
  text: string
  editOf?: string
}

/** Delay before following a run that couldn't be followed (ms). */
const restMs = 8000

export function useChat(options: ChatOptions) {
  const { agent, signedIn, offline, place } = options
  const maySignIn = !use(OnCustomHost)
  const latest = useRef(options)
  latest.current = options
  const [state, dispatch] = useReducer(chatReducer, emptyChat)
  const shown = useRef(state)
  shown.current = state
  const [sessionId, setSessionId] = useState<string | null>()
  const open = sessionId ?? null
  const openNow = useRef(open)
  const [restoredFrom, setRestoredFrom] = useState<string>()
  const [notice, setNotice] = useState<string>()
  /** The run that this tab follows or followed last. */
  const ownRun = useRef<string>(undefined)
  /** The last run that failed or whose stream was lost. */
  const lostRun = useRef<string>(undefined)
  /** Text whose connection broke before the server confirmed it. */
  const unsureOf = useRef<string>(undefined)
  /** The session being deleted here; its live events are ignored. */
  const leaving = useRef<string>(undefined)

  const adoptSession = useCallback(
    (id: string | null) => {
      openNow.current = id
      setSessionId(id)
      rememberSession(place ?? agent.slug, signedIn, id)
      latest.current.onSession(id)
    },
    [agent.slug, place, signedIn],
  )

  const hear = useCallback(
    (event: FollowedEvent) => {
      switch (event.event) {
        case 'start':
          ownRun.current = event.data.run_id
          if (event.data.session_id) adoptSession(event.data.session_id)
          return dispatch({ type: 'started', runId: event.data.run_id })
        case 'snapshot':
          ownRun.current = event.data.run_id
          return dispatch({
            type: 'snapshot',
            runId: event.data.run_id,
            response: event.data.response,
            tools: event.data.tools,
          })
        case 'reasoning':
          return dispatch({ type: 'reasoning', delta: event.data.delta })
        case 'text':
          return dispatch({ type: 'text', delta: event.data.delta })
        case 'tool':
          return dispatch({ type: 'tool', call: event.data })
        case 'source':
          return dispatch({ type: 'source', source: event.data })
        case 'lost':
          return dispatch({ type: 'lost' })
        case 'done': {
          const { response, mock_mode, output } = event.data
          return dispatch({ type: 'done', response, mock: mock_mode, output })
        }
        case 'error':
          lostRun.current = event.data.run_id
          setNotice((before) => failureText(event.data, latest.current.agent.name) ?? before)
          return dispatch({ type: 'failed', response: event.data.response, stopped: event.data.code === 'stopped' })
      }
    },
    [adoptSession],
  )

  const taken = useCallback(() => {
    unsureOf.current = undefined
    latest.current.onTaken()
  }, [])
  const { follow, leave, abandon, stop, stopping } = useFollowedRun({ hear, taken, tell: setNotice })

  const looking = useRef<{ again: boolean }>(undefined)
  /** Refetches the conversation and follows a running answer. */
  const look = useCallback(
    async (id: string): Promise<void> => {
      if (leaving.current === id) return
      if (looking.current) {
        looking.current.again = true
        return
      }
      const round = { again: false }
      looking.current = round
      const messages = await findMessages(id).catch(() => 'unknown' as const)
      looking.current = undefined
      if (messages === 'unknown' || id !== openNow.current) return
      if (!messages) {
        leave()
        dispatch({ type: 'cleared' })
        setRestoredFrom(undefined)
        setNotice('This session was deleted. Your next message starts a new one.')
        return adoptSession(null)
      }
      const isFollowed = replyUnderWay(shown.current) !== undefined
      const arrived = arrivedAfterAll(shown.current.entries, messages)
      dispatch({ type: 'loaded', messages })
      if (arrived) {
        latest.current.onSent(arrived.content, undefined)
        taken()
      }
      const running = messages.findLast((message) => message.status === 'running')
      if (running?.run_id && !isFollowed) {
        const isLost = running.run_id === lostRun.current
        if (isLost) dispatch({ type: 'lost' })
        void follow({ runId: running.run_id, restMs: isLost ? restMs : 0 })
      }
      if (round.again) return look(id)
    },
    [follow, leave, taken, adoptSession],
  )

  const show = useCallback(
    (opened: Awaited<ReturnType<typeof openChatSession>>) => {
      dispatch({ type: 'cleared' })
      dispatch({ type: 'loaded', messages: opened.messages })
      setNotice(opened.notice)
      setRestoredFrom(opened.messages.at(-1)?.created_at)
      adoptSession(opened.id)
      const running = opened.messages.findLast((message) => message.status === 'running')
      if (running?.run_id) void follow({ runId: running.run_id })
    },
    [adoptSession, follow],
  )

  const { id: agentId, slug, memory_enabled } = agent
  useEffect(() => {
    let left = false
    if (offline) return setSessionId(null)
    const wantedId = latest.current.wantedId
    const about = { agent: { id: agentId, slug, memory_enabled }, signedIn, wantedId, place }
    void openChatSession(about).then((opened) => {
      if (!left) show(opened)
    })
    return () => {
      left = true
      abandon()
    }
  }, [agentId, slug, memory_enabled, signedIn, offline, place, show, abandon])

  const reply = replyUnderWay(state)
  useOtherTabs(open, reply?.runId ?? ownRun.current, () => {
    if (open && !replyUnderWay(shown.current)) void look(open)
  })

  const isWriting = reply !== undefined
  const wasWriting = useRef(false)
  // Refetch after a reply: message ids allow branching, and the apology isn't shown twice.
  useEffect(() => {
    if (wasWriting.current && !isWriting && openNow.current) void look(openNow.current)
    wasWriting.current = isWriting
  }, [isWriting, look])

  function begin({ beginning, text, editOf }: Turn): void {
    setNotice(undefined)
    const isUnsure = open !== null && text !== '' && unsureOf.current === beginning.input
    const { own, ended } = follow(isUnsure ? { ask: askUnlessArrived(open, beginning) } : beginning)
    ended.catch((reason) => {
      if (reason instanceof DOMException && reason.name === 'AbortError') return
      if (text) latest.current.onRefused(text, editOf)
      if (!own.isLeft) refused(reason, beginning.input, text !== '' && !editOf)
    })
  }

  function askUnlessArrived(id: string, beginning: RunAsked): AskForRun {
    const { entries } = state
    return async (signal, tell) => {
      const messages = await findMessages(id)
      const run_id = messages && newlyAsked(beginning.input, entries, messages)?.run_id
      if (!run_id) return stream(agents.run, { body: beginning, signal }, tell)
      tell('start', { run_id, session_id: id })
      return stream(runs.stream, { params: { runId: run_id }, signal }, tell)
    }
  }

  const turnKey = () => ({ key: crypto.randomUUID?.() ?? String(Date.now()), at: new Date().toISOString() })
  const mayBegin = () => !reply && sessionId !== undefined

  /** `editOf`: id of the question being edited. @returns whether the message was sent */
  function send(text: string, editOf?: string): boolean {
    return sendInstead(editOf && state.entries.find(({ id }) => id === editOf)?.key, text, editOf)
  }

  function sendInstead(instead: string | undefined, text: string, editOf?: string): boolean {
    const words = text.trim()
    if (words === '' || !mayBegin()) return false
    latest.current.onSent(text, editOf)
    dispatch({ type: 'sent', ...turnKey(), text: words, instead })
    if (offline) {
      dispatch({ type: 'done', response: mockAnswer(agent, words), mock: true })
      latest.current.onTaken()
      return true
    }
    begin({ beginning: { agentId, input: words, sessionId: open, editOf }, text, ...(editOf && { editOf }) })
    return true
  }

  function regenerate(question: ChatEntry, answer: ChatEntry): void {
    if (!mayBegin() || !answer.id) return
    dispatch({ type: 'again', ...turnKey(), answerId: answer.id })
    const beginning = { agentId, input: question.content, sessionId: open, regenerateOf: answer.id }
    begin({ beginning, text: '' })
  }

  const failed = failedTurn(state)
  /** Regenerates a failed answer, or resends what the server never got. */
  function tryAgain(): void {
    if (!failed) return
    if (open && failed.answer.id && failed.question.id) regenerate(failed.question, failed.answer)
    else sendInstead(failed.question.key, failed.question.content)
  }

  function refused(reason: unknown, words: string, isPlain: boolean) {
    const isOurFault = reason instanceof Unreachable || (reason instanceof ApiError && reason.status >= 500)
    if (isOurFault) unsureOf.current = words
    dispatch({ type: 'refused', keep: isOurFault })
    if (isOurFault && isPlain) return
    setNotice(
      reason instanceof ApiError
        ? refusalText(reason, { agentName: agent.name, signedIn, maySignIn })
        : reasonText(reason),
    )
  }

  async function showBranch(messageId: string) {
    if (!open || reply) return
    try {
      const messages = await call(chat.showBranch, { params: { sessionId: open }, body: { messageId } })
      dispatch({ type: 'loaded', messages })
    } catch (reason) {
      setNotice(reasonText(reason))
      void look(open)
    }
  }

  function clear() {
    leave()
    dispatch({ type: 'cleared' })
    setRestoredFrom(undefined)
    setNotice(undefined)
  }

  async function beginAnew() {
    clear()
    if (!memory_enabled || offline) return
    if (place) return adoptSession(null)
    // Prevents sending into the previous session.
    openNow.current = null
    setSessionId(undefined)
    try {
      adoptSession((await call(agents.createSession, { body: { agentId } })).id)
    } catch (reason) {
      // The server creates a session with the first message.
      adoptSession(null)
      setNotice(reasonText(reason, 'Failed to create session'))
    }
  }

  async function openSession(id: string) {
    if (id === open) return
    try {
      const messages = await findMessages(id)
      if (!messages) return setNotice('Session not found. It was deleted.')
      leave()
      show({ id, messages })
    } catch (reason) {
      setNotice(reasonText(reason, 'Failed to fetch session messages'))
    }
  }

  /** @throws ApiError, Unreachable if it still exists */
  async function removeSession(id: string): Promise<void> {
    leaving.current = id
    try {
      await call(chat.remove, { params: { sessionId: id } })
    } catch (reason) {
      // Already deleted in another tab.
      if (!(reason instanceof ApiError && reason.status === 404)) {
        leaving.current = undefined
        throw reason
      }
    }
    if (id !== openNow.current) return
    clear()
    adoptSession(null)
  }

  return {
    entries: state.entries,
    reconnecting: state.reconnecting,
    ready: sessionId !== undefined,
    sessionId: open,
    restoredFrom,
    notice,
    dismissNotice: () => setNotice(undefined),
    reply,
    failed,
    stopping: stopping && reply !== undefined,
    send,
    regenerate,
    tryAgain,
    stop,
    showBranch,
    beginAnew,
    openSession,
    removeSession,
  }
}
