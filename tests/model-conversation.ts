import type { RecordedRequest } from './fakes/model-providers/start-provider-fake.ts'

/** The contents of an OpenAI-shaped request. */
export interface Conversation {
  system: string
  /** The last user message. */
  input: string
  /** Tool results since then, in order. */
  results: string[]
  tools: string[]
}

export function parseConversation({ body }: Pick<RecordedRequest, 'body'>): Conversation {
  const { messages = [], tools = [] } = (body ?? {}) as {
    messages?: { role: string; content: unknown }[]
    tools?: { function: { name: string } }[]
  }
  const getText = ({ content }: { content: unknown }) =>
    typeof content === 'string' ? content : ((content as { text?: string }[] | null)?.[0]?.text ?? '')
  const lastUserIndex = messages.findLastIndex(({ role }) => role === 'user')
  const system = messages.find(({ role }) => role === 'system')
  const lastUserMessage = messages[lastUserIndex]
  return {
    system: system ? getText(system) : '',
    input: lastUserMessage ? getText(lastUserMessage) : '',
    results: messages
      .slice(lastUserIndex + 1)
      .flatMap((message) => (message.role === 'tool' ? [getText(message)] : [])),
    tools: tools.map((tool) => tool.function.name),
  }
}
