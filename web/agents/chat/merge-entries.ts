import { apology, emptyAnswer } from '#contract/agents/answer-texts.ts'
import type { ChatMessage } from '#contract/agents/chat.ts'
import type { AudioOutput } from '#contract/agents/runs.ts'
import type { ChatEntry } from './chat-entry.ts'

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
