import { maxWaitingProposals, type ProposalKind } from '#contract/connections/proposals.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import type { KeeperRow } from '../keeper-access.ts'
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
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>
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
 * Puts a proposal in front of the person. The same fact from another sender joins the first one; what was rejected before
 * is answered with the reason. @throws Problem 422 when too many wait
 */
export async function propose(
  services: Services,
  sender: ProposalSender,
  { keeper, kind, content, topic, occurredOn, quote }: NewProposal,
): Promise<ProposalResult> {
  const { db, newId } = services
  const now = services.now().getTime()
  const words = toComparableWords(content)
  const candidates = await db
    .selectFrom('proposals')
    .select(['id', 'words', 'state', 'reason', 'occurred_on'])
    .where('owner_id', '=', keeper.owner_id)
    .where('keeper_id', '=', keeper.id)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .limit(maxCompared)
    .execute()
  const same = candidates.find(
    (candidate) => candidate.occurred_on === (occurredOn ?? null) && isSameFact(candidate.words, words),
  )
  if (same?.state === 'rejected') return { state: 'rejected', reason: same.reason }
  if (same?.state === 'approved') return { state: 'approved' }
  if (!same && candidates.filter(({ state }) => state === 'waiting').length >= maxWaitingProposals)
    throw new Problem('unprocessable', {
      message: `${maxWaitingProposals} proposals are waiting in this keeper. The person has to decide on some first.`,
    })
  const id = same?.id ?? newId()
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
  if (same) {
    const senders = await db
      .selectFrom('proposal_senders')
      .select(['connection_id', 'agent_id'])
      .where('proposal_id', '=', id)
      .limit(maxSenders)
      .execute()
    const isRepeated = senders.some(
      ({ connection_id, agent_id }) => connection_id === senderRow.connection_id && agent_id === senderRow.agent_id,
    )
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
  return { state: 'waiting', isNew: !same }
}

/** For the model that proposed it. */
export function describeProposal(result: ProposalResult): string {
  if (result.state === 'approved') return 'The person has approved this before.'
  if (result.state === 'rejected') {
    const reason = result.reason ? `, because: ${endSentence(result.reason)}` : ' without a reason.'
    return `The person rejected this before${reason} Don’t propose it again.`
  }
  const note = 'It waits for the person, who decides in Keeper. It isn’t memory until then.'
  return result.isNew ? note : `This was proposed before. ${note}`
}

const endSentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)
