import type * as z from 'zod/mini'
import { getSourceTitle, type StoredSourceMessage, sourceAppNames, type sources } from '#contract/keepers/sources.ts'
import { stripMarkdown } from '#contract/plain-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { parseJsonColumn } from '../entries/entry-tables.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { formatInstantDay, quoteMarkdown, toMarkdownLine } from '../journeys/story.ts'
import { createMoment } from '../moments/save-moment.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import { createReflection } from '../reflections/save-reflection.ts'
import type { SourceRow } from './sources.ts'

type NewQuote = z.output<NonNullable<typeof sources.keepQuote.body>>
type QuoteEntry = z.input<typeof sources.keepQuote.response>

/** @throws Problem 404; 400 for a message that isn't shown or words that aren't in it; 409 when the person asked the
 * other app not to remember the conversation */
export async function keepQuote(
  services: Services,
  person: Person,
  sourceId: string,
  { id, messageId, quote, as }: NewQuote,
): Promise<QuoteEntry> {
  const row = await requireEntryFor(services, person, 'source', sourceId)
  if (!row.keepable)
    throw new Problem('conflict', {
      message: 'You asked the other app not to remember this conversation, so nothing is kept from it.',
    })
  const message = parseJsonColumn(row.messages).find((candidate) => candidate.id === messageId && !candidate.hidden)
  if (!message) throw badField('messageId', 'This message isn’t in the source. Load the page again.')
  if (!containsQuote(message.text, quote))
    throw badField('quote', 'These words aren’t in the message. Select words of one message, or keep all of it.')
  const timezone = await getPersonTimezone(services, person.id)
  const body = formatQuote(row, message, { quote, timezone })
  const idField = { ...(id !== undefined && { id }) }
  const entry =
    as === 'moment'
      ? await createMoment(services, person, row.keeper_id, {
          ...idField,
          body,
          occurredAt: getTime(row, message),
          timezone,
        })
      : await createReflection(services, person, row.keeper_id, { ...idField, content: body })
  return { entity: as, id: entry.id, keeperId: row.keeper_id }
}

const getTime = (row: SourceRow, { at }: StoredSourceMessage) => at ?? toIsoTime(row.occurred_at)

/** The selection is of rendered Markdown, so only letters and digits are compared. */
function containsQuote(text: string, quote: string): boolean {
  if (text.includes(quote)) return true
  const letters = getLetters(quote)
  return letters !== '' && [text, stripMarkdown(text).text].some((candidate) => getLetters(candidate).includes(letters))
}

const getLetters = (text: string) => text.normalize('NFKC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '')

function formatQuote(
  row: SourceRow,
  message: StoredSourceMessage,
  { quote, timezone }: { quote: string; timezone: string },
): string {
  const path = `/keeper/${row.keeper_id}/sources?source=${row.id}&message=${encodeURIComponent(message.id)}`
  const link = `[${toMarkdownLine(getSourceTitle(row))}](${path.replace(/[()]/g, encodeParenthesis)})`
  const day = formatInstantDay(getTime(row, message), timezone)
  const origin = formatOrigin(message.role, link, sourceAppNames[row.source_kind ?? ''])
  return `${quoteMarkdown(quote.trim())}\n\n${origin}, ${day}`
}

function formatOrigin(role: StoredSourceMessage['role'], link: string, appName: string | undefined): string {
  if (role === 'assistant') return `${appName ?? 'An AI'} in ${link}`
  if (role === 'person') return `My words in ${link}${appName ? ` (${appName})` : ''}`
  return `From ${link}`
}

const encodeParenthesis = (character: string) => (character === '(' ? '%28' : '%29')
