import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { everyMember, ownerOfDomain } from './permission-matrix-domains.ts'
import type { Line } from './permission-matrix-table.ts'
import { adasCanary, type World } from './permission-matrix-world.ts'

const signedIn = { visitor: 401, stranger: 200, owner: 200 }
const ownerOnly = { visitor: 401, stranger: 404, owner: 200 }

const form = {
  kind: 'content-type',
  label: 'Tides',
  fields: [{ key: 'tide', label: 'Tide', type: 'text', required: false }],
}
const template = async (world: World) =>
  (await world.asAda(engagementTemplates.create, { body: { ...form, label: `Tides ${adasCanary}` } })).id
const run = async (world: World) => {
  const keeperId = await world.keeper()
  return (await world.asAda(engagementTemplates.begin, { params: { x: 'gratitude' }, body: { keeperId } })).id
}
const another = (world: World) => world.app.services.newId()
const pattern = async (world: World) =>
  (await world.asAda(memoryPatterns.create, { body: { name: `Tides ${adasCanary} ${another(world)}` } })).id
const agentClass = async (world: World) =>
  (
    await world.asAda(agentClassCalls.create, {
      body: { name: `Clerk ${adasCanary} ${another(world)}`, base: 'Standard' },
    })
  ).id

/** Templates, their runs, memory patterns and agent classes. */
export const templateLines: Record<string, Line> = {
  'engagementTemplates.list': { ...signedIn, sample: () => ({}) },
  'engagementTemplates.find': { ...everyMember, sample: async (world) => ({ params: { x: await template(world) } }) },
  'engagementTemplates.create': { ...signedIn, sample: () => ({ body: form }) },
  'engagementTemplates.update': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { x: await template(world) }, body: { label: 'Moons' } }),
  },
  'engagementTemplates.remove': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { x: await template(world) } }),
  },
  'engagementTemplates.ofKeeper': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'engagementTemplates.linkToKeeper': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper(), templateId: await template(world) } }),
  },
  'engagementTemplates.unlinkFromKeeper': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper(), templateId: await template(world) } }),
  },
  'engagementTemplates.begin': {
    ...ownerOnly,
    sample: async (world) => ({ params: { x: await template(world) }, body: { keeperId: await world.keeper() } }),
  },
  'engagementTemplates.runsOfKeeper': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper() } }),
  },
  'engagementTemplates.showRun': { ...ownerOnly, sample: async (world) => ({ params: { runId: await run(world) } }) },
  'engagementTemplates.answerStep': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { runId: await run(world) },
      body: { answers: { good: 'Soup.' }, done: true },
    }),
  },
  'engagementTemplates.abandon': { ...ownerOnly, sample: async (world) => ({ params: { runId: await run(world) } }) },
  'memoryPatterns.list': { ...signedIn, sample: () => ({}) },
  'memoryPatterns.create': { ...signedIn, sample: (world) => ({ body: { name: `Tides ${another(world)}` } }) },
  'memoryPatterns.update': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { id: await pattern(world) }, body: { description: 'High and low.' } }),
  },
  'memoryPatterns.remove': { ...ownerOfDomain, sample: async (world) => ({ params: { id: await pattern(world) } }) },
  'agentClasses.list': { ...signedIn, sample: () => ({}) },
  'agentClasses.create': {
    ...signedIn,
    sample: (world) => ({ body: { name: `Clerk ${another(world)}`, base: 'Standard' } }),
  },
  'agentClasses.update': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { id: await agentClass(world) }, body: { description: 'By night.' } }),
  },
  'agentClasses.remove': { ...ownerOfDomain, sample: async (world) => ({ params: { id: await agentClass(world) } }) },
}
