import type { ChatMessage } from '#contract/agents/chat.ts'
import type { RunOutput, RunSource } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { withSource } from '../runs/run-view.ts'
import type { ChatEntry } from './chat-entry.ts'
import { orEmptyAnswer, refreshedEntries } from './refreshed-entries.ts'

export interface ChatState {
  entries: ChatEntry[]
  /** The connection broke mid-answer and is being restored. */
  reconnecting: boolean
  /** Entries before the last send, restored if it is refused. */
  before: ChatEntry[]
}

export const emptyChat: ChatState = { entries: [], reconnecting: false, before: [] }

export type ChatAction =
  | { type: 'loaded'; messages: ChatMessage[] }
  /** `instead`: key of the question it replaces; that one and everything after it are hidden. */
  | { type: 'sent'; key: string; text: string; at: string; instead?: string | undefined }
  /** Regenerates an answer. */
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
      const entries = refreshedEntries(state.entries, action.messages, replyUnderWay(state))
      const isWriting = replyUnderWay({ entries }) !== undefined
      return isWriting ? { ...state, entries } : { ...emptyChat, entries }
    }
    case 'sent': {
      const at = state.entries.findIndex(({ key }) => key === action.instead)
      const kept = at < 0 ? withoutUnsent(state.entries) : state.entries.slice(0, at)
      return { reconnecting: false, before: state.entries, entries: [...kept, question(action), reply(action)] }
    }
    case 'again': {
      const at = state.entries.findIndex((entry) => entry.id === action.answerId)
      if (at < 0) return state
      return { reconnecting: false, before: state.entries, entries: [...state.entries.slice(0, at), reply(action)] }
    }
    case 'started':
      return started(state, action.runId)
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
      return changeReply(state, (reply) => ({ ...reply, tools: withCall(reply.tools, action.call) }))
    case 'source':
      return changeReply(state, (reply) => ({ ...reply, sources: withSource(reply.sources, action.source) }))
    case 'done':
      return changeReply(state, (reply) => {
        const audio = action.output?.type === 'audio' ? action.output : null
        const content = action.response || reply.content
        return { ...reply, content: orEmptyAnswer(content, audio), status: 'success', mock: action.mock, audio }
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
      return refuse(state, action.keep)
    case 'cleared':
      return emptyChat
  }
}

/** The reply being written; unsent messages may follow it. */
export function replyUnderWay({ entries }: Pick<ChatState, 'entries'>): ChatEntry | undefined {
  const last = entries.findLast(({ status }) => status !== 'unsent')
  return last?.sender === 'agent' && last.status === 'running' ? last : undefined
}

/** The last question with its failed answer, for Try again. */
export function failedTurn(state: ChatState): { question: ChatEntry; answer: ChatEntry } | undefined {
  if (replyUnderWay(state)) return undefined
  const [question, answer] = state.entries.slice(-2)
  const failed = answer?.sender === 'agent' && ['error', 'interrupted', 'unsent'].includes(answer.status)
  return failed && question?.sender === 'user' ? { question, answer } : undefined
}

function question({ key, text, at }: { key: string; text: string; at: string }): ChatEntry {
  return { ...blank(`${key}-question`, at), sender: 'user', content: text, status: 'success' }
}

function reply({ key, at }: { key: string; at: string }): ChatEntry {
  return { ...blank(`${key}-reply`, at), sender: 'agent', content: '', status: 'running' }
}

function blank(key: string, createdAt: string) {
  const nothing = { branches: [], tools: [], sources: [], audio: null }
  return { key, id: null, runId: null, mock: false, createdAt, reasoning: '', ...nothing }
}

function changeReply(state: ChatState, change: (reply: ChatEntry) => ChatEntry): ChatState {
  const reply = replyUnderWay(state)
  if (!reply) return state
  return {
    ...state,
    entries: state.entries.map((entry) => (entry === reply ? change(reply) : entry)),
    reconnecting: false,
  }
}

/** A new question belongs to the run of its answer; a regenerated answer's question keeps its own. */
function started(state: ChatState, runId: string): ChatState {
  const changed = changeReply(state, (reply) => ({ ...reply, runId }))
  const entries = changed.entries.map((entry, index) =>
    index === changed.entries.length - 2 && entry.sender === 'user' && entry.id === null ? { ...entry, runId } : entry,
  )
  return changed === state ? state : { ...changed, entries }
}

function withCall(tools: ToolCall[], call: ToolCall): ToolCall[] {
  const known = tools.some(({ id }) => id === call.id)
  return known ? tools.map((each) => (each.id === call.id ? call : each)) : [...tools, call]
}

function refuse(state: ChatState, keep: boolean): ChatState {
  if (!replyUnderWay(state)) return state
  const [question] = state.entries.slice(-2)
  const isNew = question?.sender === 'user' && question.id === null
  // A refused edit returns to its box, and a refused regeneration restores the previous answer.
  const appended = state.entries.length > withoutUnsent(state.before).length
  if (!keep || !isNew || !appended) return { entries: state.before, reconnecting: false, before: [] }
  const unsent = state.entries.slice(-2).map((entry) => ({ ...entry, status: 'unsent' as const }))
  return { entries: [...state.entries.slice(0, -2), ...unsent], reconnecting: false, before: [] }
}

function withoutUnsent(entries: ChatEntry[]): ChatEntry[] {
  return entries.filter((entry) => entry.status !== 'unsent')
}
