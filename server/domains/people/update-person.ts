import { sql } from 'kysely'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing, type Deed } from '#server/audit/write-audit.ts'
import { type JsonText, json, requireChanges } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { domainNotFound, holdDomain, requireDomainTo, retryOnConflict } from '../domain-access.ts'
import { memberNotFound, ownerStays } from '../members/list-members.ts'
import { tellDomain } from '../tell-domain.ts'
import { listPeople } from './list-people.ts'
import { sharedJourneys } from './shared-journeys.ts'

interface Changes {
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
  changes: Changes,
): Promise<DomainPerson> {
  const [domainId = '', userId] = id.split('.')
  if (userId === undefined) throw await whyNot(services, person, id)
  await retryOnConflict(() => changePerson(services, person, { domainId, userId }, changes))
  const { people } = await listPeople(services, person, { domainId })
  const changed = people.find((each) => each.id === id)
  // Removed concurrently.
  if (!changed) throw new Problem('not-found')
  return changed
}

async function changePerson(
  services: Services,
  person: Person,
  { domainId, userId }: { domainId: string; userId: string },
  changes: Changes,
): Promise<void> {
  const found = await requireDomainTo(services, person, domainId, 'manageMembers')
  if (userId === found.domain.owner_id) throw ownerStays()
  if (userId === person.id) throw new Problem('forbidden', { message: refusedOfOneself })
  const said = await services.db
    .selectFrom('domain_members')
    .select(['role', 'note', 'journey_ids'])
    .where('domain_id', '=', domainId)
    .where('person_id', '=', userId)
    .executeTakeFirst()
  if (!said) throw memberNotFound()
  const { role, note, journey_ids } = said
  const isOther = changes.note !== undefined && changes.note !== note
  if (isOther && changes.noteBefore !== undefined && changes.noteBefore !== note)
    throw new Problem('stale', { data: { yours: { note: changes.note }, current: { note } } })
  const columns: { role?: MemberRole; note?: string; journey_ids?: JsonText<string[]> } = {}
  const deeds: Pick<Deed, 'action' | 'subject' | 'details'>[] = []
  if (changes.journeyIds) {
    const shared = await sharedJourneys(services, person, [domainId])
    const known = new Map(shared.map((journey) => [journey.id, journey]))
    const { journeyIds, journeyIdsBefore: before = journey_ids.filter((each) => known.has(each)) } = changes
    const put = journeyIds.filter((each) => !before.includes(each))
    if (put.some((each) => !known.has(each)))
      throw badField('journeyIds', 'Choose journeys that are shared in this domain.')
    // Journeys invisible to the caller stay; the member's own ones need no entry.
    const taken = before.filter((each) => known.has(each) && !journeyIds.includes(each))
    const stay = journey_ids.filter((each) => !taken.includes(each))
    const after = [...new Set([...stay, ...put.filter((each) => known.get(each)?.owner_id !== userId)])]
    for (const journeyId of after)
      if (!journey_ids.includes(journeyId)) deeds.push({ action: 'person-put-on-journey', details: { journeyId } })
    for (const journeyId of journey_ids)
      if (!after.includes(journeyId)) deeds.push({ action: 'person-taken-off-journey', details: { journeyId } })
    if (deeds.length > 0) columns.journey_ids = json(after)
  }
  if (changes.note !== undefined && changes.note !== note) {
    columns.note = changes.note
    deeds.push({ action: 'person-noted' })
  }
  if (changes.relation && changes.relation !== role) {
    const { relation } = changes
    columns.role = relation
    deeds.push({ action: 'member-role-changed', subject: relation, details: { from: role, to: relation } })
  }
  if (Object.keys(columns).length === 0) return
  await services.db.batch([
    ...holdDomain(services, person, found),
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
    ...deeds.map((deed) => auditing(services, { ...deed, actor: person, personId: userId, domainId })),
  ])
  await tellDomain(services, domainId)
}

const refusedOfOneself = 'You can’t change your own role, note or journeys. Ask the owner or another admin.'

/** Explains that invited people can't be changed, without revealing other invitations. */
async function whyNot(services: Services, person: Person, id: string): Promise<Problem> {
  const invitation = await services.db
    .selectFrom('invitations')
    .select('domain_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!invitation) return domainNotFound()
  await requireDomainTo(services, person, invitation.domain_id, 'manageMembers')
  return new Problem('conflict', {
    message: 'People who haven’t joined yet have no role to change. Revoke the invitation and invite them again.',
  })
}
