import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { type SearchHit, search } from '#contract/keepers/search.ts'
import { topics } from '#contract/keepers/topics.ts'
import { voice } from '#contract/keepers/voice.ts'
import { searchableKinds } from '#server/search-index/kinds.ts'
import { dayMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { insertMomentRows } from '#tests/insert-moment-rows.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

/** Stored texts, each with queries that must find it. */
const searchableTexts: [stored: string, ...queries: string[]][] = [
  ['We don’t go there, O’Neil’s.', "don't", "O'Neil"],
  ["She couldn't sail.", 'couldn’t'],
  ['Un café à Zürich avec Exupéry.', 'cafe', 'Zurich', 'Exupery'],
  ['A resume in the drawer.', 'résumé'],
  ['The green harbour light went out.', '"harbour light"', '“harbour light”', 'light green', 'arbou'],
  ['My e‑reader and the co\u00ADoperative, a self–made one.', 'e-reader', 'cooperative', 'self-made'],
  ['Die Straße war leer.', 'strasse', 'STRASSE'],
  ['Ο δρόμος προς τη θάλασσα', 'δρομος'],
  ['Gro\u0308ße und Besta\u0308tigung', 'Größe', 'bestätigung'],
  ['e\\-reader **bo**ld [link](https://sea.example/) file\\_name \\(in', 'bold', 'link', 'file_name', '(in'],
  ['Black&nbsp;&amp; white&#33; &unknown; &#xD800;', '"black & white!"', '&unknown;'],
  ['夏の海はきれい', '海', '夏の', '海は'],
  ['วันนี้ฉันไปทะเล', 'ทะเล'],
  ['50% of_it 🙂 "said"', '50%', '_', '🙂', '"', '%', 'of_'],
]

describe.each(engines)('search, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'])
  let keeperId: string
  beforeEach(async () => {
    for (const actor of [ada, ben])
      for (const { id } of (await actor.call(keepers.list)).data) await actor.call(keepers.remove, { params: { id } })
    keeperId = (await createTestKeeper(ada)).id
  })

  const createMoment = async (body: string, fields: object = {}) =>
    (await ada.call(moments.create, { params: { id: keeperId }, body: { body, ...fields } })).data
  const findHits = async (q: string, query: Record<string, string | number> = {}, actor: Actor = ada) => {
    const { status, data, text } = await actor.call(search.find, { query: { q, ...query } })
    if (status !== 200) throw new Error(text)
    return data
  }
  const findIds = async (q: string, query: Record<string, string | number> = {}, actor: Actor = ada) =>
    (await findHits(q, query, actor)).items.map(({ id }) => id)
  const getMarked = ({ excerpt, marks, title, titleMarks }: SearchHit) => [
    ...titleMarks.map(([from, to]) => title.slice(from, to)),
    ...marks.map(([from, to]) => excerpt.slice(from, to)),
  ]

  it.each(searchableTexts)('%s is found in search and timeline', async (stored, ...queries) => {
    const { id } = await createMoment(stored)
    await createMoment('An unrelated moment')
    for (const q of queries) {
      expect(await findIds(q), q).toEqual([id])
      const timeline = await ada.call(moments.list, { params: { id: keeperId }, query: { q } })
      expect(
        timeline.data.items.map((moment) => moment.id),
        q,
      ).toEqual([id])
    }
  })

  it('excludes words, and marks matches in the original spelling', async () => {
    const { id } = await createMoment('The **Zürich** ferry, late as ever.', { title: 'Across' })
    await createMoment('The Zürich train')
    const { items } = await findHits('zurich -train')
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ type: 'moment', id, keeperId, title: 'Across', place: 'The Harbour Year' })
    expect(items[0]?.excerpt).toBe('The Zürich ferry, late as ever.')
    expect(items.flatMap(getMarked)).toEqual(['Zürich'])
    expect(items[0]?.link).toBe(`/keeper/${keeperId}/moments?moment=${id}`)
    expect((await findHits('across')).items.flatMap(getMarked)).toEqual(['Across'])
    expect(await findIds('"zurich late"')).toEqual([])
  })

  it('follows edits, the trash and permanent deletion', async () => {
    const { id } = await createMoment('A lighthouse')
    expect(await findIds('lighthouse')).toEqual([id])
    await ada.call(moments.update, { params: { id }, body: { body: 'A beacon' } })
    expect(await findIds('lighthouse')).toEqual([])
    expect(await findIds('beacon')).toEqual([id])
    await ada.call(moments.update, {
      params: { id },
      body: { occurredAt: '2020-01-02T08:00:00Z', localDate: '2020-01-02' },
    })
    expect(await findIds('beacon', { to: '2020-12-31' })).toEqual([id])
    await ada.call(moments.remove, { params: { id } })
    expect(await findIds('beacon')).toEqual([])
    await ada.call(entries.restore, { params: { entity: 'moment', id } })
    expect(await findIds('beacon')).toEqual([id])
    await ada.call(moments.remove, { params: { id } })
    await app.services.db.deleteFrom('moments').where('id', '=', id).execute()
    const indexedRows = await app.services.db.longRead(sql`select entity, id from search_entries where id = ${id}
      union select entity, id from search_pending where id = ${id}`)
    expect(indexedRows).toEqual([])
    expect(await findIds('beacon')).toEqual([])
  })

  it('finds every kind with its place and link', async () => {
    const params = { id: keeperId }
    const word = 'Brückenwort'
    const reflection = (await ada.call(reflections.create, { params, body: { content: `About ${word}` } })).data
    const entry = (
      await ada.call(logbook.create, { params, body: { entry: word, label: 'A', category: 'Home', tags: ['quay'] } })
    ).data
    const belief = (await ada.call(voice.create, { params, body: { label: 'Belief', belief: word } })).data
    const echo = (await ada.call(echoes.create, { params, body: { message: word } })).data
    const journey = (await ada.call(journeys.create, { params, body: { title: 'Journey', purpose: 'East' } })).data
    await ada.call(journeys.createPath, {
      params: { id: journey.id },
      body: { title: 'Path', waypoints: [{ title: `See the ${word}` }] },
    })
    const topic = (await ada.call(topics.create, { params, body: { name: word, aliases: ['Bridgeword'] } })).data
    const hits = (await findHits('bruckenwort')).items
    expect(Object.fromEntries(hits.map(({ type, id }) => [type, id]))).toEqual({
      reflection: reflection.id,
      logbook: entry.id,
      voice: belief.id,
      echo: echo.id,
      journey: journey.id,
      topic: topic.id,
    })
    expect(hits.slice(0, 2).map(({ type }) => type)).toEqual(['topic', 'journey'])
    for (const hit of hits) {
      expect(getMarked(hit).join()).toContain(word)
      expect(hit.link).toMatch(new RegExp(`^/keeper/${keeperId}/`))
      expect(hit.place).toBe('The Harbour Year')
    }
    expect(await findIds('bruckenwort', { type: 'topic' })).toEqual([topic.id])
    expect(await findIds('bridgeword')).toEqual([topic.id])
    await ada.call(topics.update, { params: { id: topic.id }, body: { name: 'Renamed' } })
    expect(await findIds('renamed')).toEqual([topic.id])
    expect(await findIds('quay', { type: 'logbook' })).toEqual([entry.id])
  })

  it('a sealed echo is found only after its delivery', async () => {
    const params = { id: keeperId }
    const { data } = await ada.call(echoes.create, {
      params,
      body: {
        message: 'Sealedword',
        sealed: true,
        triggerDate: new Date(app.services.now().getTime() + dayMs).toISOString(),
      },
    })
    expect(await findIds('sealedword')).toEqual([])
    app.passTime(2 * dayMs)
    expect(await findIds('sealedword')).toEqual([])
    await ada.call(echoes.deliver, { params: { id: data.id } })
    expect(await findIds('sealedword')).toEqual([data.id])
  })

  it('finds the person’s own chats by name and message', async () => {
    const kip = (await ada.call(agents.bySlug, { query: { slug: 'kip' } })).data
    const { data: session } = await ada.call(agents.createSession, { body: { agentId: kip.id } })
    const run = await ada.call(agents.run, {
      body: { agentId: kip.id, sessionId: session.id, input: 'Tell me about Fährmann' },
    })
    expect(run.status).toBe(200)
    const { items } = await findHits('fahrmann', { type: 'chat' })
    expect(items.length).toBeGreaterThan(0)
    expect(items[0]?.link).toBe(`/kip?sessionId=${session.id}`)
    expect(await findIds('fahrmann', {}, ben)).toEqual([])
    await ada.call(chat.rename, { params: { sessionId: session.id }, body: { sessionName: 'Zwölf' } })
    expect(await findIds('zwolf', { type: 'chat' })).toContain(session.id)
    await ada.call(chat.remove, { params: { sessionId: session.id } })
    expect(await findIds('fahrmann')).toEqual([])
  })

  it('finds frames of own boards and of boards that can be opened', async () => {
    const frame = createFrameInput('media_card', {
      content: { title: 'Möwe', caption: 'A gull', alt: '', fit: 'cover' },
    })
    const board = (await ada.call(boards.create, { body: { name: 'Coast' } })).data
    await ada.call(boards.save, { params: { id: board.id }, body: { ...board, frames: [frame] } })
    const listHits = async (actor: Actor) =>
      (await findHits('mowe', {}, actor)).items.map(({ type, place }) => [type, place])
    expect(await listHits(ada)).toEqual([['board', 'Coast']])
    const domainId = await insertDomain(app, cleo, [
      [ada, 'user'],
      [ben, 'friend'],
    ])
    expect(await listHits(ben)).toEqual([])
    const rights = { admin: 'none', user: 'none', friend: 'view', connection: 'none' } as const
    await ada.call(boardSharing.share, { params: { id: board.id, domainId }, body: { rights } })
    expect(await listHits(ben)).toEqual([['board', 'Coast']])
    await ada.call(boardSharing.unshare, { params: { id: board.id, domainId } })
    expect(await listHits(ben)).toEqual([])
    await ada.call(boards.remove, { params: { id: board.id } })
    expect(await listHits(ada)).toEqual([])
  })

  it('filters by type, keeper, topic, mood, day and picture', async () => {
    const old = await createMoment('ferry one', {
      occurredAt: '2019-12-31T23:30:00Z',
      localDate: '2020-01-01',
      topics: ['Sea'],
      mood: { score: 2 },
    })
    const recent = await createMoment('ferry two', { occurredAt: '2024-05-01T08:00:00Z', mood: { score: -1 } })
    const other = await createTestKeeper(ada, { title: 'Other' })
    const inOtherKeeper = (
      await ada.call(moments.create, {
        params: { id: other.id },
        body: { body: 'ferry three', occurredAt: '2023-01-01T00:00:00Z' },
      })
    ).data
    expect(await findIds('ferry')).toEqual([recent.id, inOtherKeeper.id, old.id])
    expect(await findIds('ferry', { keeperId })).toEqual([recent.id, old.id])
    expect(await findIds('ferry', { topic: 'SEA' })).toEqual([old.id])
    expect(await findIds('ferry', { mood: -1 })).toEqual([recent.id])
    expect(await findIds('ferry', { from: '2020-01-01', to: '2020-01-01' })).toEqual([old.id])
    expect(await findIds('ferry', { to: '2019-12-31' })).toEqual([])
    expect(await findIds('ferry', { from: '2023-06-01' })).toEqual([recent.id])
    expect(await findIds('ferry', { type: 'card' })).toEqual([])
    expect(await findIds('ferry', { hasPicture: 'true' })).toEqual([])
    await app.services.db.write(sql`insert into media (id, person_id, sha256, mime, bytes, created_at, keeper_id, entity, entity_id)
      values ('m1', ${ada.id}, 'x', 'image/png', 1, 0, ${keeperId}, 'moment', ${old.id})`)
    expect(await findIds('ferry', { hasPicture: 'true' })).toEqual([old.id])
    await app.services.db.write(sql`delete from media where id = 'm1'`)
    expect((await ben.call(search.find, { query: { q: 'ferry', keeperId } })).status).toBe(404)
    expect(await findIds('ferry', {}, ben)).toEqual([])
  })

  it('pages newest first without gaps or repeats, even at one instant', async () => {
    const ids: string[] = []
    for (let index = 0; index < 7; index++)
      ids.push((await createMoment(`pageword ${index}`, { occurredAt: '2026-11-20T08:00:00Z' })).id)
    const old = await createMoment('pageword old', { occurredAt: '0001-01-01T00:00:00Z' })
    const seenIds: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof findHits>> = await findHits('pageword', {
        limit: 3,
        ...(cursor && { cursor }),
      })
      seenIds.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor
    } while (cursor)
    expect(seenIds).toHaveLength(8)
    expect(new Set(seenIds)).toEqual(new Set([...ids, old.id]))
    expect(seenIds.at(-1)).toBe(old.id)
    const invalidQueries: Record<string, string | number>[] = [
      { q: 'x', cursor: 'x' },
      { q: ' ' },
      { q: 'x', limit: 101 },
      { q: 'x'.repeat(201) },
    ]
    for (const query of invalidQueries) expect((await ada.call(search.find, { query })).status).toBe(400)
  })

  it('hides everything of a trashed keeper, and shows it after a restore', async () => {
    const { id } = await createMoment('bindable')
    await ada.call(keepers.remove, { params: { id: keeperId } })
    expect(await findIds('bindable')).toEqual([])
    await ada.call(entries.restore, { params: { entity: 'keeper', id: keeperId } })
    expect(await findIds('bindable')).toEqual([id])
  })

  it('finds own entries among many of other people, page by page', async () => {
    const benKeeper = await createTestKeeper(ben)
    const createRows = (count: number, localDate: string, body: string, owner: [keeperId: string, ownerId: string]) =>
      Array.from({ length: count }, (_, index) => ({
        id: `${owner[1]} ${localDate} ${index}`,
        keeperId: owner[0],
        ownerId: owner[1],
        localDate,
        body,
      }))
    const adaIds: [string, string] = [keeperId, ada.id]
    await insertMomentRows(app.services, [
      ...createRows(70, '2026-11-20', 'A gull above the water', adaIds),
      ...createRows(900, '2026-11-10', 'The crowded quayside market', [benKeeper.id, ben.id]),
      ...createRows(2, '2026-11-12', 'The quayside market', adaIds),
      ...createRows(3, '2026-10-01', 'The empty quayside market', adaIds),
    ])
    while ((await findHits('quayside', {}, ben)).pending > 0);
    const matchIds = await findIds('quayside market')
    expect(matchIds.map((id) => id.split(' ')[1])).toEqual([
      ...Array(2).fill('2026-11-12'),
      ...Array(3).fill('2026-10-01'),
    ])
    expect(await findIds('crowded')).toEqual([])
    const first = await findHits('quayside', { limit: 3 })
    const second = await findHits('quayside', { limit: 3, cursor: String(first.next_cursor) })
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(matchIds)
    expect(second.next_cursor).toBeNull()
    expect(await findIds('quayside', {}, ben)).toHaveLength(50)
  })

  it('marks every searchable kind when a row is written', async () => {
    const db = app.services.db
    const { rows: triggers } = await db.write(
      engine === 'sqlite'
        ? sql<{ body: string }>`select sql as body from sqlite_master where type = 'trigger' and name like 'search%'`
        : sql<{ body: string }>`select prosrc as body from pg_proc where proname like 'search%'`,
    )
    for (const kind of Object.keys(searchableKinds)) {
      const bodies = triggers.filter(({ body }) => body.includes(`'${kind}'`)).map(({ body }) => body)
      expect(bodies.filter((body) => body.includes('insert into search_pending')).length, kind).toBeGreaterThan(1)
      expect(bodies.filter((body) => body.includes('delete from search_entries')).length, kind).toBe(1)
    }
  })
})
