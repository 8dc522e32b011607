import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { beforeEach, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { createZip, deleteKeepersAndImports, importArchive, png, previewArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { logseqGraph, obsidianNotes } from '#tests/foreign-archives.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { htmlToMarkdown, noteToMarkdown } from './html-to-markdown.ts'
import { removeNeedlessEscapes } from './markdown-links.ts'
import { findDateInName, readFormattedDate, readWrittenDate, readWrittenDay } from './text-dates.ts'

// All formats share one import path, so one engine suffices.
describe.each(engines.slice(0, 1))('a folder of Markdown notes, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'])
  let keeperId: string
  beforeEach(async () => {
    await deleteKeepersAndImports(app)
    keeperId = (await createTestKeeper(ben)).id
    await ben.call(moments.create, { params: { id: keeperId }, body: { body: 'Here.', timezone: 'America/Lima' } })
  })

  async function listMoments() {
    const { items } = (await ben.call(moments.list, { params: { id: keeperId } })).data
    return items.filter(({ body }) => body !== 'Here.').toReversed()
  }

  async function importFiles(files: Record<string, string | Buffer>, mtime?: Date) {
    const job = await importArchive(ben, await createZip(files, mtime && { mtime }), { keeperId })
    return { kind: job.kind, preview: job.preview, items: await listMoments() }
  }

  it('a note of Bear has the dates and marks of Bear, and one in its trash is left out', async () => {
    const bear = { creationDate: '2024-05-01T10:00:00Z', modificationDate: '2024-06-01T10:00:00Z', pinned: 1 }
    const info = (marks: object) => JSON.stringify({ version: 2, 'net.shinyfrog.bear': { ...bear, ...marks } })
    const { preview, items } = await importFiles({
      'Sea.textbundle/text.md': '# Sea\n\nSalt.',
      'Sea.textbundle/info.json': info({ trashed: 0 }),
      'Old.textbundle/text.md': '# Old',
      'Old.textbundle/info.json': info({ trashed: 1 }),
    })
    expect(items).toMatchObject([{ title: 'Sea', body: 'Salt.', occurredAt: '2024-05-01T10:00:00.000Z', pinned: true }])
    expect(preview?.parts).toEqual([{ title: 'Notes', entries: 1 }])
    expect(preview?.notes).toContain('1 note in the trash is left out.')
  })

  it('a file that no note mentions is noted', async () => {
    const { preview } = await importFiles({
      '2024-05-01.md': 'Salt. ![[sea.png]]',
      'sea.png': png,
      'Plans.txt': 'Sail.',
      '.obsidian/app.json': '{}',
    })
    expect(preview?.notes).toContain('1 file belongs to no entry and is left out: Plans.txt.')
  })

  it('a vault of Obsidian becomes moments with their links and files', async () => {
    const { kind, preview, items } = await importFiles(obsidianNotes)
    const [person, trip, daily] = items
    const getAddress = (id: string | undefined) => `/keeper/${keeperId}/moments?moment=${id}`
    expect(kind).toBe('markdown')
    expect(preview).toMatchObject({
      entries: 3,
      media: 3,
      missingMedia: 1,
      parts: [
        { title: 'Daily', entries: 1 },
        { title: 'People', entries: 1 },
        { title: 'Notes', entries: 1 },
      ],
      notes: [
        '1 template is left out.',
        '2 canvases and drawings aren’t imported: Board.canvas; Sketch.excalidraw.md.',
        '2 entries name no time zone, so yours is used.',
      ],
    })
    expect(person).toMatchObject({
      title: 'Ben Moor',
      occurredAt: '2020-05-01T06:00:00.000Z',
      timezone: '+02:00',
      body: `Met at the harbor. [Plan](${getAddress(trip?.id)}) and \`[[Trip]] %%code%%\`.`,
      topics: [{ name: 'friend' }, { name: 'sea' }],
    })
    expect(trip).toMatchObject({
      title: 'The trip',
      localDate: '2024-10-01',
      occurredAt: '2024-10-01T12:15:00.000Z',
      mood: { score: 1, label: 'good' },
      place: { name: 'Harbor' },
      media: [{ name: 'sea map.png', alt: 'Map' }],
      body: `> **Plan**\n> Go.\n\n[x](https://sea.example/a.png)\n\n- gratitude: the light, and [Ben Moor](${getAddress(person?.id)})`,
    })
    expect(daily).toMatchObject({
      title: null,
      localDate: '2024-11-03',
      occurredAt: '2024-11-03T17:00:00.000Z',
      topics: [{ name: 'sea/north' }],
      media: [{ name: 'gull.png', alt: null }],
      body: `At the sea with [Ben](${getAddress(person?.id)}).\n\n[Trip > Plan](${getAddress(trip?.id)})\n\nWind. #sea/north #2024`,
    })
    expect(JSON.stringify(items)).not.toContain('only for me')
  })

  it('importing again creates nothing, also after notes have moved', async () => {
    await importFiles(obsidianNotes)
    const { 'Trip.md': trip, ...others } = obsidianNotes
    const movedNotes = { ...others, 'Archive/2024/Trip.md': trip, 'New.md': '---\ndate: 2024-12-01\n---\nNew.' }
    const zip = await createZip(movedNotes)
    const { preview } = await previewArchive(ben, zip, `&keeperId=${keeperId}`)
    expect(preview).toMatchObject({ entries: 4, duplicates: 3 })
    await importArchive(ben, zip, { keeperId })
    expect(await listMoments()).toHaveLength(4)
  })

  it('notes with equal texts and different names become two moments', async () => {
    const { items } = await importFiles({ '2024-01-01.md': 'Good day.', '2024-01-02.md': 'Good day.' })
    expect(items.map(({ localDate }) => localDate)).toEqual(['2024-01-01', '2024-01-02'])
    const secondZip = await createZip({ '2024-01-02.md': 'Good day.', '2024-01-03.md': 'Good day.' })
    const { preview } = await previewArchive(ben, secondZip, `&keeperId=${keeperId}`)
    expect(preview).toMatchObject({ entries: 2, duplicates: 1 })
  })

  const dateSources: [name: string, text: string, expected: object][] = [
    ['2024-11-03.md', 'Sea', { localDate: '2024-11-03', title: null }],
    ['2024-11-03 0715.md', 'Sea', { occurredAt: '2024-11-03T12:15:00.000Z', title: null }],
    ['20241103.md', 'Sea', { localDate: '2024-11-03' }],
    ['2024-11-03 At the sea.md', 'Sea', { localDate: '2024-11-03', title: '2024-11-03 At the sea' }],
    ['Sunday, November 3rd 2024.md', 'Sea', { localDate: '2024-11-03', title: null }],
    ['Sonntag, 3. November 2024.md', 'Sea', { localDate: '2024-11-03' }],
    ['2024-W45.md', 'Sea', { localDate: '2024-11-04' }],
    ['Sea.md', '# 2024-11-03\n\nSea', { localDate: '2024-11-03', title: 'Sea' }],
    ['2020-01-01.md', '---\ndate: 20241103\n---\nSea', { localDate: '2024-11-03' }],
    [
      'Sea.md',
      '---\ndate: 2024-11-03T23:30:00\ntimezone: Asia/Tokyo\n---\nSea',
      { localDate: '2024-11-03', timezone: 'Asia/Tokyo' },
    ],
    [
      'Sea.md',
      '---\ncreated: 2024-11-04 02:11:20Z\nlatitude: -12.05\nlongitude: -77.04\n---\nSea',
      { localDate: '2024-11-03', place: { lat: -12.05 } },
    ],
    ['Sea.md', '---\ncreated: 1730642520\n---\nSea', { occurredAt: '2024-11-03T14:02:00.000Z' }],
    [
      'Sea.md',
      '---\ntitle: A: B\ndate: 2024-11-03\ntags: sea, gull\n---\nSea',
      { title: 'A: B', topics: [{ name: 'gull' }, { name: 'sea' }] },
    ],
    [
      '2024-11-03.md',
      '---\ntags: "#sea gull"\npinned: true\n---\nSea',
      { topics: [{ name: 'gull' }, { name: 'sea' }], pinned: true },
    ],
  ]

  it('time and title come from the best source in the note', async () => {
    const files = dateSources.map(([name, text], index) => [`${String(index).padStart(2, '0')}/${name}`, text] as const)
    const zip = await createZip(Object.fromEntries(files), { mtime: new Date('2001-01-01T00:00:00Z') })
    await importArchive(ben, zip, { keeperId })
    const items = await listMoments()
    const rows = await app.services.db.selectFrom('moments').select(['id', 'source_id']).execute()
    for (const [index, [, , expected]] of dateSources.entries()) {
      const id = rows.find(({ source_id }) => source_id?.startsWith(files[index]?.[0] ?? '?'))?.id
      expect(items.find((moment) => moment.id === id)).toMatchObject(expected)
    }
  })

  it('a note without any date takes the time of its file, and the preview says so', async () => {
    const { items, preview } = await importFiles({ 'Sea.md': 'Sea' }, new Date('2024-11-03T14:02:00Z'))
    expect(items).toMatchObject([{ occurredAt: '2024-11-03T14:02:00.000Z', title: 'Sea' }])
    expect(preview?.notes[0]).toBe(
      '1 note has no date in its properties, name or heading: time taken from the file: Sea.md.',
    )
  })

  it('a graph of Logseq loses its marks and keeps its outline', async () => {
    const { items, preview } = await importFiles(logseqGraph)
    const [third, fourth, page] = items
    const getAddress = (moment: { id: string } | undefined) => `/keeper/${keeperId}/moments?moment=${moment?.id}`
    expect(third).toMatchObject({ title: null, localDate: '2024-11-03', media: [{ name: 'gull_1.png' }] })
    expect(third?.body).toBe('- At the sea\n\t- [x] swim\n\t- [ ] dry\n- \n  Wind.')
    expect(fourth?.body).toBe(
      `As [At the sea](${getAddress(third)}) said, and [Nov 3rd, 2024](${getAddress(third)}), [trips/north](${getAddress(page)}).`,
    )
    expect(page).toMatchObject({ title: 'trips/north', localDate: '2024-11-05', body: 'Missing\n\n- rating: 5' })
    expect(page?.topics.map(({ name }) => name)).toEqual(['sea', 'walk'])
    expect(preview?.notes).toContain('1 Org file isn’t imported: pages/old.org.')
  })

  it('a name that several files have leads to the nearest, then to the shortest path', async () => {
    const { items } = await importFiles({
      'a/2024-01-01.md': '![[gull.png]]',
      'a/gull.png': png,
      'b/gull.png': Buffer.concat([png, Buffer.from('b')]),
      '2024-01-02.md': '![[deep/gull.png]] [[Same]]',
      'c/deep/gull.png': Buffer.concat([png, Buffer.from('c')]),
      'long/way/Same.md': '---\ndate: 2024-02-01\n---\nFar',
      'way/Same.md': '---\ndate: 2024-02-02\n---\nNear',
    })
    const near = items.find(({ body }) => body === 'Near')
    expect(items[0]?.media).toMatchObject([{ bytes: png.length }])
    expect(items[1]).toMatchObject({
      body: expect.stringContaining(near?.id ?? '?'),
      media: [{ bytes: png.length + 1 }],
    })
  })

  it('notes in other encodings and damaged YAML are read', async () => {
    const { items, preview } = await importFiles({
      '2024-01-01.md': Buffer.from('Gr\xfc\xdfe', 'latin1'),
      '2024-01-02.md': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Größe', 'utf16le')]),
      '2024-01-03.md': Buffer.from('\uFEFF---\r\ntags:\r\n  - sea\r\nmood: {{\r\n---\r\nHi\r\nthere'),
      '2024-01-04.md': '',
    })
    expect(items).toMatchObject([{ body: 'Grüße' }, { body: 'Größe' }, { topics: [{ name: 'sea' }] }])
    expect(items[2]?.body.startsWith('Hi\nthere')).toBe(true)
    expect(preview?.notes).toEqual(
      expect.arrayContaining([
        '1 note has front matter that isn’t valid YAML; the lines that can be read are imported: 2024-01-03.md.',
        expect.stringMatching(/^1 entry is empty and is left out/),
      ]),
    )
  })
})

it.each([
  ['a<br><br><br>b<br>c', 'a\n\nb\nc'],
  ['<div>one</div><div>two <b>bold </b>x</div><div><br></div><div>three</div>', 'one\n\ntwo **bold** x\n\nthree'],
  ['<b>a</b><b>b</b><i> it </i>z', '**ab** *it* z'],
  ['<p>a&nbsp;&nbsp;b</p><p>&nbsp;</p><p>c</p>', 'a b\n\nc'],
  ['<h2>A<br>heading</h2><hr>x', '## A heading\n\n---\n\nx'],
  ['<ul><li>a<ul><li>b</li></ul></li><li><input type="checkbox" checked>c</li></ul>', '- a\n  - b\n- [x] c'],
  ['<ol start="3"><li>x</li><li>y</li></ol>', '3. x\n4. y'],
  ['<blockquote><p>q</p></blockquote>', '> q'],
  ['<pre>  a\n   <b>b</b></pre><code>c</code>', '```\n  a\n   b\n```\n\n`c`'],
  ['<table><tr><th>h</th></tr><tr><td>one<br>two</td></tr></table>', '| h       |\n| ------- |\n| one two |'],
  ['<a href="https://sea.example/">sea</a> <del>gone</del>', '[sea](https://sea.example/) ~~gone~~'],
  ['<span style="font-weight: 700">B</span> <span style="font-style:italic">I</span>', '**B** *I*'],
  ['<style>span.s2 {font-weight: bold}</style><p><span class="s2">B</span><span class="s3">n</span></p>', '**B**n'],
  [
    '<p>1. no list</p><p># no heading</p><p>file_name #tag 3.50</p>',
    '1\\. no list\n\n\\# no heading\n\nfile_name #tag 3.50',
  ],
])('%j becomes %j', (html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown)
})

it('the text of unknown tags is kept', () => {
  const html =
    '<custom>c</custom> <mark>m</mark> <u>u</u><details><summary>S</summary>body</details><svg><text>t</text></svg>'
  expect(htmlToMarkdown(html)).toBe('c m u\n\nS\n\nbody\n\nt')
})

it.each([
  '<a href="javascript:alert(1)">x</a>',
  '<script>alert(1)</script>x',
  '<img src="data:image/png;base64,AAAA" onerror="alert(1)">x',
  '<iframe src="https://sea.example/"></iframe>x',
  '<style>p {color: red}</style><template>t</template>x<!-- c -->',
  '<form action="https://sea.example/"><input value="secret">x</form>',
])('%s leaves only its text', (html) => {
  expect(htmlToMarkdown(html)).toBe('x')
})

it('tags that close in another paragraph than they open in keep all text', () => {
  const html = '<p><span><div class="a">one<div></span></p><p>two</p><p><span></div></div></span></p><p>three'
  expect(htmlToMarkdown(html)).toBe('one\n\ntwo\n\nthree')
})

it.each([
  ['nesting', `${'<div>'.repeat(50_000)}deep`],
  ['tags', `${'<b></b>'.repeat(30_000)}deep`],
  ['attributes', `<b ${Array.from({ length: 50_000 }, (_, index) => `a${index}`).join(' ')}>deep`],
  ['text', `${'word '.repeat(500_000)}<b>deep</b>`],
])('too much %s leaves the plain text, in time', (_, html) => {
  const started = process.threadCpuUsage().user
  expect(htmlToMarkdown(html)).toMatch(/deep$/)
  expect(process.threadCpuUsage().user - started).toBeLessThan(3_000_000)
})

it.each([
  ['I <3 you, a < b', 'I <3 you, a < b'],
  ['- a\n- b', '- a\n- b'],
  ['Tom &amp; Jerry &lt;3', 'Tom & Jerry <3'],
  ['10\u00a0km &nbsp;|&#160;|&#xA0; &quot;it&#39;s&quot;', '10\u00a0km  | |  "it\'s"'],
  ['&copy; &#8364; &amp;nbsp; stay as written', '&copy; &#8364; &nbsp; stay as written'],
  ['<b>x</b>\ny', '**x**\ny'],
  ['<div>x</div>\n<div>y</div>', 'x\n\ny'],
  ['', ''],
])('the note %j becomes %j', (note, markdown) => {
  expect(noteToMarkdown(note)).toBe(markdown)
})

it.each([
  ['on my e\\-reader for 30\\-minutes \\(in parentheses\\)', 'on my e-reader for 30-minutes (in parentheses)'],
  ['it cost 3\\.50 \\+ tip\\! file\\_name \\#tag', 'it cost 3.50 + tip! file_name #tag'],
  ['\\*not bold\\*', '\\*not bold\\*'],
  ['1\\. first', '1\\. first'],
  ['In 1999\\. Then', 'In 1999. Then'],
  ['\\# no heading', '\\# no heading'],
  ['\\#tag', '#tag'],
  ['# Heading \\#', '# Heading \\#'],
  ['In C\\#', 'In C#'],
  ['\\- no list', '\\- no list'],
  ['\\-5 degrees', '-5 degrees'],
  ['\\---', '\\---'],
  ['\\> no quote', '\\> no quote'],
  ['`a\\-b`', '`a\\-b`'],
  ['`a\nb\\-c`\n\nd\\-e', '`a\nb\\-c`\n\nd-e'],
  ['```\na\\-b\n```\nc\\-d', '```\na\\-b\n```\nc-d'],
  ['see \\[1\\]\\(note\\)', 'see \\[1\\]\\(note)'],
])('%j becomes %j', (source, cleaned) => {
  expect(removeNeedlessEscapes(source)).toBe(cleaned)
})

const toTree = (text: string) => {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return JSON.stringify(tree, (key, value) => (key === 'position' ? undefined : value))
}

it('removing escapes never changes the parsed Markdown', () => {
  const chunk = fc.constantFrom(
    ...'\\-.!#*_[]()`~<>&:;/@+=|$ \n1a'.split(''),
    'www',
    'https',
    '\\*',
    '\\_',
    '\\-',
    '\\.',
    '\\#',
    'word',
    'a@b.c',
    '---',
  )
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 14 }), (chunks) => {
      const text = chunks.join('')
      // Keeper treats every line end as a break, so the backslash before it is removed.
      fc.pre(!/\\\n|\\$/.test(text))
      expect(toTree(removeNeedlessEscapes(text))).toBe(toTree(text))
    }),
    { numRuns: 2000 },
  )
})

it('a long line of escapes is cleaned in linear time', () => {
  const text = '\\_a@'.repeat(50_000)
  expect(removeNeedlessEscapes(text)).toBe(text)
  expect(removeNeedlessEscapes('\\-a'.repeat(50_000))).toBe('-a'.repeat(50_000))
})

const languages =
  'en-US en-GB en-AU de de-AT fr fr-CA es es-MX it pt pt-BR nl sv da nb fi pl cs sk hu ro hr sl bg ru uk el tr ca id ms vi th ar he hi lt lv et ja zh-CN zh-TW ko'.split(
    ' ',
  )

it.each(languages)('every day of a year is read from its words in %s', (language) => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC', calendar: 'gregory' })
  const days = Array.from({ length: 366 }, (_, index) => new Date(Date.UTC(2024, 0, 1 + index)))
  const misreadDays = days.filter((day) => {
    const readings = [readWrittenDay(format.format(day)), readWrittenDate(format.format(day))?.day]
    return readings.some((reading) => reading !== day.toISOString().slice(0, 10))
  })
  expect(misreadDays.map((day) => format.format(day))).toEqual([])
})

it.each([
  ['Sunday, November 3rd, 2024', '2024-11-03'],
  ['SUNDAY, 3 NOV. 2024', '2024-11-03'],
  ['Dimanche 1er décembre 2024', '2024-12-01'],
  ['13/11/2024', '2024-11-13'],
  ['2024-11-03', '2024-11-03'],
  ['03.11.2024', '2024-11-03'],
  ['3 fevrier 2024', '2024-02-03'],
  ['1 listopada 2024', '2024-11-01'],
  ['1. listopada 2024', '2024-10-01'],
  ['Sunday, 3/11/2024', '2024-11-03'],
  ['３ November ２０２４', '2024-11-03'],
  ['วันอาทิตย์ที่ 3 พฤศจิกายน พ.ศ. 2567', '2024-11-03'],
])('%j is %s', (text, day) => {
  expect(readWrittenDay(text)).toBe(day)
})

it.each(['', '2024', 'November 2024', '31 February 2024', '3/11/2024', '03.11.24', '99999', 'Someday, 45 Foo 2024'])(
  '%j isn’t a certain day',
  (text) => expect(readWrittenDay(text)).toBeUndefined(),
)

it('a day nearby decides between two meanings', () => {
  expect(readWrittenDay('3/11/2024', '2024-11-04')).toBe('2024-11-03')
  expect(readWrittenDay('3/11/2024', '2024-03-10')).toBe('2024-03-11')
  expect(readWrittenDay('1 listopada 2024', '2024-11-01')).toBe('2024-11-01')
})

it.each([
  ['3. November 2024 07:15 → 08:00', { day: '2024-11-03', time: '07:15' }],
  ['November 3, 2024 7:15 PM', { day: '2024-11-03', time: '19:15' }],
  ['2024-11-03T07:15:00+02:00', { day: '2024-11-03', time: '07:15:00', offset: '+02:00' }],
  ['2024年11月3日(日) 7:15', { day: '2024-11-03', time: '07:15' }],
  ['2024-11-03 (Sun)', { day: '2024-11-03' }],
  ['20241103', { day: '2024-11-03' }],
])('the whole text %j is %j', (text, date) => expect(readWrittenDate(text)).toEqual(date))

it.each(['Version 3 May 2024', '3 May 2024 & more', '3 May 2024 5', '1990s 3 May', '2024-11-03 At sea', 'Trip 2024'])(
  '%j contains more than a date',
  (text) => expect(readWrittenDate(text)).toBeUndefined(),
)

it('names and formats lead to the same days', () => {
  expect(findDateInName('Sonntag, 3. November 2024')).toEqual({ day: '2024-11-03' })
  expect(findDateInName('2024-11-03 0715 At sea')).toEqual({ day: '2024-11-03', time: '07:15' })
  expect(readFormattedDate('3. Maerz 2024', 'D. MMMM YYYY')).toBeUndefined()
  expect(readFormattedDate('3. März 2024', 'D. MMMM YYYY')).toEqual({ day: '2024-03-03' })
})
