import type { ChatMessage } from '#contract/agents/chat.ts'
import type { RunStatus } from '#contract/agents/runs.ts'

export const apology = 'I apologize, but I encountered an error processing your request. Please try again.'
export const fallbackReply = 'I processed your request successfully.'

/** `unsent`: it never reached the server, which knows nothing of it. */
export type EntryStatus = RunStatus | 'unsent'

export interface ChatEntry {
  key: string
  sender: 'user' | 'agent'
  content: string
  status: EntryStatus
  runId: string | null
  mock: boolean
  createdAt: string
  /** What the agent did before it spoke, in order. */
  work: string[]
}

export interface ChatState {
  entries: ChatEntry[]
  /** The connection broke in mid-answer and is being picked up again. */
  reconnecting: boolean
}

export const emptyChat: ChatState = { entries: [], reconnecting: false }

export type ChatAction =
  | { type: 'loaded'; messages: ChatMessage[] }
  | { type: 'sent'; key: string; text: string; at: string }
  | { type: 'started'; runId: string }
  | { type: 'text'; delta: string }
  | { type: 'snapshot'; runId: string; response: string }
  | { type: 'work'; line: string }
  | { type: 'done'; response: string; mock: boolean }
  | { type: 'failed'; response: string; stopped: boolean }
  | { type: 'lost' }
  /** Never arrived: `keep` leaves the question and the apology in sight, else both go. */
  | { type: 'refused'; keep: boolean }
  | { type: 'cleared' }

export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'loaded':
      return { entries: action.messages.map(entryFrom), reconnecting: false }
    case 'sent':
      return { entries: [...withoutUnsent(state.entries), ...turn(action)], reconnecting: false }
    case 'started':
      return changeReply(state, (reply) => ({ ...reply, runId: action.runId }))
    case 'text':
      return changeReply(state, (reply) => ({ ...reply, content: reply.content + action.delta }))
    case 'snapshot':
      return changeReply(state, (reply) => ({ ...reply, runId: action.runId, content: action.response }))
    case 'work':
      return changeReply(state, (reply) => ({ ...reply, work: [...new Set([...reply.work, action.line])] }))
    case 'done':
      return changeReply(state, (reply) => ({
        ...reply,
        content: action.response || reply.content || fallbackReply,
        status: 'success',
        mock: action.mock,
      }))
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

/** The reply being written, if one is. */
export function replyUnderWay({ entries }: ChatState): ChatEntry | undefined {
  const last = entries.at(-1)
  return last?.sender === 'agent' && last.status === 'running' ? last : undefined
}

/** The question that Try again asks once more: the last one, when its answer failed. */
export function failedQuestion({ entries }: ChatState): string | undefined {
  const [question, reply] = entries.slice(-2)
  const failed = reply && ['error', 'interrupted', 'unsent'].includes(reply.status)
  return failed && question?.sender === 'user' ? question.content : undefined
}

function entryFrom(message: ChatMessage): ChatEntry {
  const isEmptySuccess = message.sender === 'agent' && message.status === 'success' && message.content === ''
  return {
    key: message.id,
    sender: message.sender,
    content: isEmptySuccess ? fallbackReply : withoutApology(message),
    status: message.sender === 'user' ? 'success' : message.status,
    runId: message.run_id,
    mock: message.mock_mode,
    createdAt: message.created_at,
    work: [],
  }
}

/** The server keeps the apology as the answer; the page says it once, below whatever words came before. */
function withoutApology({ content, status }: ChatMessage): string {
  const failed = status === 'error' || status === 'interrupted'
  return failed && content.endsWith(apology) ? content.slice(0, -apology.length).trimEnd() : content
}

function turn({ key, text, at }: { key: string; text: string; at: string }): ChatEntry[] {
  const shared = { runId: null, mock: false, createdAt: at, work: [] }
  return [
    { ...shared, key: `${key}-question`, sender: 'user', content: text, status: 'success' },
    { ...shared, key: `${key}-reply`, sender: 'agent', content: '', status: 'running' },
  ]
}

function changeReply(state: ChatState, change: (reply: ChatEntry) => ChatEntry): ChatState {
  const reply = replyUnderWay(state)
  if (!reply) return state
  return { entries: [...state.entries.slice(0, -1), change(reply)], reconnecting: false }
}

function refuse(state: ChatState, keep: boolean): ChatState {
  if (!replyUnderWay(state)) return state
  const before = state.entries.slice(0, -2)
  if (!keep) return { entries: before, reconnecting: false }
  const unsent = state.entries.slice(-2).map((entry) => ({ ...entry, status: 'unsent' as const }))
  return { entries: [...before, ...unsent], reconnecting: false }
}

function withoutUnsent(entries: ChatEntry[]): ChatEntry[] {
  return entries.filter((entry) => entry.status !== 'unsent')
}
