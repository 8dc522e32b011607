import {
  type SharedJourney,
  type SharedKeeper,
  type SharedLogbookEntry,
  type SharedMoment,
  type SharedPart,
  sharedParts,
} from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireDomainAccess } from '#server/domains/domain-access.ts'
import { selectReadableKeepers } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createKeeperNotFound } from '../keeper-access.ts'
import { countByKeeper } from '../keeper-view.ts'
import { type LogbookRow, readLogbookPage, toLogbookEntry } from '../logbook/list-logbook.ts'
import { createMediaNotFound } from '../media/media-view.ts'
import { type BytesRequest, sendMediaBytes } from '../media/send-bytes.ts'
import { getApprovedSole } from '../sole/sole-rows.ts'
import {
  createReadableMomentCondition,
  type PageQuery,
  readMomentsPage,
  roleColumns,
  toRoles,
  toSharedMoments,
} from './shared-views.ts'
import { listIndividualJourneys, listKeeperJourneys } from './show-shared-journey.ts'

/** Visible shares, latest first. @throws Problem 404 for an outsider, 403 for a platform admin who isn't a member */
export async function listSharesInDomain(
  services: Services,
  person: Person,
  domainId: string,
): Promise<{ keepers: SharedKeeper[]; journeys: SharedJourney[] }> {
  const { role } = await requireDomainAccess(services, person, domainId, 'see')
  if (role === null)
    throw new Problem('forbidden', { message: 'Only members of this domain can see what is shared in it.' })
  const [keepers, journeys] = await Promise.all([
    listKeepersWithCounts(services, person, domainId),
    listIndividualJourneys(services, person, domainId),
  ])
  return { keepers, journeys }
}

/** Includes the journeys and the approved SOLE if they are shared. @throws Problem 404 */
export async function showSharedKeeper(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
): Promise<SharedKeeper & { journeysOfIt: SharedJourney[]; sole: { id: string; text: string }[] | null }> {
  await requireDomainAccess(services, person, domainId, 'see')
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
    .select(['people.id as sharer_id', 'people.name as sharer_name', ...roleColumns, ...partColumns])
    .$if(keeperId !== undefined, (query) => query.where('keepers.id', '=', keeperId ?? ''))
    .orderBy('share.shared_at', 'desc')
    .orderBy('keepers.id')
    .execute()
  const countPart = (part: 'moments' | 'journeys' | 'logbook', table: Parameters<typeof countByKeeper>[1]) =>
    countByKeeper(
      services,
      table,
      rows.filter((row) => row[`with_${part}`]).map(({ id }) => id),
    )
  const [moments, journeys, logbook] = await Promise.all([
    countPart('moments', 'moments'),
    countPart('journeys', 'journeys'),
    countPart('logbook', 'logbook_entries'),
  ])
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    purpose: row.purpose,
    theme: row.theme,
    owner: { id: row.sharer_id, name: row.sharer_name, isMe: row.sharer_id === person.id },
    parts: toSharedParts(row),
    roles: toRoles(row),
    sharedAt: new Date(row.shared_at).toISOString(),
    counts: {
      moments: row.with_moments ? (moments.get(row.id) ?? 0) : null,
      journeys: row.with_journeys ? (journeys.get(row.id) ?? 0) : null,
      logbook: row.with_logbook ? (logbook.get(row.id) ?? 0) : null,
    },
  }))
}

function toSharedLogbookEntry(row: LogbookRow): SharedLogbookEntry {
  const { id, entry, label, category, tags, occurredOn, pinned } = toLogbookEntry(row)
  return { id, entry, label, category, tags, occurredOn, pinned }
}

export const toPartColumns = (parts: readonly SharedPart[]) => ({
  with_moments: parts.includes('moments'),
  with_journeys: parts.includes('journeys'),
  with_logbook: parts.includes('logbook'),
  with_sole: parts.includes('sole'),
})

export const toSharedParts = (row: Partial<ReturnType<typeof toPartColumns>>): SharedPart[] =>
  sharedParts.filter((part) => row[`with_${part}`])
export const partColumns = [
  'share.with_moments',
  'share.with_journeys',
  'share.with_logbook',
  'share.with_sole',
] as const

/** A query that finds the keeper while the part is shared. @throws Problem 404 */
async function requireSharedPart(
  services: Services,
  person: Person,
  { domainId, keeperId, part }: { domainId: string; keeperId: string; part: SharedPart },
) {
  await requireDomainAccess(services, person, domainId, 'see')
  const query = selectReadableKeepers(services, person, domainId)
    .where('share.keeper_id', '=', keeperId)
    .where(`share.with_${part}`, '=', true)
    .select('share.keeper_id')
  if (!(await query.executeTakeFirst())) throw createKeeperNotFound()
  return { query }
}

/** Newest first by date of the moment. @throws Problem 404; 400 for an invalid cursor */
export async function listSharedMoments(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
  page: PageQuery,
): Promise<{ items: SharedMoment[]; next_cursor: string | null }> {
  const { query: readableKeeper } = await requireSharedPart(services, person, { domainId, keeperId, part: 'moments' })
  const { rows, next_cursor } = await readMomentsPage(
    services.db
      .selectFrom('moments')
      .selectAll('moments')
      .where('moments.keeper_id', '=', keeperId)
      .where((where) => where.exists(readableKeeper))
      .where('moments.deleted_at', 'is', null),
    page,
  )
  return { items: await toSharedMoments(services, rows), next_cursor }
}

/** A page of a shared logbook. @throws Problem 404; 400 for an invalid cursor */
export async function listSharedLogbook(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
  cursor?: string,
): Promise<Reply<SharedLogbookEntry[]>> {
  const { query: readableKeeper } = await requireSharedPart(services, person, { domainId, keeperId, part: 'logbook' })
  const entries = services.db
    .selectFrom('logbook_entries')
    .selectAll()
    .where('keeper_id', '=', keeperId)
    .where((where) => where.exists(readableKeeper))
    .where('deleted_at', 'is', null)
  const { rows, next_cursor } = await readLogbookPage(services, entries, cursor)
  return new Reply(rows.map(toSharedLogbookEntry), { extra: { next_cursor } })
}

/** A file of a shared moment. Only its owner gets a picture with its camera metadata. @throws Problem 404 */
export async function sendSharedMedia(
  services: Services,
  person: Person,
  { id: domainId, mediaId }: { id: string; mediaId: string },
  request: BytesRequest,
): Promise<Response> {
  await requireDomainAccess(services, person, domainId, 'see')
  const row = await services.db
    .selectFrom('media')
    .innerJoin('moments', 'moments.id', 'media.entity_id')
    .selectAll('media')
    .where('media.id', '=', mediaId)
    .where('media.entity', '=', 'moment')
    .whereRef('media.person_id', '=', 'moments.owner_id')
    .where(createReadableMomentCondition(services, person, domainId))
    .executeTakeFirst()
  if (!row) throw createMediaNotFound()
  return sendMediaBytes(services, row, request, { withoutMetadata: row.person_id !== person.id })
}
