import { expect, it } from 'vitest'
import { png } from '#tests/archives.ts'
import { planArchive } from '#tests/plan-archive.ts'

/** A page as the app writes it: a div opens inside one paragraph and closes inside another. */
function createPage({ header = 'Sunday, 3 November 2024', assets = '', prompt = '', title = '', body = '', css = '' }) {
  return `<!DOCTYPE html><html dir="auto"><head><meta charset="UTF-8"><title></title><style type="text/css">${css}</style></head><body>
<p class="p1"><span class="s1"><div class='pageContainer'> <div class="pageHeader">${header}</div>
<div class="assetGrid">${assets}</div>${prompt && `<div class='reflectionPrompt'>${prompt}</div>`}<div class='title'></span><span class="s2">${title}</span><span class="s1"></div><div class='bodyText'></span></p>
${body}
<p class="p1"><span class="s1"></div></div></span></p></body></html>`
}

const paragraph = (text: string) => `<p class="p2"><span class="s3">${text}</span></p>`
const item = (kind: string, id: string, content: string) =>
  `<div id="${id}" class="gridItem assetType_${kind}">${content}</div>`
const overlay = (part: string, text: string) => `<div class="gridItemOverlayText gridItemOverlay${part}">${text}</div>`
const picture = (file: string) => `<img src="../Resources/${file}" class="asset_image"/>`
const movie = Buffer.concat([
  Buffer.from([0, 0, 0, 20]),
  Buffer.from('ftypqt  \0\0\0\0qt  ', 'latin1'),
  Buffer.alloc(40),
])

const importPages = (pages: Record<string, string | Buffer>) =>
  planArchive({ 'index.html': '<a href="Entries">', ...pages }, { timezone: 'Pacific/Auckland' })

it('title, prompt, text with marks and lists of a page become a moment at noon of its day', async () => {
  const css = 'span.s3 {font-weight: normal} span.s4 {font-weight: bold; font-style: italic}'
  const body = `${paragraph('Rain &amp; <span class="s4">wind</span> all day.')}<ul class="ul1"><li class="li1"><span class="s3">tea</span></li></ul><p class="p3"><span class="s3"></span><br></p>${paragraph('Then sun.')}`
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

it('pictures, live photos, films and recordings come along; icons and buttons do not', async () => {
  const assets = [
    item('photo', 'P1', picture('P1.heic')),
    item('livePhoto', 'P2', picture('P2.png')),
    item('video', 'V1', '<video controls><source src="../Resources/V1.mov"></video>'),
    item('audio', 'A1', `${picture('audioWave.heic')}<audio><source src="../Resources/A%201.m4a"></audio>`),
    item('drawing', 'D1', picture('D1.png')),
    item('contact', 'C1', overlay('Header', 'Mom') + picture('C1.png')),
    item('photo', 'P9', picture('P9.heic')),
  ].join('\n')
  const { preview, moments } = await importPages({
    'Entries/2024-11-03.html': createPage({ assets, body: paragraph('Pictures.') }),
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
    item('multiPinMap', 'M1', overlay('Footer', 'Old Market') + picture('M1.png')),
    item('stateOfMind', 'S1', overlay('Header', 'Very Pleasant, Calm') + overlay('Footer', 'Family')),
    item('motionActivity', 'W1', '<div class="activityType">Walking</div><div class="activityMetrics">2.5 km</div>'),
    item('thirdPartyMedia', 'T1', '<div class="mediaTitle">Song *of* rain</div><div class="mediaArtist">Ada</div>'),
    item('photo', 'P1', ''),
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

it('a state of mind without a step of the scale is no mood', async () => {
  const assets = item('stateOfMind', 'S1', overlay('Header', 'Sad, Overwhelmed') + overlay('Footer', 'Health'))
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
  const { moments } = await importPages({ [`Entries/${name}`]: createPage({ header, body: paragraph('x') }) })
  expect(moments).toMatchObject([{ localDate }])
})

it('a page that can not be read costs only itself and is named', async () => {
  const { preview, moments } = await importPages({
    'Entries/2024-11-03.html': createPage({ body: paragraph('good') }),
    'Entries/broken.html': createPage({ header: 'Once', body: paragraph('no day') }),
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
    'Entries/2024-11-03_(1).html': createPage({ body: paragraph('Second') }),
  })
  expect(moments.map(({ text }) => text).sort()).toEqual(['Loose text.', 'Second'])
})

it('web pages of another kind are not taken for a journal', async () => {
  const files = { 'index.html': '<p>Hi</p>', 'about.html': '<div class="page">Hi</div>' }
  expect((await planArchive(files)).kind).toBeUndefined()
})
