import { apology, emptyAnswer } from '#contract/agents/answer-words.ts'
import type { ChatMessage } from '#contract/agents/chat.ts'
import type { AudioOutput } from '#contract/agents/runs.ts'
import type { ChatEntry } from './chat-entry.ts'

/**
 * What the server has of the conversation, in the place of what was shown. Entries that were there keep their keys, so
 * that nothing loses the focus. A reply that is being followed is further than what was asked for a moment ago: it
 * keeps its words, and if the server did not know it yet, it stays with its question. So does what was never sent;
 * what was only thought so goes, because the server has it.
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

/** The question that is shown as not sent, as the server has it after all. */
export function arrivedAfterAll(shown: ChatEntry[], messages: ChatMessage[]): ChatMessage | undefined {
  const unsent = shown.find(({ sender, status }) => sender === 'user' && status === 'unsent')
  return unsent && newlyAsked(unsent.content, shown, messages)
}

/** These words, if they are the newest question and were not in sight: a phone and a server have no clock in common. */
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

/** In the place of a successful answer without a word or a sound (seed 001 §8). */
export function orEmptyAnswer(content: string, audio: AudioOutput | null): string {
  return content.trim() === '' && audio === null ? emptyAnswer : content
}

/** The server keeps the apology as the answer; the page says it once, below whatever words came before. */
function withoutApology({ sender, content, status }: ChatMessage): string {
  const hasApology = sender === 'agent' && status !== 'success' && content.endsWith(apology)
  return hasApology ? content.slice(0, -apology.length).trimEnd() : content
}
