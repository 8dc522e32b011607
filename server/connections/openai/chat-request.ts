import { hash } from 'node:crypto'
import * as z from 'zod/mini'

const maxMessages = 1000
const maxTextLength = 200_000

const part = z.object({ type: z.string(), text: z.nullish(z.string().check(z.maxLength(maxTextLength))) })
const message = z.object({
  role: z.string(),
  content: z.nullish(z.union([z.string().check(z.maxLength(maxTextLength)), z.array(part).check(z.maxLength(100))])),
})

/** As OpenAI-compatible clients send it; unknown fields are ignored. */
export const chatRequest = z.object({
  model: z.string('Send the model.').check(z.minLength(1, 'Send the model.'), z.maxLength(200)),
  messages: z
    .array(message, 'Send the messages.')
    .check(z.minLength(1, 'Send at least one message.'), z.maxLength(maxMessages)),
  stream: z.nullish(z.boolean()),
  stream_options: z.nullish(z.object({ include_usage: z.nullish(z.boolean()) })),
})
export type ChatRequest = z.infer<typeof chatRequest>

export const toText = ({ content }: ChatRequest['messages'][number]): string =>
  typeof content === 'string' ? content : (content ?? []).flatMap(({ text }) => text ?? []).join('\n')

const attachmentTypes = new Set(['image_url', 'input_image', 'input_audio', 'file'])

const hasAttachment = ({ content }: ChatRequest['messages'][number]): boolean =>
  Array.isArray(content) && content.some(({ type }) => attachmentTypes.has(type))

/** The last message is the question; the ones before it identify the chat. System messages are the client's own and ignored. */
export function splitConversation({
  messages,
}: ChatRequest): { question: string; previous: string[]; hasAttachment: boolean } | undefined {
  const turns = messages.filter(({ role }) => role === 'user' || role === 'assistant')
  const lastTurn = turns.at(-1)
  if (lastTurn?.role !== 'user') return undefined
  const previous = turns.slice(0, -1).map((turn) => `${turn.role}: ${toText(turn).trim()}`)
  return { question: toText(lastTurn), previous, hasAttachment: hasAttachment(lastTurn) }
}

/** Identifies a chat: equal for equal turns of one person with one agent. */
export const toFingerprint = (owner: string, agentId: string, turns: readonly string[]): string =>
  hash('sha256', JSON.stringify([owner, agentId, ...turns]))

const titlePromptPattern = /^Provide a concise, 5-word-or-less title for the conversation/
const taskPromptPattern = /^\s*### Task:/

/**
 * Chat programs ask for titles, tags and follow-up questions with special prompts, which no agent has to answer.
 * Open WebUI sends questions about documents as a "Task", too, but without the chat.
 */
export function answerTitleOrTagPrompt(question: string): string | undefined {
  if (titlePromptPattern.test(question)) return toTitle(question)
  if (!taskPromptPattern.test(question) || !question.includes('<chat_history>')) return undefined
  return JSON.stringify({ title: toTitle(question), tags: [], follow_ups: [], queries: [] })
}

const maxTitleWords = 6
const maxTitleLength = 60

function toTitle(prompt: string): string {
  const firstLine = /^(?:USER|User|user): ([^\n]+)/m.exec(prompt)?.[1] ?? 'Chat'
  return firstLine.split(/\s+/).slice(0, maxTitleWords).join(' ').slice(0, maxTitleLength)
}
