import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const keeperType = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  /** SOLE, CRMTimeline or another word. */
  memoryPattern: z.string(),
  system: z.boolean(),
  createdAt: z.string(),
  _count: z.object({ engagement_templates: z.number(), Keeper: z.number() }),
})
export type KeeperType = z.infer<typeof keeperType>

const id = z.string().check(z.maxLength(64))
const assignment = z.object({ agentId: id, keeperTypeId: id })

export const keeperTypes = {
  list: endpoint('GET /api/keeper/keeper-types', {
    summary: 'The keeper types one may use: the system’s, one’s own, and those of one’s domains',
    access: 'person',
    returns: z.array(keeperType),
  }),
  create: endpoint('POST /api/keeper/keeper-types', {
    summary: 'Make a keeper type',
    access: 'person',
    body: z.object({
      name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(80, 'Use at most 80 characters.')),
      description: z.optional(z.string().check(z.trim(), z.maxLength(1000, 'Use at most 1,000 characters.'))),
      memoryPattern: z.optional(z.string().check(z.trim(), z.maxLength(40))),
    }),
    returns: keeperType,
    creates: true,
  }),
  ofAgent: endpoint('GET /api/keeper/agents/:agentId/keeper-types', {
    summary: 'The keeper types assigned to an agent',
    access: 'person',
    params: z.object({ agentId: id }),
    returns: z.array(keeperType),
  }),
  assign: endpoint('POST /api/keeper/agents/:agentId/keeper-types/:keeperTypeId', {
    summary: 'Assign a keeper type to an agent one may edit',
    access: 'person',
    params: assignment,
    returns: z.nullable(z.object({})),
  }),
  unassign: endpoint('DELETE /api/keeper/agents/:agentId/keeper-types/:keeperTypeId', {
    summary: 'Take a keeper type away from an agent one may edit',
    access: 'person',
    params: assignment,
    returns: z.nullable(z.object({})),
  }),
}
