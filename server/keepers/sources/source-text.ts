import type { StoredSourceMessage } from '#contract/keepers/sources.ts'

/** Derives the columns for listing and searching from the messages. */
export function summarizeMessages(messages: readonly StoredSourceMessage[]): { text: string; message_count: number } {
  const visible = messages.filter(({ hidden }) => !hidden)
  return { text: visible.map(({ text }) => text).join('\n\n'), message_count: visible.length }
}
