import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { oneLine } from '../one-line-text.ts'
import { newAgent } from './agents.ts'
import { runInput } from './runs.ts'

/**
 * What the platform agent proposes: fields of the form, checked, not yet saved. Who may see it and who pays for
 * visitors is for a person to say.
 */
export const agentProposal = z.pick(newAgent, {
  name: true,
  slug: true,
  purpose: true,
  agent_class: true,
  context_scope: true,
  memory_enabled: true,
  tools: true,
  config: true,
  model_provider: true,
  model: true,
})
export type AgentProposal = z.output<typeof agentProposal>
/** The tools the platform agent and the type agent answer with. */
export const proposeAgentTool = 'propose_agent'
export const submitKeeperTypeTool = 'submit_keeper_type'

/** A keeper type as the type agent reads it out of a description. */
export const keeperTypeProposal = z.object({
  name: oneLine({ max: 80, min: 1 }),
  purpose: z.string().check(z.trim(), z.minLength(1), z.maxLength(1000)),
  memoryPattern: z.enum(['sole', 'journal', 'tracker', 'palace']),
  /** Why this pattern fits, in one sentence. */
  reason: z.string().check(z.maxLength(1000)),
})
export type KeeperTypeProposal = z.infer<typeof keeperTypeProposal>

/** The texts that go before agents of a context scope. */
export const contextText = z.object({
  scope: z.enum(['codebase', 'platform_wide', 'system']),
  body: z.string(),
  /** `null` while it is the one that comes with Keeper. */
  updated_at: z.nullable(z.string()),
  /** Sent back as `If-Match` when it is set; 0 is the one that comes with Keeper. */
  rev: z.number(),
})
export type ContextText = z.infer<typeof contextText>
const configures = { permission: 'system_configuration' } as const

export const intent = {
  ask: endpoint('POST /api/kip/intent', {
    summary: 'Say what you want in one line: the platform agent streams an answer and may propose an agent',
    access: 'person',
    body: z.object({ input: runInput }),
    returns: z.object({
      response: z.string(),
      run_id: z.string(),
      mock_mode: z.boolean(),
      proposal: z.nullable(agentProposal),
    }),
    /** As a run; the proposal is the `arguments` of the tool call `propose_agent` once it is `done`. */
    streams: true,
  }),
  extractType: endpoint('POST /api/kip/type-agent/extract', {
    summary: 'The type agent reads a keeper type out of a description',
    access: 'person',
    body: z.object({ description: runInput }),
    returns: z.object({ type: keeperTypeProposal, run_id: z.string(), mock_mode: z.boolean() }),
  }),
  contextTexts: endpoint('GET /api/kip/context-texts', {
    summary: 'What is put before agents of the scopes codebase, platform_wide and system',
    access: configures,
    returns: z.array(contextText),
  }),
  setContextText: endpoint('PUT /api/kip/context-texts/:scope', {
    summary:
      'Set that text; an empty one goes back to what comes with Keeper. `If-Match` refuses to write over another’s',
    access: configures,
    params: z.object({ scope: z.enum(['codebase', 'platform_wide', 'system']) }),
    body: z.object({ body: z.string().check(z.maxLength(50_000, 'Use at most 50,000 characters.')) }),
    returns: contextText,
  }),
}
