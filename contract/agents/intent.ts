import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { oneLine } from '../one-line-text.ts'
import { newAgent } from './agents.ts'
import { runInput } from './runs.ts'

/** Validated form values, not yet saved. Visibility and who pays for visitors are left out: a person decides them. */
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
export const proposeAgentTool = 'propose_agent'
export const submitKeeperTypeTool = 'submit_keeper_type'

export const keeperTypeProposal = z.object({
  name: oneLine({ max: 80, min: 1 }),
  purpose: z.string().check(z.trim(), z.minLength(1), z.maxLength(1000)),
  memoryPattern: z.enum(['sole', 'journal', 'tracker', 'palace']),
  reason: z.string().check(z.maxLength(1000)),
})
export type KeeperTypeProposal = z.infer<typeof keeperTypeProposal>

export const contextText = z.object({
  scope: z.enum(['codebase', 'platform_wide', 'system']),
  body: z.string(),
  updated_at: z.nullable(z.string()),
  rev: z.number(),
})
export type ContextText = z.infer<typeof contextText>
const configurationAccess = { permission: 'system_configuration' } as const

export const intent = {
  ask: defineEndpoint('POST /api/kip/intent', {
    summary: 'Send a one-line request; the platform agent streams an answer and can propose an agent',
    access: 'person',
    body: z.object({ input: runInput }),
    response: z.object({
      response: z.string(),
      run_id: z.string(),
      mock_mode: z.boolean(),
      proposal: z.nullable(agentProposal),
    }),
    /** In a stream, the proposal is the `arguments` of the `propose_agent` tool call once that call is `done`. */
    canStream: true,
  }),
  extractType: defineEndpoint('POST /api/kip/type-agent/extract', {
    summary: 'Have the type agent derive a keeper type from a description',
    access: 'person',
    body: z.object({ description: runInput }),
    response: z.object({ type: keeperTypeProposal, run_id: z.string(), mock_mode: z.boolean() }),
  }),
  contextTexts: defineEndpoint('GET /api/kip/context-texts', {
    summary: 'List the context texts of the scopes codebase, platform_wide and system',
    access: configurationAccess,
    response: z.array(contextText),
  }),
  setContextText: defineEndpoint('PUT /api/kip/context-texts/:scope', {
    summary:
      'Set a context text; an empty one restores the built-in text. `If-Match` prevents overwriting someone else’s change',
    access: configurationAccess,
    params: z.object({ scope: z.enum(['codebase', 'platform_wide', 'system']) }),
    body: z.object({ body: z.string().check(z.maxLength(50_000, 'Use at most 50,000 characters.')) }),
    response: contextText,
  }),
}
