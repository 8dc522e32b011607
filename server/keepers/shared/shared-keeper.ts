import type { SharedJourney, SharedKeeper } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import { keepersToRead } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { keeperNotFound } from '../keeper-access.ts'
import { approvedSole } from '../sole/approved-sole.ts'
import { journeysOfKeepers, loneJourneys } from './shared-journey.ts'
import { partColumns, partsOf, roleColumns, rolesOf } from './shared-rows.ts'

/** Visible shares, latest first. @throws Problem 404 for an outsider, 403 for a platform admin who is no member */
export async function listShared(
  services: Services,
  person: Person,
  domainId: string,
): Promise<{ keepers: SharedKeeper[]; journeys: SharedJourney[] }> {
  const { role } = await requireDomainTo(services, person, domainId, 'see')
  if (role === null)
    throw new Problem('forbidden', { message: 'Only members of this domain can see what is shared in it.' })
  const [keepers, journeys] = await Promise.all([
    keepersWithCounts(services, person, domainId),
    loneJourneys(services, person, domainId),
  ])
  return { keepers, journeys }
}

/** Includes the journeys and the approved SOLE if they are shared. @throws Problem 404 */
export async function showSharedKeeper(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
): Promise<SharedKeeper & { journeysOfIt: SharedJourney[]; sole: { id: string; text: string }[] | null }> {
  await requireDomainTo(services, person, domainId, 'see')
  const [keeper] = await keepersWithCounts(services, person, domainId, keeperId)
  if (!keeper) throw keeperNotFound()
  const journeysOfIt = await journeysOfKeepers(services, person, domainId, { keeperId })
  const sole = keeper.parts.includes('sole') ? await approvedSole(services, keeperId) : null
  return { ...keeper, journeysOfIt, sole: keeper.parts.includes('sole') ? (sole?.statements ?? []) : null }
}

async function keepersWithCounts(
  services: Services,
  person: Pick<Person, 'id'>,
  domainId: string,
  keeperId?: string,
): Promise<SharedKeeper[]> {
  const rows = await keepersToRead(services, person, domainId)
    .innerJoin('people', 'people.id', 'share.owner_id')
    .select(['keepers.id', 'keepers.title', 'keepers.purpose', 'keepers.theme', 'share.shared_at'])
    .select(['people.id as giver_id', 'people.name as giver_name', ...roleColumns, ...partColumns])
    .$if(keeperId !== undefined, (query) => query.where('keepers.id', '=', keeperId ?? ''))
    .orderBy('share.shared_at', 'desc')
    .orderBy('keepers.id')
    .execute()
  const given = (part: 'moments' | 'journeys' | 'logbook') =>
    rows.filter((row) => row[`with_${part}`]).map(({ id }) => id)
  const [moments, journeys, logbook] = await Promise.all([
    countIn(services, 'moments', given('moments')),
    countIn(services, 'journeys', given('journeys')),
    countIn(services, 'logbook_entries', given('logbook')),
  ])
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    purpose: row.purpose,
    theme: row.theme,
    owner: { id: row.giver_id, name: row.giver_name, isMe: row.giver_id === person.id },
    parts: partsOf(row),
    roles: rolesOf(row),
    sharedAt: new Date(row.shared_at).toISOString(),
    counts: {
      moments: row.with_moments ? (moments.get(row.id) ?? 0) : null,
      journeys: row.with_journeys ? (journeys.get(row.id) ?? 0) : null,
      logbook: row.with_logbook ? (logbook.get(row.id) ?? 0) : null,
    },
  }))
}

async function countIn(
  { db }: Services,
  table: 'moments' | 'journeys' | 'logbook_entries',
  keeperIds: string[],
): Promise<Map<string, number>> {
  if (keeperIds.length === 0) return new Map()
  const rows = await db
    // Each of these tables has the selected columns.
    .selectFrom(table as 'moments')
    .select((select) => ['keeper_id', select.fn.countAll<number>().as('count')])
    .where('keeper_id', 'in', keeperIds)
    .where('deleted_at', 'is', null)
    .groupBy('keeper_id')
    .execute()
  return new Map(rows.map(({ keeper_id, count }) => [keeper_id, Number(count)]))
}
