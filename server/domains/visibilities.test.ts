import { beforeAll, describe, expect, it } from 'vitest'
import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { agents } from '#contract/agents/agents.ts'
import { sharing } from '#contract/agents/sharing.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { themeKeys } from '#contract/themes/theme-keys.ts'
import { themes } from '#contract/themes/themes.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { insertBoardShare } from '#tests/insert-board-share.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

/** Ben is a friend in Ada's domain, where shares go to friends; Cleo is a connection without any; Dot a stranger. */
type Viewer = 'ada' | 'ben' | 'cleo' | 'dot' | 'visitor'

/** Hand-written: which of Ada's entities each person lists, opens by id and changes. */
const expectedVisibility: Record<string, Partial<Record<Viewer, string>>> = {
  'a private agent': { ada: 'lists, opens, changes' },
  'a private agent that was shared once': { ada: 'lists, opens, changes' },
  'a shared agent Ben may run': { ada: 'lists, opens, changes', ben: 'lists, opens' },
  'a shared agent Ben may edit': { ada: 'lists, opens, changes', ben: 'lists, opens, changes' },
  'a public agent Ben could edit while it was shared': {
    ada: 'lists, opens, changes',
    ben: 'lists, opens',
    cleo: 'lists, opens',
    dot: 'lists, opens',
    visitor: 'opens',
  },
  'a board': { ada: 'lists, opens, changes' },
  'a board friends may view': { ada: 'lists, opens, changes', ben: 'lists, opens' },
  'a board friends may edit': { ada: 'lists, opens, changes', ben: 'lists, opens, changes' },
  // A link opens the board only by the link, not by its id.
  'a board with a link': { ada: 'lists, opens, changes' },
  'a private theme': { ada: 'lists, opens, changes' },
  'a public theme': { ada: 'lists, opens, changes', ben: 'lists, opens', cleo: 'lists, opens', dot: 'lists, opens' },
  'a keeper': { ada: 'lists, opens, changes' },
  'a keeper shared with friends': { ada: 'lists, opens, changes' },
  'that keeper, in the domain': { ada: 'lists, opens', ben: 'lists, opens' },
  // People's own types and templates are offered to everyone they share a domain with.
  'a keeper type': { ada: 'lists, opens, changes', ben: 'lists, opens', cleo: 'lists, opens' },
  'a template': { ada: 'lists, opens, changes', ben: 'lists, opens', cleo: 'lists, opens' },
  'a memory pattern': { ada: 'lists, changes', ben: 'lists', cleo: 'lists' },
  'an agent class': { ada: 'lists, changes', ben: 'lists', cleo: 'lists' },
}

interface TestedEntity {
  lists(viewer: Actor): Promise<{ status: number; text: string }>
  opens?(viewer: Actor): Promise<{ status: number }>
  changes?(viewer: Actor): Promise<{ status: number }>
  id: string
}

describe.each(engines)("visibility of Ada's entities to others, on %s", (engine) => {
  const { app } = useTestApp(engine)
  let people: Record<Viewer, Actor>
  let domainId: string
  beforeAll(async () => {
    // Ada is last, so that a lookup that ignores owners finds another person's entity first.
    const [dot, cleo, ben, ada] = [await app.as('dot'), await app.as('cleo'), await app.as('ben'), await app.as('ada')]
    people = { ada, ben, cleo, dot, visitor: app.visitor() }
    domainId = await insertDomain(app, ada, [
      [cleo, 'connection'],
      [ben, 'friend'],
    ])
  })

  let nameCount = 0
  async function createAgentEntity(visibility: string, rights: ('run' | 'edit')[] = []): Promise<TestedEntity> {
    const { ada, ben } = people
    const body = { name: `Subject ${++nameCount}`, purpose: 'p', agent_class: 'Lead', visibility: 'shared' } as const
    const { data } = await ada.call(agents.create, { body })
    const { id, slug } = data
    if (rights.length > 0) {
      const params = { agentId: id, personId: ben.id }
      expect((await ada.call(sharing.grant, { params, body: { rights } })).status).toBe(200)
    }
    await ada.call(agents.update, { body: { id, visibility: visibility as 'public' } })
    return {
      id,
      lists: (viewer) => viewer.call(agents.list),
      opens: (viewer) => viewer.call(agents.bySlug, { query: { slug } }),
      changes: (viewer) => viewer.call(agents.update, { body: { id, purpose: `Changed ${++nameCount}` } }),
    }
  }
  async function createBoardEntity(friend: 'none' | 'view' | 'edit'): Promise<TestedEntity> {
    const { id } = (await people.ada.call(boards.create, { body: { name: 'Harbour' } })).data
    if (friend !== 'none') await insertBoardShare(app, id, domainId, { friend })
    const params = { id }
    return {
      id,
      lists: (viewer) => viewer.call(boards.list),
      opens: (viewer) => viewer.call(boards.show, { params }),
      changes: (viewer) => viewer.call(boards.save, { params, body: { name: `Quay ${++nameCount}` } }),
    }
  }
  async function createThemeEntity(visibility: 'private' | 'public'): Promise<TestedEntity> {
    const grey = Object.fromEntries(themeKeys.map((key) => [key, '#999999'])) as never
    const body = { name: 'Harbour fog', light: grey, dark: grey, visibility }
    const { id } = (await people.ada.call(themes.create, { body })).data
    const params = { themeId: id }
    return {
      id,
      lists: (viewer) => viewer.call(themes.list),
      opens: (viewer) => viewer.call(themes.show, { params }),
      changes: (viewer) => viewer.call(themes.update, { params, body: { note: `Grey ${++nameCount}` } }),
    }
  }
  async function createKeeperEntity(isShared: boolean): Promise<TestedEntity> {
    const { id } = await createTestKeeper(people.ada)
    if (isShared) await shareWithFriends(id)
    const params = { id }
    return {
      id,
      lists: (viewer) => viewer.call(keepers.list),
      opens: (viewer) => viewer.call(keepers.show, { params }),
      changes: (viewer) => viewer.call(keepers.update, { params, body: { purpose: `Again ${++nameCount}` } }),
    }
  }
  async function shareWithFriends(keeperId: string) {
    const body = { parts: ['moments' as const], roles: ['friend'] }
    const { status, text } = await people.ada.call(sharingInDomains.shareKeeper, {
      params: { id: domainId, keeperId },
      body: body as never,
    })
    expect(status, text).toBe(200)
  }
  const createEntity: Record<string, () => Promise<TestedEntity>> = {
    'a private agent': () => createAgentEntity('private'),
    'a private agent that was shared once': () => createAgentEntity('private', ['run', 'edit']),
    'a shared agent Ben may run': () => createAgentEntity('shared', ['run']),
    'a shared agent Ben may edit': () => createAgentEntity('shared', ['edit']),
    'a public agent Ben could edit while it was shared': () => createAgentEntity('public', ['run', 'edit']),
    'a board': () => createBoardEntity('none'),
    'a board friends may view': () => createBoardEntity('view'),
    'a board friends may edit': () => createBoardEntity('edit'),
    async 'a board with a link'() {
      const entity = await createBoardEntity('none')
      expect((await people.ada.call(boardSharing.makeLink, { params: { id: entity.id } })).status).toBe(200)
      return entity
    },
    'a private theme': () => createThemeEntity('private'),
    'a public theme': () => createThemeEntity('public'),
    'a keeper': () => createKeeperEntity(false),
    'a keeper shared with friends': () => createKeeperEntity(true),
    async 'that keeper, in the domain'() {
      const { id } = await createTestKeeper(people.ada)
      await shareWithFriends(id)
      return {
        id,
        lists: (viewer) => viewer.call(sharingInDomains.list, { params: { id: domainId } }),
        opens: (viewer) => viewer.call(sharingInDomains.keeper, { params: { id: domainId, keeperId: id } }),
      }
    },
    async 'a keeper type'() {
      const { id } = (await people.ada.call(keeperTypes.create, { body: { name: `Walks ${++nameCount}` } })).data
      return {
        id,
        lists: (viewer) => viewer.call(keeperTypes.list),
        opens: (viewer) => viewer.call(keeperTypes.templates, { params: { id } }),
        changes: (viewer) =>
          viewer.call(keeperTypes.update, { params: { id }, body: { description: `By foot ${++nameCount}` } }),
      }
    },
    async 'a template'() {
      const fields = [{ key: 'tide', label: 'Tide', type: 'text' as const, required: false }]
      const body = { kind: 'content-type' as const, label: 'Tides', fields }
      const { id } = (await people.ada.call(engagementTemplates.create, { body })).data
      return {
        id,
        lists: (viewer) => viewer.call(engagementTemplates.list),
        opens: (viewer) => viewer.call(engagementTemplates.find, { params: { x: id } }),
        changes: (viewer) =>
          viewer.call(engagementTemplates.update, { params: { x: id }, body: { label: `Moons ${++nameCount}` } }),
      }
    },
    async 'a memory pattern'() {
      const { id } = (await people.ada.call(memoryPatterns.create, { body: { name: `Tides ${++nameCount}` } })).data
      return {
        id,
        lists: (viewer) => viewer.call(memoryPatterns.list),
        changes: (viewer) =>
          viewer.call(memoryPatterns.update, { params: { id }, body: { description: `High ${++nameCount}` } }),
      }
    },
    async 'an agent class'() {
      const body = { name: `Clerk ${++nameCount}`, base: 'Standard' as const }
      const { id } = (await people.ada.call(agentClassCalls.create, { body })).data
      return {
        id,
        lists: (viewer) => viewer.call(agentClassCalls.list),
        changes: (viewer) =>
          viewer.call(agentClassCalls.update, { params: { id }, body: { description: `Night ${++nameCount}` } }),
      }
    },
  }

  it.each(Object.keys(expectedVisibility))('%s is visible as listed', async (name) => {
    const entity = await createEntity[name]?.()
    if (!entity) throw new Error(`No factory creates ${name}`)
    const visible: Record<string, string> = {}
    for (const [viewer, actor] of Object.entries(people)) {
      const may: string[] = []
      const { status, text } = await entity.lists(actor)
      if (status === 200 && text.includes(entity.id)) may.push('lists')
      if ((await entity.opens?.(actor))?.status === 200) may.push('opens')
      const previous = await computeDatabaseHash(app.services.db)
      if ((await entity.changes?.(actor))?.status === 200) may.push('changes')
      else expect(await computeDatabaseHash(app.services.db), `${viewer} changed something`).toBe(previous)
      if (may.length > 0) visible[viewer] = may.join(', ')
    }
    expect(visible).toEqual(expectedVisibility[name])
  })
})
