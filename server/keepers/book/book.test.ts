import { EpubCheck } from '@likecoin/epubcheck-ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type BookEntry, book } from '#contract/keepers/book.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import type { Media } from '#contract/keepers/media.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { unzip } from '#tests/unzip.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { markdownToXhtml, splitMarkdown } from './markdown-to-xhtml.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFElEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
)
const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(400)])

describe.each(engines)('a book, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let id: string
  beforeEach(async () => {
    id = (await createTestKeeper(ada, { title: 'Boats & <Harbours>' })).id
  })

  async function createMoment(body: string, fields: object = {}): Promise<string> {
    const { data, text } = await ada.call(moments.create, { params: { id }, body: { body, ...fields } })
    if (!data) throw new Error(text)
    return data.id
  }
  async function upload(mime: string, bytes: Buffer): Promise<string> {
    const init = { method: 'POST', body: new Uint8Array(bytes), headers: { 'content-type': mime } }
    const response = await ada.fetch(`/api/keeper/keepers/${id}/media?fileName=quay`, init)
    return ((await response.json()) as { data: Media }).data.id
  }
  const fetchOutline = async (query: { from?: string; to?: string } = {}) =>
    (await ada.call(book.outline, { params: { id }, query })).data
  async function listAll(query: { from?: string; to?: string } = {}): Promise<BookEntry[]> {
    const items: BookEntry[] = []
    let cursor: string | null = null
    do {
      const { data, text }: { data: { items: BookEntry[]; next_cursor: string | null }; text: string } = await ada.call(
        book.entries,
        { params: { id }, query: cursor === null ? query : { ...query, cursor } },
      )
      if (!data) throw new Error(text)
      items.push(...data.items)
      cursor = data.next_cursor
    } while (cursor)
    return items
  }
  async function download(query = ''): Promise<Buffer> {
    const response = await ada.fetch(`/api/keeper/keepers/${id}/book.epub${query}`)
    expect(response.headers.get('content-type')).toBe('application/epub+zip')
    return Buffer.from(await response.arrayBuffer())
  }

  it('has moments, reflections and logbook entries in the order of their days', async () => {
    await createMoment('Second.', { occurredAt: '2009-05-03T10:00:00Z', timezone: 'Europe/Berlin', topics: ['Per'] })
    await createMoment('First.', { occurredAt: '1969-12-31T10:00:00Z', timezone: 'UTC', place: { name: 'The quay' } })
    const deletedId = await createMoment('Deleted.', { occurredAt: '2009-05-04T10:00:00Z' })
    await ada.call(moments.remove, { params: { id: deletedId } })
    await ada.call(logbook.create, {
      params: { id },
      body: { entry: 'Third.', label: 'Sailor', category: 'Work', tags: ['sea'], occurredOn: '2010-01-01' },
    })
    await ada.call(reflections.create, { params: { id }, body: { content: 'Last.', topic: 'Now' } })
    const entries = await listAll()
    expect(entries.map(({ kind, text }) => [kind, text])).toEqual([
      ['moment', 'First.'],
      ['moment', 'Second.'],
      ['logbook', 'Third.'],
      ['reflection', 'Last.'],
    ])
    expect(entries[1]).toMatchObject({ day: '2009-05-03', time: '12:00', details: ['Per'] })
    expect(entries[2]).toMatchObject({ title: 'Sailor', time: null, details: ['Work', 'sea'] })
    expect(await fetchOutline()).toMatchObject({ entries: 4, pictures: 0, first: '1969-12-31' })
    const today = app.services.now().toISOString().slice(0, 10)
    expect(
      (await listAll({ from: today, to: today })).map(({ text }) => text),
      'until tonight',
    ).toEqual(['Last.'])
    const range = { from: '2009-05-03', to: '2010-01-01' }
    expect((await listAll(range)).map(({ text }) => text)).toEqual(['Second.', 'Third.'])
    expect(await fetchOutline(range)).toMatchObject({
      entries: 2,
      last: '2010-01-01',
      chapters: [
        { month: '2009-05', entries: 1 },
        { month: '2010-01', entries: 1 },
      ],
    })
  })

  it('pages without gaps or repeats at equal instants', async () => {
    const createdAt = app.services.now().getTime()
    const { owner_id, created_at, ...row } = await app.services.db
      .selectFrom('moments')
      .selectAll()
      .where('id', '=', await createMoment('0', { occurredAt: '2009-05-03T10:00:00Z' }))
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 249 }, (_, index) => ({
      ...row,
      owner_id,
      created_at: createdAt,
      id: `many-${index}`,
      source_id: null,
      body: `${index + 1}`,
    }))
    for (let start = 0; start < rows.length; start += 20)
      await app.services.db
        .insertInto('moments')
        .values(rows.slice(start, start + 20) as never)
        .execute()
    const texts = (await listAll()).map(({ text }) => Number(text))
    expect(texts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, index) => index))
    expect(created_at).toBeGreaterThan(0)
  })

  it('is refused for others, and for invalid ranges and cursors', async () => {
    const ben = await app.as('ben')
    for (const endpoint of [book.outline, book.entries, book.epub])
      expect((await ben.call(endpoint, { params: { id } })).status).toBe(404)
    const query = { from: '2010-01-02', to: '2010-01-01' }
    for (const endpoint of [book.outline, book.entries, book.epub])
      expect((await ada.call(endpoint, { params: { id }, query })).status).toBe(400)
    for (const cursor of ['x', '2010-01-01~1~card~a', "2010-01-01~1~moment~' or 1=1"]) {
      const { status } = await ada.call(book.entries, { params: { id }, query: { cursor } })
      expect(status).toBe(cursor.includes("'") ? 200 : 400)
    }
  })

  it('is a valid EPUB whatever its texts contain', async () => {
    const mediaIds = [await upload('image/png', picture), await upload('image/heic', heic)]
    await createMoment(
      '# A title\n\nOne\ntwo<br>three <!-- note --> <b>bold</b> & &nbsp; &#1;\n\n<div>\nblock\n</div>',
      {
        occurredAt: '2009-05-03T10:00:00Z',
        title: 'Tea & <toast> "here"',
        mediaIds,
      },
    )
    for (const ordinal of ['First', 'Second'])
      await createMoment(`${ordinal} claim.[^1][^Ä (b)] Again.[^1]\n\n[^1]: ${ordinal} source.\n\n[^Ä (b)]: Other.`, {
        occurredAt: '2009-05-03T11:00:00Z',
      })
    const secondPictureId = await upload('image/png', picture)
    await createMoment(
      [
        '- [ ] open\n- [x] done',
        '| a | b |\n|:-|-:|\n| 1 | 2<br>3 |',
        '![far](https://example.com/far.png) [rel](/keeper/1) [bad](https://[bad) [js](javascript:alert(1)) <https://example.com/?a=1&b=2>',
        '```js\nif (a < b && c) x = "]]>"\n```',
        '> quote\n> - list\n>   1. deep',
        'שלום 👩‍👩‍👧 \u0001\f\u000b\ufffe end',
        '[to](#nowhere)',
      ].join('\n\n'),
      { occurredAt: '0850-02-28T10:00:00Z', mediaIds: [secondPictureId] },
    )
    await createMoment('*'.repeat(5000), { occurredAt: '2009-06-01T10:00:00Z' })
    await createMoment('', { occurredAt: '2009-06-02T10:00:00Z', mediaIds: [await upload('image/png', picture)] })
    const bytes = await download()
    expect(bytes.subarray(30, 58).toString('latin1')).toBe('mimetypeapplication/epub+zip')
    const { messages } = await EpubCheck.validate(bytes)
    expect(messages.map(({ id: code, message, location }) => [code, message, location])).toEqual([])
    const files = await unzip(bytes)
    const names = [...files.keys()]
    expect(
      names.filter((name) => name.startsWith('book/pictures/')),
      'equal pictures once',
    ).toHaveLength(1)
    expect(names).toEqual(expect.arrayContaining(['book/chapter-0850-02.xhtml', 'book/chapter-2009-05.xhtml']))
    const mayChapter = String(files.get('book/chapter-2009-05.xhtml'))
    expect(mayChapter).toContain('Picture, not in this book')
    expect(mayChapter).toContain('two<br />three')
    expect(mayChapter).not.toContain('note -->')
    expect(String(files.get('book/chapter-0850-02.xhtml'))).toContain('☑ done')
  })

  it('a book without entries is valid, and a time span excludes other entries', async () => {
    expect((await EpubCheck.validate(await download())).messages).toEqual([])
    await createMoment('Inside.', { occurredAt: '2009-05-03T10:00:00Z' })
    await createMoment('Outside.', { occurredAt: '2009-06-03T10:00:00Z' })
    const files = await unzip(await download('?from=2009-05-01&to=2009-05-31'))
    expect([...files.keys()].filter((name) => name.includes('chapter'))).toEqual(['book/chapter-2009-05.xhtml'])
  })
})

const createParagraph = (index: number) =>
  `Paragraph ${index} of the **harbor**. ${'The ferry was late. '.repeat(10)}\n\n`
const longText = Array.from({ length: 300 }, (_, index) => createParagraph(index)).join('')
const toXhtml = (text: string) => [...markdownToXhtml(text, 'e1')].join('')

it('a short text is one part, and a long one loses nothing', () => {
  expect(splitMarkdown(createParagraph(1))).toEqual([createParagraph(1)])
  const parts = splitMarkdown(longText)
  expect(parts.length).toBeGreaterThan(4)
  expect(parts.join('\n')).toBe(longText)
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(5_000)
})

it('a text of more than 50,000 characters keeps its formatting', () => {
  expect(longText.length).toBeGreaterThan(50_000)
  expect(toXhtml(longText).match(/<strong>harbor<\/strong>/g)).toHaveLength(300)
})

it('parts never end inside code, a list or a table', () => {
  const code = `\`\`\`\n${'Line of code\n\n'.repeat(2_000)}\`\`\`\n\n`
  const list = `${Array.from({ length: 800 }, (_, index) => `${index + 1}. Item\n\n   More of it\n\n`).join('')}\n`
  for (const [text, count] of [
    [code, /<pre>/g],
    [list, /<ol>/g],
  ] as const)
    expect(toXhtml(`${longText}${text}${longText}`).match(count)).toHaveLength(1)
})

it('links and footnotes keep their definitions in every part', () => {
  const text = `A [link][sea] and a note[^n].\n\n${longText}The [same][sea] and again[^n], twice[^n].\n\n[sea]: https://sea.example/\n[^n]: The note.\n`
  const xhtml = toXhtml(text)
  expect(xhtml.match(/href="https:\/\/sea\.example\/"/g)).toHaveLength(2)
  expect(xhtml).not.toContain('[^n]')
  const ids = [...xhtml.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
