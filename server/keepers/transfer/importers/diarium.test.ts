import { expect, it } from 'vitest'
import { png } from '#tests/archives.ts'
import { planArchive } from '#tests/plan-archive.ts'

const plain = { date: '2010-10-26T15:47:53.4882800', heading: 'A day', html: '<p>Hi</p>', rating: 0, tags: [] }

const importEntries = (entries: unknown[], files: Record<string, Buffer> = {}) =>
  planArchive({ 'Diarium_2010.json': JSON.stringify(entries), ...files }, { timezone: 'America/New_York' })

it('an entry keeps its local time, text, stars, tags, people and place', async () => {
  const { kind, preview, moments } = await importEntries([
    {
      ...plain,
      html: '<p>Rain &amp; <strong>wind</strong></p><ul><li>tea</li></ul>',
      rating: 4,
      tags: ['sea'],
      people: ['Ada'],
      location: [40.1, -83.05],
      sun: '☀️ Sunrise: 7:16 AM Sunset: 7:56 PM',
      lunar: '🌔 Waxing gibbous',
      weather: '🌤 68 °F, clear',
      steps: 9000,
    },
  ])
  expect(kind).toBe('diarium')
  expect(moments).toMatchObject([
    {
      occurredAt: Date.parse('2010-10-26T15:47:53.488-04:00'),
      localDate: '2010-10-26',
      timezone: 'America/New_York',
      title: 'A day',
      text: 'Rain & **wind**\n\n- tea',
      topics: ['sea', 'Ada'],
      mood: { score: 1, label: 'Rated 4 of 5' },
      place: { name: '40.10, −83.05', lat: 40.1, lng: -83.05 },
      weather: { tempC: 20, condition: '🌤 68 °F, clear' },
    },
  ])
  expect(preview?.notes).toEqual([
    '1 value of a field isn’t imported: steps.',
    '1 entry names no time zone, so yours is used.',
  ])
})

it.each([
  ['rating', '5', { mood: { score: 2 } }],
  ['rating', 0, { mood: null }],
  ['rating', -3, { mood: null }],
  ['rating', 'good', { mood: null }],
  ['tags', 'sea, walk', { topics: ['sea', 'walk'] }],
  ['tags', [{ name: 'sea' }], { topics: ['sea'] }],
  ['location', [null, null], { place: null }],
  ['location', 'Riga', { place: { name: 'Riga', lat: null } }],
  ['location', { latitude: '1.5', longitude: 2 }, { place: { lat: 1.5, lng: 2 } }],
  ['location', [91, 0], { place: null }],
  ['weather', 7, { weather: { tempC: null, condition: '7' } }],
  ['weather', ['x'], { weather: null }],
  ['heading', null, { title: null }],
  ['html', null, { text: '', title: 'A day' }],
  ['html', 'plain < text', { text: 'plain < text' }],
  ['date', '2010-10-26', { localDate: '2010-10-26', occurredAt: Date.parse('2010-10-26T12:00:00-04:00') }],
  ['date', '2010-10-26T15:47:53+02:00', { occurredAt: Date.parse('2010-10-26T15:47:53+02:00') }],
])('an entry with %s set to %j is imported', async (name, value, expected) => {
  const { moments } = await importEntries([{ ...plain, [name]: value }])
  expect(moments).toMatchObject([expected])
})

it('files are assigned by the date of their folder, ambiguous ones to none', async () => {
  const entries = [
    plain,
    { ...plain, date: '2010-10-27T08:00:00', heading: 'One' },
    { ...plain, date: '2010-10-27T20:00:00', heading: 'Two' },
    { ...plain, date: '2010-10-28T20:00:00.5', heading: 'Alone' },
  ]
  const { moments, preview } = await importEntries(entries, {
    'media/2010-10-26_154753488/b.png': png,
    'media/2010-10-26_154753488/a.png': png,
    'media/2010-10-27_080000000/c.png': png,
    'media/2010-10-27/d.png': png,
    'media/2010-10-28/e.png': png,
    'media/2010-11-01_101010000/f.png': png,
  })
  expect(moments.map(({ title, files }) => [title, files.map(({ name }) => name)])).toEqual([
    ['A day', ['a.png', 'b.png']],
    ['One', ['c.png']],
    ['Two', []],
    ['Alone', ['e.png']],
  ])
  expect(preview?.notes).toContain(
    '2 files are left out, because their dates don’t match exactly one entry: media/2010-10-27/d.png; media/2010-11-01_101010000/f.png.',
  )
})

it('files by day and unreadable entries are handled one by one', async () => {
  const { moments, preview } = await planArchive({
    '2010-10-26.json': `\ufeff${JSON.stringify(plain)}`,
    '2010-10-27.json': JSON.stringify([{ ...plain, date: '2010-10-27T10:00:00' }, { ...plain, date: 'x' }, null]),
    'settings.json': '{"theme":"dark"}',
  })
  expect(moments.map(({ localDate }) => localDate)).toEqual(['2010-10-26', '2010-10-27'])
  expect(preview?.notes).toEqual(
    expect.arrayContaining([
      '1 entry has no date that can be read and is left out: 2010-10-27.json, entry 2.',
      '1 entry isn’t an object and is left out: 2010-10-27.json, entry 3.',
    ]),
  )
})

it('Mini Diarium and Mini Diary are read as lists and by day', async () => {
  const list = {
    metadata: { application: 'Mini Diarium', version: '0.5' },
    entries: [
      {
        id: 1,
        date: '2024-01-15',
        title: 'First',
        text: '<p>Hi <em>you</em></p>',
        dateUpdated: '2024-01-16T12:00:00Z',
      },
      { id: 2, date: '2024-01-15', title: '', text: 'Second' },
    ],
  }
  const byDay = {
    metadata: { application: 'Mini Diary', version: '3.3.0' },
    entries: {
      '2024-10-01': { dateUpdated: 'Sat Nov 16 2024 07:01:49 GMT+0100 (CET)', title: 'T', text: 'sample' },
      '01/10/2024': { title: '', text: 'no day' },
    },
  }
  const first = await planArchive({ 'mini-diarium.json': JSON.stringify(list) })
  expect(first.kind).toBe('diarium')
  expect(first.moments).toMatchObject([
    { title: 'First', text: 'Hi *you*', localDate: '2024-01-15', updatedAt: Date.parse('2024-01-16T12:00:00Z') },
    { title: null, text: 'Second', localDate: '2024-01-15' },
  ])
  const second = await planArchive({ 'diary.json': JSON.stringify(byDay) })
  expect(second.moments).toMatchObject([
    { text: 'sample', localDate: '2024-10-01', updatedAt: Date.parse('2024-11-16T06:01:49Z') },
  ])
  expect(second.preview).toMatchObject({ entries: 1, parts: [{ title: 'Mini Diary', entries: 1 }] })
})
