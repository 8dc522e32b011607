import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Proposal, proposals } from '#contract/connections/proposals.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { createApprovedCard } from '../memory-cards/save-card.ts'
import type { MemoryConsent } from '../memory-checks/memory-check.ts'
import { toPendingCard } from '../memory-checks/pending-memory.ts'
import { createMoment } from '../moments/save-moment.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import { createReflection } from '../reflections/save-reflection.ts'

type ProposalRow = Selectable<Schema['proposals']>

const maxListed = 100

export async function listProposals(
  services: Services,
  person: Pick<Person, 'id'>,
): Promise<EndpointOutput<typeof proposals.list>> {
  const { db } = services
  const waitingProposals = selectWaitingProposals(services, person)
  const [total, rows] = await Promise.all([
    countRows(waitingProposals),
    waitingProposals
      .selectAll('proposals')
      .select('keepers.title as keeper_title')
      .orderBy('proposals.created_at')
      .orderBy('proposals.id')
      .limit(maxListed)
      .execute(),
  ])
  const senders =
    rows.length === 0
      ? []
      : await db
          .selectFrom('proposal_senders')
          .selectAll()
          .where(
            'proposal_id',
            'in',
            rows.map(({ id }) => id),
          )
          .orderBy('created_at')
          .orderBy('id')
          .execute()
  const sendersById = Map.groupBy(senders, ({ proposal_id }) => proposal_id)
  const items = rows.map(
    (row): Proposal => ({
      id: row.id,
      rev: Number(row.rev),
      keeperId: row.keeper_id,
      keeperTitle: toDisplayLine(row.keeper_title),
      kind: row.kind,
      content: row.content,
      topic: row.topic && toDisplayLine(row.topic),
      occurredOn: row.occurred_on,
      createdAt: toIsoTime(row.created_at),
      senders: (sendersById.get(row.id) ?? []).map((sender) => ({
        connectionId: sender.connection_id,
        name: toDisplayLine(sender.name),
        content: sender.content,
        quote: sender.quote,
        at: toIsoTime(sender.created_at),
      })),
    }),
  )
  return { items, total }
}

export async function countProposals(services: Services, person: Pick<Person, 'id'>): Promise<{ total: number }> {
  return { total: await countRows(selectWaitingProposals(services, person)) }
}

async function countRows(query: ReturnType<typeof selectWaitingProposals>): Promise<number> {
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

const selectWaitingProposals = (services: Services, person: Pick<Person, 'id'>) =>
  services.db
    .selectFrom('proposals')
    .innerJoin('keepers', 'keepers.id', 'proposals.keeper_id')
    .where('proposals.owner_id', '=', person.id)
    .where(isUndecided(services))
    .where('keepers.deleted_at', 'is', null)

interface Approval {
  id: string
  changes: { content?: string | undefined; topic?: string | null | undefined; occurredOn?: string | undefined }
  consent: MemoryConsent
}

/** @throws Problem 404; 409 when it was decided; `answers-changed` when the approval lacks the consent it needs */
export async function approveProposal(
  services: Services,
  person: Person,
  { id, changes, consent }: Approval,
): Promise<{ entryId: string }> {
  const row = await requireWaiting(services, person, id)
  const keeper = await requireKeeperFor(services, person, row.keeper_id)
  const content = changes.content ?? row.content
  const topic = (changes.topic === undefined ? row.topic : changes.topic) || null
  if (row.kind === 'memory') {
    const draft = { id, keeper_id: keeper.id, content, topic, created_at: services.now().getTime() }
    await consent.requireConsent(
      await toPendingCard(services, person, {
        ...draft,
        reflection_created_at: null,
        ai_visible: true,
        state: 'draft',
      }),
    )
  }
  await saveDecision(services, row, 'approved')
  // The same ID as the proposal, so that an approval that was interrupted can be repeated.
  const entryId = id
  if (row.kind === 'memory') await createApprovedCard(services, keeper, { id: entryId, content, topic })
  else if (row.kind === 'reflection')
    await createReflection(services, person, keeper.id, { id: entryId, content, ...(topic && { topic }) })
  else
    await createMoment(services, person, keeper.id, {
      id: entryId,
      body: content,
      timezone: await getPersonTimezone(services, person.id),
      localDate: changes.occurredOn ?? row.occurred_on ?? undefined,
      ...(topic && { topics: [topic] }),
    })
  await services.db.updateTable('proposals').set({ entry_id: entryId }).where('id', '=', id).execute()
  return { entryId }
}

/** @throws Problem 404; 409 when it was decided */
export async function rejectProposal(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  reason: string | undefined,
): Promise<void> {
  await saveDecision(services, await requireWaiting(services, person, id), 'rejected', reason)
}

async function saveDecision(
  services: Services,
  row: ProposalRow,
  state: 'approved' | 'rejected',
  reason?: string,
): Promise<void> {
  const decision = { state, reason: reason || null, decided_at: services.now().getTime(), rev: Number(row.rev) + 1 }
  const update = services.db
    .updateTable('proposals')
    .set(decision)
    .where('id', '=', row.id)
    .where('rev', '=', row.rev)
    .where(isUndecided(services))
  try {
    await services.db.batch([
      requireChanges(update),
      insertAudit(services, {
        action: state === 'approved' ? 'proposal-approved' : 'proposal-rejected',
        actor: { id: row.owner_id },
        personId: row.owner_id,
        subject: row.kind,
      }),
    ])
  } catch (error) {
    throw error instanceof UnexpectedChanges ? createDecidedProblem() : error
  }
  publishKeeperChanged(services, row.owner_id, row.keeper_id, 'card')
}

const interruptedAfterMs = 60_000

/** Includes approved proposals without an entry: the server stopped before it created one. */
const isUndecided = ({ now }: Services) =>
  sql<SqlBool>`(proposals.state = 'waiting' or (proposals.state = 'approved' and proposals.entry_id is null
    and proposals.decided_at < ${now().getTime() - interruptedAfterMs}))`

async function requireWaiting(services: Services, person: Pick<Person, 'id'>, id: string): Promise<ProposalRow> {
  const selectOwnProposal = () =>
    services.db.selectFrom('proposals').selectAll().where('id', '=', id).where('owner_id', '=', person.id)
  const row = await selectOwnProposal().where(isUndecided(services)).executeTakeFirst()
  if (row) return row
  if (await selectOwnProposal().executeTakeFirst()) throw createDecidedProblem()
  throw new Problem('not-found', { message: 'Proposal not found' })
}

const createDecidedProblem = () => new Problem('conflict', { message: 'You have already decided on this proposal.' })
