import { type KeeperTypeProposal, keeperTypeProposal, submitKeeperTypeTool } from '#contract/agents/intent.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { waitForReply } from '../runs/follow-run.ts'
import { startRun } from '../runs/start-run.ts'
import type { Tool } from '../tools/tool.ts'
import { requireBuiltInAgent } from './built-in.ts'
import { createMockKeeperType } from './mock-proposals.ts'
import { parseOrExplain } from './propose-agent.ts'

interface ExtractedType {
  type: KeeperTypeProposal
  run_id: string
  mock_mode: boolean
}

const reminder = `\n\nYou did not call ${submitKeeperTypeTool} with valid arguments. Call it now, and don't answer in any other way.`

/**
 * @throws Problem 404 without a type agent; 422 without a usable type, or the run's own failure, both with the run id
 */
export async function extractType(services: Services, person: Person, description: string): Promise<ExtractedType> {
  const agent = await requireBuiltInAgent(services, 'type-agent', 'TypeAgent not found')
  let submittedType: KeeperTypeProposal | undefined
  const tool = createSubmitTool(description, (type) => {
    submittedType = type
  })
  let runId = ''
  for (const input of [description, description + reminder]) {
    const run = await startRun(
      services,
      { person, visitor: null },
      { ...agent, memory_enabled: false },
      { input, stream: false, origin: 'extraction', extraTools: [tool], mustCall: submitKeeperTypeTool },
    )
    runId = run.id
    const { data } = await waitForReply(run).catch((error: unknown) => {
      // A submitted type counts even if the text after it failed.
      if (submittedType) return { data: { mock_mode: false } }
      throw withFailurePrefix(error)
    })
    if (submittedType) return { type: submittedType, run_id: runId, mock_mode: data.mock_mode }
  }
  throw new Problem('unprocessable', { message: failureMessage, data: { run_id: runId } })
}

const failureMessage = 'TypeAgent extraction failed'

function withFailurePrefix(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  return new Problem(error.kind, { ...error.details, message: `${failureMessage}: ${error.message}` })
}

function createSubmitTool(description: string, submit: (type: KeeperTypeProposal) => void): Tool {
  return {
    name: submitKeeperTypeTool,
    description: 'Submits the keeper type that fits the description. Call it exactly once.',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'What the type is called, one to three words.' },
        purpose: { type: 'string', description: 'What its keepers hold, in one sentence.' },
        memoryPattern: {
          type: 'string',
          enum: keeperTypeProposal.shape.memoryPattern.options,
          description:
            'sole: one standing story; journal: things by date; tracker: values that are followed; palace: things by place.',
        },
        reason: { type: 'string', description: 'Why this pattern fits, in one sentence.' },
      },
      required: ['name', 'purpose', 'memoryPattern', 'reason'],
    },
    writes: false,
    sends: false,
    source: 'keeper',
    title: () => 'Submit the keeper type',
    parse: (args) => parseOrExplain(keeperTypeProposal, args),
    async run(_context, args) {
      submit(args as KeeperTypeProposal)
      return { text: 'Submitted. Nothing else is needed.', summary: (args as KeeperTypeProposal).name }
    },
    mockArguments: () => createMockKeeperType(description),
  }
}
