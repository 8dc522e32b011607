import type { SharedJourney, SharedKeeper } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import { selectReadableKeepers } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { createKeeperNotFound } from '../keeper-access.ts'
import { getApprovedSole } from '../sole/approved-sole.ts'
import { partColumns, roleColumns, toParts, toRoles } from './shared-rows.ts'
import { listKeeperJourneys, listLoneJourneys } from './show-shared-journey.ts'

/** Visible shares, latest first. @throws Problem 404 for an outsider, 403 for a platform admin who is no member */
export async function listSharesInDomain(
  services: Services,
  person: Person,
  domainId: string,
): Promise<{ keepers: SharedKeeper[]; journeys: SharedJourney[] }> {
  const { role } = await requireDomainTo(services, person, domainId, 'see')
  if (role === null)
    throw new Problem('forbidden', { message: 'Only members of this domain can see what is shared in it.' })
  const [keepers, journeys] = await Promise.all([
    listKeepersWithCounts(services, person, domainId),
    listLoneJourneys(services, person, domainId),
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
  const [keeper] = await listKeepersWithCounts(services, person, domainId, keeperId)
  if (!keeper) throw createKeeperNotFound()
  const journeysOfIt = await listKeeperJourneys(services, person, domainId, { keeperId })
  const sole = keeper.parts.includes('sole') ? await getApprovedSole(services, keeperId) : null
  return { ...keeper, journeysOfIt, sole: keeper.parts.includes('sole') ? (sole?.statements ?? []) : null }
}

async function listKeepersWithCounts(
  services: Services,
  person: Pick<Person, 'id'>,
  domainId: string,
  keeperId?: string,
): Promise<SharedKeeper[]> {
  const rows = await selectReadableKeepers(services, person, domainId)
    .innerJoin('people', 'people.id', 'share.owner_id')
    .select(['keepers.id', 'keepers.title', 'keepers.purpose', 'keepers.theme', 'share.shared_at'])
    .select(['people.id as giver_id', 'people.name as giver_name', ...roleColumns, ...partColumns])
    .$if(keeperId !== undefined, (query) => query.where('keepers.id', '=', keeperId ?? ''))
    .orderBy('share.shared_at', 'desc')
    .orderBy('keepers.id')
    .execute()
  const getKeeperIds = (part: 'moments' | 'journeys' | 'logbook') =>
    rows.filter((row) => row[`with_${part}`]).map(({ id }) => id)
  const [moments, journeys, logbook] = await Promise.all([
    countByKeeper(services, 'moments', getKeeperIds('moments')),
    countByKeeper(services, 'journeys', getKeeperIds('journeys')),
    countByKeeper(services, 'logbook_entries', getKeeperIds('logbook')),
  ])
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    purpose: row.purpose,
    theme: row.theme,
    owner: { id: row.giver_id, name: row.giver_name, isMe: row.giver_id === person.id },
    parts: toParts(row),
    roles: toRoles(row),
    sharedAt: new Date(row.shared_at).toISOString(),
    counts: {
      moments: row.with_moments ? (moments.get(row.id) ?? 0) : null,
      journeys: row.with_journeys ? (journeys.get(row.id) ?? 0) : null,
      logbook: row.with_logbook ? (logbook.get(row.id) ?? 0) : null,
    },
  }))
}

async function countByKeeper(
  { db }: Services,
  table: 'moments' | 'journeys' | 'logbook_entries',
  keeperIds: string[],
): Promise<Map<string, number>> {
  if (keeperIds.length === 0) return new Map()
  const rows = await db
    .selectFrom(table as 'moments')
    .select((select) => ['keeper_id', select.fn.countAll<number>().as('count')])
    .where('keeper_id', 'in', keeperIds)
    .where('deleted_at', 'is', null)
    .groupBy('keeper_id')
    .execute()
  return new Map(rows.map(({ keeper_id, count }) => [keeper_id, Number(count)]))
}
