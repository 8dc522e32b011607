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
  | { type: 'sent'; key: string; text: string; at: string; instead?: string | undefined }
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
  | { type: 'refused'; keep: boolean }
  | { type: 'cleared' }

export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'loaded': {
      const entries = mergeEntries(state.entries, action.messages, getRunningReply(state))
      const isWriting = getRunningReply({ entries }) !== undefined
      return isWriting ? { ...state, entries } : { ...emptyChat, entries }
    }
    case 'sent': {
      const at = state.entries.findIndex(({ key }) => key === action.instead)
      const savedEntries = at < 0 ? removeUnsent(state.entries) : state.entries.slice(0, at)
      return {
        reconnecting: false,
        previousEntries: state.entries,
        entries: [...savedEntries, createQuestion(action), createReply(action)],
      }
    }
    case 'again': {
      const at = state.entries.findIndex((entry) => entry.id === action.answerId)
      if (at < 0) return state
      return {
        reconnecting: false,
        previousEntries: state.entries,
        entries: [...state.entries.slice(0, at), createReply(action)],
      }
    }
    case 'started':
      return applyStart(state, action.runId)
    case 'reasoning':
      return changeReply(state, (createReply) => ({ ...createReply, reasoning: createReply.reasoning + action.delta }))
    case 'text':
      return changeReply(state, (createReply) => ({ ...createReply, content: createReply.content + action.delta }))
    case 'snapshot':
      return changeReply(state, (createReply) => ({
        ...createReply,
        runId: action.runId,
        content: action.response,
        tools: action.tools,
      }))
    case 'tool':
      return changeReply(state, (createReply) => ({ ...createReply, tools: withCall(createReply.tools, action.call) }))
    case 'source':
      return changeReply(state, (createReply) => ({
        ...createReply,
        sources: addSource(createReply.sources, action.source),
      }))
    case 'done':
      return changeReply(state, (createReply) => {
        const audio = action.output?.type === 'audio' ? action.output : null
        const content = action.response || createReply.content
        return { ...createReply, content: toAnswerText(content, audio), status: 'success', mock: action.mock, audio }
      })
    case 'failed':
      return changeReply(state, (createReply) => ({
        ...createReply,
        content: action.response || createReply.content,
        status: action.stopped ? 'stopped' : 'error',
      }))
    case 'lost':
      return { ...state, reconnecting: true }
    case 'refused':
      return applyRefusal(state, action.keep)
    case 'cleared':
      return emptyChat
  }
}

/** The reply being written; unsent messages may follow it. */
export function getRunningReply({ entries }: Pick<ChatState, 'entries'>): ChatEntry | undefined {
  const last = entries.findLast(({ status }) => status !== 'unsent')
  return last?.sender === 'agent' && last.status === 'running' ? last : undefined
}

export function getFailedTurn(state: ChatState): { question: ChatEntry; answer: ChatEntry } | undefined {
  if (getRunningReply(state)) return undefined
  const [createQuestion, answer] = state.entries.slice(-2)
  const failed = answer?.sender === 'agent' && ['error', 'interrupted', 'unsent'].includes(answer.status)
  return failed && createQuestion?.sender === 'user' ? { question: createQuestion, answer } : undefined
}

function createQuestion({ key, text, at }: { key: string; text: string; at: string }): ChatEntry {
  return { ...createBlankEntry(`${key}-question`, at), sender: 'user', content: text, status: 'success' }
}

function createReply({ key, at }: { key: string; at: string }): ChatEntry {
  return { ...createBlankEntry(`${key}-reply`, at), sender: 'agent', content: '', status: 'running' }
}

function createBlankEntry(key: string, createdAt: string) {
  const nothing = { branches: [], tools: [], sources: [], audio: null }
  return { key, id: null, runId: null, mock: false, createdAt, reasoning: '', ...nothing }
}

function changeReply(state: ChatState, change: (createReply: ChatEntry) => ChatEntry): ChatState {
  const createReply = getRunningReply(state)
  if (!createReply) return state
  return {
    ...state,
    entries: state.entries.map((entry) => (entry === createReply ? change(createReply) : entry)),
    reconnecting: false,
  }
}

/** A new question belongs to the run of its answer; a regenerated answer's question keeps its own. */
function applyStart(state: ChatState, runId: string): ChatState {
  const changed = changeReply(state, (createReply) => ({ ...createReply, runId }))
  const entries = changed.entries.map((entry, index) =>
    index === changed.entries.length - 2 && entry.sender === 'user' && entry.id === null ? { ...entry, runId } : entry,
  )
  return changed === state ? state : { ...changed, entries }
}

function withCall(tools: ToolCall[], call: ToolCall): ToolCall[] {
  const isExisting = tools.some(({ id }) => id === call.id)
  return isExisting ? tools.map((toolCall) => (toolCall.id === call.id ? call : toolCall)) : [...tools, call]
}

function applyRefusal(state: ChatState, keepsQuestion: boolean): ChatState {
  if (!getRunningReply(state)) return state
  const [createQuestion] = state.entries.slice(-2)
  const isNew = createQuestion?.sender === 'user' && createQuestion.id === null
  // A refused edit returns to its box, and a refused regeneration restores the previous answer.
  const isAppended = state.entries.length > removeUnsent(state.previousEntries).length
  if (!keepsQuestion || !isNew || !isAppended)
    return { entries: state.previousEntries, reconnecting: false, previousEntries: [] }
  const unsent = state.entries.slice(-2).map((entry) => ({ ...entry, status: 'unsent' as const }))
  return { entries: [...state.entries.slice(0, -2), ...unsent], reconnecting: false, previousEntries: [] }
}

function removeUnsent(entries: ChatEntry[]): ChatEntry[] {
  return entries.filter((entry) => entry.status !== 'unsent')
}
