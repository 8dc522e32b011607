import * as z from 'zod/mini'
import { maxProposalLength, type ProposalKind } from '#contract/connections/proposals.ts'
import { defineTextArgument } from '#server/agents/tools/arguments.ts'
import { findByTitle } from '#server/keepers/prompt/readable-keepers.ts'
import { describeProposal, submitProposal } from '#server/keepers/proposals/submit-proposal.ts'
import { listConsentedKeepers } from '../consent.ts'
import { type ConnectedCall, defineConnectedTool } from './connected-tool.ts'

const keeperTitle = z.optional(
  z
    .string()
    .check(z.trim(), z.maxLength(200), z.describe('The title of the keeper it belongs to; the first one by default.')),
)
const topic = z.optional(
  z.string().check(z.trim(), z.maxLength(80), z.describe('A word or two, as the person calls it.')),
)
const quote = z.optional(
  z.string().check(z.trim(), z.maxLength(2_000), z.describe('The person’s own words that say it, word for word.')),
)
const proposalOutput = z.object({
  state: z.enum(['waiting', 'approved', 'rejected']),
  note: z.string(),
})

async function chooseKeeper({ services, person }: ConnectedCall, title: string | undefined) {
  const keepers = await listConsentedKeepers(services, person)
  const keeper = findByTitle(keepers, title)
  if (keeper) return keeper
  const titles = keepers.map((candidate) => `“${candidate.title}”`).join(', ')
  throw new Error(
    titles
      ? `There is no keeper with this title. There are ${titles}.`
      : 'The person shares no keeper with this program.',
  )
}

interface ProposedText {
  content: string
  topic?: string | undefined
  quote?: string | undefined
  keeper?: string | undefined
  date?: string | undefined
}

async function proposeText(call: ConnectedCall, kind: ProposalKind, args: ProposedText) {
  const { connection } = call.person
  const keeper = await chooseKeeper(call, args.keeper)
  const sender = { connectionId: connection.id, name: connection.name }
  const result = await submitProposal(call.services, sender, { ...args, keeper, kind, occurredOn: args.date })
  return { state: result.state, note: describeProposal(result) }
}

const approvalNote = 'The person decides later in Keeper; it isn’t memory before that.'

const proposeMemoryTool = defineConnectedTool({
  name: 'propose_memory',
  title: 'Propose a memory',
  description: `Proposes one lasting fact about the person, in one or two sentences. ${approvalNote}`,
  scope: 'propose:memory',
  input: z.object({ content: defineTextArgument('The fact.', maxProposalLength), topic, quote, keeper: keeperTitle }),
  output: proposalOutput,
  isReadOnly: false,
  run: (call, args) => proposeText(call, 'memory', args),
})

const proposeMomentTool = defineConnectedTool({
  name: 'propose_moment',
  title: 'Propose a moment',
  description: `Proposes a moment of the person’s day, as they told it. ${approvalNote}`,
  scope: 'propose:memory',
  input: z.object({
    content: defineTextArgument('What happened, in the person’s words.', maxProposalLength),
    date: z.optional(z.iso.date('Give a day as 2026-03-31.')),
    topic,
    quote,
    keeper: keeperTitle,
  }),
  output: proposalOutput,
  isReadOnly: false,
  run: (call, args) => proposeText(call, 'moment', args),
})

const proposeReflectionTool = defineConnectedTool({
  name: 'propose_reflection',
  title: 'Propose a reflection',
  description: `Proposes a reflection in the person’s voice, as Markdown. ${approvalNote}`,
  scope: 'propose:memory',
  input: z.object({
    content: defineTextArgument('The reflection.', maxProposalLength),
    topic,
    quote,
    keeper: keeperTitle,
  }),
  output: proposalOutput,
  isReadOnly: false,
  run: (call, args) => proposeText(call, 'reflection', args),
})

export const proposingTools = [proposeMemoryTool, proposeMomentTool, proposeReflectionTool]
