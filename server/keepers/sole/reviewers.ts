import { sql } from 'kysely'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { sole } from '#contract/keepers/sole.ts'
import type { Person } from '#server/accounts/person.ts'
import { selectPeopleVisibleTo } from '#server/domains/people/people-of-domains.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { loadCustomPatterns, patternHasStory } from '../patterns/visible-patterns.ts'
import { queryReviewedKeepers } from './sole-access.ts'
import { findVersion, toSoleVersions } from './sole-versions.ts'

export async function listReviewers({ db }: Services, keeper: Pick<KeeperRow, 'id'>) {
  return db
    .selectFrom('sole_reviewers')
    .innerJoin('people', 'people.id', 'sole_reviewers.person_id')
    .select(['people.id', 'people.name'])
    .where('sole_reviewers.keeper_id', '=', keeper.id)
    .orderBy('sole_reviewers.granted_at')
    .orderBy('people.id')
    .execute()
}

/** Idempotent. @throws Problem 404 for someone outside the owner's domains; 422 for someone who leads none of them */
export async function allowReviewer(services: Services, keeper: KeeperRow, personId: string): Promise<void> {
  const { db } = services
  if (personId === keeper.owner_id)
    throw new Problem('unprocessable', { message: 'You can always review the drafts of your own keepers.' })
  const isInDomain = await selectPeopleVisibleTo(services.db, keeper.owner_id)
    .execute()
    .then((people) => people.some(({ id }) => id === personId))
  if (!isInDomain) throw new Problem('not-found', { message: 'This person isn’t in a domain you belong to.' })
  await db
    .insertInto('sole_reviewers')
    .values({ keeper_id: keeper.id, person_id: personId, granted_at: services.now().getTime() })
    // Renews the permission of an owner who was added to the domain again.
    .onConflict((conflict) =>
      conflict
        .columns(['keeper_id', 'person_id'])
        .doUpdateSet((set) => ({ granted_at: set.ref('excluded.granted_at') })),
    )
    .execute()
  const reviewedKeeper = await queryReviewedKeepers(services, personId)
    .select('keepers.id')
    .where('keepers.id', '=', keeper.id)
    .executeTakeFirst()
  if (reviewedKeeper) return
  await withdrawReviewer(services, keeper, personId)
  throw new Problem('unprocessable', {
    message: 'Only owners and admins of a domain you belong to can review. Make them an admin first.',
  })
}

export async function withdrawReviewer(
  { db }: Services,
  keeper: Pick<KeeperRow, 'id'>,
  personId: string,
): Promise<void> {
  await db.deleteFrom('sole_reviewers').where('keeper_id', '=', keeper.id).where('person_id', '=', personId).execute()
}

const oldestFirst: PageOrder = [
  [sql.ref('sole_versions.submitted_at'), 'asc'],
  [sql.ref('sole_versions.keeper_id'), 'asc'],
]
const pageSize = 200

/** Pending drafts of other people's keepers, longest waiting first. @throws Problem 400 for an invalid cursor */
export async function listDraftsToReview(
  services: Services,
  person: Pick<Person, 'id'>,
  cursor?: string,
): Promise<Reply<EndpointOutput<typeof sole.toReview>>> {
  const query = queryReviewedKeepers(services, person.id)
    .innerJoin('sole_versions', 'sole_versions.keeper_id', 'keepers.id')
    .innerJoin('people', 'people.id', 'keepers.owner_id')
    .selectAll('sole_versions')
    .select(['keepers.title', 'keepers.memory_pattern', 'people.name as owner_name'])
    .where('sole_versions.status', '=', 'draft')
  const { rows, next_cursor } = await readPage(query, {
    order: oldestFirst,
    after: parseCursor(cursor, [0, '']),
    getPosition: ({ submitted_at, keeper_id }) => [submitted_at, keeper_id],
    pageSize: pageSize,
  })
  const toKeeper = ({ keeper_id: id, owner_id, memory_pattern }: (typeof rows)[number]) => ({
    id,
    owner_id,
    memory_pattern,
  })
  const customPatterns = await loadCustomPatterns(services, rows.map(toKeeper))
  const decidableRows = rows.filter((row) => patternHasStory(toKeeper(row), customPatterns))
  const drafts = await Promise.all(
    decidableRows.map(async (row) => {
      const active = await findVersion(services, row.keeper_id, 'active')
      const [draft, activeView] = await toSoleVersions(services, active ? [row, active] : [row])
      if (!draft) throw new Error('A draft has no view')
      return {
        keeperId: row.keeper_id,
        title: row.title,
        ownerName: row.owner_name,
        draft,
        active: activeView ?? null,
      }
    }),
  )
  return new Reply(drafts, { extra: { next_cursor } })
}
