import type { StoredSourceMessage } from '#contract/keepers/sources.ts'
import { json } from '#server/db/database.ts'
import { summarizeMessages } from '#server/keepers/sources/sources.ts'
import type { Services } from '#server/services.ts'

/** A message of a conversation; the previous one is its parent. */
export type SourceMessageInput = Pick<StoredSourceMessage, 'id' | 'role' | 'text'> & Partial<StoredSourceMessage>

interface SourceInput {
  messages: SourceMessageInput[]
  title?: string
  keepable?: boolean
  occurredAt?: number
}

/** Inserts a source directly, because the API creates conversations only through imports. */
export async function createSource(
  { db, newId }: Pick<Services, 'db' | 'newId'>,
  keeper: { id: string; owner_id: string },
  { messages, title = 'The light', keepable = true, occurredAt = Date.UTC(2026, 2, 1, 8) }: SourceInput,
): Promise<string> {
  const id = newId()
  const stored = messages.map((message, index) => ({
    parentId: messages[index - 1]?.id ?? null,
    at: null,
    model: null,
    hidden: false,
    ...message,
  }))
  await db
    .insertInto('sources')
    .values({
      id,
      keeper_id: keeper.id,
      owner_id: keeper.owner_id,
      kind: 'conversation',
      title,
      keepable,
      created_at: occurredAt,
      updated_at: occurredAt,
      deleted_at: null,
      occurred_at: occurredAt,
      messages: json(stored),
      ...summarizeMessages(stored),
      current_message_id: messages.at(-1)?.id ?? null,
      changed_at: occurredAt,
      ai_visible: false,
      import_id: null,
      source_kind: 'chatgpt',
      source_id: id,
    })
    .execute()
  return id
}
