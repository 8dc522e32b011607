import type { Reflection } from '#contract/keepers/reflections.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { quoteMarkdown } from '../journeys/story.ts'
import { createReflection } from '../reflections/save-reflection.ts'
import { type MomentRow, toMoment } from './moment-view.ts'

/** Creates a reflection that quotes the moment and keeps its AI visibility. @throws Problem 404 */
export async function reflectOnMoment(services: Services, person: Person, id: string): Promise<Reflection> {
  const row = await requireEntryFor(services, person, 'moment', id)
  const { topics } = await toMoment(services, row)
  services.usage.add(row.owner_id, row.body.length)
  return createReflection(services, person, row.keeper_id, {
    content: `${quoteMarkdown(toQuotedText(row).trimEnd())}\n\n`,
    topic: topics[0]?.name ?? null,
    aiVisible: row.ai_visible,
    momentId: row.id,
  })
}

function toQuotedText({ title, body, local_date, place }: MomentRow): string {
  const quotedText = [title && `**${title}**`, body.trim() && body].filter(Boolean).join('\n\n')
  return quotedText || [local_date, place?.name].filter(Boolean).join(', ')
}
