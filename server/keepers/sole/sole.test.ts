import { beforeEach, describe, expect, it } from 'vitest'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { type NewStatement, type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { voice } from '#contract/keepers/voice.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { createEntry, noSource } from '../entries/create-entry.ts'
import { getApprovedSole } from './sole-rows.ts'

const cardText = '# Quay\r\n\tPer said — “the **flat** is sold”.  I live in Bergen. \u{1F331} e\u0301'

describe.each(engines)('a SOLE, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let keeper: Keeper
  let cardId: string
  beforeEach(async () => {
    keeper = await createTestKeeper(ada)
    cardId = await createCard(cardText)
  })

  async function createCard(content: string, fields: object = {}, targetKeeper = keeper): Promise<string> {
    const reflected = { reflection_id: null, reflection_agent_id: null, reflection_created_at: null }
    const embedded = { embedded_with: null, embedded_at: null }
    const values = { ...noSource, ...reflected, ...embedded, topic: null, ai_visible: true, state: 'active' as const }
    const keeperRef = { id: targetKeeper.id, owner_id: targetKeeper.ownerId }
    const row = await createEntry(app.services, keeperRef, {
      entity: 'card',
      id: undefined,
      values: { ...values, words: null, content, ...fields },
    })
    return row.id
  }
  const quoteCard = (text: string, quote = 'I live in Bergen.', fields: object = {}): NewStatement => ({
    text,
    sources: [{ entity: 'card', id: cardId, quote }],
    ...fields,
  })
  const getParams = () => ({ id: keeper.id })
  const submit = (statements: NewStatement[], actor = ada) =>
    actor.call(sole.submitDraft, { params: getParams(), body: { statements } })
  const submitText = (content: string) => ada.call(sole.submitDraft, { params: getParams(), body: { content } })
  const approve = (body: object = {}, actor = ada) => actor.call(sole.approve, { params: getParams(), body })
  const reject = (body: object = {}, actor = ada) => actor.call(sole.reject, { params: getParams(), body })
  const listVersions = async (): Promise<SoleVersion[]> => (await ada.call(sole.versions, { params: getParams() })).data
  const listApprovedTexts = async () =>
    (await getApprovedSole(app.services, keeper.id))?.statements.map(({ text }) => text) ?? null
  const approveTexts = async (...texts: string[]) => {
    await submit(texts.map((text) => ({ text })))
    await approve()
    return (await listVersions())[0]?.statements ?? []
  }

  it('counts only approved statements, exactly as written', async () => {
    const { status, data } = await submit([
      quoteCard('I live in Bergen.'),
      quoteCard('The flat is sold.', 'the **flat** is sold'),
    ])
    expect(status).toBe(200)
    expect(data).toMatchObject({
      version: 1,
      status: 'draft',
      type: 'narrative',
      content: 'I live in Bergen. The flat is sold.',
      author: 'Ada Lindqvist',
      authorKind: 'person',
      editable: true,
      basedOn: null,
      decidedBy: null,
      leftOut: [],
    })
    expect(data.statements[0]?.sources[0]).toEqual({
      entity: 'card',
      id: cardId,
      quote: 'I live in Bergen.',
      at: expect.any(String),
    })
    expect(await listApprovedTexts()).toBeNull()
    const keeperBefore = (await ada.call(keepers.show, { params: getParams() })).data
    expect({
      sole: keeperBefore.sole,
      version: keeperBefore.soleDraft?.version,
      soleSubmittedAt: keeperBefore.soleSubmittedAt,
    }).toEqual({ sole: null, version: 1, soleSubmittedAt: data.submittedAt })

    const response = await approve({ version: 1 })
    expect(response.status).toBe(200)
    expect(response.data).toMatchObject({ id: keeper.id, title: keeper.title, soleDraft: null, soleSubmittedAt: null })
    expect(response.data.sole).toMatchObject({ version: 1, editable: false, content: data.content })
    expect(await listApprovedTexts()).toEqual(['I live in Bergen.', 'The flat is sold.'])
    expect((await listVersions())[0]).toMatchObject({
      status: 'active',
      decidedBy: { id: ada.id, name: 'Ada Lindqvist' },
    })
  })

  it('activates 2 of 5 approved statements and keeps the others in history', async () => {
    const { data } = await submit(
      ['One here', 'Two here', 'Three here', 'Four here', 'Five here'].map((text) => ({ text })),
    )
    const ids = data.statements.map(({ id }) => id)
    expect((await approve({ version: 1, statementIds: [ids[1], ids[3]] })).status).toBe(200)
    expect(await listApprovedTexts()).toEqual(['Two here', 'Four here'])
    const [active] = await listVersions()
    expect(active?.content).toBe('Two here Four here')
    expect(active?.leftOut.map(({ text }) => text)).toEqual(['One here', 'Three here', 'Five here'])
  })

  it('leaves unapproved changes and drops out of the story', async () => {
    const [home, brother, choir] = await approveTexts('I live in Bergen.', 'Per is my brother.', 'I sing in the choir.')
    const { data } = await submit([
      { text: 'I live in Oslo.', kind: 'change', replacesId: home?.id ?? null },
      { text: 'Per is my brother', kind: 'drop', replacesId: brother?.id ?? null },
      { text: 'I sing alone in the choir.', kind: 'change', replacesId: choir?.id ?? null },
      { text: 'Cats are good.' },
    ])
    expect(data.statements.map(({ kind }) => kind)).toEqual(['change', 'drop', 'change', 'add'])
    expect((await approve({ version: 2, statementIds: [data.statements[2]?.id] })).status).toBe(200)
    expect(await listApprovedTexts()).toEqual(['I live in Bergen.', 'Per is my brother.', 'I sing alone in the choir.'])
  })

  it('keeps unmentioned statements in place', async () => {
    await approveTexts('I live in Bergen.', 'Per is my brother.')
    const { data } = await submit([{ text: 'Cats are good.' }])
    expect(data.statements.map(({ kind, text }) => [kind, text])).toEqual([
      ['keep', 'I live in Bergen.'],
      ['keep', 'Per is my brother.'],
      ['add', 'Cats are good.'],
    ])
  })

  it('accepts one of 20 concurrent approvals', async () => {
    await approveTexts('I live in Bergen.')
    await submit([{ text: 'Cats are good.' }])
    const responses = await Promise.all(Array.from({ length: 20 }, () => approve({ version: 2 })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect((await listVersions()).map(({ status }) => status)).toEqual(['active', 'superseded'])
    expect((await approve()).status).toBe(409)
    expect((await reject()).status).toBe(409)
  })

  it('accepts one of concurrent approvals and rejections', async () => {
    await submit([{ text: 'Cats are good.' }])
    const responses = await Promise.all([approve(), reject(), approve(), reject()])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const [only] = await listVersions()
    expect(await listApprovedTexts()).toEqual(only?.status === 'active' ? ['Cats are good.'] : null)
  })

  it('approves only the draft that was shown', async () => {
    await submit([{ text: 'Cats are good.' }])
    await reject({ version: 1, reason: 'Too little.' })
    await submit([{ text: 'Dogs are good.' }])
    const stale = await approve({ version: 1 })
    expect({ status: stale.status, error: stale.body.error }).toEqual({
      status: 409,
      error: expect.stringContaining('version 2'),
    })
    expect((await approve({ version: 2, statementIds: ['0'.repeat(32)] })).status).toBe(409)
    expect((await approve({ version: 2, statementIds: [] })).status).toBe(422)
    expect((await reject({ version: 1 })).status).toBe(409)
    expect(await listApprovedTexts()).toBeNull()
    expect((await listVersions()).map(({ status, reason }) => [status, reason])).toEqual([
      ['draft', null],
      ['rejected', 'Too little.'],
    ])
  })

  it('accepts approvals and rejections without a body', async () => {
    await submit([{ text: 'Cats are good.' }])
    const headers = { 'content-type': 'application/json' }
    const rejected = await ada.fetch(`/api/keeper/${keeper.id}/sole/reject?userId=x`, { method: 'POST' })
    expect(rejected.status).toBe(200)
    await submit([{ text: 'Cats are good.' }])
    const approved = await ada.fetch(`/api/keeper/${keeper.id}/sole/approve?userId=x`, { method: 'POST', headers })
    expect(approved.status).toBe(200)
    expect(await listApprovedTexts()).toEqual(['Cats are good.'])
  })

  it('accepts one draft at a time, also from concurrent submissions', async () => {
    const responses = await Promise.all([submit([{ text: 'One here' }]), submit([{ text: 'Two here' }])])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await submit([{ text: 'Three here' }])).status).toBe(409)
    expect(await listVersions()).toHaveLength(1)
  })

  describe('quotes', () => {
    it.each([
      ['with its Markdown', 'the **flat** is sold'],
      ['over a line break and a tab', '# Quay\r\n\tPer'],
      ['with dashes, punctuation and double spaces', '— “the **flat** is sold”.  I'],
      ['with astral and composed characters as written', '\u{1F331} e\u0301'],
    ])('are accepted %s', async (_, quote) => {
      const { status, data } = await submit([quoteCard('Something.', quote)])
      expect({ status, quote: data.statements[0]?.sources[0]?.quote }).toEqual({ status: 200, quote })
    })

    it.each([
      ['without the Markdown', 'the flat is sold'],
      ['with different spaces', '“the **flat** is sold”. I'],
      ['with a plain line break', '# Quay\n\tPer'],
      ['in another case', 'i live in bergen.'],
      ['in another normalization form', '\u{1F331} \u00e9'],
      ['of punctuation only', '  '],
      ['of invented text', 'I live in Paris.'],
    ])('are refused %s, naming statement and quote', async (_, quote) => {
      const response = await submit([quoteCard('I live in Bergen.'), quoteCard('Something else.', quote)])
      expect(response.status).toBe(422)
      expect(response.body.error).toContain('Statement 2 (“Something else.”)')
      expect(response.body.data).toMatchObject({ statement: 2, quote })
      expect(await listVersions()).toEqual([])
    })

    it('cannot come from deleted, hidden, unapproved or foreign sources', async () => {
      const other = await createTestKeeper(ada)
      const bensKeeper = await createTestKeeper(ben)
      const deletedId = await createCard(cardText)
      await app.services.db.updateTable('memory_cards').set({ deleted_at: 1 }).where('id', '=', deletedId).execute()
      const sources = await Promise.all([
        createCard(cardText, { ai_visible: false }),
        createCard(cardText, { state: 'draft' }),
        createCard(cardText, {}, other),
        createCard(cardText, {}, bensKeeper),
      ])
      for (const id of [deletedId, ...sources, 'f'.repeat(32)]) {
        const response = await submit([
          { text: 'I live in Bergen.', sources: [{ entity: 'card', id, quote: 'I live' }] },
        ])
        expect({ status: response.status, error: response.body.error }).toEqual({
          status: 422,
          error: expect.stringContaining('can’t be quoted'),
        })
      }
      expect(await listVersions()).toEqual([])
    })

    it('can come from reflections, moments, beliefs and logbook entries', async () => {
      const text = 'I live in **Bergen**, above the bakery.'
      const [reflection, belief, entry, moment] = await Promise.all([
        ada.call(reflections.create, { params: getParams(), body: { content: text } }),
        ada.call(voice.create, { params: getParams(), body: { label: 'Home', belief: text } }),
        ada.call(logbook.create, { params: getParams(), body: { entry: text, label: 'Home', category: 'Life' } }),
        ada.call(moments.create, {
          params: getParams(),
          body: { body: text, occurredAt: '2026-03-01T08:00:00Z', timezone: 'UTC' },
        }),
      ])
      const sources = [
        { entity: 'reflection' as const, id: reflection.data.id, quote: '**Bergen**' },
        { entity: 'voice' as const, id: belief.data.id, quote: 'above the bakery.' },
        { entity: 'logbook' as const, id: entry.data.id, quote: 'I live' },
        { entity: 'moment' as const, id: moment.data.id, quote: text },
      ]
      const { status, data } = await submit([{ text: 'Home is Bergen.', sources }])
      expect({ status, entities: data.statements?.[0]?.sources.map(({ entity }) => entity) }).toEqual({
        status: 200,
        entities: ['reflection', 'voice', 'logbook', 'moment'],
      })
      expect(data.statements[0]?.sources[3]?.at).toBe('2026-03-01T08:00:00.000Z')
      await reject()
      const crossed = [{ entity: 'card' as const, id: reflection.data.id, quote: 'I live' }]
      expect((await submit([{ text: 'Home is Bergen.', sources: crossed }])).status).toBe(422)
    })

    it('come from entries, never from a SOLE', async () => {
      const sources = [{ entity: 'sole', id: cardId, quote: 'I live' }] as never
      expect((await submit([{ text: 'I live in Bergen.', sources }])).status).toBe(400)
    })
  })

  it('merges duplicate statements with the sources of both', async () => {
    await approveTexts('Per is my brother.')
    const { data } = await submit([
      quoteCard('I live in Bergen.'),
      quoteCard('  i live in BERGEN', 'in Bergen'),
      { text: 'Per is my brother!', sources: [] },
    ])
    expect(data.statements.map(({ kind, text, sources }) => [kind, text, sources.length])).toEqual([
      ['add', 'I live in Bergen.', 2],
      ['keep', 'Per is my brother.', 0],
    ])
  })

  it('requires each change or drop to name a related approved statement once', async () => {
    const [home] = await approveTexts('I live in Bergen.')
    const id = home?.id ?? ''
    const trySubmit = async (...statements: NewStatement[]) => {
      const { status, body } = await submit(statements)
      return { status, error: body.error }
    }
    const toStatement = (text: string, kind: 'change' | 'drop' | 'keep', replacesId: string | null = id) => ({
      text,
      kind,
      replacesId,
    })
    expect(await trySubmit(toStatement('I love cats.', 'drop'))).toEqual({
      status: 422,
      error: expect.stringContaining('something else'),
    })
    expect(await trySubmit(toStatement('Cats are good.', 'change'))).toEqual({
      status: 422,
      error: expect.stringContaining('something else'),
    })
    expect(await trySubmit(toStatement('I live in Oslo.', 'change', 'x'))).toEqual({
      status: 422,
      error: expect.stringContaining('replacesId'),
    })
    expect(await trySubmit(toStatement('I live in Oslo.', 'change', null))).toEqual({
      status: 422,
      error: expect.stringContaining('replacesId'),
    })
    expect(await trySubmit(toStatement('I live in Oslo.', 'keep'))).toEqual({
      status: 422,
      error: expect.stringContaining('changes its words'),
    })
    expect(await trySubmit(toStatement('I live in Oslo.', 'change'), toStatement('I live in Bergen.', 'drop'))).toEqual(
      { status: 422, error: expect.stringContaining('both about') },
    )
    expect(await trySubmit({ text: 'I live in Bergen.' })).toEqual({
      status: 422,
      error: expect.stringContaining('changes nothing'),
    })
    expect(await listApprovedTexts()).toEqual(['I live in Bergen.'])
  })

  it('turns a text into statements, and a new text into changes and drops', async () => {
    const story = 'I live in Bergen. Per is my brother.\n\nI sing in the choir.'
    const first = await submitText(story)
    expect(first.data.content).toBe(story)
    expect(first.data.statements).toHaveLength(3)
    expect((await approve()).data.sole?.content).toBe(story)
    const { data } = await submitText('I live in Oslo. I sing in the choir. Cats are good.')
    expect(data.statements.map(({ kind, text }) => [kind, text])).toEqual([
      ['change', 'I live in Oslo.'],
      ['drop', 'Per is my brother.'],
      ['keep', 'I sing in the choir.'],
      ['add', 'Cats are good.'],
    ])
    await approve()
    expect(await listApprovedTexts()).toEqual(['I live in Oslo.', 'I sing in the choir.', 'Cats are good.'])
  })

  it('restores approved versions as new ones, without a pending draft', async () => {
    const restore = (version: number) => ada.call(sole.restore, { params: { id: keeper.id, version: String(version) } })
    await approveTexts('I live in Bergen.')
    await approveTexts('Cats are good.')
    await submit([{ text: 'Dogs are good.' }])
    expect((await restore(1)).status).toBe(409)
    await reject()
    expect((await restore(3)).status).toBe(409)
    expect((await restore(2)).status).toBe(409)
    expect((await restore(9)).status).toBe(404)
    expect((await restore(1)).data.sole).toMatchObject({ version: 4, content: 'I live in Bergen.' })
    expect(await listApprovedTexts()).toEqual(['I live in Bergen.'])
    const all = await listVersions()
    expect(all.map(({ version, status }) => [version, status])).toEqual([
      [4, 'active'],
      [3, 'rejected'],
      [2, 'superseded'],
      [1, 'superseded'],
    ])
    expect(all[0]?.reason).toBe('Restored from version 1')
    const responses = await Promise.all([restore(1), restore(2), restore(1)])
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect((await listVersions()).filter(({ status }) => status === 'active')).toHaveLength(1)
  })

  it('is unavailable and hidden in a keeper with another memory pattern', async () => {
    await approveTexts('I live in Bergen.')
    await ada.call(keepers.update, { params: getParams(), body: { memoryPattern: 'tracker' } })
    const responses = [
      await submit([{ text: 'Cats are good.' }]),
      await approve(),
      await reject(),
      await ada.call(sole.askForDraft, { params: getParams(), body: {} }),
      await ada.call(sole.explain, { params: getParams(), body: {} }),
      await ada.call(sole.restore, { params: { id: keeper.id, version: '1' } }),
    ]
    for (const { status, body } of responses)
      expect({ status, error: body.error }).toEqual({
        status: 422,
        error: expect.stringContaining('SOLE Memory Pattern Not Active'),
      })
    expect(await listApprovedTexts()).toBeNull()
    expect(await listVersions()).toHaveLength(1)
    await ada.call(keepers.update, { params: getParams(), body: { memoryPattern: 'associative' } })
    expect(await listApprovedTexts()).toEqual(['I live in Bergen.'])
    await app.services.db.updateTable('keepers').set({ deleted_at: 1 }).where('id', '=', keeper.id).execute()
    expect(await listApprovedTexts()).toBeNull()
  })
})

describe.each(engines)('a SOLE with more versions than one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  /** The first was approved, all others were rejected. */
  async function createVersions(count: number, content?: string): Promise<void> {
    const { db } = app.services
    await ada.call(sole.submitDraft, { params: { id: keeperId }, body: { content: 'The sea is home.' } })
    await ada.call(sole.approve, { params: { id: keeperId }, body: {} })
    const first = await db.selectFrom('sole_versions').selectAll().executeTakeFirstOrThrow()
    const rejected = { status: 'rejected' as const, difference: null, ...(content !== undefined && { content }) }
    await copyRow(db, 'sole_versions', first, {
      count: count - 1,
      values: (index) => ({ ...rejected, id: `s${index}`, version: index + 2 }),
    })
  }
  const fetchPages = () => fetchAllPages(ada, sole.versions, { id: keeperId })

  it('lists all of them, newest first, down to the active one', async () => {
    await createVersions(2300)
    const pages = await fetchPages()
    expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 300])
    const all = pages.flat()
    expect(all.map(({ version }) => version)).toEqual(Array.from({ length: 2300 }, (_, index) => 2300 - index))
    expect(all.at(-1)).toMatchObject({ version: 1, status: 'active' })
  })

  it('shortens pages of long versions and omits none', async () => {
    await createVersions(220, 'The sea is home. '.repeat(6000))
    const pages = await fetchPages()
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flat().map(({ version }) => version)).toEqual(Array.from({ length: 220 }, (_, index) => 220 - index))
    const wrong = await ada.call(sole.versions, { params: { id: keeperId }, query: { cursor: 'x' } })
    expect({ status: wrong.status, fields: wrong.body.fields }).toEqual({
      status: 400,
      fields: { cursor: 'Use the next_cursor of the previous page.' },
    })
  })
})

const createLongStatement = (year: number) =>
  `In year ${year} the harbour of place ${year} froze. ${'It was told often. '.repeat(90)}`

describe.each(engines)('settled versions of a SOLE, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])

  const setUp = async () => {
    const params = { id: (await createTestKeeper(ada)).id }
    const requireOk = async (response: Promise<{ status: number; text: string }>) => {
      const { status, text } = await response
      if (status !== 200) throw new Error(text)
    }
    const submit = (texts: string[]) =>
      requireOk(ada.call(sole.submitDraft, { params, body: { statements: texts.map((text) => ({ text })) } }))
    const approve = () => requireOk(ada.call(sole.approve, { params, body: {} }))
    const reject = () => requireOk(ada.call(sole.reject, { params, body: {} }))
    const restore = (version: number) =>
      requireOk(ada.call(sole.restore, { params: { ...params, version: String(version) } }))
    const listVersions = async () => (await ada.call(sole.versions, { params })).data
    const measureStored = async () => {
      const { db } = app.services
      const rows = await db.selectFrom('sole_versions').selectAll().where('keeper_id', '=', params.id).execute()
      return rows.reduce(
        (total, { statements, content, difference }) =>
          total + JSON.stringify([statements, content, difference]).length,
        0,
      )
    }
    await submit(Array.from({ length: 40 }, (_, index) => createLongStatement(index)))
    await approve()
    return { submit, approve, reject, restore, listVersions, measureStored }
  }
  const toStory = ({ version, content, statements }: SoleVersion) => ({ version, content, statements })

  it('store only the changed sentence of a rejected draft', async () => {
    const { submit, reject, listVersions, measureStored } = await setUp()
    const storedBefore = await measureStored()
    const drafts: SoleVersion[] = []
    for (let count = 0; count < 5; count++) {
      await submit([`A new sentence, number ${count}.`])
      drafts.unshift((await listVersions())[0] as SoleVersion)
      await reject()
    }
    expect((await measureStored()) - storedBefore).toBeLessThan(5 * 1500)
    expect((await listVersions()).slice(0, 5).map(toStory)).toEqual(drafts.map(toStory))
  })

  it('store only differences through approvals and restores', async () => {
    const { submit, approve, reject, restore, listVersions, measureStored } = await setUp()
    const storedBefore = await measureStored()
    const active: SoleVersion[] = (await listVersions()).slice(0, 1)
    const rememberActive = async () => active.unshift((await listVersions())[0] as SoleVersion)
    await submit(['A first sentence that is new.'])
    await approve()
    await rememberActive()
    await submit(['A second sentence that is new.'])
    await reject()
    for (const version of [1, 2, 1]) {
      await restore(version)
      await rememberActive()
    }
    expect((await measureStored()) - storedBefore).toBeLessThan(6 * 2500)
    const now = await listVersions()
    const remaining = now.filter(({ version }) => active.some((activeEntry) => activeEntry.version === version))
    expect(remaining.map(toStory)).toEqual(active.map(toStory))
    expect(now[0]?.statements.map(({ text }) => text)).toEqual(active.at(-1)?.statements.map(({ text }) => text))
    const rejected = now.find(({ status }) => status === 'rejected')
    expect(rejected?.statements).toHaveLength(42)
    expect(rejected?.content).toContain('A second sentence that is new.')
  })
})
