import { requireKeeperFor } from '#server/keepers/keeper-access.ts'
import { approveDraft } from '#server/keepers/sole/decide-draft.ts'
import { submitDraft } from '#server/keepers/sole/submit-draft.ts'
import { createKeeperSample } from './permission-matrix-keepers.ts'
import { ownerOnly, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

/** A keeper of Ada's whose SOLE has one version per story, the last one a pending draft. */
async function createKeeperWithSole(world: PermissionWorld, ...stories: string[]): Promise<string> {
  const { services } = world.app
  const ada = { id: world.adaId }
  const keeper = await requireKeeperFor(services, ada, await world.createKeeper())
  const author = { kind: 'person' as const, id: ada.id, name: 'Ada', runId: null }
  for (const [index, content] of stories.entries()) {
    if (index > 0) await approveDraft(services, ada, keeper, { consent: { requireConsent: async () => {} } })
    await submitDraft(services, keeper, { content }, author)
  }
  return keeper.id
}

async function createKeeperWithCard(world: PermissionWorld): Promise<string> {
  const { db, newId, now } = world.app.services
  const id = await world.createKeeper()
  const times = { created_at: now().getTime(), updated_at: now().getTime(), deleted_at: null }
  const reflectionColumns = { reflection_id: null, reflection_agent_id: null, reflection_created_at: null }
  const cardColumns = {
    topic: null,
    ai_visible: true,
    embedded_with: null,
    embedded_at: null,
    source_kind: null,
    source_id: null,
  }
  await db
    .insertInto('memory_cards')
    .values({
      id: newId(),
      keeper_id: id,
      owner_id: world.adaId,
      content: 'I live here.',
      state: 'active',
      ...times,
      ...reflectionColumns,
      ...cardColumns,
    })
    .execute()
  return id
}

async function createDomainAdmin(world: PermissionWorld): Promise<string> {
  const { db } = world.app.services
  const personId = await world.createUnprivilegedPerson()
  const domain = await db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', world.adaId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('domain_members')
    .values({ domain_id: domain.id, person_id: personId, role: 'admin', added_at: 1, agreed_at: 1 })
    .execute()
  return personId
}

/** The owner only; `server/keepers/sole/reviewers.test.ts` covers reviewers. */
export const soleLines: Record<string, PermissionLine> = {
  'sole.versions': { ...ownerOnly, sample: createKeeperSample },
  'sole.submitDraft': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createKeeper() }, body: { content: 'I live here.' } }),
  },
  'sole.askForDraft': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await createKeeperWithCard(world) }, body: {} }),
  },
  'sole.approve': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await createKeeperWithSole(world, 'Here.') }, body: {} }),
  },
  'sole.reject': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await createKeeperWithSole(world, 'Here.') }, body: { reason: 'No.' } }),
  },
  'sole.explain': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await createKeeperWithSole(world, 'Here.') }, body: {} }),
  },
  'sole.restore': {
    ...ownerOnly,
    async sample(world) {
      const id = await createKeeperWithSole(world, 'Here.', 'There.', 'Nowhere.')
      await world.app.services.db.deleteFrom('sole_versions').where('status', '=', 'draft').execute()
      return { params: { id, version: '1' } }
    },
  },
  'sole.reviewers': { ...ownerOnly, sample: createKeeperSample },
  'sole.allowReviewer': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createKeeper(), personId: await createDomainAdmin(world) } }),
  },
  'sole.withdrawReviewer': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { id: await world.createKeeper(), personId: await world.createUnprivilegedPerson() },
    }),
  },
  'sole.toReview': { ...signedIn, sample: () => ({}) },
}
