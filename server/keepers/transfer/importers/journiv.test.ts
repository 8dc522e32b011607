import { expect, it } from 'vitest'
import { png } from '#tests/archives.ts'
import { planArchive } from '#tests/plan-archive.ts'

const meta = {
  export_version: '1.0',
  export_date: '2026-01-01T00:00:00',
  app_version: '0.1.0',
  user_email: 'a@b.example',
}
const plain = {
  title: 'A day',
  content: 'Hi',
  entry_date: '2026-01-03',
  entry_timezone: 'Asia/Tokyo',
  tags: ['sea'],
  entry_datetime_utc: '2026-01-02T22:30:00',
  is_pinned: false,
  media: [],
  created_at: '2026-01-02T22:31:00',
}
const moods = [
  { name: 'happy', category: 'positive', icon: '😊' },
  { name: 'sad', category: 'negative' },
  { name: 'Rad', category: 'positive', score: 5, external_id: 'm5' },
]

const importEntries = (entries: unknown[], files: Record<string, Buffer> = {}, data: object = {}) =>
  planArchive(
    {
      'data.json': JSON.stringify({
        ...meta,
        journals: [{ title: 'Travel', entries }],
        mood_definitions: moods,
        ...data,
      }),
      ...files,
    },
    { timezone: 'Europe/Berlin' },
  )

it('an entry keeps journal, time, zone, mood, place, weather, tags, prompt and text', async () => {
  const { kind, preview, moments } = await importEntries([
    {
      ...plain,
      content: '# Head\n\nText ![a](media/x.png)\n![kept](https://sea.example/a.png)',
      mood_log: { mood_name: 'Happy', note: 'after tea', mood_score: null },
      location: 'Ueno',
      latitude: '35.7',
      longitude: 139.7,
      weather: 'Fog',
      temperature: 7.5,
      prompt_text: 'What now?',
      is_pinned: true,
      updated_at: '2026-01-04T00:00:00Z',
    },
  ])
  expect(kind).toBe('journiv')
  expect(preview).toMatchObject({ parts: [{ title: 'Travel', entries: 1 }], notes: [] })
  expect(moments).toMatchObject([
    {
      occurredAt: Date.parse('2026-01-02T22:30:00Z'),
      updatedAt: Date.parse('2026-01-04T00:00:00Z'),
      localDate: '2026-01-03',
      timezone: 'Asia/Tokyo',
      title: 'A day',
      topics: ['sea'],
      mood: { score: 1, label: 'Happy' },
      place: { name: 'Ueno', lat: 35.7, lng: 139.7 },
      weather: { tempC: 7.5, condition: 'Fog' },
      pinned: true,
      text: '> What now?\n\n# Head\n\nText ![kept](https://sea.example/a.png)\n\n- Mood: after tea',
    },
  ])
  expect(JSON.stringify(moments)).not.toContain('a@b.example')
})

it.each([
  ['entry_timezone', '', { timezone: 'Europe/Berlin' }],
  ['entry_timezone', 7, { timezone: 'Europe/Berlin' }],
  ['entry_datetime_utc', null, { localDate: '2026-01-03', occurredAt: Date.parse('2026-01-03T12:00:00+09:00') }],
  ['entry_datetime_utc', '2026-01-02T22:30:00+02:00', { occurredAt: Date.parse('2026-01-02T20:30:00Z') }],
  ['mood_log', 'happy', { mood: null }],
  ['mood_log', { mood_name: 'sad' }, { mood: { score: -1, label: 'sad' } }],
  ['mood_log', { mood_name: 'x', mood_score: 5 }, { mood: { score: 2, label: 'x' } }],
  ['mood_log', { mood_name: 'x', mood_score: 99 }, { mood: null, text: 'Hi\n\n- Mood: x' }],
  ['location', { name: 'Ueno', latitude: 1, longitude: 2 }, { place: { name: 'Ueno', lat: 1, lng: 2 } }],
  ['location', [], { place: null }],
  ['latitude', 'x', { place: null }],
  ['weather', { temp_c: 3, condition: 'Snow' }, { weather: { tempC: 3, condition: 'Snow' } }],
  ['temperature', null, { weather: null }],
  ['tags', 'a, b', { topics: ['a', 'b'] }],
  ['tags', null, { topics: [] }],
  ['title', null, { title: null }],
  ['content', null, { text: '', title: 'A day' }],
  ['is_pinned', 1, { pinned: true }],
  ['media', 'x', { files: [] }],
])('an entry with %s set to %j is imported', async (name, value, expected) => {
  const { moments } = await importEntries([{ ...plain, [name]: value }])
  expect(moments).toMatchObject([expected])
})

it('files are matched by path, name or hash, but not by an ambiguous name', async () => {
  const createFile = (values: object) => ({
    filename: 'sea.png',
    alt_text: 'The sea',
    duration: 2.5,
    width: 3,
    ...values,
  })
  const { moments, preview } = await importEntries(
    [
      {
        ...plain,
        media: [
          createFile({ file_path: 'e1/m1_sea.png' }),
          createFile({ file_path: 'elsewhere/m2_sea.png' }),
          createFile({ checksum: 'abc' }),
          createFile({ file_path: 'e3/same.png' }),
          { external_provider: 'immich', external_asset_id: 'x' },
        ],
      },
    ],
    Object.fromEntries(
      ['media/e1/m1_sea.png', 'media/e1/m2_sea.png', 'media/abc.png', 'media/e1/same.png', 'media/e2/same.png'].map(
        (name) => [name, png],
      ),
    ),
  )
  expect(moments[0]?.files).toMatchObject([
    { file: 'media/e1/m1_sea.png', name: 'sea.png', alt: 'The sea', width: 3, durationMs: 2500 },
    { file: 'media/e1/m2_sea.png' },
    { file: 'media/abc.png' },
  ])
  expect(preview).toMatchObject({
    media: 4,
    missingMedia: 1,
    notes: ['1 file is stored in another service and is left out: data.json, entry 1.'],
  })
})

it('moments of newer versions keep rich text, journal, people, activities and scores', async () => {
  const ops = [
    { insert: 'Market' },
    { insert: '\n', attributes: { header: 1 } },
    { insert: 'bread' },
    { insert: '\n', attributes: { list: 'bullet' } },
    { insert: 'call Ben' },
    { insert: '\n', attributes: { list: 'checked' } },
    { insert: { image: 'x' } },
    { insert: 'bold', attributes: { bold: true } },
    { insert: ' and a ' },
    { insert: 'link', attributes: { link: 'https://sea.example/' } },
    { insert: '\nquoted' },
    { insert: '\n', attributes: { blockquote: true } },
  ]
  const moment = {
    logged_at_utc: '2026-03-01T10:00:00Z',
    logged_date_tz: '2026-03-01',
    logged_timezone: 'UTC',
    tags: [],
    primary_mood_name: 'Rad',
    primary_mood_external_id: 'm5',
    people_external_ids: ['p1'],
    external_id: 'a',
    mood_activity: [{ mood_name: 'Rad' }, { activity_name: 'reading' }],
    location_json: { name: 'Pier', latitude: 1, longitude: 2 },
    weather_summary: 'Sun',
  }
  const { preview, moments } = await importEntries(
    [],
    {},
    {
      journals: [
        { title: 'Home', external_id: 'j1' },
        { title: 'Other', external_id: null },
      ],
      people: [{ name: 'Ada', external_id: 'p1' }],
      moments: [
        {
          ...moment,
          entry: { title: 'Fair', content_delta: { ops }, content_plain_text: 'x', journal_external_id: 'j1' },
        },
        { ...moment, external_id: 'b', note: null },
      ],
    },
  )
  expect(preview).toMatchObject({ parts: [{ title: 'Home' }, { title: 'Journiv' }], notes: [] })
  expect(moments).toMatchObject([
    {
      sourceId: 'a',
      title: 'Fair',
      text: '# Market\n\n- bread\n- [x] call Ben\n\n**bold** and a [link](https://sea.example/)\n\n> quoted',
      topics: ['reading', 'Ada'],
      mood: { score: 2, label: 'Rad' },
      place: { name: 'Pier' },
      weather: { condition: 'Sun' },
    },
    { sourceId: 'b', text: 'Rad: reading, Ada' },
  ])
})

it('an entry with only an unknown mood and an activity gets both as its text', async () => {
  const { preview, moments } = await importEntries([
    {
      ...plain,
      title: null,
      tags: [],
      content: '',
      mood_activity: [{ mood_name: 'Odd' }, { activity_name: 'reading' }],
    },
  ])
  expect(preview?.notes).toEqual(['1 mood isn’t on Keeper’s scale; its name is in the text: Odd.'])
  expect(moments).toMatchObject([{ text: 'Odd: reading', mood: null, topics: ['reading'] }])
})

it('an entry without a date is reported; files of other apps are not recognized', async () => {
  const { preview } = await importEntries([{ content: 'When?' }, null, plain])
  expect(preview).toMatchObject({
    entries: 1,
    notes: [
      '1 entry has no date that can be read and is left out: data.json, entry 1.',
      '1 entry isn’t an object and is left out: data.json, entry 2.',
    ],
  })
  expect((await planArchive({ 'data.json': '{"journals": []}' })).kind).toBeUndefined()
})

it('a long list that is not imported does not prevent the import', async () => {
  const { preview } = await importEntries(
    [plain],
    {},
    { goal_logs: Array.from({ length: 600 }, () => new Array(500).fill(0)) },
  )
  expect(preview).toMatchObject({ entries: 1, notes: [] })
})
