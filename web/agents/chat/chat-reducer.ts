import type { ChatMessage } from '#contract/agents/chat.ts'
import type { RunOutput, RunSource } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { addSource } from '../runs/run-view.ts'
import type { ChatEntry } from './chat-entry.ts'
import { mergeEntries, toAnswerText } from './merge-entries.ts'

export interface ChatState {
  entries: ChatEntry[]
  /** The connection broke mid-answer and is being restored. */
  reconnecting: boolean
  /** Entries before the last send, restored if it is refused. */
  previousEntries: ChatEntry[]
}

export const emptyChat: ChatState = { entries: [], reconnecting: false, previousEntries: [] }

export type ChatAction =
  | { type: 'loaded'; messages: ChatMessage[] }
  /** `replacedKey`: key of the question it replaces; that one and everything after it are hidden. */
  | { type: 'sent'; key: string; text: string; at: string; replacedKey?: string | undefined }
  | { type: 'again'; key: string; at: string; answerId: string }
  | { type: 'started'; runId: string }
  | { type: 'reasoning'; delta: string }
  | { type: 'text'; delta: string }
  | { type: 'snapshot'; runId: string; response: string; tools: ToolCall[] }
  | { type: 'tool'; call: ToolCall }
  | { type: 'source'; source: RunSource }
  | { type: 'done'; response: string; mock: boolean; output?: RunOutput }
  | { type: 'failed'; response: string; stopped: boolean }
  | { type: 'lost' }
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
        reconnecting: false,
        previousEntries: state.entries,
        entries: [...savedEntries, createQuestion(action), createReply(action)],
      }
    }
    case 'again': {
      const index = state.entries.findIndex((entry) => entry.id === action.answerId)
      if (index < 0) return state
      return {
        reconnecting: false,
        previousEntries: state.entries,
        entries: [...state.entries.slice(0, index), createReply(action)],
      }
    }
    case 'started':
      return applyStart(state, action.runId)
    case 'reasoning':
      return changeReply(state, (reply) => ({ ...reply, reasoning: reply.reasoning + action.delta }))
    case 'text':
      return changeReply(state, (reply) => ({ ...reply, content: reply.content + action.delta }))
    case 'snapshot':
      return changeReply(state, (reply) => ({
        ...reply,
        runId: action.runId,
        content: action.response,
        tools: action.tools,
      }))
    case 'tool':
      return changeReply(state, (reply) => ({ ...reply, tools: upsertCall(reply.tools, action.call) }))
    case 'source':
      return changeReply(state, (reply) => ({
        ...reply,
        sources: addSource(reply.sources, action.source),
      }))
    case 'done':
      return changeReply(state, (reply) => {
        const audio = action.output?.type === 'audio' ? action.output : null
        const content = action.response || reply.content
        return { ...reply, content: toAnswerText(content, audio), status: 'success', mock: action.mock, audio }
      })
    case 'failed':
      return changeReply(state, (reply) => ({
        ...reply,
        content: action.response || reply.content,
        status: action.stopped ? 'stopped' : 'error',
      }))
    case 'lost':
      return { ...state, reconnecting: true }
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
  const failed = answer?.sender === 'agent' && ['error', 'interrupted', 'unsent'].includes(answer.status)
  return failed && question?.sender === 'user' ? { question: question, answer } : undefined
}

function createQuestion({ key, text, at }: { key: string; text: string; at: string }): ChatEntry {
  return { ...createBlankEntry(`${key}-question`, at), sender: 'user', content: text, status: 'success' }
}

function createReply({ key, at }: { key: string; at: string }): ChatEntry {
  return { ...createBlankEntry(`${key}-reply`, at), sender: 'agent', content: '', status: 'running' }
}

function createBlankEntry(key: string, createdAt: string) {
  const emptyFields = { branches: [], tools: [], sources: [], audio: null }
  return { key, id: null, runId: null, mock: false, createdAt, reasoning: '', ...emptyFields }
}

function changeReply(state: ChatState, change: (reply: ChatEntry) => ChatEntry): ChatState {
  const reply = getRunningReply(state)
  if (!reply) return state
  return {
    ...state,
    entries: state.entries.map((entry) => (entry === reply ? change(reply) : entry)),
    reconnecting: false,
  }
}

/** A new question belongs to the run of its answer; a regenerated answer's question keeps its own. */
function applyStart(state: ChatState, runId: string): ChatState {
  const startedState = changeReply(state, (reply) => ({ ...reply, runId }))
  const entries = startedState.entries.map((entry, index) =>
    index === startedState.entries.length - 2 && entry.sender === 'user' && entry.id === null
      ? { ...entry, runId }
      : entry,
  )
  return startedState === state ? state : { ...startedState, entries }
}

function upsertCall(tools: ToolCall[], call: ToolCall): ToolCall[] {
  const isExisting = tools.some(({ id }) => id === call.id)
  return isExisting ? tools.map((toolCall) => (toolCall.id === call.id ? call : toolCall)) : [...tools, call]
}

function applyRefusal(state: ChatState, keepsQuestion: boolean): ChatState {
  if (!getRunningReply(state)) return state
  const [question] = state.entries.slice(-2)
  const isNew = question?.sender === 'user' && question.id === null
  // A refused edit returns to its box, and a refused regeneration restores the previous answer.
  const isAppended = state.entries.length > removeUnsent(state.previousEntries).length
  if (!keepsQuestion || !isNew || !isAppended)
    return { entries: state.previousEntries, reconnecting: false, previousEntries: [] }
  const unsentEntries = state.entries.slice(-2).map((entry) => ({ ...entry, status: 'unsent' as const }))
  return { entries: [...state.entries.slice(0, -2), ...unsentEntries], reconnecting: false, previousEntries: [] }
}

function removeUnsent(entries: ChatEntry[]): ChatEntry[] {
  return entries.filter((entry) => entry.status !== 'unsent')
}
