import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { hasStory } from '../patterns/visible-patterns.ts'

/** Keepers whose owner allowed this person to review, while the person leads a domain of the owner. An owner who was
 * added to the domain again has to agree, or to allow the reviewer again. */
export function queryReviewedKeepers({ db }: Services, personId: string) {
  const ledDomains = db
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
    .where((where) =>
      where.exists(
        where
          .selectFrom('domains')
          .select('domains.id')
          .where('domains.id', 'in', ledDomains)
          .where((either) =>
            either.or([
              either('domains.owner_id', '=', either.ref('keepers.owner_id')),
              either.exists(
                either
                  .selectFrom('domain_members')
                  .select('domain_members.person_id')
                  .whereRef('domain_members.domain_id', '=', 'domains.id')
                  .whereRef('domain_members.person_id', '=', 'keepers.owner_id')
                  .where((word) =>
                    word.or([
                      word('domain_members.agreed_at', 'is not', null),
                      word('sole_reviewers.granted_at', '>=', word.ref('domain_members.added_at')),
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
