import { maxWaitingProposals, type ProposalKind } from '#contract/connections/proposals.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { loadCardItems, loadMomentItems } from '../prompt/prompt-items.ts'
import type { ReadableKeeper } from '../prompt/readable-keepers.ts'
import { isSameFact, toComparableWords } from './same-fact.ts'

const maxSenders = 20
const maxCompared = 1000

/** A connected program or an agent. */
export interface ProposalSender {
  connectionId?: string
  agentId?: string
  name: string
}

export interface NewProposal {
  keeper: Pick<ReadableKeeper, 'id' | 'owner_id' | 'title' | 'zone'> & Partial<Pick<ReadableKeeper, 'limits'>>
  kind: ProposalKind
  content: string
  topic?: string | undefined
  occurredOn?: string | undefined
  quote?: string | undefined
}

export type ProposalResult =
  | { state: 'waiting'; isNew: boolean }
  | { state: 'approved' }
  | { state: 'rejected'; reason: string | null }

/**
 * Queues a proposal for the person's decision. A fact that already waits gets another sender instead of a second proposal,
 * and a fact that was rejected returns the reason. @throws Problem 422 when too many wait; 413 without space
 */
export async function submitProposal(
  services: Services,
  sender: ProposalSender,
  { keeper, kind, content, topic, occurredOn, quote }: NewProposal,
): Promise<ProposalResult> {
  const { db, newId } = services
  const now = services.now().getTime()
  const words = toComparableWords(content)
  const candidates = await db
    .selectFrom('proposals')
    .select(['id', 'words', 'state', 'reason', 'occurred_on', 'entry_id'])
    .where('owner_id', '=', keeper.owner_id)
    .where('keeper_id', '=', keeper.id)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .limit(maxCompared)
    .execute()
  let duplicate: (typeof candidates)[number] | undefined
  for (const candidate of candidates) {
    if (candidate.occurred_on !== (occurredOn ?? null) || !isSameFact(candidate.words, words)) continue
    const { id, state, reason, entry_id: entryId } = candidate
    if (state === 'rejected') return { state, reason }
    if (state === 'approved') {
      if (await canLearnOfApproval(services, sender, { keeper, kind, id, entryId })) return { state }
      continue
    }
    duplicate = candidate
    break
  }
  await services.usage.requireSpace(keeper.owner_id)
  if (!duplicate) await requireWaitingLimit(services, keeper.id)
  const id = duplicate?.id ?? newId()
  const senderRow = {
    id: newId(),
    proposal_id: id,
    connection_id: sender.connectionId ?? null,
    agent_id: sender.agentId ?? null,
    name: sender.name,
    content,
    quote: quote ?? null,
    created_at: now,
  }
  const insertSender = db.insertInto('proposal_senders').values(senderRow)
  let isRepeated = false
  if (duplicate) {
    const senders = await loadSenders(services, id)
    isRepeated = senders.some((row) => isSentBy(row, sender))
    if (!isRepeated && senders.length < maxSenders) await insertSender.execute()
  } else
    await db.batch([
      db.insertInto('proposals').values({
        id,
        owner_id: keeper.owner_id,
        keeper_id: keeper.id,
        kind,
        content,
        topic: topic ?? null,
        occurred_on: occurredOn ?? null,
        words,
        state: 'waiting',
        reason: null,
        entry_id: null,
        created_at: now,
        decided_at: null,
      }),
      insertSender,
    ])
  services.usage.add(keeper.owner_id, content.length)
  publishKeeperChanged(services, keeper.owner_id, keeper.id, 'card')
  return { state: 'waiting', isNew: !isRepeated }
}

const loadSenders = ({ db }: Services, proposalId: string) =>
  db
    .selectFrom('proposal_senders')
    .select(['connection_id', 'agent_id'])
    .where('proposal_id', '=', proposalId)
    .limit(maxSenders)
    .execute()

const isSentBy = (
  row: { connection_id: string | null; agent_id: string | null },
  { connectionId, agentId }: ProposalSender,
) => row.connection_id === (connectionId ?? null) && row.agent_id === (agentId ?? null)

/** Only for a sender that can read the entry or proposed it; others could test guesses about unreadable entries. */
async function canLearnOfApproval(
  services: Services,
  sender: ProposalSender,
  { keeper, kind, id, entryId }: Pick<NewProposal, 'keeper' | 'kind'> & { id: string; entryId: string | null },
): Promise<boolean> {
  if ((await loadSenders(services, id)).some((row) => isSentBy(row, sender))) return true
  if (entryId === null) return false
  if (kind === 'memory') return (await loadCardItems(services, keeper, [entryId])).length > 0
  return kind === 'moment' && (await loadMomentItems(services, keeper, { ids: [entryId], limit: 1 })).length > 0
}

/** @throws Problem 422 */
async function requireWaitingLimit({ db }: Services, keeperId: string): Promise<void> {
  const { count } = await db
    .selectFrom('proposals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('keeper_id', '=', keeperId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxWaitingProposals)
    throw new Problem('unprocessable', {
      message: `${maxWaitingProposals} proposals are waiting in this keeper. The person must decide on some of them first.`,
    })
}

/** Text for the model that proposed it. */
export function describeProposal(result: ProposalResult): string {
  if (result.state === 'approved') return 'The person has approved this before.'
  if (result.state === 'rejected') {
    const reason = result.reason ? `, because: ${endSentence(result.reason)}` : ' without a reason.'
    return `The person rejected this before${reason} Don’t propose it again.`
  }
  const note = 'The proposal waits for the person’s decision in Keeper. Until then, it isn’t part of the memory.'
  return result.isNew ? note : `This was proposed before. ${note}`
}

const endSentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)
