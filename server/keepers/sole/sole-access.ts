import type { EndpointOutput } from '#contract/endpoint.ts'
import type { SoleVersion, sole } from '#contract/keepers/sole.ts'
import type { Person } from '#server/accounts/person.ts'
import { selectPeopleVisibleTo } from '#server/domains/people/people-of-domains.ts'
import { orderByColumns, parseCursor, readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor, toKeeperRef } from '../keeper-access.ts'
import { hasStory, loadCustomPatterns, patternHasStory } from '../patterns/pattern-catalog.ts'
import { findVersion, toSoleVersions } from './sole-rows.ts'

/** Keepers whose owner allowed this person to review, while the person owns or administers a domain the owner belongs to.
 * A keeper's owner who is re-added to the domain counts only after accepting the membership, or allowing the reviewer again. */
export function queryReviewedKeepers({ db }: Services, personId: string) {
  const administeredDomains = db
    .selectFrom('domains')
    .select('domains.id')
    .where('domains.owner_id', '=', personId)
    .union(
      db
        .selectFrom('domain_members')
        .select('domain_id as id')
        .where('person_id', '=', personId)
        .where('role', '=', 'admin')
        .where('agreed_at', 'is not', null),
    )
  return db
    .selectFrom('sole_reviewers')
    .innerJoin('keepers', 'keepers.id', 'sole_reviewers.keeper_id')
    .where('sole_reviewers.person_id', '=', personId)
    .where('keepers.deleted_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('domains')
          .select('domains.id')
          .where('domains.id', 'in', administeredDomains)
          .where((eb) =>
            eb.or([
              eb('domains.owner_id', '=', eb.ref('keepers.owner_id')),
              eb.exists(
                eb
                  .selectFrom('domain_members')
                  .select('domain_members.person_id')
                  .whereRef('domain_members.domain_id', '=', 'domains.id')
                  .whereRef('domain_members.person_id', '=', 'keepers.owner_id')
                  .where((eb) =>
                    eb.or([
                      eb('domain_members.agreed_at', 'is not', null),
                      eb('sole_reviewers.granted_at', '>=', eb.ref('domain_members.added_at')),
                    ]),
                  ),
              ),
            ]),
          ),
      ),
    )
}

/** The person's own keeper or one they review. @throws Problem 404 */
export async function requireReviewable(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
): Promise<KeeperRow> {
  const reviewed = await queryReviewedKeepers(services, person.id)
    .selectAll('keepers')
    .where('keepers.id', '=', id)
    .executeTakeFirst()
  return reviewed ?? requireKeeperFor(services, person, id)
}

/** @throws Problem 422 when the keeper uses another memory pattern */
export async function requireSolePattern(services: Services, keeper: KeeperRow): Promise<void> {
  if (await hasStory(services, keeper)) return
  throw new Problem('unprocessable', {
    message: 'SOLE Memory Pattern Not Active. Choose the SOLE pattern on the keeper’s metadata page first.',
  })
}

export function createNoDraftProblem(): Problem {
  return new Problem('conflict', {
    message: 'There is no draft to decide on: it was already decided, or none was submitted. Reload and try again.',
  })
}

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

/** Idempotent. @throws Problem 404 for someone outside the owner's domains; 422 for someone who administers none of them */
export async function allowReviewer(services: Services, keeper: KeeperRow, personId: string): Promise<void> {
  const { db } = services
  if (personId === keeper.owner_id)
    throw new Problem('unprocessable', { message: 'You can always review the drafts of your own keepers.' })
  const people = await selectPeopleVisibleTo(db, keeper.owner_id).execute()
  if (!people.some(({ id }) => id === personId))
    throw new Problem('not-found', { message: 'This person isn’t in a domain you belong to.' })
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
    message: 'Only owners and admins of a domain you belong to can review. Make this person an admin there first.',
  })
}

export async function withdrawReviewer(
  { db }: Services,
  keeper: Pick<KeeperRow, 'id'>,
  personId: string,
): Promise<void> {
  await db.deleteFrom('sole_reviewers').where('keeper_id', '=', keeper.id).where('person_id', '=', personId).execute()
}

const oldestFirst = orderByColumns({ submitted_at: 'asc', keeper_id: 'asc' }, 'sole_versions')
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
    ...oldestFirst,
    after: parseCursor(cursor, ['number', 'string']),
    pageSize,
  })
  const toKeeperWithPattern = (row: (typeof rows)[number]) => ({
    ...toKeeperRef(row),
    memory_pattern: row.memory_pattern,
  })
  const customPatterns = await loadCustomPatterns(services, rows.map(toKeeperWithPattern))
  const decidableRows = rows.filter((row) => patternHasStory(toKeeperWithPattern(row), customPatterns))
  const drafts = await Promise.all(
    decidableRows.map(async (row) => {
      const active = await findVersion(services, row.keeper_id, 'active')
      const views = await toSoleVersions(services, active ? [row, active] : [row])
      const [draft, activeView = null] = views as [SoleVersion, SoleVersion?]
      return { keeperId: row.keeper_id, title: row.title, ownerName: row.owner_name, draft, active: activeView }
    }),
  )
  return new Reply(drafts, { extra: { next_cursor } })
}
