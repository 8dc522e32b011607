import { beforeEach, describe, expect, it } from 'vitest'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('memory cards, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeper: Keeper

  beforeEach(async () => {
    keeper = await createTestKeeper(ada)
  })

  const createCard = async (
    content: string,
    fields: { topic?: string; aiVisible?: boolean } = {},
    actor = ada,
    target = keeper,
  ) => {
    app.passTime(1000)
    const { data } = await actor.call(reflections.create, { params: { id: target.id }, body: { content, ...fields } })
    return (await actor.call(reflections.promote, { params: { id: data.id } })).data
  }
  const copyCard = async (id: string, count: number, columns: object = {}) => {
    const { db } = app.services
    const createValues = (index: number) => ({ id: `copy${index}`, reflection_id: null, ...columns })
    await copyRow(db, 'memory_cards', id, { count, values: createValues })
    const vector = await db.selectFrom('card_vectors').selectAll().executeTakeFirstOrThrow()
    await copyRow(db, 'card_vectors', vector, { count, values: (index) => ({ card_id: `copy${index}` }) })
  }
  const list = async (query = {}) => {
    const response = await ada.call(memoryCards.list, { params: { id: keeper.id }, query })
    expect(response.text).toContain('"success":true')
    return response
  }
  const listTexts = async (query = {}) => (await list(query)).data.map((card) => card.content)
  const search = async (query: string, actor = ada, id = keeper.id) =>
    (await actor.call(memoryCards.search, { params: { id }, query: { query } })).data
  const findTexts = async (query: string) => (await search(query)).map(({ card }) => card.content)
  const findTextsByWords = async (query: string) =>
    (await search(query)).flatMap(({ card, matched }) => (matched.includes('words') ? [card.content] : []))
  const update = (id: string, body: object, ifMatch?: number) =>
    ada.call(memoryCards.update, { params: { id }, body, ...(ifMatch && { ifMatch }) })

  it('are listed newest first in pages, by topic or alias, and by embedding', async () => {
    await createCard('one', { topic: 'Father' })
    await createCard('two')
    await createCard('three', { topic: 'father' })
    expect(await listTexts()).toEqual(['three', 'two', 'one'])
    const first = await list({ limit: 2 })
    expect(first.body.next_cursor).toEqual(expect.any(String))
    const secondPage = await list({ limit: 2, cursor: String(first.body.next_cursor) })
    expect(secondPage.data.map(({ content }) => content)).toEqual(['one'])
    expect(secondPage.body.next_cursor).toBe(null)
    const topic = await app.services.db.selectFrom('topics').select('id').executeTakeFirstOrThrow()
    await app.services.db
      .insertInto('topic_aliases')
      .values({ keeper_id: keeper.id, alias: 'Dad', alias_folded: 'dad', topic_id: topic.id })
      .execute()
    expect(await listTexts({ topic: 'DAD' })).toEqual(['three', 'one'])
    expect(await listTexts({ topic: 'Nobody' })).toEqual([])
    expect(await listTexts({ embedded: 'true' })).toEqual(['three', 'two', 'one'])
    expect(await listTexts({ embedded: 'false' })).toEqual([])
    expect((await ada.call(memoryCards.list, { params: { id: keeper.id }, query: { cursor: 'x' } })).status).toBe(400)
  })

  it('are grouped by topic, largest first, with null for none', async () => {
    await createCard('one', { topic: 'Father' })
    await createCard('two', { topic: 'father' })
    await createCard('three')
    const { data } = await ada.call(memoryCards.byTopic, { params: { id: keeper.id } })
    expect(data.map(({ topic, count, cards }) => [topic, count, cards.map(({ content }) => content)])).toEqual([
      ['Father', 2, ['two', 'one']],
      [null, 1, ['three']],
    ])
  })

  it('are found by words in any case, without accents, by prefix and by topic', async () => {
    await createCard('Im Café am Hafen trank der Vater Tee.', { topic: 'Über das Meer' })
    await createCard('Nothing of that kind')
    for (const query of ['cafe', 'CAFÉ haf', 'uber', 'vater tee', 'Tee!'])
      expect(await findTextsByWords(query), query).toEqual(['Im Café am Hafen trank der Vater Tee.'])
    expect(await findTextsByWords('haf cafe')).toEqual(['Im Café am Hafen trank der Vater Tee.'])
    expect(await findTextsByWords('afe')).toEqual([])
  })

  it('match a prefix until many cards have it as a whole word', async () => {
    await createCard('A lighthouse by the sea')
    const light = await createCard('Bread, and the light of the quay')
    expect(await findTextsByWords('light')).toEqual(['Bread, and the light of the quay', 'A lighthouse by the sea'])
    await copyRow(app.services.db, 'memory_cards', light.id, {
      count: 120,
      values: (index) => ({ id: `l${index}`, reflection_id: null, content: 'Light', words: 'light' }),
    })
    expect(await findTextsByWords('light')).not.toContain('A lighthouse by the sea')
    expect(await findTextsByWords('lighth')).toEqual(['A lighthouse by the sea'])
    expect((await findTextsByWords('bread light'))[0]).toBe('Bread, and the light of the quay')
    expect(await findTextsByWords('sea light')).toContain('A lighthouse by the sea')
  })

  it('are found in scripts without spaces', async () => {
    await createCard('京都の夜は静かだ。')
    expect(await findTextsByWords('静か')).toEqual(['京都の夜は静かだ。'])
    expect(await findTextsByWords('東犬')).toEqual([])
  })

  it('treat quotes and operators in a query as plain text', async () => {
    await createCard('The harbour and the "lamp" NEAR the quay')
    for (const query of [
      '"lamp',
      'lamp"',
      'lamp AND',
      'NEAR(lamp quay)',
      'harbour OR',
      'lamp*',
      '-lamp',
      'keeper:x lamp',
      "lamp' | 'x",
      'lamp:*',
      'lamp & !quay',
      '^lamp',
      'lamp + quay',
      '{words}: lamp',
    ]) {
      const { status, data } = await ada.call(memoryCards.search, { params: { id: keeper.id }, query: { query } })
      expect(status, query).toBe(200)
      expect(data, query).toHaveLength(1)
    }
    for (const query of ['*', '"', '()', '!!!', '🙂']) expect(await findTexts(query), query).toEqual([])
    expect((await ada.call(memoryCards.search, { params: { id: keeper.id }, query: { query: '  ' } })).status).toBe(400)
  })

  it('report how they matched, rank all words before some, and mark them', async () => {
    await createCard('The lamp is on.')
    await createCard(`${'Long before that. '.repeat(40)}The harbour lamp burns all night.`)
    const [best, other] = await search('harbour lamp')
    expect(best?.card.content).toContain('harbour lamp burns')
    expect(best?.matched).toContain('words')
    expect(best?.snippet?.length).toBeLessThan(260)
    expect(best?.marks?.map(([from, to]) => best.snippet?.slice(from, to))).toEqual(['harbour', 'lamp'])
    expect(other?.card.content).toBe('The lamp is on.')
    expect(best?.score).toBeGreaterThan(other?.score ?? 0)
  })

  it('show snippets without Markdown and mark words across its syntax', async () => {
    await createCard(
      `${'Long before that. '.repeat(40)}\n\n## At the quay\n\n- **Harbour** and light**house**, [the lamp](https://x.org)`,
    )
    const [best] = await search('harbour house lamp')
    expect(best?.snippet).toMatch(/At the quay\s+Harbour and lighthouse, the lamp$/)
    expect(best?.marks?.map(([from, to]) => best.snippet?.slice(from, to))).toEqual(['Harbour', 'house', 'lamp'])
    const [firstMatch] = await search('quay light')
    expect(firstMatch?.marks?.map(([from, to]) => firstMatch.snippet?.slice(from, to))).toEqual(['quay', 'lighthouse'])
  })

  it('match inflections and typos with the built-in, lexical vector', async () => {
    await createCard('The photographer remembered Marseille.')
    await createCard('Bread and butter.')
    const [first] = await search('photographs of marseilles')
    expect(first).toMatchObject({ matched: ['meaning'], card: { content: 'The photographer remembered Marseille.' } })
    expect(first).not.toHaveProperty('snippet')
    expect(await findTexts('xylophone quartet')).toEqual([])
    const response = await ada.call(memoryCards.search, { params: { id: keeper.id }, query: { query: 'bread' } })
    expect(response.body.meaning).toEqual({ searched: true, model: 'built-in', lexical: true, reason: null })
  })

  it('are found by their new text immediately, and no longer by the old', async () => {
    const { id } = await createCard('The lighthouse was dark.')
    expect(await findTexts('lighthouse')).toHaveLength(1)
    const changed = await update(id, { content: 'The bakery was warm.', topic: 'Morning' }, 1)
    expect(changed.data).toMatchObject({ content: 'The bakery was warm.', topic: 'Morning', rev: 2, embedded: true })
    expect(await findTexts('lighthouse')).toEqual([])
    expect((await search('bakery'))[0]?.matched).toEqual(['words', 'meaning'])
    expect(await findTextsByWords('morning')).toEqual(['The bakery was warm.'])
    expect(await listTexts({ topic: 'morning' })).toEqual(['The bakery was warm.'])
  })

  it('updated outside this folder are indexed before the next search', async () => {
    const { id } = await createCard('The lighthouse was dark.')
    await app.services.db
      .updateTable('memory_cards')
      .set({ content: 'The bakery was warm.' })
      .where('id', '=', id)
      .execute()
    expect(await findTexts('lighthouse')).toEqual([])
    expect((await search('bakery'))[0]?.matched).toEqual(['words', 'meaning'])
  })

  it('report both versions of a conflicting save and change nothing', async () => {
    const { id } = await createCard('first')
    await update(id, { content: 'mine' }, 1)
    const second = await update(id, { content: 'theirs' }, 1)
    expect({ status: second.status, code: second.body.code }).toEqual({ status: 409, code: 'stale' })
    expect(second.body.data).toMatchObject({ yours: { content: 'theirs' }, current: { content: 'mine', rev: 2 } })
    expect(await listTexts()).toEqual(['mine'])
  })

  it('trashed cards are neither listed nor found until they are restored', async () => {
    const { id } = await createCard('The lighthouse was dark.', { topic: 'Sea' })
    expect((await ada.call(memoryCards.remove, { params: { id } })).status).toBe(200)
    expect(await listTexts()).toEqual([])
    expect(await findTexts('lighthouse')).toEqual([])
    expect((await ada.call(memoryCards.byTopic, { params: { id: keeper.id } })).data).toEqual([])
    const status = await ada.call(memoryCards.embeddingStatus, { params: { id: keeper.id } })
    expect(status.data).toMatchObject({ total: 0, embedded: 0, pending: 0, topics: [] })
    expect((await ada.call(memoryCards.show, { params: { id } })).status).toBe(404)
    await app.services.db.updateTable('memory_cards').set({ deleted_at: null }).where('id', '=', id).execute()
    expect((await search('lighthouse'))[0]?.matched).toEqual(['words', 'meaning'])
  })

  it('imported from an AI are drafts until approved, which is final', async () => {
    const { id } = await createCard('An AI wrote this.')
    await app.services.db.updateTable('memory_cards').set({ state: 'draft' }).where('id', '=', id).execute()
    expect((await ada.call(memoryCards.show, { params: { id } })).data.state).toBe('draft')
    expect((await update(id, { state: 'draft' })).status).toBe(400)
    expect((await update(id, { state: 'active' })).data.state).toBe('active')
  })

  it('can be changed and trashed at the maximum length', async () => {
    const maxText = 'Ж'.repeat(500_000)
    const { id } = await createCard(maxText)
    expect((await update(id, { content: `${maxText.slice(1)}.` })).status).toBe(200)
    expect((await update(id, { content: `${maxText}.` })).body.fields).toEqual({
      content: 'Use at most 500,000 characters.',
    })
    expect((await ada.call(memoryCards.remove, { params: { id } })).data).toEqual({})
  })

  it('other people’s cards respond like unknown ids in every call', async () => {
    const { id } = await createCard('Of Ada alone: saffron.')
    const ben = await app.as('ben')
    const bensKeeper = await createTestKeeper(ben, { title: 'Of Ben' })
    for (const call of [memoryCards.show, memoryCards.update, memoryCards.remove]) {
      const [foreign, unknown] = await Promise.all(
        [id, 'f'.repeat(32)].map((cardId) =>
          ben.call(call, { params: { id: cardId }, ...(call.body && { body: {} }) }),
        ),
      )
      expect({ status: foreign?.status, error: foreign?.body.error }).toEqual({
        status: 404,
        error: unknown?.body.error,
      })
    }
    for (const call of [
      memoryCards.list,
      memoryCards.byTopic,
      memoryCards.embeddingStatus,
      memoryCards.generateEmbeddings,
    ])
      expect((await ben.call(call, { params: { id: keeper.id } })).status).toBe(404)
    expect(
      (await ben.call(memoryCards.search, { params: { id: keeper.id }, query: { query: 'saffron' } })).status,
    ).toBe(404)
    expect(await search('saffron', ben, bensKeeper.id)).toEqual([])
  })

  it('are found among 10,000 nearer ones of other keepers', async () => {
    const ben = await app.as('ben')
    const bensKeeper = await createTestKeeper(ben, { title: 'Of Ben' })
    const canary = 'the saffron lighthouse canary'
    const { id } = await createCard(canary, {}, ben, bensKeeper)
    await copyCard(id, 10_000)
    await createCard('A lighthouse, far from the saffron fields')
    const ownCards = await search(canary)
    expect(ownCards.map(({ card }) => card.keeperId)).toEqual([keeper.id])
    expect(ownCards[0]?.matched).toEqual(['words', 'meaning'])
    expect(await search(canary, ben, bensKeeper.id)).toHaveLength(20)
  }, 60_000)

  it('are searched further when the nearest 300 are in the trash', async () => {
    const { id } = await createCard('saffron lighthouse')
    await copyCard(id, 300, { deleted_at: 1 })
    await createCard('lighthouses and saffrons')
    const results = await search('saffron lighthouse')
    expect(results.map(({ card }) => card.content)).toEqual(['saffron lighthouse', 'lighthouses and saffrons'])
    expect(results[1]?.matched).toContain('meaning')
  })

  it('never appear in the log', async () => {
    await createCard('canary0card0Zq77')
    await search('canary0query0Zq78')
    expect(app.logLines.join('\n')).not.toMatch(/canary0(card|query)/)
  })
})
