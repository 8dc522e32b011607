import { apology, emptyAnswer } from '#contract/agents/answer-texts.ts'
import type { ChatMessage } from '#contract/agents/chat.ts'
import type { AudioOutput, RunSource, RunStatus } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import type { RunView } from '../runs/run-view.ts'

/** Shown below text from before a restart or a provider failure. */
export const cutOffText = 'The answer was cut off here. Everything before this point is saved.'

/** `unsent`: never reached the server. */
export type EntryStatus = RunStatus | 'unsent'

export interface ChatEntry {
  key: string
  /** Message id on the server; null until known. */
  id: string | null
  sender: 'user' | 'agent'
  content: string
  /** The model's reasoning as received by this page; not stored. */
  reasoning: string
  status: EntryStatus
  runId: string | null
  mock: boolean
  createdAt: string
  /** Ids of the alternatives at this position, oldest first; empty until known. */
  branches: string[]
  tools: ToolCall[]
  sources: RunSource[]
  audio: AudioOutput | null
  /** Local day whose memory the answer used; null for the day it was written. */
  asOf: string | null
}

export interface ChatState {
  entries: ChatEntry[]
  /** The connection broke mid-answer and is being restored. */
  reconnecting: boolean
  stopping: boolean
  /** Entries before the last send, restored if it is refused. */
  previousEntries: ChatEntry[]
}

export const emptyChat: ChatState = { entries: [], reconnecting: false, stopping: false, previousEntries: [] }

export type ChatAction =
  | { type: 'loaded'; messages: ChatMessage[] }
  /** `replacedKey`: key of the question it replaces; that one and everything after it are hidden. */
  | { type: 'sent'; key: string; text: string; at: string; asOf?: string | null; replacedKey?: string | undefined }
  | { type: 'regenerated'; key: string; at: string; asOf?: string | null; answerId: string }
  /** The followed run changed. */
  | { type: 'followed'; view: RunView }
  | { type: 'refused'; keepsQuestion: boolean }
  | { type: 'cleared' }

export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'loaded': {
      const entries = mergeEntries(state.entries, action.messages, getRunningReply(state))
      const isWriting = getRunningReply({ entries }) !== undefined
      return isWriting ? { ...state, entries } : { ...emptyChat, entries }
    }
    case 'sent': {
      const index = state.entries.findIndex(({ key }) => key === action.replacedKey)
      const savedEntries = index < 0 ? removeUnsent(state.entries) : state.entries.slice(0, index)
      return {
        ...emptyChat,
        previousEntries: state.entries,
        entries: [...savedEntries, createQuestion(action), createReply(action)],
      }
    }
    case 'regenerated': {
      const index = state.entries.findIndex((entry) => entry.id === action.answerId)
      if (index < 0) return state
      return {
        ...emptyChat,
        previousEntries: state.entries,
        entries: [...state.entries.slice(0, index), createReply(action)],
      }
    }
    case 'followed':
      return applyRunView(state, action.view)
    case 'refused':
      return applyRefusal(state, action.keepsQuestion)
    case 'cleared':
      return emptyChat
  }
}

/** The reply being written; unsent messages may follow it. */
export function getRunningReply({ entries }: Pick<ChatState, 'entries'>): ChatEntry | undefined {
  const lastEntry = entries.findLast(({ status }) => status !== 'unsent')
  return lastEntry?.sender === 'agent' && lastEntry.status === 'running' ? lastEntry : undefined
}

export function getFailedTurn(state: ChatState): { question: ChatEntry; answer: ChatEntry } | undefined {
  if (getRunningReply(state)) return undefined
  const [question, answer] = state.entries.slice(-2)
  const hasFailed = answer?.sender === 'agent' && ['error', 'interrupted', 'unsent'].includes(answer.status)
  return hasFailed && question?.sender === 'user' ? { question, answer } : undefined
}

function createQuestion({ key, text, at }: { key: string; text: string; at: string }): ChatEntry {
  return { ...createBlankEntry(`${key}-question`, at), sender: 'user', content: text, status: 'success' }
}

function createReply({ key, at, asOf = null }: { key: string; at: string; asOf?: string | null }): ChatEntry {
  return { ...createBlankEntry(`${key}-reply`, at), asOf, sender: 'agent', content: '', status: 'running' }
}

function createBlankEntry(key: string, createdAt: string) {
  const emptyFields = { branches: [], tools: [], sources: [], audio: null, asOf: null }
  return { key, id: null, runId: null, mock: false, createdAt, reasoning: '', ...emptyFields }
}

/**
 * Shows the run in the reply being written, which keeps the stored text until the first snapshot. A new question
 * belongs to the run of its answer; a regenerated answer's question keeps its own.
 */
function applyRunView(state: ChatState, view: RunView): ChatState {
  const reply = getRunningReply(state)
  if (!reply) return state
  const runId = view.runId ?? reply.runId
  const replyIndex = state.entries.indexOf(reply)
  const entries = state.entries.map((entry, index) => {
    if (entry === reply) return { ...reply, ...toReplyFields(view, reply), runId }
    const isItsQuestion = index === replyIndex - 1 && entry.sender === 'user' && entry.id === null
    return isItsQuestion && entry.runId !== runId ? { ...entry, runId } : entry
  })
  return { ...state, entries, reconnecting: view.reconnecting, stopping: view.stopping }
}

function toReplyFields(view: RunView, reply: ChatEntry) {
  const audio = view.output?.type === 'audio' ? view.output : null
  const content = view.text || reply.content
  return {
    content: view.status === 'success' ? toAnswerText(content, audio) : content,
    reasoning: view.reasoning || reply.reasoning,
    status: view.status === 'interrupted' ? ('error' as const) : view.status,
    mock: view.mock,
    tools: view.tools.length > 0 ? view.tools : reply.tools,
    sources: view.sources.length > 0 ? view.sources : reply.sources,
    audio,
  }
}

function applyRefusal(state: ChatState, keepsQuestion: boolean): ChatState {
  if (!getRunningReply(state)) return state
  const [question] = state.entries.slice(-2)
  const isNew = question?.sender === 'user' && question.id === null
  // A refused edit returns to its box, and a refused regeneration restores the previous answer.
  const isAppended = state.entries.length > removeUnsent(state.previousEntries).length
  if (!keepsQuestion || !isNew || !isAppended) return { ...emptyChat, entries: state.previousEntries }
  const unsentEntries = state.entries.slice(-2).map((entry) => ({ ...entry, status: 'unsent' as const }))
  return { ...emptyChat, entries: [...state.entries.slice(0, -2), ...unsentEntries] }
}

function removeUnsent(entries: ChatEntry[]): ChatEntry[] {
  return entries.filter((entry) => entry.status !== 'unsent')
}

/** Keeps keys (and so focus), the longer text of a running reply, and unsent questions that the server lacks. */
export function mergeEntries(
  visibleEntries: ChatEntry[],
  messages: ChatMessage[],
  reply: ChatEntry | undefined,
): ChatEntry[] {
  const existing = messages.map((message) => mergeEntry(message, visibleEntries, reply))
  const isReply = ({ sender, run_id }: ChatMessage) => sender === 'agent' && run_id !== null && run_id === reply?.runId
  const isReplyIncluded = !reply || messages.some(isReply)
  if (!isReplyIncluded) return visibleEntries.map((entry) => existing.find(({ key }) => key === entry.key) ?? entry)
  if (findArrivedQuestion(visibleEntries, messages)) return existing
  return [...existing, ...visibleEntries.filter(({ status, id }) => status === 'unsent' && id === null)]
}

/** The unsent question, if the server has it after all. */
export function findArrivedQuestion(visibleEntries: ChatEntry[], messages: ChatMessage[]): ChatMessage | undefined {
  const unsentQuestion = visibleEntries.find(({ sender, status }) => sender === 'user' && status === 'unsent')
  return unsentQuestion && findNewQuestion(unsentQuestion.content, visibleEntries, messages)
}

/** The newest question with this text, if not shown before. Clocks can't be compared across devices. */
export function findNewQuestion(
  text: string,
  visibleEntries: ChatEntry[],
  messages: ChatMessage[],
): ChatMessage | undefined {
  const newestQuestion = messages.findLast(({ sender }) => sender === 'user')
  return newestQuestion?.content === text && !findExistingEntry(visibleEntries, newestQuestion)
    ? newestQuestion
    : undefined
}

function mergeEntry(message: ChatMessage, visibleEntries: ChatEntry[], reply: ChatEntry | undefined): ChatEntry {
  const existing = findExistingEntry(visibleEntries, message)
  const serverFields = { id: message.id, branches: message.branches, createdAt: message.created_at }
  if (existing && existing === reply && message.status === 'running') return { ...existing, ...serverFields }
  return {
    ...toEntryFields(message),
    ...serverFields,
    key: existing?.key ?? message.id,
    reasoning: existing?.reasoning ?? '',
  }
}

function findExistingEntry(visibleEntries: ChatEntry[], message: ChatMessage): ChatEntry | undefined {
  return visibleEntries.find(
    ({ id, sender, runId }) =>
      id === message.id || (id === null && sender === message.sender && runId !== null && runId === message.run_id),
  )
}

function toEntryFields(message: ChatMessage): Omit<ChatEntry, 'id' | 'key' | 'branches' | 'createdAt' | 'reasoning'> {
  const audio = message.output?.type === 'audio' ? message.output : null
  const isSuccess = message.sender === 'agent' && message.status === 'success'
  return {
    sender: message.sender,
    content: isSuccess ? toAnswerText(message.content, audio) : removeApology(message),
    status: message.sender === 'user' ? 'success' : message.status,
    runId: message.run_id,
    mock: message.mock_mode,
    tools: message.tools,
    sources: message.sources,
    audio,
    asOf: message.as_of,
  }
}

export function toAnswerText(content: string, audio: AudioOutput | null): string {
  return content.trim() === '' && audio === null ? emptyAnswer : content
}

/** The server stores the apology in the answer; the page shows it separately. */
function removeApology({ sender, content, status }: ChatMessage): string {
  const hasApology = sender === 'agent' && status !== 'success' && content.endsWith(apology)
  return hasApology ? content.slice(0, -apology.length).trimEnd() : content
}
