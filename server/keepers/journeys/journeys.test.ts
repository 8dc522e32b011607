import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type SharedJourneyPoint, sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { insertMomentRow, insertMomentRows } from '#tests/insert-moment-rows.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { renderStoryHtml, renderStoryMarkdown, type StoryBlock, toMarkdownLine } from './story.ts'

describe.each(engines)('journeys, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string

  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const createJourney = async (body: object = {}) =>
    (await ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'The crossing', ...body } })).data
  const show = async (id: string) => (await ada.call(journeys.show, { params: { id } })).data
  const fetchFirstPath = async (id: string) => {
    const [path] = (await show(id)).paths
    if (!path) throw new Error('A journey has no path')
    return path
  }
  const savePath = (id: string, body: object, ifMatch?: number) =>
    ada.call(journeys.updatePath, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const insertMoment = (
    id: string,
    fields: { journeyId?: string; title?: string; body?: string; localDate?: string } = {},
  ) => insertMomentRow(app.services, { id, keeperId, ownerId: ada.id, ...fields })
  const trashRow = (table: 'moments' | 'reflections', id: string) =>
    app.services.db.updateTable(table).set({ deleted_at: 1 }).where('id', '=', id).execute()

  it('start with one taken path and are created once per id', async () => {
    const id = 'a'.repeat(32)
    await createJourney({ id })
    await createJourney({ id })
    const { data } = await ada.call(journeys.list, { params: { id: keeperId } })
    expect(data.map((journey) => [journey.id, journey.status, journey._count])).toEqual([
      [id, 'planned', { Path: 1, Waypoint: 0, WaypointDone: 0, Moment: 0 }],
    ])
    expect((await show(id)).paths).toMatchObject([{ state: 'taken', position: 0, waypoints: [] }])
    expect((await ada.call(keepers.show, { params: { id: keeperId } })).data._count).toEqual({ Journey: 1, Path: 1 })
  })

  it('reject an end before their start on every change, and change nothing', async () => {
    const refused = { status: 400, fields: { endsOn: 'Choose an end day on or after the start day.' } }
    const saveDates = async (body: object, id?: string) => {
      const response = id
        ? await ada.call(journeys.update, { params: { id }, body })
        : await ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'Back', ...body } })
      return { status: response.status, fields: response.body.fields }
    }
    expect(await saveDates({ startedOn: '2026-12-01', endsOn: '2026-11-30' })).toEqual(refused)
    expect((await ada.call(journeys.list, { params: { id: keeperId } })).data).toEqual([])
    const { id } = await createJourney({ startedOn: '2026-11-01', endsOn: '2026-11-01' })
    expect(await saveDates({ endsOn: '2026-10-31' }, id)).toEqual(refused)
    expect(await saveDates({ startedOn: '2026-11-02' }, id)).toEqual(refused)
    expect(await show(id)).toMatchObject({ startedOn: '2026-11-01', endsOn: '2026-11-01', rev: 1 })
    expect((await saveDates({ startedOn: '2026-11-02', endsOn: null }, id)).status).toBe(200)
  })

  it('are listed by status, newest first', async () => {
    for (const [title, status] of Object.entries({
      done: 'completed',
      old: 'active',
      later: 'planned',
      paused: 'paused',
    })) {
      await createJourney({ title, status })
      app.passTime(10)
    }
    await createJourney({ title: 'new', status: 'active' })
    const { data } = await ada.call(journeys.list, { params: { id: keeperId } })
    expect(data.map(({ title }) => title)).toEqual(['new', 'old', 'later', 'paused', 'done'])
  })

  it('replace their waypoints as a whole list', async () => {
    const path = await fetchFirstPath((await createJourney()).id)
    await insertMoment('m1')
    const first = await savePath(path.id, {
      waypoints: [{ title: 'Harbour', dueOn: '2026-12-01', momentIds: ['m1', 'm1'] }, { title: 'Island' }],
    })
    expect(first.status).toBe(200)
    const [harbour, island] = first.data.waypoints
    expect(harbour).toMatchObject({ title: 'Harbour', dueOn: '2026-12-01', doneAt: null, momentIds: ['m1'], note: '' })
    const second = await savePath(path.id, { waypoints: [{ title: 'Far shore' }, { ...harbour, note: 'At dawn.' }] })
    expect(second.data.waypoints.map(({ title }) => title)).toEqual(['Far shore', 'Harbour'])
    expect(second.data.waypoints[1]).toMatchObject({ id: harbour?.id, note: 'At dawn.', momentIds: ['m1'] })
    expect(JSON.stringify(await show(path.journeyId))).not.toContain(island?.id)
    expect((await show(path.journeyId))._count).toEqual({ Path: 1, Waypoint: 2, WaypointDone: 0, Moment: 1 })
  })

  it('reject stale waypoints, return both lists and change nothing', async () => {
    const path = await fetchFirstPath((await createJourney()).id)
    await savePath(path.id, { waypoints: [{ title: 'Mine' }] }, path.rev)
    const refused = await savePath(path.id, { waypoints: [{ title: 'Theirs' }] }, path.rev)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      code: 'stale',
      data: {
        yours: { waypoints: [{ title: 'Theirs' }] },
        current: { waypoints: [{ title: 'Mine' }], rev: path.rev + 1 },
      },
    })
    expect((await fetchFirstPath(path.journeyId)).waypoints.map(({ title }) => title)).toEqual(['Mine'])
  })

  it('accept no foreign or missing moment on a waypoint', async () => {
    const path = await fetchFirstPath((await createJourney()).id)
    const ben = await app.as('ben')
    const foreignKeeper = await createTestKeeper(ben)
    const other = await createTestKeeper(ada, { title: 'Other' })
    await insertMomentRow(app.services, { id: 'bens', keeperId: foreignKeeper.id, ownerId: ben.id })
    await insertMomentRow(app.services, { id: 'other', keeperId: other.id, ownerId: ada.id })
    const responses = await Promise.all(
      ['bens', 'other', 'none'].map((id) => savePath(path.id, { waypoints: [{ title: 'W', momentIds: [id] }] })),
    )
    expect(responses.map(({ status, body }) => [status, body.error])).toEqual(
      Array(3).fill([400, 'A moment on a waypoint isn’t in this keeper. Remove it and save again.']),
    )
    expect((await fetchFirstPath(path.journeyId)).waypoints).toEqual([])
  })

  it('reject the waypoint id of another path, which stays in place', async () => {
    const one = await fetchFirstPath((await createJourney()).id)
    const two = await fetchFirstPath((await createJourney()).id)
    const id = 'c'.repeat(32)
    await savePath(one.id, { waypoints: [{ id, title: 'Taken' }] })
    expect((await savePath(two.id, { waypoints: [{ id, title: 'Reused' }] })).status).toBe(400)
    const duplicates = ['A', 'B'].map((title) => ({ id: 'd'.repeat(32), title }))
    expect((await savePath(two.id, { waypoints: duplicates })).status).toBe(400)
    expect((await fetchFirstPath(one.journeyId)).waypoints).toMatchObject([{ id, title: 'Taken' }])
  })

  it('hide a deleted moment on a waypoint and restore it there, despite saves', async () => {
    const path = await fetchFirstPath((await createJourney()).id)
    await insertMoment('m1')
    const { data } = await savePath(path.id, { waypoints: [{ title: 'Harbour', momentIds: ['m1'] }] })
    await trashRow('moments', 'm1')
    const [savedWaypoint] = (await fetchFirstPath(path.journeyId)).waypoints
    expect(savedWaypoint?.momentIds).toEqual([])
    expect((await show(path.journeyId)).beads).toEqual([])
    await savePath(path.id, { waypoints: [{ ...savedWaypoint, title: 'Renamed' }] })
    await app.services.db.updateTable('moments').set({ deleted_at: null }).where('id', '=', 'm1').execute()
    expect((await fetchFirstPath(path.journeyId)).waypoints).toMatchObject([
      { id: data.waypoints[0]?.id, title: 'Renamed', momentIds: ['m1'] },
    ])
  })

  it('accept a list with a moment deleted since, and restore it there', async () => {
    const path = await fetchFirstPath((await createJourney()).id)
    for (const id of ['m1', 'm2', 'm3']) await insertMoment(id)
    const { data } = await savePath(path.id, {
      waypoints: [{ title: 'Harbour', momentIds: ['m1', 'm2'] }, { title: 'Island' }],
    })
    const [harbour, island] = data.waypoints
    await trashRow('moments', 'm1')
    await trashRow('moments', 'm2')
    await trashRow('moments', 'm3')
    const saved = await savePath(path.id, {
      waypoints: [
        { ...harbour, title: 'Renamed', momentIds: ['m1'] },
        { ...island, momentIds: ['m2', 'm3'] },
      ],
    })
    expect(saved.status).toBe(200)
    expect(saved.data.waypoints).toMatchObject([
      { title: 'Renamed', momentIds: [] },
      { title: 'Island', momentIds: [] },
    ])
    await app.services.db.updateTable('moments').set({ deleted_at: null }).execute()
    expect((await fetchFirstPath(path.journeyId)).waypoints).toMatchObject([
      { title: 'Renamed', momentIds: ['m1'] },
      { title: 'Island', momentIds: ['m2', 'm3'] },
    ])
  })

  it('do not complete a waypoint that is moving to another path', async () => {
    const one = await fetchFirstPath((await createJourney()).id)
    const two = await fetchFirstPath((await createJourney()).id)
    const id = 'c'.repeat(32)
    await savePath(one.id, { waypoints: [{ id, title: 'Ebb' }] })
    const { db } = app.services
    const batch = db.batch.bind(db)
    db.batch = async (writes) => {
      db.batch = batch
      await db.updateTable('waypoints').set({ path_id: two.id, position: 9 }).where('id', '=', id).execute()
      return batch(writes)
    }
    const params = { id: one.id, waypointId: id }
    expect((await ada.call(journeys.completeWaypoint, { params, body: {} })).status).toBe(404)
    expect((await fetchFirstPath(two.journeyId)).waypoints).toMatchObject([{ id, doneAt: null }])
  })

  it('lock the waypoints of a path not taken until it is reopened', async () => {
    const journey = await createJourney()
    const { data: path } = await ada.call(journeys.createPath, {
      params: { id: journey.id },
      body: { title: 'By land', waypoints: [{ title: 'The pass' }] },
    })
    const waypointId = path.waypoints[0]?.id ?? ''
    await savePath(path.id, { state: 'not_taken' })
    const message = 'This path wasn’t taken, so its waypoints can’t be changed. Reopen it to change them.'
    const refused = await savePath(path.id, { waypoints: [] })
    expect({ status: refused.status, error: refused.body.error }).toEqual({ status: 422, error: message })
    const completed = await ada.call(journeys.completeWaypoint, { params: { id: path.id, waypointId }, body: {} })
    expect(completed.status).toBe(422)
    expect((await savePath(path.id, { title: 'Over land' })).data).toMatchObject({
      title: 'Over land',
      waypoints: [{ title: 'The pass', doneAt: null }],
    })
    expect((await show(journey.id))._count.Waypoint).toBe(0)
    expect((await savePath(path.id, { state: 'open', waypoints: [] })).status).toBe(200)
  })

  it('complete and reopen a waypoint, and reject an unknown one', async () => {
    const path = await fetchFirstPath((await createJourney()).id)
    const { data } = await savePath(path.id, { waypoints: [{ title: 'Harbour' }] })
    const waypointId = data.waypoints[0]?.id ?? ''
    const complete = (waypoint: string, done?: boolean) =>
      ada.call(journeys.completeWaypoint, { params: { id: path.id, waypointId: waypoint }, body: { done } })
    expect((await complete(waypointId)).data.waypoints[0]?.doneAt).toMatch(/Z$/)
    const repeated = await complete(waypointId)
    expect((await complete(waypointId)).data.rev, 'repeating the request changes nothing').toBe(repeated.data.rev)
    expect((await show(path.journeyId))._count.WaypointDone).toBe(1)
    expect((await complete(waypointId, false)).data.waypoints[0]?.doneAt).toBeNull()
    expect((await complete('nowhere')).status).toBe(404)
  })

  it('move a path among the others', async () => {
    const journey = await createJourney()
    for (const title of ['B', 'C']) await ada.call(journeys.createPath, { params: { id: journey.id }, body: { title } })
    const fetchPaths = async () => (await ada.call(journeys.paths, { params: { id: journey.id } })).data
    const [a, , c] = await fetchPaths()
    await savePath(c?.id ?? '', { position: 0 })
    expect((await fetchPaths()).map(({ title, position }) => [title, position])).toEqual([
      ['C', 0],
      [a?.title, 1],
      ['B', 2],
    ])
    await savePath(c?.id ?? '', { position: 99 })
    expect((await fetchPaths()).map(({ title }) => title)).toEqual([a?.title, 'B', 'C'])
  })

  it('take their paths into the trash but not their moments', async () => {
    const path = await fetchFirstPath((await createJourney()).id)
    await insertMoment('m1', { journeyId: path.journeyId })
    expect((await ada.call(journeys.remove, { params: { id: path.journeyId } })).status).toBe(200)
    expect((await ada.call(journeys.show, { params: { id: path.journeyId } })).status).toBe(404)
    const deletedPath = await savePath(path.id, { title: 'X' })
    const unknownPath = await savePath('nowhere', { title: 'X' })
    expect({ status: deletedPath.status, error: deletedPath.body.error }).toEqual({
      status: 404,
      error: unknownPath.body.error,
    })
    expect((await ada.call(journeys.list, { params: { id: keeperId } })).data).toEqual([])
    const row = await app.services.db.selectFrom('moments').select('deleted_at').executeTakeFirst()
    expect(row?.deleted_at).toBeNull()
  })

  it('hide paths of a deleted journey and keep them unchanged', async () => {
    const { id } = await createJourney()
    const path = await fetchFirstPath(id)
    const { data: saved } = await savePath(path.id, { waypoints: [{ title: 'Ebb', momentIds: [] }] })
    await ada.call(journeys.remove, { params: { id } })
    // Simulates a path that a fault left out of the trash.
    await app.services.db.updateTable('paths').set({ deleted_at: null }).where('id', '=', path.id).execute()
    const hashBefore = await computeDatabaseHash(app.services.db)
    const waypointId = saved.waypoints[0]?.id ?? ''
    const responses = [
      await savePath(path.id, { title: 'Flood' }),
      await ada.call(journeys.completeWaypoint, { params: { id: path.id, waypointId }, body: {} }),
      await ada.call(journeys.removePath, { params: { id: path.id } }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(await computeDatabaseHash(app.services.db)).toBe(hashBefore)
  })

  it('create one closing reflection with quoted waypoints per completion', async () => {
    const path = await fetchFirstPath((await createJourney({ purpose: 'To see it.' })).id)
    await savePath(path.id, {
      waypoints: [{ title: 'Harbour', note: 'Cold.\nClear.', doneAt: '2026-11-02T10:00:00Z' }],
    })
    const complete = () => ada.call(journeys.complete, { params: { id: path.journeyId }, body: { reflect: true } })
    const responses = await Promise.all([complete(), complete()])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(responses[0]?.data.journey).toMatchObject({ status: 'completed', completedAt: expect.stringMatching(/Z$/) })
    const reflectionList = await ada.call(reflections.list, { params: { id: keeperId } })
    expect(reflectionList.data.map(({ id }) => id)).toEqual([responses[0]?.data.reflectionId])
    expect(responses[1]?.data.reflectionId).toBe(responses[0]?.data.reflectionId)
    expect(reflectionList.data[0]?.content).toContain('> - Harbour · Reached Nov 2, 2026\n> > Cold.\n> > Clear.')
    expect(reflectionList.data[0]?.content).toContain('> To see it.')
  })

  it('date a waypoint reached in the evening in the owner’s time zone', async () => {
    // Gives Ada a time zone.
    const body = { body: 'Dusk.', timezone: 'America/New_York', occurredAt: '2026-11-01T22:00:00Z' }
    await ada.call(moments.create, { params: { id: keeperId }, body })
    const path = await fetchFirstPath((await createJourney()).id)
    await savePath(path.id, { waypoints: [{ title: 'Harbour', doneAt: '2026-11-03T01:30:00Z' }] })
    const story = await ada.fetch(`/api/keeper/journeys/${path.journeyId}/story?format=md`)
    expect(await story.text()).toContain('Reached Nov 2, 2026')
    const completion = await ada.call(journeys.complete, { params: { id: path.journeyId }, body: { reflect: true } })
    const closing = await ada.call(reflections.show, { params: { id: completion.data.reflectionId ?? '' } })
    expect(closing.data.content).toContain('> - Harbour · Reached Nov 2, 2026')
  })

  it('complete without a reflection, and allow another one after reopening', async () => {
    const journey = await createJourney({ aiVisible: false })
    const complete = (reflect: boolean) =>
      ada.call(journeys.complete, { params: { id: journey.id }, body: { reflect } })
    expect((await complete(false)).data.reflectionId).toBeNull()
    const first = (await complete(true)).data.reflectionId
    app.passTime(1000)
    const reopened = await ada.call(journeys.update, { params: { id: journey.id }, body: { status: 'active' } })
    expect(reopened.data.completedAt).toBeNull()
    const second = (await complete(true)).data.reflectionId
    expect(second).not.toBe(first)
    const reflectionList = await ada.call(reflections.list, { params: { id: keeperId } })
    expect(
      reflectionList.data.map(({ aiVisible }) => aiVisible),
      'reflections of a journey that is not for AI',
    ).toEqual([false, false])
    await trashRow('reflections', second ?? '')
    expect((await complete(true)).data.reflectionId, 'a deleted reflection is not written again').toBeNull()
  })

  it('export taken, open and rejected paths, escaped and without deleted ones', async () => {
    const journey = await createJourney({ title: 'Over <the> sea', status: 'active' })
    const path = await fetchFirstPath(journey.id)
    await insertMoment('at-waypoint', { title: 'First light', body: '# A <b>heading</b>', localDate: '2026-11-03' })
    await insertMoment('along', { journeyId: journey.id, body: 'Gulls.' })
    await insertMoment('trashed', { journeyId: journey.id, body: 'In the trash.' })
    await trashRow('moments', 'trashed')
    await savePath(path.id, {
      waypoints: [
        { title: 'Harbour', momentIds: ['at-waypoint'], doneAt: '2026-11-03T08:00:00Z' },
        { title: 'Island' },
      ],
    })
    const addPath = (title: string, state: string) =>
      ada.call(journeys.createPath, {
        params: { id: journey.id },
        body: { title, state, waypoints: [{ title: `${title} stop` }] },
      })
    await addPath('By air', 'open')
    await addPath('By land', 'not_taken')
    const { data: deletedPath } = await addPath('Deleted path', 'taken')
    await ada.call(journeys.removePath, { params: { id: deletedPath.id } })

    const fetchStory = async (format: string) => {
      const response = await ada.fetch(`/api/keeper/journeys/${journey.id}/story?format=${format}`)
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="over-the-sea.${format}"`)
      return response.text()
    }
    const md = await fetchStory('md')
    const html = await fetchStory('html')
    expect(md.match(/^#+ .*/gm)).toEqual([
      '# Over \\<the\\> sea',
      '## The way so far',
      '### Harbour',
      '### Island',
      '## Along the way',
      '## Open',
      '### By air',
      '## Not taken',
      '### By land',
    ])
    expect(md).toContain('> # A <b>heading</b>')
    expect(md).toContain('- Island\n')
    expect(html).toContain('<title>Over &lt;the&gt; sea</title>')
    expect(html).toContain('# A &lt;b&gt;heading&lt;/b&gt;')
    expect(html).not.toContain('<b>')
    for (const text of [md, html]) {
      expect(text).toContain('Gulls.')
      expect(text).not.toContain('In the trash')
      expect(text).not.toContain('Deleted path')
    }
  })
})

const anyBlock: fc.Arbitrary<StoryBlock> = fc.oneof(
  fc.record({
    kind: fc.constant('heading' as const),
    level: fc.constantFrom(1 as const, 2 as const),
    text: fc.string(),
  }),
  fc.record({ kind: fc.constant('item' as const), text: fc.string() }),
  fc.record({
    kind: fc.constant('paragraphs' as const),
    text: fc.string({ unit: fc.constantFrom('<', '>', '\n', '#', '"', 'a') }),
  }),
)

describe('a story', () => {
  it('escapes all content in HTML and closes every list', () => {
    fc.assert(
      fc.property(fc.array(anyBlock), fc.string(), (blocks, title) => {
        const html = renderStoryHtml(title, blocks)
        const tags = html.match(/<\/?[a-z!][^>]*>/g) ?? []
        expect(
          tags.filter(
            (tag) => !/^<(!doctype html|\/?(html|head|meta|title|style|body|h[1-3]|p|ul|li)\b[^<>]*)>$/.test(tag),
          ),
        ).toEqual([])
        expect((html.match(/<ul>/g) ?? []).length).toBe((html.match(/<\/ul>/g) ?? []).length)
      }),
    )
  })

  it('keeps headings on one line and escapes text in Markdown', () => {
    fc.assert(
      fc.property(fc.array(anyBlock), (blocks) => {
        const headings = renderStoryMarkdown(blocks).match(/^#{1,6}( |$)/gm) ?? []
        expect(headings.length).toBe(blocks.filter(({ kind }) => kind === 'heading').length)
      }),
    )
  })

  it.each([
    ['2. Go', '2\\. Go'],
    ['- dash', '\\- dash'],
    ['a *b* [c](d) <e>', 'a \\*b\\* \\[c\\](d) \\<e\\>'],
    ['two\n lines ', 'two lines'],
  ])('turns the title %j into the Markdown line %j', (title, line) => {
    expect(toMarkdownLine(title)).toBe(line)
  })
})

const momentCount = 2300

describe.each(engines)('a journey with more moments than one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  let journeyId: string
  /** Oldest first. */
  let momentIds: string[]
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
    journeyId = (await ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'The crossing' } })).data.id
    const rows = Array.from({ length: momentCount }, (_, index) => ({
      id: `m${String(index).padStart(4, '0')}`,
      keeperId,
      ownerId: ada.id,
      journeyId,
      body: `Watch ${index}.`,
      localDate: new Date(Date.UTC(2016, 0, 1 + Math.floor(index / 3))).toISOString().slice(0, 10),
    }))
    await insertMomentRows(app.services, rows)
    momentIds = rows.map(({ id }) => id)
  })

  const fetchStory = () => ada.fetch(`/api/keeper/journeys/${journeyId}/story?format=md`)
  const listOldestFirst = (pages: { id: string }[][]) => pages.toReversed().flatMap((page) => page.map(({ id }) => id))

  it('shows its owner all moments once and counts them', async () => {
    const pages = await fetchAllPages(ada, journeys.show, { id: journeyId })
    expect(pages.map(({ beads }) => beads.length)).toEqual([1000, 1000, 300])
    for (const { title, paths, _count } of pages)
      expect({ title, paths: paths.length, moments: _count.Moment }).toEqual({
        title: 'The crossing',
        paths: 1,
        moments: momentCount,
      })
    expect(listOldestFirst(pages.map(({ beads }) => beads))).toEqual(momentIds)
    const invalidCursor = await ada.call(journeys.show, { params: { id: journeyId }, query: { cursor: 'x' } })
    expect({ status: invalidCursor.status, fields: invalidCursor.body.fields }).toEqual({
      status: 400,
      fields: { cursor: 'Use the next_cursor of the previous page.' },
    })
  })

  it('shows its readers all moments and timeline items once', async () => {
    const ben = await app.as('ben')
    const id = await insertDomain(app, ada, [[ben, 'friend']])
    const params = { id, journeyId }
    await ada.call(sharingInDomains.shareJourney, { params, body: { roles: ['friend'] } })
    const pages: SharedJourneyPoint[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: Record<string, string> = { limit: '2', ...(cursor && { cursor }) }
      const { data } = await ben.call(sharingInDomains.journey, { params, query })
      // Each page of moments repeats the last two points, newest first.
      expect(data.moments.map((moment) => moment.id)).toEqual(
        data.beads
          .slice(-2)
          .map((item) => item.id)
          .toReversed(),
      )
      pages.push(data.beads)
      cursor = data.beads_cursor
    }
    expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 300])
    expect(listOldestFirst(pages)).toEqual(momentIds)
  })

  it('has a story with every moment, oldest first', async () => {
    const storyMoments = (await (await fetchStory()).text()).match(/Watch \d+/g)
    expect(storyMoments).toEqual(momentIds.map((_, index) => `Watch ${index}`))
  })

  it('refuses a story beyond the limit and names the export', async () => {
    // 110 moments of 196,000 characters exceed the limit of 20 million.
    const body = 'A long watch. '.repeat(14_000)
    const { db } = app.services
    await db.updateTable('moments').set({ body }).where('id', '<', 'm0110').execute()
    const response = await fetchStory()
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({
      error:
        'The moments on this journey are too long for one story. Export the keeper instead, which includes them all.',
    })
  })
})
