import * as z from 'zod/mini'
import { agent } from '../agents/agents.ts'
import { catalogEntryFields, entryDescription, shortName } from '../catalog.ts'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { engagementTemplate } from './engagement-templates.ts'
import { defineRemoval } from './entity-endpoint.ts'
import { emptyResponse, id, pagedQuery } from './keeper-fields.ts'

export const keeperType = z.object({
  ...catalogEntryFields,
  name: displayLine,
  memoryPattern: displayLine,
  _count: z.object({ engagement_templates: z.number(), Keeper: z.number() }),
})
export type KeeperType = z.infer<typeof keeperType>

const memoryPattern = oneLine({ max: 80, min: 1, message: 'Choose a memory pattern.' })
const assignmentParams = z.object({ agentId: id, keeperTypeId: id })

export const keeperTypes = {
  list: defineEndpoint('GET /api/keeper/keeper-types', {
    summary: 'List the keeper types you can use: built-in ones, yours and those of your domains; 1,000 per page',
    access: 'person',
    query: pagedQuery,
    response: z.array(keeperType),
  }),
  create: defineEndpoint('POST /api/keeper/keeper-types', {
    summary: 'Create a keeper type',
    access: 'person',
    body: z.object({
      name: shortName,
      description: entryDescription,
      memoryPattern: z.optional(oneLine({ max: 80 })),
    }),
    response: keeperType,
    supportsIdempotencyKey: true,
  }),
  update: defineEndpoint('PUT /api/keeper/keeper-types/:id', {
    summary: 'Update one of your keeper types; system types are refused with 403',
    access: 'person',
    params: z.object({ id }),
    body: z.object({
      name: z.optional(shortName),
      description: entryDescription,
      memoryPattern: z.optional(memoryPattern),
    }),
    response: keeperType,
  }),
  remove: defineRemoval(
    'DELETE /api/keeper/keeper-types/:id',
    'Delete one of your keeper types; 409 while keepers use it',
  ),
  templates: defineEndpoint('GET /api/keeper/keeper-types/:id/engagement-templates', {
    summary: 'List the engagement templates of a keeper type, in order',
    access: 'person',
    params: z.object({ id }),
    response: z.array(engagementTemplate),
  }),
  linkTemplate: defineEndpoint('POST /api/keeper/keeper-types/:id/engagement-templates/:templateId', {
    summary: 'Link an engagement template to one of your keeper types',
    access: 'person',
    params: z.object({ id, templateId: id }),
    response: emptyResponse,
  }),
  unlinkTemplate: defineEndpoint('DELETE /api/keeper/keeper-types/:id/engagement-templates/:templateId', {
    summary: 'Unlink an engagement template from one of your keeper types',
    access: 'person',
    params: z.object({ id, templateId: id }),
    response: emptyResponse,
  }),
  orderTemplates: defineEndpoint('PUT /api/keeper/keeper-types/:id/engagement-templates', {
    summary: 'Reorder the engagement templates of one of your keeper types; omitted ones come last',
    access: 'person',
    params: z.object({ id }),
    body: z.object({ templateIds: z.array(id).check(z.maxLength(200, 'Use at most 200 templates.')) }),
    response: z.array(engagementTemplate),
  }),
  agents: defineEndpoint('GET /api/keeper/keeper-types/:id/agents', {
    summary: 'List the agents a keeper type is assigned to, except those you can’t see',
    access: 'person',
    params: z.object({ id }),
    response: z.array(agent),
  }),
  ofAgent: defineEndpoint('GET /api/keeper/agents/:agentId/keeper-types', {
    summary: 'List the keeper types assigned to an agent',
    access: 'person',
    params: z.object({ agentId: id }),
    response: z.array(keeperType),
  }),
  assign: defineEndpoint('POST /api/keeper/agents/:agentId/keeper-types/:keeperTypeId', {
    summary: 'Assign a keeper type to an agent you can edit',
    access: 'person',
    params: assignmentParams,
    response: emptyResponse,
  }),
  unassign: defineEndpoint('DELETE /api/keeper/agents/:agentId/keeper-types/:keeperTypeId', {
    summary: 'Unassign a keeper type from an agent you can edit',
    access: 'person',
    params: assignmentParams,
    response: emptyResponse,
  }),
}
