import { beforeEach, describe, expect, it, test } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { createZip, deleteKeepersAndImports, importArchive, png, uploadArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { cleanDayOneText } from './day-one.ts'
import { readRichText } from './day-one-rich-text.ts'

const plain = { uuid: 'A', creationDate: '2024-01-01T00:00:00Z', text: 'Hi' }
const md5 = 'a'.repeat(32)

// Readers of other formats end in the same import, so one engine suffices.
describe.each(engines.slice(0, 1))('Day One entries from other apps, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'])
  let keeperId: string
  beforeEach(async () => {
    await deleteKeepersAndImports(app)
    keeperId = (await createTestKeeper(ben)).id
  })

  async function importEntries(entries: object[], files: Record<string, Buffer> = {}, journal: object = {}) {
    const bytes = await createZip({ 'Journal.json': JSON.stringify({ ...journal, entries }), ...files })
    const { preview } = await importArchive(ben, bytes, { keeperId })
    const { items } = (await ben.call(moments.list, { params: { id: keeperId } })).data
    return { preview, items: items.toReversed() }
  }

  it('a picture that only the text mentions counts as missing', async () => {
    const text = 'Seen\n![](dayone-moment://0123ABCD)\n![](dayone-moment:/video/0123EF)'
    const photos = [{ identifier: '0123abcd', md5 }]
    const { preview, items } = await importEntries([{ ...plain, timeZone: 'UTC', text, photos }], {
      [`photos/${md5}.png`]: png,
    })
    expect(preview).toMatchObject({ media: 2, missingMedia: 1, notes: [] })
    expect(items).toMatchObject([{ body: 'Seen', media: [{ mime: 'image/png' }] }])
  })

  it('a file that no entry has is noted', async () => {
    const { preview } = await importEntries([{ ...plain, timeZone: 'UTC' }], { [`photos/${md5}.png`]: png })
    expect(preview?.notes).toEqual([`1 file belongs to no entry and is left out: photos/${md5}.png.`])
  })

  it('a place has the name that its writer gave it', async () => {
    const { items } = await importEntries([{ ...plain, location: { userLabel: 'Home', placeName: '1 Sea Road' } }])
    expect(items[0]?.place?.name).toBe('Home, 1 Sea Road')
  })

  it.each([
    ['starred', 1, { pinned: true }, []],
    [
      'starred',
      'maybe',
      { pinned: false },
      ['1 yes-or-no value (favorite, all-day) couldn’t be read: Journal.json, entry 1.'],
    ],
    ['modifiedDate', '', {}, []],
    ['modifiedDate', 'yesterday', {}, ['1 date of the last change couldn’t be read: Journal.json, entry 1.']],
    ['weather', { weatherCode: 12 }, { weather: null }, ['1 weather value couldn’t be read: Journal.json, entry 1.']],
    ['weather', { temperatureCelsius: '7,5', conditionsDescription: 'Fog' }, { weather: { tempC: 7.5 } }, []],
    ['weather', 'Rain', { weather: null }, ['1 weather value couldn’t be read: Journal.json, entry 1.']],
    ['richText', { meta: { version: 1 }, contents: [{ attributes: {}, text: 'Hi\n' }] }, { body: 'Hi' }, []],
    ['tags', 'NASA, New York,Mom', { topics: [{ name: 'Mom' }, { name: 'NASA' }, { name: 'New York' }] }, []],
    ['tags', { name: 'NASA' }, { topics: [{ name: 'NASA' }] }, []],
    ['tags', null, { topics: [] }, []],
    ['location', 'Ueno', { place: { name: 'Ueno', lat: null } }, []],
    ['location', [1], { place: null }, ['1 place couldn’t be read: Journal.json, entry 1.']],
    [
      'location',
      { latitude: '35.7', longitude: 139.7 },
      { place: { name: '35.70, 139.70', lat: 35.7, lng: 139.7 } },
      [],
    ],
    [
      'location',
      { latitude: 53.4276, longitude: -6.2391, region: { radius: 75 } },
      { place: { name: '53.43, −6.24', lat: 53.4276, lng: -6.2391 } },
      [],
    ],
    [
      'location',
      { placeName: 'Home', latitude: 1.7976931348623157e308, longitude: 1.7976931348623157e308 },
      { place: { name: 'Home', lat: null, lng: null } },
      ['1 place has coordinates that don’t exist; only its name is imported: Journal, 2024-01-01, “Hi”.'],
    ],
    ['photos', { md5, width: '1179', height: '2064' }, { media: [{ mime: 'image/png', width: 1, height: 1 }] }, []],
    ['photos', [{ md5, filename: 'IMG_0001.HEIC' }], { media: [{ mime: 'image/png', name: 'IMG_0001.HEIC' }] }, []],
    [
      'photos',
      [{ type: 'jpeg' }],
      { media: [] },
      ['1 file has no name in the export.', `1 file belongs to no entry and is left out: photos/${md5}.jpeg.`],
    ],
    ['uuid', undefined, { body: 'Hi' }, []],
    ['uuid', 7, { body: 'Hi' }, []],
    ['timeZone', 'GMT-0500', { localDate: '2023-12-31', timezone: '-05:00' }, []],
    ['timeZone', { name: 'Asia/Tokyo' }, { localDate: '2024-01-01', timezone: 'Asia/Tokyo' }, []],
  ])('an entry with %s set to %j is imported', async (name, value, expected, notes) => {
    const files = name === 'photos' ? { [`photos/${md5}.jpeg`]: png } : {}
    const { items, preview } = await importEntries([{ ...plain, timeZone: 'UTC', [name]: value }], files)
    expect(items).toMatchObject([{ body: 'Hi', ...expected }])
    expect(preview?.notes).toEqual(notes)
  })

  it('an entry without a zone takes the zone of its place, else of the owner', async () => {
    await ben.call(moments.create, { params: { id: keeperId }, body: { body: 'Here.', timezone: 'America/Lima' } })
    const date = { creationDate: '2024-04-19T23:30:00Z' }
    const location = { placeName: 'Ueno', timeZoneName: 'Asia/Tokyo', latitude: 35.7, longitude: 139.7 }
    const { items, preview } = await importEntries([
      { ...plain, ...date, uuid: 'A', text: 'Place', location },
      { ...plain, ...date, uuid: 'B', text: 'Person' },
    ])
    const zones = Object.fromEntries(items.map(({ body, timezone, localDate }) => [body, [timezone, localDate]]))
    expect(zones).toMatchObject({ Place: ['Asia/Tokyo', '2024-04-20'], Person: ['America/Lima', '2024-04-19'] })
    expect(preview?.notes).toEqual(['1 entry names no time zone, so yours is used.'])
  })

  it('rich text is imported when the plain text is empty', async () => {
    const richText = '{"contents":[{"attributes":{"italic":true},"text":"A trip"},{"text":"\\nIn the rain."}]}'
    const { items } = await importEntries([{ ...plain, text: '', richText }])
    expect(items).toMatchObject([{ body: '*A trip*\nIn the rain.' }])
  })

  it('escapes are removed, and links between entries lead to moments', async () => {
    const text = [
      'on my e\\-reader for 30\\-minutes \\(in parentheses\\) it cost 3\\.50 \\+ tip\\! file\\_name \\#tag',
      'As [I wrote then](dayone://view?entryId=B), and dayone2://view?entryId=B.',
      'Not [here](dayone2://view?entryId=C).',
    ].join('\n\n')
    const { items } = await importEntries([
      { ...plain, text },
      { ...plain, uuid: 'B', creationDate: '2023-01-01T00:00:00Z', text: 'Before' },
    ])
    const [earlier, later] = items
    const address = `/keeper/${keeperId}/moments?moment=${earlier?.id}`
    expect(later?.body).toBe(
      [
        'on my e-reader for 30-minutes (in parentheses) it cost 3.50 + tip! file_name #tag',
        `As [I wrote then](${address}), and [Day One entry](${address}).`,
        'Not here.',
      ].join('\n\n'),
    )
    for (const q of ['e-reader', '30-minutes', '3.50', '(in', 'file_name', '#tag', 'tip!']) {
      const response = await ben.call(moments.list, { params: { id: keeperId }, query: { q } })
      expect({ q, count: response.data.items.length }).toEqual({ q, count: 1 })
    }
  })

  it('placeholders of files are removed', async () => {
    const kinds = ['moment://', 'moment:/photo/', 'moment:/video/', 'moment:/audio/', 'moment:/pdfAttachment/']
    const all = [...kinds, 'photo://', 'video://', 'audio://', 'pdf://'].map((kind) => `![](dayone-${kind}ID)`)
    const { items } = await importEntries([{ ...plain, text: `One ${all.join(' ')} two\n${all.join('\n')}` }])
    expect(items[0]?.body).not.toContain('dayone')
    expect(items[0]?.body).toMatch(/^One +two$/)
  })

  it('a repacked archive is read without its outer folder and macOS files', async () => {
    const bytes = await createZip({
      'Export 2024/Journal.json': JSON.stringify({ entries: [{ ...plain, photos: [{ md5, type: 'png' }] }] }),
      [`Export 2024/photos/${md5}.png`]: png,
      'Export 2024/.DS_Store': Buffer.from('x'),
      '__MACOSX/Export 2024/._Journal.json': Buffer.from([0, 5, 22, 7]),
    })
    await importArchive(ben, bytes, { keeperId })
    expect((await ben.call(moments.list, { params: { id: keeperId } })).data.items).toMatchObject([
      { body: 'Hi', media: [{ mime: 'image/png' }] },
    ])
  })

  it('each reason for a missing file has its own line', async () => {
    const film = Buffer.alloc(51 * 1024 * 1024)
    film.write('\0\0\0\x14ftypqt  \0\0\0\0qt  ', 'latin1')
    const { preview } = await importEntries(
      [{ ...plain, videos: [{ md5, type: 'mov' }, {}], photos: [{ md5: 'b'.repeat(32) }, { md5: 'c'.repeat(32) }] }],
      { [`videos/${md5}.mov`]: film, [`photos/${'c'.repeat(32)}.png`]: Buffer.alloc(0) },
    )
    expect(preview).toMatchObject({
      media: 4,
      missingMedia: 2,
      notes: expect.arrayContaining([
        expect.stringMatching(/^1 file is larger than 50 MB and is left out/),
        expect.stringMatching(/^1 file is empty and is left out/),
        '1 file has no name in the export.',
      ]),
    })
  })

  it('a journal without its zip is refused with instructions', async () => {
    const response = await uploadArchive(ben, Buffer.from(JSON.stringify({ entries: [plain] })))
    const { error } = (await response.json()) as { error: string }
    expect({ status: response.status, error }).toEqual({
      status: 422,
      error: expect.stringContaining('for Day One, Journal.json with photos, videos, audios and pdfs'),
    })
  })

  it('an imported place can be saved again', async () => {
    const place = { placeName: 'x'.repeat(300), latitude: 91, longitude: 0 }
    const { items } = await importEntries([{ ...plain, location: place, tags: ['a'.repeat(100)] }])
    const [moment] = items
    const saved = await ben.call(moments.update, {
      params: { id: moment?.id ?? '' },
      body: { place: moment?.place, weather: moment?.weather, title: moment?.title },
      ifMatch: moment?.rev,
    } as never)
    expect(saved.status).toBe(200)
  })

  it('an all-day entry is at noon in its time zone', async () => {
    const { items } = await importEntries([
      { ...plain, creationDate: '2024-01-01T22:00:00Z', timeZone: 'Asia/Tokyo', isAllDay: true },
    ])
    expect(items).toMatchObject([{ occurredAt: '2024-01-02T03:00:00.000Z', localDate: '2024-01-02' }])
  })
})

it('rich text keeps headings, lists with depth, checkboxes, quotes, bold and links', () => {
  const contents = [
    { text: 'Market\n', attributes: { line: { header: 1 } } },
    { text: 'bread\n', attributes: { line: { listStyle: 'bulleted', indentLevel: 1 } } },
    { text: 'rye\n', attributes: { line: { listStyle: 'bulleted', indentLevel: 2 } } },
    { text: 'call Ben\n', attributes: { line: { listStyle: 'checkbox', checked: true, indentLevel: 1 } } },
    { text: 'said twice\n', attributes: { line: { quote: true, indentLevel: 1 } } },
    { text: 'bold', attributes: { bold: true } },
    { text: ' and a ' },
    { text: 'link', attributes: { linkURL: 'https://sea.example/' } },
  ]
  expect(readRichText({ contents, meta: { version: 1 } })).toBe(
    '# Market\n\n- bread\n  - rye\n- [x] call Ben\n\n> said twice\n\n**bold** and a [link](https://sea.example/)',
  )
  expect(readRichText(JSON.stringify({ contents }))).toContain('# Market')
})

it('rich text keeps numbers, code, rules, strikethrough and line breaks', () => {
  const line = (attributes: object) => ({ attributes: { line: attributes } })
  const contents = [
    { text: 'one\ntwo\n\nthree\n' },
    { text: 'first\n', ...line({ listStyle: 'numbered', listIndex: '7', indentLevel: 1 }) },
    { text: 'second\n', ...line({ listStyle: 'numbered', listIndex: '8', indentLevel: 1 }) },
    { embeddedObjects: [{ type: 'horizontalRuleLine' }] },
    { text: 'let a = 1\n', ...line({ codeBlock: true }) },
    { text: 'a * 2\n', ...line({ codeBlock: true }) },
    { text: 'gone', attributes: { strikethrough: true } },
    { text: ' *not bold* file_name #tag e-reader 1. 3.50' },
  ]
  expect(readRichText({ contents })).toBe(
    'one\ntwo\n\nthree\n\n7. first\n8. second\n\n---\n\n```\nlet a = 1\na * 2\n```\n\n~~gone~~ \\*not bold\\* file_name #tag e-reader 1. 3.50',
  )
})

it('invalid rich text is refused', () => {
  for (const source of ['', '{', 'null', '[]', 5, { contents: 'x' }]) expect(readRichText(source)).toBeUndefined()
})

test('a text keeps pictures from other sites and loses placeholders', () => {
  const text =
    '![](dayone-moment://0F3A)\nRain on the roof.\n![a boat](dayone-moment:/video/0F3A)\n![kept](https://sea.example/boat.png)'
  expect(cleanDayOneText(text)).toBe('Rain on the roof.\n![kept](https://sea.example/boat.png)')
})

test('an unterminated placeholder is text, however often it starts', () => {
  const text = '![](dayone-moment:'.repeat(20_000)
  expect(cleanDayOneText(text)).toBe(text)
})
