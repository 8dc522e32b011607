import type { RecordedRequest } from './fakes/model-providers/start-provider-fake.ts'

/** What an OpenAI-shaped request to a model says. */
export interface Conversation {
  system: string
  /** The last thing the person said. */
  input: string
  /** What tools returned since, in order. */
  results: string[]
  /** Names of the tools it may call. */
  tools: string[]
}

export function conversationOf({ body }: Pick<RecordedRequest, 'body'>): Conversation {
  const { messages = [], tools = [] } = (body ?? {}) as {
    messages?: { role: string; content: unknown }[]
    tools?: { function: { name: string } }[]
  }
  const textOf = ({ content }: { content: unknown }) =>
    typeof content === 'string' ? content : ((content as { text?: string }[] | null)?.[0]?.text ?? '')
  const lastAsked = messages.findLastIndex(({ role }) => role === 'user')
  const system = messages.find(({ role }) => role === 'system')
  const asked = messages[lastAsked]
  return {
    system: system ? textOf(system) : '',
    input: asked ? textOf(asked) : '',
    results: messages.slice(lastAsked + 1).flatMap((message) => (message.role === 'tool' ? [textOf(message)] : [])),
    tools: tools.map((tool) => tool.function.name),
  }
}
