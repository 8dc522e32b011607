import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine } from '../one-line-text.ts'
import { agent, newAgent } from './agents.ts'
import { goldenPair, maxGoldenQuestions } from './golden-questions.ts'

export const agentSnapshot = z.omit(agent, {
  id: true,
  model: true,
  created_at: true,
  updated_at: true,
  rev: true,
  owner_id: true,
  may: true,
})
export type AgentSnapshot = z.infer<typeof agentSnapshot>

export const versionOrigins = ['created', 'saved', 'restored', 'imported'] as const
export type VersionOrigin = (typeof versionOrigins)[number]

export const fieldChange = z.object({
  field: z.string(),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
})
export type FieldChange = z.infer<typeof fieldChange>

export const agentVersion = z.object({
  version: z.number(),
  author: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine) })),
  created_at: z.string(),
  origin: z.enum(versionOrigins),
  restored_version: z.nullable(z.number()),
  changes: z.array(fieldChange),
  golden: z.nullable(z.object({ passed: z.number(), total: z.number() })),
  runs: z.number(),
})
export type AgentVersion = z.infer<typeof agentVersion>

export const agentFile = z.object({
  keeper: z.literal('agent', 'This isn’t an agent exported from Keeper.'),
  format: z.literal(1, 'This file comes from a newer version of Keeper. Update this server first.'),
  exported_at: z.string(),
  agent: agentSnapshot,
  golden_questions: z._default(
    z.array(goldenPair).check(z.maxLength(maxGoldenQuestions, 'Use at most 50 golden questions.')),
    [],
  ),
})
export type AgentFile = z.infer<typeof agentFile>

/** Validated like a save, field by field; absent fields get the defaults of a new agent. */
export const agentFileToImport = z.object({
  keeper: agentFile.shape.keeper,
  format: agentFile.shape.format,
  agent: z.extend(newAgent, { status: z.optional(agent.shape.status) }),
  golden_questions: agentFile.shape.golden_questions,
})

const agentParams = z.object({ agentId: z.string().check(z.maxLength(64)) })
const versionParams = z.object({ ...agentParams.shape, version: z.coerce.number().check(z.int(), z.gte(1)) })

export const versions = {
  list: defineEndpoint('GET /api/kip/agents/:agentId/versions', {
    summary: 'List the versions of an agent, newest first, each with its author and changes',
    access: 'person',
    params: agentParams,
    query: z.object({
      cursor: z.optional(z.string().check(z.maxLength(40))),
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
    }),
    response: z.object({ items: z.array(agentVersion), next_cursor: z.nullable(z.string()) }),
  }),
  show: defineEndpoint('GET /api/kip/agents/:agentId/versions/:version', {
    summary: 'Get one version in full',
    access: 'person',
    params: versionParams,
    response: z.object({ version: z.number(), snapshot: agentSnapshot }),
  }),
  restore: defineEndpoint('POST /api/kip/agents/:agentId/versions/:version/restore', {
    summary: 'Restore an earlier version as a new one',
    access: 'person',
    params: versionParams,
    response: z.object({
      agent,
      /** Parts that couldn't be restored, such as a slug that is taken now. */
      notes: z.array(z.string()),
    }),
  }),
  exportFile: defineEndpoint('GET /api/kip/agents/:agentId/export', {
    summary: 'Export an agent as one JSON file, without keys',
    access: 'person',
    params: agentParams,
    response: agentFile,
    responseFormat: 'bare',
  }),
  importFile: defineEndpoint('POST /api/kip/agents/import', {
    summary:
      'Create an agent from an exported file; if the slug is taken, nothing is overwritten and a free slug is suggested',
    access: 'person',
    body: z.object({
      file: agentFileToImport,
      slug: z.optional(z.string().check(z.trim(), z.maxLength(63))),
      leave_out: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(150))),
    }),
    response: agent,
    supportsIdempotencyKey: true,
  }),
}
