import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownLine } from '../one-line-text.ts'
import { agent, newAgent } from './agents.ts'
import { goldenPair, mostGoldenQuestions } from './golden-questions.ts'

/** Everything a save can change of an agent. */
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

/** `before` and `after` are the values as JSON; absent where the field was not there. */
export const fieldChange = z.object({
  field: z.string(),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
})
export type FieldChange = z.infer<typeof fieldChange>

export const agentVersion = z.object({
  /** The agent's `rev` that this save made. */
  version: z.number(),
  author: z.nullable(z.object({ id: z.string(), name: z.nullable(shownLine) })),
  created_at: z.string(),
  origin: z.enum(versionOrigins),
  restored_version: z.nullable(z.number()),
  /** Against the version before it; empty for the first. */
  changes: z.array(fieldChange),
  /** How the golden questions went before it was published, if they were run. */
  golden: z.nullable(z.object({ passed: z.number(), total: z.number() })),
  /** Runs that used it, as far as the asking person may know. */
  runs: z.number(),
})
export type AgentVersion = z.infer<typeof agentVersion>

/** An agent as a file: no ids, no keys, no owner. */
export const agentFile = z.object({
  keeper: z.literal('agent', 'This is not the file of a Keeper agent.'),
  format: z.literal(1, 'This file is of a newer Keeper. Update this one first.'),
  exported_at: z.string(),
  agent: agentSnapshot,
  golden_questions: z._default(
    z.array(goldenPair).check(z.maxLength(mostGoldenQuestions, 'Use at most 50 golden questions.')),
    [],
  ),
})
export type AgentFile = z.infer<typeof agentFile>

/** Such a file on its way in: what a save would refuse is refused here, field by field; what is absent is as in a new agent. */
export const agentFileToImport = z.object({
  keeper: agentFile.shape.keeper,
  format: agentFile.shape.format,
  /** Exported, it may say any status there is. */
  agent: z.extend(newAgent, { status: z.optional(agent.shape.status) }),
  golden_questions: agentFile.shape.golden_questions,
})

const agentParams = z.object({ agentId: z.string().check(z.maxLength(64)) })
const versionParams = z.object({ ...agentParams.shape, version: z.coerce.number().check(z.int(), z.gte(1)) })

export const versions = {
  list: endpoint('GET /api/kip/agents/:agentId/versions', {
    summary: 'The versions of an agent, newest first, each with its author and what it changed',
    access: 'person',
    params: agentParams,
    query: z.object({
      cursor: z.optional(z.string().check(z.maxLength(40))),
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
    }),
    returns: z.object({ items: z.array(agentVersion), next_cursor: z.nullable(z.string()) }),
  }),
  show: endpoint('GET /api/kip/agents/:agentId/versions/:version', {
    summary: 'One version, whole',
    access: 'person',
    params: versionParams,
    returns: z.object({ version: z.number(), snapshot: agentSnapshot }),
  }),
  restore: endpoint('POST /api/kip/agents/:agentId/versions/:version/restore', {
    summary: 'Save an earlier version again, as a new one',
    access: 'person',
    params: versionParams,
    returns: z.object({
      agent,
      /** What could not be as it was, in sentences: a slug that is taken by now. */
      notes: z.array(z.string()),
    }),
  }),
  exportFile: endpoint('GET /api/kip/agents/:agentId/export', {
    summary: 'An agent as one JSON file, without keys',
    access: 'person',
    params: agentParams,
    returns: agentFile,
    answer: 'bare',
  }),
  importFile: endpoint('POST /api/kip/agents/import', {
    summary: 'Make an agent of such a file; a taken slug is refused with a free one, never overwritten',
    access: 'person',
    body: z.object({
      file: agentFileToImport,
      /** Another slug than the file's. */
      slug: z.optional(z.string().check(z.trim(), z.maxLength(63))),
      /** Tools and agents of the bundle that are not here, and which one agrees to do without. */
      leave_out: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(150))),
    }),
    returns: agent,
    creates: true,
  }),
}
