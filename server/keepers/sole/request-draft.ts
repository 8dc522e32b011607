import * as z from 'zod/mini'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { type NewStatement, type SoleStatement, type sole, submitSoleDraftTool } from '#contract/keepers/sole.ts'
import { normalizeStatement, splitSentences } from '#contract/keepers/sole-statements.ts'
import type { Person } from '#server/accounts/person.ts'
import { isOwner, requireRunnableAgent } from '#server/agents/agent-access.ts'
import type { AgentRow } from '#server/agents/agent-view.ts'
import { requireBuiltInAgent } from '#server/agents/intent/propose-agent.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'
import { startAndStream, waitForReply } from '#server/agents/runs/follow-run.ts'
import { type RunParams, startRun } from '#server/agents/runs/start-run.ts'
import { defineArguments, defineTextArgument } from '#server/agents/tools/arguments.ts'
import type { Tool } from '#server/agents/tools/tool.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { createMemoryReadInserts } from '../prompt/readable-keepers.ts'
import { type DraftingMaterial, loadDraftingMaterial } from './drafting-context.ts'
import { requireSolePattern } from './sole-access.ts'
import type { SoleRow } from './sole-rows.ts'
import { toSoleVersion } from './sole-versions.ts'
import { requireNoDraft, submitDraft } from './submit-draft.ts'

/** After a refusal, the agent gets the reason and one more attempt. */
const maxAttempts = 2
const minOutputTokens = 4000
const createDraftRequest = (keeper: KeeperRow) => `Draft the SOLE of “${keeper.title}” from its memory cards.`
const toolCallReminder = `\n\nYou did not call ${submitSoleDraftTool}. Call it now, and don't answer in any other way.`

/** The agent can only submit a draft, which then awaits a person's decision.
 * @throws Problem 409 with a pending draft; 422 without cards; one whose data has `run_id` if nothing valid was submitted */
export async function requestDraft(
  services: Services,
  person: Person,
  keeper: KeeperRow,
  { agentId, wantsStream, address }: { agentId: string | undefined; wantsStream: boolean; address: string },
): Promise<Response | EndpointOutput<typeof sole.askForDraft>> {
  await requireSolePattern(services, keeper)
  await requireNoDraft(services, keeper)
  const purpose = 'Drafts the SOLE of a keeper from its memory cards.'
  const agent = await requireWritingAgent(services, person, agentId, purpose)
  const draftMaterial = await loadDraftingMaterial(services, keeper)
  if (draftMaterial.cards.length === 0)
    throw new Problem('unprocessable', {
      message: 'There are no memory cards an agent can draft from. Promote a reflection first.',
    })
  const submission = new DraftSubmission(services, keeper, agent, draftMaterial)
  const readDetails = { person: { id: keeper.owner_id }, agent, purpose: 'SOLE draft' }
  const runner = { person, visitor: null }
  const runOptions: Omit<RunParams, 'stream'> = {
    input: createDraftRequest(keeper),
    origin: 'sole-draft',
    context: draftMaterial.context,
    extraTools: [submission.tool],
    mustCall: submitSoleDraftTool,
    createMemoryReadInserts: (runId) =>
      createMemoryReadInserts(services, { ...readDetails, runId }, draftMaterial.items),
  }
  if (wantsStream) return startAndStream(services, { ...runner, address }, agent, runOptions)

  let runId = ''
  for (const input of [createDraftRequest(keeper), createDraftRequest(keeper) + toolCallReminder]) {
    const run = await startRun(services, runner, agent, { ...runOptions, input, stream: false })
    runId = run.id
    const { data } = await waitForReply(run).catch((error: unknown) => {
      // A submitted draft counts even when the agent's final message failed.
      if (submission.draft) return { data: { mock_mode: false } }
      throw error
    })
    if (submission.draft)
      return { draft: await toSoleVersion(services, submission.draft), run_id: run.id, mock_mode: data.mock_mode }
    if (submission.refusal) break
  }
  const { refusal } = submission
  throw new Problem(refusal instanceof Problem ? refusal.kind : 'unprocessable', {
    message: refusal
      ? `The agent’s draft was refused. ${refusal.message}`
      : 'The agent submitted no draft. Try again, or choose another agent.',
    data: { run_id: runId },
  })
}

export async function requireWritingAgent(
  services: Services,
  person: Person,
  agentId: string | undefined,
  purpose: string,
): Promise<AgentRow> {
  const chosenAgent = agentId
    ? await requireRunnableAgent(services, person, agentId)
    : { ...(await requireBuiltInAgent(services, 'platform-agent', 'Agent not found')), purpose }
  // A public agent is not enough: its author could make it reveal what it read.
  const isShared = 'may_run' in chosenAgent && chosenAgent.may_run
  if (chosenAgent.owner_id !== null && !isOwner(chosenAgent, person) && !isShared)
    throw new Problem('forbidden', { message: 'Choose an agent of your own, one shared with you, or none.' })
  if (chosenAgent.model_provider === 'elevenlabs')
    throw new Problem('unprocessable', {
      message: `${chosenAgent.name} only reads text aloud and can’t write. Choose another agent.`,
    })
  const { model_settings } = chosenAgent
  return {
    ...chosenAgent,
    memory_enabled: false,
    tools: [],
    agent_class: 'Standard',
    model_settings: {
      ...model_settings,
      max_tokens: model_settings.max_tokens && Math.max(model_settings.max_tokens, minOutputTokens),
    },
  }
}

const statementSchema = z.object({
  text: defineTextArgument('The statement: one sentence.', 2000),
  kind: z
    .enum(['add', 'change', 'drop'])
    .check(z.describe('add: new. change: replaces a statement of the active version. drop: takes one away.')),
  replacesId: z.optional(
    z.nullable(z.string().check(z.maxLength(64), z.describe('Of change and drop: the id in the active version.'))),
  ),
  sources: z
    .array(
      z.object({
        entity: z.literal('card', 'Quote cards only.'),
        id: z.string().check(z.maxLength(64), z.describe('The id of the card.')),
        quote: z
          .string()
          .check(z.minLength(1), z.maxLength(2000), z.describe('Words of the card, copied letter for letter.')),
      }),
    )
    .check(z.minLength(1, 'Quote at least one card.'), z.maxLength(10)),
})
const submittedDraftSchema = z.object({
  statements: z
    .array(statementSchema)
    .check(z.minLength(1, 'Give at least one statement.'), z.maxLength(40, 'Give at most 40 statements.')),
})

class DraftSubmission {
  draft: SoleRow | undefined
  refusal: Error | undefined
  readonly tool: Tool
  #attempts = 0

  constructor(services: Services, keeper: KeeperRow, agent: AgentRow, { cards, activeStatements }: DraftingMaterial) {
    const { parameters, parse } = defineArguments(submittedDraftSchema)
    const recordRefusal = (error: unknown): never => {
      // Other errors are bugs, whose messages belong in the log.
      if (error instanceof Problem || (error instanceof Error && error.constructor === Error)) this.refusal = error
      throw error
    }
    this.tool = {
      name: submitSoleDraftTool,
      description: 'Submits the draft. It is checked right away and then waits for the person, who alone decides.',
      parameters,
      // A draft is not a memory yet.
      writes: false,
      sends: false,
      source: 'keeper',
      title: () => 'Submit the SOLE draft',
      parse: (args) => {
        if (this.draft) throw new Error('The draft is submitted already. There is nothing more to do.')
        if (this.#attempts === maxAttempts)
          throw new Error('No further draft is taken. Say in one sentence what is missing.')
        this.#attempts += 1
        try {
          return parse(args)
        } catch (error) {
          return recordRefusal(error)
        }
      },
      run: async ({ runId }, args) => {
        const { statements } = args as z.output<typeof submittedDraftSchema>
        const author = { kind: 'agent' as const, id: agent.id, name: agent.name, runId }
        this.draft = await submitDraft(services, keeper, { statements }, author).catch(recordRefusal)
        this.refusal = undefined
        const count = statements.length
        return {
          text: 'The draft waits for the person now, who decides. Say in one or two sentences what it is about.',
          summary: `${count} ${count === 1 ? 'statement' : 'statements'} submitted for review`,
        }
      },
      mockArguments: () => createMockDraft(cards, activeStatements),
    }
  }
}

const maxStatements = 5
const maxSentenceLength = 400

export function createMockDraft(
  cards: readonly PromptItem[],
  activeStatements: readonly SoleStatement[],
): { statements: NewStatement[] } | undefined {
  const usedTexts = new Set(activeStatements.map(({ text }) => normalizeStatement(text)))
  const sentences = cards
    .flatMap(({ id, text }) =>
      splitSentences(text)
        .filter((sentence) => !/^#+\s/.test(sentence))
        .map((quote, index) => ({
          id,
          quote,
          position: index,
          statement: quote.length > maxSentenceLength ? '' : stripMarkdown(quote),
        })),
    )
    .sort((a, b) => a.position - b.position)
  const statements: NewStatement[] = []
  for (const { id, quote, statement } of sentences) {
    const normalizedText = normalizeStatement(statement)
    if (statements.length === maxStatements || !normalizedText || usedTexts.has(normalizedText)) continue
    usedTexts.add(normalizedText)
    statements.push({ text: statement, kind: 'add', sources: [{ entity: 'card', id, quote }] })
  }
  return statements.length > 0 ? { statements } : undefined
}

function stripMarkdown(sentence: string): string {
  return sentence
    .replace(leadingMarkdown, '')
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replace(/(^|\W)[*_](\S(?:.*?\S)?)[*_](?=\W|$)/g, '$1$2')
}

const leadingMarkdown = /^(?:(?:[#>*+-]+|\d+[.)])\s+)+/
