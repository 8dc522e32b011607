import type { LogbookEntry } from '#contract/keepers/logbook.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { toLogbookEntry } from './logbook-view.ts'

export async function exportLogbook(
  services: Services,
  person: Person,
  keeperId: string,
  format: 'md' | 'json',
): Promise<Response> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const rows = await services.db
    .selectFrom('logbook_entries')
    .selectAll()
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    .orderBy('occurred_on')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const entries = rows.map(toLogbookEntry)
  const text =
    format === 'md'
      ? renderMarkdown(keeper, entries)
      : `${JSON.stringify({ keeper: keeper.title, entries }, null, 2)}\n`
  return new Response(text, {
    headers: {
      'content-type': format === 'md' ? 'text/markdown; charset=utf-8' : 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="identity-logbook-${keeper.id}.${format}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

function renderMarkdown(keeper: KeeperRow, entries: LogbookEntry[]): string {
  const entriesByYear = Map.groupBy(entries, ({ occurredOn }) => occurredOn.slice(0, 4))
  const blocks = [`# ${toOneLine(keeper.title)} - Identity Logbook`]
  for (const [year, yearEntries] of entriesByYear) {
    blocks.push(`## ${year}`)
    const entriesByCategory = Map.groupBy(yearEntries, ({ category }) => category)
    for (const category of [...entriesByCategory.keys()].sort(new Intl.Collator('en').compare)) {
      blocks.push(`### Who I was: ${toOneLine(category)}`)
      for (const { occurredOn, label, entry, tags } of entriesByCategory.get(category) ?? []) {
        blocks.push(`#### ${occurredOn} ${toOneLine(label)}`, entry)
        if (tags.length > 0) blocks.push(`Tags: ${tags.map(toOneLine).join(', ')}`)
      }
    }
  }
  return `${blocks.join('\n\n')}\n`
}

const toOneLine = (text: string) => text.replace(/\s+/g, ' ')
