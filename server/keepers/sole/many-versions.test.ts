import { beforeEach, describe, expect, it } from 'vitest'
import { type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { json } from '#server/db/database.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('a SOLE with more versions than one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  /** The first was approved, all others were rejected. */
  async function fill(count: number, content?: string): Promise<void> {
    const { db } = app.services
    await ada.call(sole.submitDraft, { params: { id: keeperId }, body: { content: 'The sea is home.' } })
    await ada.call(sole.approve, { params: { id: keeperId }, body: {} })
    const first = await db.selectFrom('sole_versions').selectAll().executeTakeFirstOrThrow()
    const later = Array.from({ length: count - 1 }, (_, at) => ({
      ...first,
      id: `s${at}`,
      version: at + 2,
      status: 'rejected' as const,
      statements: json(first.statements),
      left_out: json(first.left_out),
      difference: null,
      ...(content !== undefined && { content }),
    }))
    for (let at = 0; at < later.length; at += 500)
      await db
        .insertInto('sole_versions')
        .values(later.slice(at, at + 500))
        .execute()
  }

  async function pages(): Promise<SoleVersion[][]> {
    const all: SoleVersion[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, body } = await ada.call(sole.versions, {
        params: { id: keeperId },
        query: { ...(cursor && { cursor }) },
      })
      all.push(data)
      cursor = body.next_cursor as string | null
    }
    return all
  }

  it('lists all of them, newest first, down to the active one', async () => {
    await fill(2300)
    const read = await pages()
    expect(read.map(({ length }) => length)).toEqual([1000, 1000, 300])
    const all = read.flat()
    expect(all.map(({ version }) => version)).toEqual(Array.from({ length: 2300 }, (_, at) => 2300 - at))
    expect(all.at(-1)).toMatchObject({ version: 1, status: 'active' })
  })

  it('shortens pages of long versions and omits none', async () => {
    await fill(220, 'The sea is home. '.repeat(6000))
    const read = await pages()
    expect(read.length).toBeGreaterThan(1)
    expect(read.flat().map(({ version }) => version)).toEqual(Array.from({ length: 220 }, (_, at) => 220 - at))
  })

  it('names an invalid cursor', async () => {
    const { status, body } = await ada.call(sole.versions, { params: { id: keeperId }, query: { cursor: 'x' } })
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { cursor: 'Use the next_cursor of the previous page.' },
    })
  })
})
