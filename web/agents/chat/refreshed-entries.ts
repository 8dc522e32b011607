import { apology, emptyAnswer } from '#contract/agents/answer-words.ts'
import type { ChatMessage } from '#contract/agents/chat.ts'
import type { AudioOutput } from '#contract/agents/runs.ts'
import type { ChatEntry } from './chat-entry.ts'

/**
 * Merges the server's messages into the visible entries. Keys are kept, so focus is too; a running reply keeps its
 * longer text, and unsent questions stay unless the server has them.
 */
export function refreshedEntries(
  shown: ChatEntry[],
  messages: ChatMessage[],
  reply: ChatEntry | undefined,
): ChatEntry[] {
  const known = messages.map((message) => refreshed(message, shown, reply))
  const isReply = ({ sender, run_id }: ChatMessage) => sender === 'agent' && run_id !== null && run_id === reply?.runId
  const isKnown = !reply || messages.some(isReply)
  if (!isKnown) return shown.map((entry) => known.find(({ key }) => key === entry.key) ?? entry)
  if (arrivedAfterAll(shown, messages)) return known
  return [...known, ...shown.filter(({ status, id }) => status === 'unsent' && id === null)]
}

/** The unsent question, if the server has it after all. */
export function arrivedAfterAll(shown: ChatEntry[], messages: ChatMessage[]): ChatMessage | undefined {
  const unsent = shown.find(({ sender, status }) => sender === 'user' && status === 'unsent')
  return unsent && newlyAsked(unsent.content, shown, messages)
}

/** The newest question with this text, if not shown before. Clocks can't be compared across devices. */
export function newlyAsked(words: string, shown: ChatEntry[], messages: ChatMessage[]): ChatMessage | undefined {
  const newest = messages.findLast(({ sender }) => sender === 'user')
  return newest?.content === words && !before(shown, newest) ? newest : undefined
}

function refreshed(message: ChatMessage, shown: ChatEntry[], reply: ChatEntry | undefined): ChatEntry {
  const known = before(shown, message)
  const told = { id: message.id, branches: message.branches, createdAt: message.created_at }
  if (known && known === reply && message.status === 'running') return { ...known, ...told }
  return { ...entryFrom(message), ...told, key: known?.key ?? message.id, reasoning: known?.reasoning ?? '' }
}

function before(shown: ChatEntry[], message: ChatMessage): ChatEntry | undefined {
  return shown.find(
    ({ id, sender, runId }) =>
      id === message.id || (id === null && sender === message.sender && runId !== null && runId === message.run_id),
  )
}

function entryFrom(message: ChatMessage): Omit<ChatEntry, 'id' | 'key' | 'branches' | 'createdAt' | 'reasoning'> {
  const audio = message.output?.type === 'audio' ? message.output : null
  const isSuccess = message.sender === 'agent' && message.status === 'success'
  return {
    sender: message.sender,
    content: isSuccess ? orEmptyAnswer(message.content, audio) : withoutApology(message),
    status: message.sender === 'user' ? 'success' : message.status,
    runId: message.run_id,
    mock: message.mock_mode,
    tools: message.tools,
    sources: message.sources,
    audio,
  }
}

export function orEmptyAnswer(content: string, audio: AudioOutput | null): string {
  return content.trim() === '' && audio === null ? emptyAnswer : content
}

/** The server stores the apology in the answer; the page shows it separately. */
function withoutApology({ sender, content, status }: ChatMessage): string {
  const hasApology = sender === 'agent' && status !== 'success' && content.endsWith(apology)
  return hasApology ? content.slice(0, -apology.length).trimEnd() : content
}
