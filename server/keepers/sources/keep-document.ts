import type * as z from 'zod/mini'
import {
  librarySourceKind,
  type SourceSummary,
  type StoredSourceMessage,
  type sources,
} from '#contract/keepers/sources.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { badField } from '#server/http/problem.ts'
import { removeInvisible } from '#server/models/data-in-prompts.ts'
import type { Services } from '#server/services.ts'
import { createEntry } from '../entries/create-entry.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { createMediaWrites, requireAttachableMedia, toMediaProblem } from '../media/attach-media.ts'
import { summarizeMessages, toSourceSummary } from './sources.ts'

type NewDocument = z.output<NonNullable<typeof sources.keepDocument.body>>

const documentTypes = ['application/pdf', 'text/plain']

/** Idempotent by id. @throws Problem 404; 400 for a file that isn't an unattached PDF or text; 409 for an id in use */
export async function keepDocument(
  services: Services,
  person: Person,
  keeperId: string,
  { id = services.newId(), mediaId, title, parts, agentsMayQuote }: NewDocument,
): Promise<SourceSummary> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const entryRef = { entity: 'source', id } as const
  const files = await requireAttachableMedia(services, keeper, [mediaId], entryRef, 'mediaId')
  if (!files.every(({ mime }) => documentTypes.includes(mime)))
    throw badField('mediaId', 'Only PDF and text files can be kept as documents.')
  const messages = toMessages(parts)
  const row = await createEntry(services, keeper, {
    entity: 'source',
    id,
    values: {
      kind: 'document',
      title,
      messages: json(messages),
      ...summarizeMessages(messages),
      current_message_id: messages.at(-1)?.id ?? null,
      occurred_at: services.now().getTime(),
      changed_at: null,
      keepable: true,
      ai_visible: agentsMayQuote && messages.length > 0,
      source_kind: librarySourceKind,
      source_id: null,
      import_id: null,
    },
    extraWrites: () => createMediaWrites(services, keeper, entryRef, files),
  }).catch((error: unknown) => {
    throw toMediaProblem(error, 'mediaId')
  })
  return toSourceSummary(row)
}

function toMessages(parts: NewDocument['parts']): StoredSourceMessage[] {
  const readableParts = parts
    .map(({ text, page }) => ({
      text: removeInvisible(text).replaceAll('\0', '').toWellFormed().normalize('NFC').trim(),
      page,
    }))
    .filter(({ text }) => text !== '')
  return readableParts.map(({ text, page }, position) => ({
    id: `${position + 1}`,
    parentId: position === 0 ? null : `${position}`,
    role: 'document',
    text,
    at: null,
    model: null,
    hidden: false,
    ...(page !== undefined && { page }),
  }))
}
