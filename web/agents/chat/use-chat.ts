import { use, useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { agents, type PublicAgent } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import { runs } from '#contract/agents/runs.ts'
import { createMockAnswer } from '#contract/samples/sample-agents.ts'
import { ApiError, call, NetworkError, stream } from '#web/api/api.ts'
import type { RunRequest, RunStart, StreamRun } from '../runs/follow-run.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { type FollowedRun, openRun } from '../runs/run-store.ts'
import { createRunView, toMockView } from '../runs/run-view.ts'
import {
  type ChatEntry,
  chatReducer,
  emptyChat,
  findArrivedQuestion,
  findNewQuestion,
  getFailedTurn,
  getRunningReply,
} from './chat-entries.ts'
import { getFailureText, getRefusalText } from './failure-texts.ts'
import { OnCustomHostContext } from './on-custom-host.ts'
import { findMessages, openChatSession, rememberSession } from './open-chat-session.ts'
import { useOtherTabs } from './use-other-tabs.ts'

export interface ChatOptions {
  agent: PublicAgent
  signedIn: boolean
  /** The server can't be reached: answers are mocked locally. */
  offline: boolean
  /** Local day whose memory answers use; null for today. */
  asOf?: string | null
  requestedId: string | undefined
  /** Keeps this conversation separate from others with the agent. */
  scope?: string
  onSessionChange: (sessionId: string | null) => void
  onSent: (text: string, editedId: string | undefined) => void
  onAccepted: () => void
  /** The text returns to where it was written. */
  onRejected: (text: string, editedId: string | undefined) => void
}

/** `text` is restored on refusal. */
interface PendingTurn {
  request: RunRequest
  text: string
  editOf?: string
}

/** The run whose answer is being written, or a request that hasn't started one yet. */
interface CurrentRun {
  run: FollowedRun
  isAccepted: boolean
  wasLeft: boolean
  unsubscribe: () => void
}

/** Delay before following a run again after its connection was lost (ms). */
const followDelayMs = 8000

export function useChat(options: ChatOptions) {
  const { agent, signedIn, offline, scope, asOf = null } = options
  const canSignIn = !use(OnCustomHostContext)
  const latestOptions = useRef(options)
  latestOptions.current = options
  const [state, dispatch] = useReducer(chatReducer, emptyChat)
  const stateRef = useRef(state)
  stateRef.current = state
  const [sessionId, setSessionId] = useState<string | null>()
  const openSessionId = sessionId ?? null
  const openSessionIdRef = useRef(openSessionId)
  const [restoredAt, setRestoredAt] = useState<string>()
  const [notice, setNotice] = useState<string>()
  const currentRun = useRef<CurrentRun>(undefined)
  /** A sent text, if the connection was lost before the server confirmed it. */
  const unconfirmedText = useRef<string>(undefined)
  /** The session being deleted here; its live events are ignored. */
  const deletingSessionId = useRef<string>(undefined)

  const adoptSession = useCallback(
    (id: string | null) => {
      openSessionIdRef.current = id
      setSessionId(id)
      rememberSession(scope ?? agent.slug, signedIn, id)
      latestOptions.current.onSessionChange(id)
    },
    [agent.slug, scope, signedIn],
  )

  const handleAccepted = useCallback(() => {
    unconfirmedText.current = undefined
    latestOptions.current.onAccepted()
  }, [])

  /** Stops following the run, which continues. A request that hasn't started a run stays open until accepted or refused. */
  const leave = useCallback(() => {
    const previousRun = currentRun.current
    if (!previousRun) return
    previousRun.wasLeft = true
    if (previousRun.run.getSnapshot().runId) previousRun.unsubscribe()
  }, [])
  const abandon = useCallback(() => currentRun.current?.unsubscribe(), [])

  const follow = useCallback(
    (runStart: RunStart): CurrentRun => {
      const isExisting = 'runId' in runStart
      const previousRun = currentRun.current?.wasLeft === false ? currentRun.current.run : undefined
      const isSame = isExisting && previousRun?.getSnapshot().runId === runStart.runId
      leave()
      const run = isSame ? previousRun : openRun(runStart)
      if (isSame) run.resume(followDelayMs)
      const followed: CurrentRun = { run, isAccepted: isExisting, wasLeft: false, unsubscribe: () => undefined }
      const showRun = () => {
        const view = run.getSnapshot()
        if (!followed.isAccepted && view.runId) {
          followed.isAccepted = true
          handleAccepted()
          if (view.sessionId && !followed.wasLeft) adoptSession(view.sessionId)
        }
        if (!followed.wasLeft && !view.refusal) dispatch({ type: 'followed', view })
        else if (view.runId) followed.unsubscribe()
      }
      followed.unsubscribe = run.subscribe(showRun)
      currentRun.current = followed
      showRun()
      void run.finished.then(() => {
        const { failureCode: code, reason: message } = run.getSnapshot()
        const text = code && message && getFailureText({ code, message }, latestOptions.current.agent.name)
        if (text && !followed.wasLeft) setNotice(text)
      })
      return followed
    },
    [adoptSession, handleAccepted, leave],
  )

  async function stop() {
    const run = currentRun.current?.run
    await run?.stop()
    const problem = run?.getSnapshot().stopProblem
    if (problem) setNotice(`The answer couldn’t be stopped: ${problem}`)
  }

  /** The running refresh; another request repeats it instead of starting a second one. */
  const refreshRound = useRef<{ shouldRepeat: boolean }>(undefined)
  const refresh = useCallback(
    async (id: string): Promise<void> => {
      if (deletingSessionId.current === id) return
      if (refreshRound.current) {
        refreshRound.current.shouldRepeat = true
        return
      }
      const round = { shouldRepeat: false }
      refreshRound.current = round
      const messages = await findMessages(id).catch(() => 'unknown' as const)
      refreshRound.current = undefined
      if (messages === 'unknown' || id !== openSessionIdRef.current) return
      if (!messages) {
        leave()
        dispatch({ type: 'cleared' })
        setRestoredAt(undefined)
        setNotice('This session was deleted. Your next message starts a new one.')
        return adoptSession(null)
      }
      const isFollowed = getRunningReply(stateRef.current) !== undefined
      const arrivedQuestion = findArrivedQuestion(stateRef.current.entries, messages)
      dispatch({ type: 'loaded', messages })
      if (arrivedQuestion) {
        latestOptions.current.onSent(arrivedQuestion.content, undefined)
        handleAccepted()
      }
      const runningMessage = messages.findLast((message) => message.status === 'running')
      if (runningMessage?.run_id && !isFollowed) {
        follow({ runId: runningMessage.run_id })
      }
      if (round.shouldRepeat) return refresh(id)
    },
    [follow, leave, handleAccepted, adoptSession],
  )

  const showSession = useCallback(
    (openedSession: Awaited<ReturnType<typeof openChatSession>>) => {
      dispatch({ type: 'cleared' })
      dispatch({ type: 'loaded', messages: openedSession.messages })
      setNotice(openedSession.notice)
      setRestoredAt(openedSession.messages.at(-1)?.created_at)
      adoptSession(openedSession.id)
      const runningMessage = openedSession.messages.findLast((message) => message.status === 'running')
      if (runningMessage?.run_id) follow({ runId: runningMessage.run_id })
    },
    [adoptSession, follow],
  )

  const { id: agentId, slug, memory_enabled } = agent
  useEffect(() => {
    let isUnmounted = false
    if (offline) return setSessionId(null)
    const requestedId = latestOptions.current.requestedId
    const sessionRequest = { agent: { id: agentId, slug, memory_enabled }, signedIn, requestedId, scope }
    void openChatSession(sessionRequest).then((openedSession) => {
      if (!isUnmounted) showSession(openedSession)
    })
    return () => {
      isUnmounted = true
      abandon()
    }
  }, [agentId, slug, memory_enabled, signedIn, offline, scope, showSession, abandon])

  const reply = getRunningReply(state)
  useOtherTabs(openSessionId, reply?.runId ?? currentRun.current?.run.getSnapshot().runId, () => {
    if (openSessionId && !getRunningReply(stateRef.current)) void refresh(openSessionId)
  })

  const isWriting = reply !== undefined
  const wasWriting = useRef(false)
  // A finished reply is refetched, because branching needs the server's message ids.
  useEffect(() => {
    if (wasWriting.current && !isWriting && openSessionIdRef.current) void refresh(openSessionIdRef.current)
    wasWriting.current = isWriting
  }, [isWriting, refresh])

  function startTurn({ request, text, editOf: editedId }: PendingTurn): void {
    setNotice(undefined)
    const mayHaveArrived = openSessionId !== null && text !== '' && unconfirmedText.current === request.input
    const followed = follow(mayHaveArrived ? { streamRun: runUnlessArrived(openSessionId, request) } : request)
    void followed.run.finished.then(() => {
      const { refusal } = followed.run.getSnapshot()
      if (!refusal) return
      if (text) latestOptions.current.onRejected(text, editedId)
      if (!followed.wasLeft) handleRejection(refusal, request.input, text !== '' && !editedId)
    })
  }

  function runUnlessArrived(id: string, request: RunRequest): StreamRun {
    const { entries } = state
    return async (signal, onEvent) => {
      const messages = await findMessages(id)
      const run_id = messages && findNewQuestion(request.input, entries, messages)?.run_id
      if (!run_id) return stream(agents.run, { body: request, signal }, onEvent)
      onEvent('start', { run_id, session_id: id })
      return stream(runs.stream, { params: { runId: run_id }, signal }, onEvent)
    }
  }

  const createTurnKey = () => ({ key: crypto.randomUUID?.() ?? String(Date.now()), at: new Date().toISOString() })
  const canStart = () => !reply && sessionId !== undefined

  /** `editedId` is the id of the question being edited. @returns whether the message was sent */
  function send(text: string, editedId?: string): boolean {
    return sendReplacing(editedId && state.entries.find(({ id }) => id === editedId)?.key, text, editedId)
  }

  function sendReplacing(replacedKey: string | undefined, text: string, editedId?: string): boolean {
    const trimmedText = text.trim()
    if (trimmedText === '' || !canStart()) return false
    latestOptions.current.onSent(text, editedId)
    dispatch({ type: 'sent', ...createTurnKey(), text: trimmedText, asOf, replacedKey })
    if (offline) {
      dispatch({ type: 'followed', view: toMockView(createRunView(), createMockAnswer(agent, trimmedText)) })
      latestOptions.current.onAccepted()
      return true
    }
    startTurn({
      request: { agentId, input: trimmedText, sessionId: openSessionId, editOf: editedId, ...(asOf && { asOf }) },
      text,
      ...(editedId && { editOf: editedId }),
    })
    return true
  }

  function regenerate(question: ChatEntry, answer: ChatEntry): void {
    if (!canStart() || !answer.id) return
    dispatch({ type: 'regenerated', ...createTurnKey(), asOf: answer.asOf, answerId: answer.id })
    const base = { agentId, input: question.content, sessionId: openSessionId, regenerateOf: answer.id }
    const request = { ...base, ...(answer.asOf && { asOf: answer.asOf }) }
    startTurn({ request, text: '' })
  }

  const failedTurn = getFailedTurn(state)
  function tryAgain(): void {
    if (!failedTurn) return
    if (openSessionId && failedTurn.answer.id && failedTurn.question.id)
      regenerate(failedTurn.question, failedTurn.answer)
    else sendReplacing(failedTurn.question.key, failedTurn.question.content)
  }

  function handleRejection(reason: unknown, text: string, isNewMessage: boolean) {
    const isConnectionFailure = reason instanceof NetworkError || (reason instanceof ApiError && reason.status >= 500)
    if (isConnectionFailure) unconfirmedText.current = text
    dispatch({ type: 'refused', keepsQuestion: isConnectionFailure })
    if (isConnectionFailure && isNewMessage) return
    setNotice(
      reason instanceof ApiError
        ? getRefusalText(reason, { agentName: agent.name, signedIn, canSignIn })
        : getReasonText(reason),
    )
  }

  async function showBranch(messageId: string) {
    if (!openSessionId || reply) return
    try {
      const messages = await call(chat.showBranch, { params: { sessionId: openSessionId }, body: { messageId } })
      dispatch({ type: 'loaded', messages })
    } catch (reason) {
      setNotice(getReasonText(reason))
      void refresh(openSessionId)
    }
  }

  function clear() {
    leave()
    dispatch({ type: 'cleared' })
    setRestoredAt(undefined)
    setNotice(undefined)
  }

  async function startNewSession() {
    clear()
    if (!memory_enabled || offline) return
    if (scope) return adoptSession(null)
    // Prevents sending into the previous session.
    openSessionIdRef.current = null
    setSessionId(undefined)
    try {
      adoptSession((await call(agents.createSession, { body: { agentId } })).id)
    } catch (reason) {
      // The server creates a session with the first message.
      adoptSession(null)
      setNotice(getReasonText(reason, 'Failed to create session'))
    }
  }

  async function openSession(id: string) {
    if (id === openSessionId) return
    try {
      const messages = await findMessages(id)
      if (!messages) return setNotice('Session not found. It was deleted.')
      leave()
      showSession({ id, messages })
    } catch (reason) {
      setNotice(getReasonText(reason, 'Failed to fetch session messages'))
    }
  }

  /** @throws ApiError, NetworkError if it still exists */
  async function removeSession(id: string): Promise<void> {
    deletingSessionId.current = id
    try {
      await call(chat.remove, { params: { sessionId: id } })
    } catch (reason) {
      // Already deleted in another tab.
      if (!(reason instanceof ApiError && reason.status === 404)) {
        deletingSessionId.current = undefined
        throw reason
      }
    }
    if (id !== openSessionIdRef.current) return
    clear()
    adoptSession(null)
  }

  return {
    entries: state.entries,
    reconnecting: state.reconnecting,
    ready: sessionId !== undefined,
    sessionId: openSessionId,
    restoredAt,
    notice,
    dismissNotice: () => setNotice(undefined),
    reply,
    failedTurn,
    stopping: state.stopping && reply !== undefined,
    send,
    regenerate,
    tryAgain,
    stop,
    showBranch,
    startNewSession,
    openSession,
    removeSession,
  }
}
