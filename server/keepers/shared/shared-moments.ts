import { sql } from 'kysely'
import type { SharedMoment } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import { keepersToRead } from '#server/domains/readable-shares.ts'
import { cursorAfter, placeOf } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { keeperNotFound } from '../keeper-access.ts'
import { sharedMomentViews } from './shared-views.ts'

export interface Page {
  cursor?: string | undefined
  limit?: number | undefined
}
export const pageSize = 50

/**
 * The moments of a keeper that was given with them, newest first by when they were lived.
 * @throws Problem 404 for a keeper whose moments this person may not read, 400 for a cursor that is none
 */
export async function sharedMoments(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
  page: Page,
): Promise<{ items: SharedMoment[]; next_cursor: string | null }> {
  await requireDomainTo(services, person, domainId, 'see')
  const readable = keepersToRead(services, person, domainId)
    .where('share.keeper_id', '=', keeperId)
    .where('share.with_moments', '=', true)
    .select('share.keeper_id')
  if (!(await readable.executeTakeFirst())) throw keeperNotFound()
  const limit = page.limit ?? pageSize
  const rows = await services.db
    .selectFrom('moments')
    .selectAll('moments')
    .where('moments.keeper_id', '=', keeperId)
    .where((where) => where.exists(readable))
    .where('moments.deleted_at', 'is', null)
    .$if(page.cursor !== undefined, (query) => query.where(isAfter(page.cursor ?? '')))
    .orderBy('moments.occurred_at', 'desc')
    .orderBy('moments.id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  return { items: await sharedMomentViews(services, shown), next_cursor: cursorOf(rows.length > limit, shown) }
}

/** On a row of `moments`: it comes later in the list than where the page before ended. */
export function isAfter(cursor: string) {
  const { at, id } = placeOf(cursor)
  return sql<boolean>`(moments.occurred_at, moments.id) < (${at}, ${id})`
}

export function cursorOf(more: boolean, shown: { occurred_at: number; id: string }[]): string | null {
  const last = more ? shown.at(-1) : undefined
  return last ? cursorAfter(last.occurred_at, last.id) : null
}
