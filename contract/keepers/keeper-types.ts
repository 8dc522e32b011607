import * as z from 'zod/mini'
import { agent } from '../agents/agents.ts'
import { endpoint } from '../endpoint.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import { engagementTemplate } from './engagement-templates.ts'
import { id, nothing, pagedQuery } from './keeper-words.ts'

export const keeperType = z.object({
  id: z.string(),
  name: shownLine,
  slug: z.string(),
  description: z.string(),
  /** SOLE, CRMTimeline or another word. */
  memoryPattern: shownLine,
  system: z.boolean(),
  /** Made by this person, who may change it. */
  mine: z.boolean(),
  createdAt: z.string(),
  rev: z.number(),
  _count: z.object({ engagement_templates: z.number(), Keeper: z.number() }),
})
export type KeeperType = z.infer<typeof keeperType>

const typeName = oneLine({ max: 80, min: 1, message: 'Enter a name.' })
const description = z.string().check(z.trim(), z.maxLength(1000, 'Use at most 1,000 characters.'))
const memoryPattern = oneLine({ max: 80, min: 1, message: 'Choose a memory pattern.' })
const assignment = z.object({ agentId: id, keeperTypeId: id })

export const keeperTypes = {
  list: endpoint('GET /api/keeper/keeper-types', {
    summary: 'The keeper types one may use: the system’s, one’s own, and those of one’s domains; 1,000 at once',
    access: 'person',
    query: pagedQuery,
    returns: z.array(keeperType),
  }),
  create: endpoint('POST /api/keeper/keeper-types', {
    summary: 'Make a keeper type',
    access: 'person',
    body: z.object({
      name: typeName,
      description: z.optional(description),
      memoryPattern: z.optional(oneLine({ max: 80 })),
    }),
    returns: keeperType,
    creates: true,
  }),
  update: endpoint('PUT /api/keeper/keeper-types/:id', {
    summary: 'Change a keeper type of one’s own; system types are refused with 403',
    access: 'person',
    params: z.object({ id }),
    body: z.object({
      name: z.optional(typeName),
      description: z.optional(description),
      memoryPattern: z.optional(memoryPattern),
    }),
    returns: keeperType,
  }),
  remove: endpoint('DELETE /api/keeper/keeper-types/:id', {
    summary: 'Delete a keeper type of one’s own; 409 while keepers use it',
    access: 'person',
    params: z.object({ id }),
    returns: nothing,
  }),
  templates: endpoint('GET /api/keeper/keeper-types/:id/engagement-templates', {
    summary: 'The engagement templates of a keeper type, in order',
    access: 'person',
    params: z.object({ id }),
    returns: z.array(engagementTemplate),
  }),
  linkTemplate: endpoint('POST /api/keeper/keeper-types/:id/engagement-templates/:templateId', {
    summary: 'Link an engagement template to a keeper type of one’s own',
    access: 'person',
    params: z.object({ id, templateId: id }),
    returns: nothing,
  }),
  unlinkTemplate: endpoint('DELETE /api/keeper/keeper-types/:id/engagement-templates/:templateId', {
    summary: 'Unlink an engagement template from a keeper type of one’s own',
    access: 'person',
    params: z.object({ id, templateId: id }),
    returns: nothing,
  }),
  orderTemplates: endpoint('PUT /api/keeper/keeper-types/:id/engagement-templates', {
    summary: 'Put the engagement templates of a keeper type of one’s own in order; what is not named comes last',
    access: 'person',
    params: z.object({ id }),
    body: z.object({ templateIds: z.array(id).check(z.maxLength(200, 'Use at most 200 templates.')) }),
    returns: z.array(engagementTemplate),
  }),
  agents: endpoint('GET /api/keeper/keeper-types/:id/agents', {
    summary: 'The agents a keeper type is assigned to, as far as one may see them',
    access: 'person',
    params: z.object({ id }),
    returns: z.array(agent),
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
