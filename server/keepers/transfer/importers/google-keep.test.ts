import { beforeEach, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { createZip, importArchive, png, previewArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { createNotionId, keepTakeout, memosResponses, notionPages } from '#tests/foreign-archives.ts'
import { planArchive } from '#tests/plan-archive.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { readKeepText } from './google-keep.ts'
import { readNotionMarkdown } from './notion.ts'

// All formats share one import path, so one engine suffices.
describe.each(engines.slice(0, 1))('notes of Google Keep, on %s', (engine) => {
  const { ben } = useTestApp(engine, ['ben'])
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ben)).id
  })

  it('lists, labels, files and times are imported, the trash is not', async () => {
    const job = await importArchive(ben, await createZip(keepTakeout), { keeperId })
    const { items } = (await ben.call(moments.list, { params: { id: keeperId } })).data
    expect(job).toMatchObject({
      kind: 'google-keep',
      preview: {
        entries: 2,
        media: 3,
        missingMedia: 2,
        parts: [
          { title: 'Archived notes', entries: 1 },
          { title: 'Notes', entries: 1 },
        ],
        notes: expect.arrayContaining([
          '1 note in the trash is left out.',
          '1 file is damaged and is left out: Google Notizen/Broken.json.',
          '1 entry names no time zone, so yours is used.',
        ]),
      },
    })
    expect(items).toMatchObject([
      {
        title: 'Shopping',
        body: '- [x] bread\n- [ ] two\n  lines',
        occurredAt: '2023-08-01T04:29:43.842Z',
        topics: [{ name: 'New York' }, { name: 'sea' }],
        pinned: true,
      },
      {
        title: null,
        body: 'Wind.\n\n[The  sea](https://sea.example/a)',
        occurredAt: '2021-08-26T07:50:07.000Z',
        timezone: '+05:00',
        media: [{ mime: 'image/png' }],
      },
    ])
    expect(JSON.stringify(items)).not.toContain('ida@sea.example')
  })

  it('importing again, also without the outer folder, creates nothing', async () => {
    await importArchive(ben, await createZip(keepTakeout), { keeperId })
    const inner = Object.fromEntries(
      Object.entries(keepTakeout).flatMap(([name, content]) =>
        name.includes('Notizen/') ? [[name.slice(name.lastIndexOf('/') + 1), content]] : [],
      ),
    )
    const { kind, preview } = await previewArchive(ben, await createZip(inner), `&keeperId=${keeperId}`)
    expect({ kind, preview }).toMatchObject({ kind: 'google-keep', preview: { entries: 2, duplicates: 2 } })
  })
})

it.each([
  [{ textContent: 'plain *text*', textContentHtml: '<p dir="ltr"><span>plain *text*</span></p>' }, 'plain *text*'],
  [{ textContent: '', textContentHtml: '<p>only <b>here</b></p>' }, 'only **here**'],
  [
    { textContent: 'big', textContentHtml: '<p><span style="font-weight:700;font-style:italic">big</span></p>' },
    '***big***',
  ],
  [{ textContentHtml: '<h1>Sea</h1><p onclick="x()">wind<script>alert(1)</script></p>' }, '# Sea\n\nwind'],
  [{ textContent: 'see https://a.example', annotations: [{ url: 'https://a.example' }] }, 'see https://a.example'],
  [{ annotations: [{ url: 'javascript:alert(1)', title: 'x' }] }, ''],
  [{ textContent: 7, listContent: 'x', annotations: null }, '7'],
])('the text of %j is %j', (note, text) => {
  expect(readKeepText(note)).toBe(text)
})

describe.each(engines.slice(0, 1))('responses of the memos API, on %s', (engine) => {
  const { ben } = useTestApp(engine, ['ben'])
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ben)).id
  })

  const listMoments = async () => (await ben.call(moments.list, { params: { id: keeperId } })).data.items.toReversed()

  it('memos of several pages keep links, comments, places and files', async () => {
    const job = await importArchive(ben, await createZip(memosResponses), { keeperId })
    const [earlier, sea, comment] = await listMoments()
    const getAddress = (moment: { id: string } | undefined) => `/keeper/${keeperId}/moments?moment=${moment?.id}`
    expect(job).toMatchObject({
      kind: 'memos',
      preview: {
        entries: 3,
        media: 3,
        missingMedia: 1,
        notes: expect.arrayContaining([
          '1 memo has no date that can be read and is left out: page-1.json, memo 3.',
          '1 memo isn’t an object and is left out: page-1.json, memo 4.',
        ]),
      },
    })
    expect(earlier).toMatchObject({
      body: 'Before. #walk',
      topics: [{ name: 'walk' }],
      occurredAt: '2023-01-15T10:30:00.000Z',
    })
    expect(sea).toMatchObject({
      body: `At the sea #sea/north, see [then](${getAddress(earlier)}) and \`[x](/m/def2)\`.\n\n[far.png](https://files.example/far.png)`,
      topics: [{ name: 'sea/north' }],
      place: { name: 'Harbor', lat: 54.1, lng: 10.2 },
      media: [
        { name: 'gull.png', bytes: png.length },
        { name: 'gull.png', bytes: png.length + 1 },
      ],
      pinned: true,
    })
    expect(comment?.body).toBe(`Yes.\n\n[The memo this comments on](${getAddress(sea)})`)
  })

  it('a list alone and the fields of an older version are read', async () => {
    const older = {
      id: 5,
      rowStatus: 'NORMAL',
      createdTs: 1705314600,
      updatedTs: 1705314600,
      content: 'Old',
      pinned: true,
    }
    const zip = await createZip({
      'a.json': JSON.stringify([{ name: 'memos/x', createTime: '2024-01-15T10:30:00Z', content: 'List' }]),
      'b.json': JSON.stringify({ data: [{ ...older, resourceList: [{ id: 9, filename: 'g.png' }] }] }),
      'g.png': png,
      'other.json': '{"memos":[]}',
    })
    await importArchive(ben, zip, { keeperId })
    const items = await listMoments()
    expect(items.map(({ body }) => body).sort()).toEqual(['List', 'Old'])
    expect(items.find(({ body }) => body === 'Old')).toMatchObject({ pinned: true, media: [{ name: 'g.png' }] })
  })
})

const mtime = new Date('2025-01-01T00:00:00Z')

describe.each(engines.slice(0, 1))("Notion's export, on %s", (engine) => {
  const { ben } = useTestApp(engine, ['ben'])
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ben)).id
    await ben.call(moments.create, { params: { id: keeperId }, body: { body: 'Here.', timezone: 'Europe/Berlin' } })
  })

  async function importZip(zip: Buffer) {
    const job = await importArchive(ben, zip, { keeperId })
    const { items } = (await ben.call(moments.list, { params: { id: keeperId } })).data
    return { job, items: items.filter(({ body }) => body !== 'Here.') }
  }

  it('pages in parts within a zip keep properties, links and files', async () => {
    const names = Object.keys(notionPages)
    const createPart = (from: number, to: number) =>
      createZip(
        Object.fromEntries(names.slice(from, to).map((name) => [`Export-1/${name}`, notionPages[name] ?? ''])),
        {
          mtime,
        },
      )
    const zip = await createZip({
      'Export-1-Part-1.zip': await createPart(0, 4),
      'Export-1-Part-2.zip': await createPart(4, 9),
    })
    const { job, items } = await importZip(zip)
    const [long, sea] = ['A very long name that was cut', 'At the sea'].map((title) =>
      items.find((moment) => moment.title === title),
    )
    const getAddress = (moment: { id: string } | undefined) => `/keeper/${keeperId}/moments?moment=${moment?.id}`
    expect(job).toMatchObject({ kind: 'notion', preview: { entries: 3, media: 1, missingMedia: 0 } })
    expect(job.preview?.notes).toEqual([
      '1 page has no date in its properties or title: time taken from the file: A very long name that was cut.',
      '3 entries name no time zone, so yours is used.',
    ])
    expect(sea).toMatchObject({
      occurredAt: '2024-11-03T06:15:00.000Z',
      updatedAt: '2024-11-05T19:00:00.000Z',
      topics: [{ name: 'New York' }, { name: 'sea' }],
      mood: { score: 1 },
      media: [{ name: 'gull 1.png' }],
      body: `💡 Wind.\n\n[A very long na](${getAddress(long)}) and table, [site](https://sea.example).\n\n- Who: Ben`,
    })
    expect(long).toMatchObject({
      occurredAt: mtime.toISOString(),
      body: `Note: this is text.\n\n[back](${getAddress(sea)})`,
    })
    expect(items.find(({ title }) => title === null)).toMatchObject({
      occurredAt: '2024-11-03T06:15:00.000Z',
      body: '- Fällig: 5. Mai 2025',
    })
    const secondPreview = await previewArchive(ben, await createZip(notionPages), `&keeperId=${keeperId}`)
    expect(secondPreview.preview).toMatchObject({ entries: 3, duplicates: 3 })
  })

  it('the HTML export has the same content', async () => {
    const createRow = (kind: string, name: string, value: string) =>
      `<tr class="property-row property-row-${kind}"><th><span class="icon"></span>${name}</th><td>${value}</td></tr>`
    const properties = [
      createRow('created_time', 'Created', '<time>@November 3, 2024 7:15 AM</time>'),
      createRow(
        'multi_select',
        'Tags',
        '<span class="selected-value">sea</span><span class="selected-value">gull</span>',
      ),
      createRow('checkbox', 'Swam', '<div class="checkbox checkbox-on"></div>'),
    ].join('')
    const body = [
      '<nav class="table_of_contents"><a href="#x">Wind</a></nav><h1>Wind</h1>',
      '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>swim</span></li></ul>',
      '<ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>dry</span></li></ul>',
      `<figure><a href="At%20the%20sea%20${createNotionId('b')}/gull.png"><img src="At%20the%20sea%20${createNotionId('b')}/gull.png"/></a></figure>`,
      `<p>To <a href="Other%20${createNotionId('c')}.html">the other</a><script>alert(1)</script></p>`,
    ].join('')
    const createNotionPage = (title: string, table: string, content: string) =>
      `<html><body><article class="page sans"><header><h1 class="page-title">${title}</h1><table class="properties"><tbody>${table}</tbody></table></header><div class="page-body">${content}</div></article></body></html>`
    const { items } = await importZip(
      await createZip({
        'index.html': '<html></html>',
        [`At the sea ${createNotionId('b')}.html`]: createNotionPage('At the sea', properties, body),
        [`Other ${createNotionId('c')}.html`]: createNotionPage(
          'Other',
          createRow('date', 'Day', 'May 2, 2023'),
          '<p>Words</p>',
        ),
        [`At the sea ${createNotionId('b')}/gull.png`]: png,
      }),
    )
    const other = items.find(({ title }) => title === 'Other')
    expect(items.find(({ title }) => title === 'At the sea')).toMatchObject({
      occurredAt: '2024-11-03T06:15:00.000Z',
      topics: [{ name: 'gull' }, { name: 'sea' }],
      media: [{ name: 'gull.png' }],
      body: `# Wind\n\n- [x] swim\n- [ ] dry\n\nTo [the other](/keeper/${keeperId}/moments?moment=${other?.id})\n\n- Swam: Yes`,
    })
    expect(other).toMatchObject({ localDate: '2023-05-02', body: 'Words' })
  })

  it('one page with such a name does not make a vault an export of Notion', async () => {
    const zip = await createZip({ 'a.md': 'A', 'b.md': 'B', [`c ${createNotionId('c')}.md`]: 'C' })
    expect((await previewArchive(ben, zip)).kind).toBe('markdown')
  })
})

it('only a row of a database has properties', () => {
  const source = '# Title\n\nDate: 2024-11-03\nNote: two\nlines\n\nBody: x'
  expect(readNotionMarkdown(source, { isRow: true })).toEqual({
    title: 'Title',
    properties: new Map([
      ['Date', '2024-11-03'],
      ['Note', 'two\nlines'],
    ]),
    body: 'Body: x',
  })
  expect(readNotionMarkdown(source, { isRow: false })).toMatchObject({ properties: new Map(), body: source.slice(9) })
})

/** A page as the app writes it: a div opens inside one paragraph and closes inside another. */
function createPage({ header = 'Sunday, 3 November 2024', assets = '', prompt = '', title = '', body = '', css = '' }) {
  return `<!DOCTYPE html><html dir="auto"><head><meta charset="UTF-8"><title></title><style type="text/css">${css}</style></head><body>
<p class="p1"><span class="s1"><div class='pageContainer'> <div class="pageHeader">${header}</div>
<div class="assetGrid">${assets}</div>${prompt && `<div class='reflectionPrompt'>${prompt}</div>`}<div class='title'></span><span class="s2">${title}</span><span class="s1"></div><div class='bodyText'></span></p>
${body}
<p class="p1"><span class="s1"></div></div></span></p></body></html>`
}

const createParagraph = (text: string) => `<p class="p2"><span class="s3">${text}</span></p>`
const createItem = (kind: string, id: string, content: string) =>
  `<div id="${id}" class="gridItem assetType_${kind}">${content}</div>`
const createOverlay = (part: string, text: string) =>
  `<div class="gridItemOverlayText gridItemOverlay${part}">${text}</div>`
const createPicture = (file: string) => `<img src="../Resources/${file}" class="asset_image"/>`
const movie = Buffer.concat([
  Buffer.from([0, 0, 0, 20]),
  Buffer.from('ftypqt  \0\0\0\0qt  ', 'latin1'),
  Buffer.alloc(40),
])

const importPages = (pages: Record<string, string | Buffer>) =>
  planArchive({ 'index.html': '<a href="Entries">', ...pages }, { timezone: 'Pacific/Auckland' })

it('title, prompt, text with marks and lists of a page become a moment at noon of its day', async () => {
  const css = 'span.s3 {font-weight: normal} span.s4 {font-weight: bold; font-style: italic}'
  const body = `${createParagraph('Rain &amp; <span class="s4">wind</span> all day.')}<ul class="ul1"><li class="li1"><span class="s3">tea</span></li></ul><p class="p3"><span class="s3"></span><br></p>${createParagraph('Then sun.')}`
  const page = createPage({ title: 'By the sea', prompt: 'How was your day?', body, css })
  const { kind, preview, moments } = await importPages({ 'Entries/By_the_sea.html': page })
  expect(kind).toBe('apple-journal')
  expect(moments).toMatchObject([
    {
      title: 'By the sea',
      text: '> How was your day?\n\nRain & ***wind*** all day.\n\n- tea\n\nThen sun.',
      localDate: '2024-11-03',
      timezone: 'Pacific/Auckland',
      occurredAt: Date.parse('2024-11-02T23:00:00Z'),
    },
  ])
  expect(preview?.notes).toEqual(['1 entry names no time zone, so yours is used.'])
})

it('pictures, live photos, films and recordings are imported; icons and buttons are not', async () => {
  const assets = [
    createItem('photo', 'P1', createPicture('P1.heic')),
    createItem('livePhoto', 'P2', createPicture('P2.png')),
    createItem('video', 'V1', '<video controls><source src="../Resources/V1.mov"></video>'),
    createItem('audio', 'A1', `${createPicture('audioWave.heic')}<audio><source src="../Resources/A%201.m4a"></audio>`),
    createItem('drawing', 'D1', createPicture('D1.png')),
    createItem('contact', 'C1', createOverlay('Header', 'Mom') + createPicture('C1.png')),
    createItem('photo', 'P9', createPicture('P9.heic')),
  ].join('\n')
  const { preview, moments } = await importPages({
    'Entries/2024-11-03.html': createPage({ assets, body: createParagraph('Pictures.') }),
    'Resources/P1.heic': png,
    'Resources/P2.png': png,
    'Resources/P2.mov': movie,
    'Resources/V1.mov': movie,
    'Resources/A 1.m4a': movie,
    'Resources/audioWave.heic': png,
    'Resources/D1.png': png,
    'Resources/C1.png': png,
  })
  expect(moments).toMatchObject([{ text: 'Pictures.\n\n- With Mom' }])
  expect(moments[0]?.files.map(({ file }) => file)).toEqual(
    ['P1.heic', 'P2.png', 'P2.mov', 'V1.mov', 'A 1.m4a', 'D1.png'].map((name) => `Resources/${name}`),
  )
  expect(preview).toMatchObject({ media: 7, missingMedia: 1 })
})

it('places, state of mind, activities and media become fields or lines of the text', async () => {
  const assets = [
    createItem('multiPinMap', 'M1', createOverlay('Footer', 'Old Market') + createPicture('M1.png')),
    createItem('stateOfMind', 'S1', createOverlay('Header', 'Very Pleasant, Calm') + createOverlay('Footer', 'Family')),
    createItem(
      'motionActivity',
      'W1',
      '<div class="activityType">Walking</div><div class="activityMetrics">2.5 km</div>',
    ),
    createItem(
      'thirdPartyMedia',
      'T1',
      '<div class="mediaTitle">Song *of* rain</div><div class="mediaArtist">Ada</div>',
    ),
    createItem('photo', 'P1', ''),
  ].join('')
  const visits = [
    { placeName: 'Pier', city: 'Riga', latitude: 56.95, longitude: 24.1, date: 752414400 },
    { placeName: 'Market', latitude: 'x', longitude: null },
  ]
  const { preview, moments } = await importPages({
    'Entries/2024-11-03.html': createPage({ assets }),
    'Resources/M1.json': JSON.stringify({ visits }),
    'Resources/M1.png': png,
    'Resources/P1.json': '{"placeName": "Home"',
  })
  expect(moments).toMatchObject([
    {
      place: { name: 'Pier, Riga', lat: 56.95, lng: 24.1 },
      mood: { score: 2, label: 'Very Pleasant' },
      files: [],
      text: [
        '- State of mind: Very Pleasant, Calm, Family',
        '- Walking · 2.5 km',
        '- Song \\*of\\* rain · Ada',
        '- Places: Pier, Riga; Market',
      ].join('\n'),
    },
  ])
  expect(preview?.notes).toContain('The details of 1 picture, place or mood couldn’t be read: Resources/P1.json.')
})

it("a state of mind without a rating isn't a mood", async () => {
  const assets = createItem(
    'stateOfMind',
    'S1',
    createOverlay('Header', 'Sad, Overwhelmed') + createOverlay('Footer', 'Health'),
  )
  const { moments } = await importPages({ 'Entries/2024-11-03.html': createPage({ assets }) })
  expect(moments).toMatchObject([{ mood: null, text: '- State of mind: Sad, Overwhelmed, Health' }])
})

it.each([
  ['2024-11-03_By_the_sea.html', '', '2024-11-03'],
  ['2024-11-03_(1).html', 'no date', '2024-11-03'],
  // The file name is in UTC.
  ['2024-11-04.html', 'Sunday, 3 November 2024', '2024-11-03'],
  ['2024-11-04.html', '3/11/2024', '2024-11-03'],
  ['2024-11-04.html', 'Sunday, 6 October 2019', '2024-11-04'],
  ['entry.html', 'domingo, 3 de noviembre de 2024', '2024-11-03'],
  ['entry.html', '2024年11月3日 日曜日', '2024-11-03'],
  ['2024-02-30.html', 'samedi 2 mars 2024', '2024-03-02'],
])('the day of %s with the header %j is %s', async (name, header, localDate) => {
  const { moments } = await importPages({ [`Entries/${name}`]: createPage({ header, body: createParagraph('x') }) })
  expect(moments).toMatchObject([{ localDate }])
})

it('an unreadable page is skipped and reported', async () => {
  const { preview, moments } = await importPages({
    'Entries/2024-11-03.html': createPage({ body: createParagraph('good') }),
    'Entries/broken.html': createPage({ header: 'Once', body: createParagraph('no day') }),
    'Entries/latin.html': Buffer.from([0x3c, 0xff, 0xfe]),
    'Entries/other.html': '<p>Another page</p>',
  })
  expect(moments.map(({ text }) => text)).toEqual(['good'])
  expect(preview?.notes).toEqual(
    expect.arrayContaining([
      '1 entry has no date that can be read and is left out: broken.html.',
      '2 pages couldn’t be read and are left out: latin.html; other.html.',
    ]),
  )
})

it('text beside its element and entries of one day are kept apart', async () => {
  const loose = createPage({ body: '' }).replace("<div class='bodyText'>", '</div><p>Loose text.</p><div>')
  const { moments } = await importPages({
    'Entries/2024-11-03.html': loose,
    'Entries/2024-11-03_(1).html': createPage({ body: createParagraph('Second') }),
  })
  expect(moments.map(({ text }) => text).sort()).toEqual(['Loose text.', 'Second'])
})

it('web pages of another kind are not taken for a journal', async () => {
  const files = { 'index.html': '<p>Hi</p>', 'about.html': '<div class="page">Hi</div>' }
  expect((await planArchive(files)).kind).toBeUndefined()
})
