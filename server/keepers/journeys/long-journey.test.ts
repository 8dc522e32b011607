import { beforeEach, describe, expect, it } from 'vitest'
import { type SharedJourneyPoint, sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { type JourneyPoint, journeys } from '#contract/keepers/journeys.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { insertMomentRows } from '#tests/insert-moment-rows.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const momentCount = 2300

describe.each(engines)('a journey with more moments than one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  let journeyId: string
  /** Oldest first. */
  let all: string[]
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
    journeyId = (await ada.call(journeys.create, { params: { id: keeperId }, body: { title: 'The crossing' } })).data.id
    const rows = Array.from({ length: momentCount }, (_, at) => ({
      id: `m${String(at).padStart(4, '0')}`,
      keeperId,
      ownerId: ada.id,
      journeyId,
      body: `Watch ${at}.`,
      localDate: new Date(Date.UTC(2016, 0, 1 + Math.floor(at / 3))).toISOString().slice(0, 10),
    }))
    await insertMomentRows(app.services, rows)
    all = rows.map(({ id }) => id)
  })

  const story = () => ada.fetch(`/api/keeper/journeys/${journeyId}/story?format=md`)
  const newestFirst = (pages: { id: string }[][]) => pages.toReversed().flatMap((page) => page.map(({ id }) => id))

  it('shows its owner all moments once and counts them', async () => {
    const pages: JourneyPoint[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, body } = await ada.call(journeys.show, {
        params: { id: journeyId },
        query: { ...(cursor && { cursor }) },
      })
      expect({ title: data.title, pathCount: data.paths.length, moment: data._count.Moment }).toEqual({
        title: 'The crossing',
        pathCount: 1,
        moment: momentCount,
      })
      pages.push(data.beads)
      cursor = body.next_cursor as string | null
    }
    expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 300])
    expect(newestFirst(pages)).toEqual(all)
    const wrong = await ada.call(journeys.show, { params: { id: journeyId }, query: { cursor: 'x' } })
    expect({ status: wrong.status, fields: wrong.body.fields }).toEqual({
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
    expect(newestFirst(pages)).toEqual(all)
  })

  it('has a story with every moment, oldest first', async () => {
    const storyMoments = (await (await story()).text()).match(/Watch \d+/g)
    expect(storyMoments).toEqual(all.map((_, at) => `Watch ${at}`))
  })

  it('refuses a story beyond the limit and names the export', async () => {
    const body = 'A long watch. '.repeat(14_000)
    const { db } = app.services
    await db.updateTable('moments').set({ body }).where('id', '<', 'm0110').execute()
    const response = await story()
    expect([response.status, await response.json()]).toMatchObject([
      413,
      {
        error:
          'The moments on this journey are too long for one story. Export the keeper instead, which includes them all.',
      },
    ])
  })
})
