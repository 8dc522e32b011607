import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '#server/accounts/person.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { buildTopicLinkWrites, type LinkedTopic, resolveTopics } from '../topics/link-topics.ts'
import { createEntry } from './create-entry.ts'
import { saveEntry } from './save-entry.ts'
import { trashEntry } from './trash-entry.ts'

describe.each(engines)('an entry, on %s', (engine) => {
  const { app } = useTestApp(engine, [], { perTest: true })
  let person: Person
  const keeper = { id: 'k', owner_id: '' }
  const values = {
    agent_id: 'default-agent',
    topic: null,
    content: 'first',
    ai_visible: true,
    rested_at: null,
    promoted_at: null,
    moment_id: null,
    source_kind: null,
    source_id: null,
  }
  const view = (row: { content: string; rev: number }) => ({ content: row.content, rev: row.rev })
  const save = (id: string, content: string, ifMatch: number | null) =>
    saveEntry(app.services, person, { entity: 'reflection', id, ifMatch, changes: () => ({ content }), view })
  const history = () => app.services.db.selectFrom('entry_history').select(['rev', 'snapshot']).orderBy('rev').execute()

  beforeEach(async () => {
    const ada = await app.as('ada')
    person = { id: ada.id } as Person
    keeper.owner_id = ada.id
    const now = app.services.now().getTime()
    await app.services.db
      .insertInto('keepers')
      .values({
        ...keeper,
        title: 'K',
        purpose: 'p',
        keeper_type: 'journal',
        keeper_type_id: null,
        memory_pattern: 'sole',
        theme: 'keeper-classic',
        is_public: false,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .execute()
  })

  it('is created once for two requests with the same id', async () => {
    const id = 'a'.repeat(32)
    const createReflection = (content: string) =>
      createEntry(app.services, keeper, { entity: 'reflection', id, values: { ...values, content } })
    await createReflection('first')
    expect((await createReflection('second')).content).toBe('first')
    expect(await app.services.db.selectFrom('reflections').select('id').execute()).toEqual([{ id }])
  })

  it('rejects a stale save with both versions, unchanged', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await save(id, 'mine', 1)
    await expect(save(id, 'theirs', 1)).rejects.toMatchObject({
      kind: 'stale',
      details: { data: { yours: { content: 'theirs', rev: 1 }, current: { content: 'mine', rev: 2 } } },
    })
    expect((await app.services.db.selectFrom('reflections').select('content').execute())[0]).toEqual({
      content: 'mine',
    })
  })

  it('accepts a save without a revision and keeps the loser in history', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await save(id, 'mine', 1)
    await save(id, 'theirs', null)
    expect(await history()).toEqual([
      { rev: 1, snapshot: { content: 'first', rev: 1 } },
      { rev: 2, snapshot: { content: 'mine', rev: 2 } },
    ])
  })

  it('stores one history state per editing session', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await save(id, 'b', 1)
    await save(id, 'c', 2)
    expect((await history()).map(({ rev }) => rev)).toEqual([1])
    app.passTime(10 * 60_000)
    await save(id, 'd', 3)
    expect((await history()).map(({ rev }) => rev)).toEqual([1, 3])
  })

  it('keeps removed text in history within a session, and the text a restore replaces', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    const morning = 'At six the harbour is quiet, and the ferry has not come yet.'
    await save(id, morning, 1)
    await save(id, `${morning} I wait.`, 2)
    await save(id, 'Gone.', 3)
    await save(id, morning, 4)
    expect((await history()).map(({ snapshot }) => (snapshot as unknown as { content: string }).content)).toEqual([
      'first',
      `${morning} I wait.`,
      'Gone.',
    ])
  })

  it('applies three concurrent saves one after the other', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await Promise.allSettled(Array.from({ length: 3 }, (_, n) => save(id, `text ${n}`, null)))
    const { rev } = await app.services.db.selectFrom('reflections').select('rev').executeTakeFirstOrThrow()
    expect(rev).toBe(4)
    expect(await history()).toHaveLength(3)
  })

  it('in the trash can be neither changed nor deleted again', async () => {
    const { id } = await createEntry(app.services, keeper, { entity: 'reflection', id: undefined, values })
    await trashEntry(app.services, person, 'reflection', id)
    await expect(save(id, 'x', null)).rejects.toMatchObject({ kind: 'not-found' })
    await expect(trashEntry(app.services, person, 'reflection', id)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('shares topics by case and alias, created once concurrently', async () => {
    const [first] = await resolveTopics(app.services, keeper, ['Father'])
    const spoken = (id: string, meant: LinkedTopic[]) =>
      app.services.db.batch(buildTopicLinkWrites(app.services, keeper, { entity: 'moment', id, saidAt: 1 }, meant))
    await spoken('first', first ? [first] : [])
    await app.services.db
      .insertInto('topic_aliases')
      .values({ keeper_id: 'k', alias: 'Dad', alias_folded: 'dad', topic_id: first?.id ?? '' })
      .execute()
    const both = await Promise.all([
      resolveTopics(app.services, keeper, [' father ', 'DAD', 'Garden']),
      resolveTopics(app.services, keeper, ['garden']),
    ])
    expect(both[0].map(({ name }) => name)).toEqual(['Father', 'Garden'])
    await Promise.all([spoken('both', both[0]), spoken('garden', both[1])])
    const topicRows = await app.services.db.selectFrom('topics').select(['id', 'name_folded']).execute()
    expect(topicRows.map(({ name_folded }) => name_folded).sort()).toEqual(['father', 'garden'])
    const links = await app.services.db.selectFrom('entry_topics').select(['entity_id', 'topic_id']).execute()
    const getTopicName = (id: string) => topicRows.find((topic) => topic.id === id)?.name_folded
    expect(links.map((link) => `${link.entity_id}: ${getTopicName(link.topic_id)}`).sort()).toEqual([
      'both: father',
      'both: garden',
      'first: father',
      'garden: garden',
    ])
    await spoken('both', both[1])
    expect(
      await app.services.db.selectFrom('entry_topics').where('entity_id', '=', 'both').selectAll().execute(),
    ).toEqual([expect.objectContaining({ topic_id: topicRows.find((topic) => topic.name_folded === 'garden')?.id })])
  })
})
