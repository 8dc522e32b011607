import type { ChatMessage } from '#contract/agents/chat.ts'
import { apology, type ChatEntry, fallbackReply } from './chat-entry.ts'

/**
 * What the server has of the conversation, in the place of what was shown. Entries that were there keep their keys, so
 * that nothing loses the focus. A reply that is being followed is further than what was asked for a moment ago: it
 * keeps its words, and if the server did not know it yet, it stays with its question. So does what was never sent.
 */
export function refreshedEntries(
  shown: ChatEntry[],
  messages: ChatMessage[],
  reply: ChatEntry | undefined,
): ChatEntry[] {
  const known = messages.map((message) => refreshed(message, shown, reply))
  const isKnown = !reply || messages.some(({ run_id, sender }) => sender === 'agent' && run_id === reply.runId)
  if (isKnown) return [...known, ...shown.filter(({ status, id }) => status === 'unsent' && id === null)]
  return shown.map((entry) => known.find(({ key }) => key === entry.key) ?? entry)
}

function refreshed(message: ChatMessage, shown: ChatEntry[], reply: ChatEntry | undefined): ChatEntry {
  const before = shown.find(
    ({ id, sender, runId }) =>
      id === message.id || (id === null && sender === message.sender && runId !== null && runId === message.run_id),
  )
  const told = { id: message.id, branches: message.branches, createdAt: message.created_at }
  if (before && before === reply && message.status === 'running') return { ...before, ...told }
  return { ...entryFrom(message), ...told, key: before?.key ?? message.id }
}

function entryFrom(message: ChatMessage): Omit<ChatEntry, 'id' | 'key' | 'branches' | 'createdAt'> {
  const isEmptySuccess = message.sender === 'agent' && message.status === 'success' && message.content === ''
  return {
    sender: message.sender,
    content: isEmptySuccess ? fallbackReply : withoutApology(message),
    status: message.sender === 'user' ? 'success' : message.status,
    runId: message.run_id,
    mock: message.mock_mode,
    tools: message.tools,
    sources: message.sources,
    audio: message.output?.type === 'audio' ? message.output : null,
  }
}

/** The server keeps the apology as the answer; the page says it once, below whatever words came before. */
function withoutApology({ sender, content, status }: ChatMessage): string {
  const hasApology = sender === 'agent' && status !== 'success' && content.endsWith(apology)
  return hasApology ? content.slice(0, -apology.length).trimEnd() : content
}
