import { sql } from 'kysely'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import type { Person } from '#server/accounts/person.ts'
import { type AuditEntry, insertAudit } from '#server/audit/write-audit.ts'
import { type JsonText, json, requireChanges } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { createDomainNotFoundProblem, lockDomain, requireDomainAccess, retryOnConflict } from '../domain-access.ts'
import { createMemberNotFoundProblem, createOwnerUnchangeableProblem } from '../members/members.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { listPeople, listSharedJourneys, type SharedJourney } from './list-people.ts'

interface PersonChanges {
  relation?: MemberRole | undefined
  note?: string | undefined
  noteBefore?: string | undefined
  journeyIds?: readonly string[] | undefined
  journeyIdsBefore?: readonly string[] | undefined
}

/** @throws Problem `stale` with both notes; 404, 403; 409 for the owner, oneself and invited people; 400 for a journey */
export async function updatePerson(
  services: Services,
  person: Person,
  id: string,
  changes: PersonChanges,
): Promise<DomainPerson> {
  const [domainId = '', userId] = id.split('.')
  if (userId === undefined) throw await explainRefusedUpdate(services, person, id)
  await retryOnConflict(() => changePerson(services, person, { domainId, userId }, changes))
  const { people } = await listPeople(services, person, { domainId })
  const updatedPerson = people.find((domainPerson) => domainPerson.id === id)
  if (!updatedPerson) throw new Problem('not-found')
  return updatedPerson
}

async function changePerson(
  services: Services,
  person: Person,
  { domainId, userId }: { domainId: string; userId: string },
  changes: PersonChanges,
): Promise<void> {
  const access = await requireDomainAccess(services, person, domainId, 'manageMembers')
  if (userId === access.domain.owner_id) throw createOwnerUnchangeableProblem()
  if (userId === person.id) throw new Problem('forbidden', { message: ownChangeRefused })
  const member = await services.db
    .selectFrom('domain_members')
    .select(['role', 'note', 'journey_ids'])
    .where('domain_id', '=', domainId)
    .where('person_id', '=', userId)
    .executeTakeFirst()
  if (!member) throw createMemberNotFoundProblem()
  const { role, note, journey_ids } = member
  const { note: newNote, relation: newRole } = changes
  const isNoteChanged = newNote !== undefined && newNote !== note
  if (isNoteChanged && changes.noteBefore !== undefined && changes.noteBefore !== note)
    throw new Problem('stale', { data: { yours: { note: newNote }, current: { note } } })
  const columns: { role?: MemberRole; note?: string; journey_ids?: JsonText<string[]> } = {}
  const auditEntries: Pick<AuditEntry, 'action' | 'subject' | 'details'>[] = []
  if (changes.journeyIds) {
    const sharedJourneys = await listSharedJourneys(services, person, [domainId])
    const nextIds = mergeJourneyIds(journey_ids, changes.journeyIds, {
      previousIds: changes.journeyIdsBefore,
      sharedJourneys,
      userId,
    })
    for (const journeyId of nextIds)
      if (!journey_ids.includes(journeyId))
        auditEntries.push({ action: 'person-put-on-journey', details: { journeyId } })
    for (const journeyId of journey_ids)
      if (!nextIds.includes(journeyId))
        auditEntries.push({ action: 'person-taken-off-journey', details: { journeyId } })
    if (auditEntries.length > 0) columns.journey_ids = json(nextIds)
  }
  if (isNoteChanged) {
    columns.note = newNote
    auditEntries.push({ action: 'person-noted' })
  }
  if (newRole && newRole !== role) {
    columns.role = newRole
    auditEntries.push({ action: 'member-role-changed', subject: newRole, details: { from: role, to: newRole } })
  }
  if (Object.keys(columns).length === 0) return
  await services.db.batch([
    ...lockDomain(services, person, access),
    requireChanges(
      services.db
        .updateTable('domain_members')
        .set(columns)
        .where('domain_id', '=', domainId)
        .where('person_id', '=', userId)
        .where('role', '=', role)
        .where('note', '=', note)
        .where('journey_ids', '=', sql<string[]>`${json(journey_ids)}`),
    ),
    ...auditEntries.map((auditEntry) =>
      insertAudit(services, { ...auditEntry, actor: person, personId: userId, domainId }),
    ),
  ])
  await publishDomainChanged(services, domainId)
}

interface JourneyContext {
  /** The journeys that the page showed as assigned; absent: all visible ones. */
  previousIds: readonly string[] | undefined
  sharedJourneys: readonly SharedJourney[]
  userId: string
}

/** Applies the page's additions and removals to the assigned journeys. Journeys invisible to the caller stay. @throws Problem 400 */
function mergeJourneyIds(
  assignedIds: readonly string[],
  requestedIds: readonly string[],
  { previousIds, sharedJourneys, userId }: JourneyContext,
): string[] {
  const sharedById = new Map(sharedJourneys.map((journey) => [journey.id, journey]))
  const isShared = (id: string) => sharedById.has(id)
  const pageIds = previousIds ?? assignedIds.filter(isShared)
  const addedIds = requestedIds.filter((id) => !pageIds.includes(id))
  if (!addedIds.every(isShared)) throw badField('journeyIds', 'Choose journeys that are shared in this domain.')
  const removedIds = pageIds.filter((id) => isShared(id) && !requestedIds.includes(id))
  const remainingIds = assignedIds.filter((id) => !removedIds.includes(id))
  // The member's own journeys need no entry.
  const othersIds = addedIds.filter((id) => sharedById.get(id)?.owner_id !== userId)
  return [...new Set([...remainingIds, ...othersIds])]
}

const ownChangeRefused = 'You can’t change your own role, note or journeys. Ask the owner or another admin.'

async function explainRefusedUpdate(services: Services, person: Person, id: string): Promise<Problem> {
  const invitation = await services.db
    .selectFrom('invitations')
    .select('domain_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!invitation) return createDomainNotFoundProblem()
  await requireDomainAccess(services, person, invitation.domain_id, 'manageMembers')
  return new Problem('conflict', {
    message: 'This person hasn’t joined yet. To change the role, revoke the invitation and invite them again.',
  })
}
