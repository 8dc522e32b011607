import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { allMembers, ownerOfDomain } from './permission-matrix-domains.ts'
import { createKeeperSample } from './permission-matrix-keepers.ts'
import { ownerOnly, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from './permission-matrix-world.ts'

const templateInput = {
  kind: 'content-type',
  label: 'Tides',
  fields: [{ key: 'tide', label: 'Tide', type: 'text', required: false }],
}
const createTemplate = async (world: PermissionWorld) =>
  (await world.asAda(engagementTemplates.create, { body: { ...templateInput, label: `Tides ${adaCanary}` } })).id
const startRun = async (world: PermissionWorld) => {
  const keeperId = await world.createKeeper()
  return (await world.asAda(engagementTemplates.begin, { params: { x: 'gratitude' }, body: { keeperId } })).id
}
const createUniqueSuffix = (world: PermissionWorld) => world.app.services.newId()
const createPattern = async (world: PermissionWorld) =>
  (await world.asAda(memoryPatterns.create, { body: { name: `Tides ${adaCanary} ${createUniqueSuffix(world)}` } })).id
const createAgentClass = async (world: PermissionWorld) =>
  (
    await world.asAda(agentClassCalls.create, {
      body: { name: `Clerk ${adaCanary} ${createUniqueSuffix(world)}`, base: 'Standard' },
    })
  ).id

/** Templates, their runs, memory patterns and agent classes. */
export const templateLines: Record<string, PermissionLine> = {
  'engagementTemplates.list': { ...signedIn, sample: () => ({}) },
  'engagementTemplates.find': {
    ...allMembers,
    sample: async (world) => ({ params: { x: await createTemplate(world) } }),
  },
  'engagementTemplates.create': { ...signedIn, sample: () => ({ body: templateInput }) },
  'engagementTemplates.update': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { x: await createTemplate(world) }, body: { label: 'Moons' } }),
  },
  'engagementTemplates.remove': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { x: await createTemplate(world) } }),
  },
  'engagementTemplates.ofKeeper': { ...ownerOnly, sample: createKeeperSample },
  'engagementTemplates.linkToKeeper': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createKeeper(), templateId: await createTemplate(world) } }),
  },
  'engagementTemplates.unlinkFromKeeper': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createKeeper(), templateId: await createTemplate(world) } }),
  },
  'engagementTemplates.begin': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { x: await createTemplate(world) },
      body: { keeperId: await world.createKeeper() },
    }),
  },
  'engagementTemplates.runsOfKeeper': { ...ownerOnly, sample: createKeeperSample },
  'engagementTemplates.showRun': {
    ...ownerOnly,
    sample: async (world) => ({ params: { runId: await startRun(world) } }),
  },
  'engagementTemplates.answerStep': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { runId: await startRun(world) },
      body: { answers: { good: 'Soup.' }, done: true },
    }),
  },
  'engagementTemplates.abandon': {
    ...ownerOnly,
    sample: async (world) => ({ params: { runId: await startRun(world) } }),
  },
  'memoryPatterns.list': { ...signedIn, sample: () => ({}) },
  'memoryPatterns.create': {
    ...signedIn,
    sample: (world) => ({ body: { name: `Tides ${createUniqueSuffix(world)}` } }),
  },
  'memoryPatterns.update': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { id: await createPattern(world) }, body: { description: 'High and low.' } }),
  },
  'memoryPatterns.remove': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { id: await createPattern(world) } }),
  },
  'agentClasses.list': { ...signedIn, sample: () => ({}) },
  'agentClasses.create': {
    ...signedIn,
    sample: (world) => ({ body: { name: `Clerk ${createUniqueSuffix(world)}`, base: 'Standard' } }),
  },
  'agentClasses.update': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { id: await createAgentClass(world) }, body: { description: 'By night.' } }),
  },
  'agentClasses.remove': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { id: await createAgentClass(world) } }),
  },
}
