import { expect, it } from 'vitest'
import { png } from '#tests/archives.ts'
import { planArchive } from '#tests/plan-archive.ts'

const moods = [
  { id: 1, custom_name: '', predefined_name_id: 1, mood_group_id: 1 },
  { id: 4, custom_name: '', predefined_name_id: 4, mood_group_id: 4 },
  { id: 9, custom_name: 'meh+', predefined_name_id: -1, mood_group_id: 2 },
]
const tags = [
  { id: 7, name: 'reading', id_tag_group: 1 },
  { id: 8, name: 'Mom & Dad', id_tag_group: 1 },
]
const plain = {
  id: 1,
  year: 2023,
  month: 10,
  day: 19,
  hour: 10,
  minute: 45,
  datetime: 1_700_408_759_432,
  timeZoneOffset: -18_000_000,
  mood: 9,
  note: 'Hi',
  note_title: '',
  tags: [],
  assets: [],
}

/** Wrapped after 76 characters, as some versions write it. */
function encodeBackup(backup: object): string {
  return (
    Buffer.from(JSON.stringify(backup))
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\n')
}

const importEntries = (entries: unknown[], files: Record<string, Buffer> = {}, backup: object = {}) =>
  planArchive(
    {
      'backup.daylio': encodeBackup({
        version: 15,
        pin: '4711',
        customMoods: moods,
        tags,
        dayEntries: entries,
        ...backup,
      }),
      ...files,
    },
    { timezone: 'Europe/Berlin' },
  )

const csvHeader = 'full_date,date,weekday,time,mood,activities,note_title,note'
const importTable = (text: string) => planArchive({ 'daylio_export.csv': text }, { timezone: 'Europe/Berlin' })

it('an entry keeps its chosen time, mood, activities, title and text', async () => {
  const note = '<div>Καλημέρα <b>κόσμε</b></div><div><br></div><ul><li>one</li></ul>'
  const { kind, preview, moments } = await importEntries([
    { ...plain, tags: [7, 8], note, note_title: 'Title ✨', isFavorite: true },
  ])
  expect(kind).toBe('daylio')
  expect(moments).toMatchObject([
    {
      occurredAt: Date.parse('2023-11-19T10:45:00-05:00'),
      localDate: '2023-11-19',
      timezone: '-05:00',
      mood: { score: 1, label: 'meh+' },
      topics: ['reading', 'Mom & Dad'],
      title: 'Title ✨',
      text: 'Καλημέρα **κόσμε**\n\n- one',
      pinned: true,
    },
  ])
  expect(preview).toMatchObject({ entries: 1, notes: [] })
})

it.each([
  ['mood', 1, { mood: { score: 2, label: 'rad' } }, []],
  ['mood', '4', { mood: { score: -1, label: 'bad' } }, []],
  ['mood', 5, { mood: { score: -2, label: 'awful' } }, []],
  ['mood', null, { mood: null }, []],
  ['mood', { id: 1 }, { mood: null }, []],
  ['month', 0, { localDate: '2023-01-19' }, []],
  ['month', 12, { localDate: '2023-11-19' }, []],
  ['hour', -1, { occurredAt: Date.parse('2023-11-19T12:00:00-05:00') }, []],
  ['minute', '5', { occurredAt: Date.parse('2023-11-19T10:05:00-05:00') }, []],
  ['year', undefined, { occurredAt: plain.datetime }, []],
  ['timeZoneOffset', 19_800_000, { timezone: '+05:30' }, []],
  ['timeZoneOffset', -150, { timezone: '-02:30' }, []],
  ['timeZoneOffset', 'x', { timezone: 'Europe/Berlin' }, ['1 entry names no time zone, so yours is used.']],
  ['tags', 7, { topics: ['reading'] }, []],
  ['tags', [99], { topics: [] }, ['1 activity isn’t in the backup: backup.daylio, entry 1.']],
  ['note', 'a & b < c\nd', { text: 'a & b < c\nd' }, []],
  ['note_title', 7, { title: '7' }, []],
  ['assets', {}, { files: [], text: 'Hi' }, ['1 file has no name in the export.']],
  ['isFavorite', 'maybe', { pinned: false }, []],
])('an entry with %s set to %j is imported', async (name, value, expected, notes) => {
  const { moments, preview } = await importEntries([{ ...plain, [name]: value }])
  expect(moments).toMatchObject([expected])
  expect(preview?.notes).toEqual(notes)
})

it("an entry with only a mood and activities isn't empty", async () => {
  const { moments, preview } = await importEntries([
    { ...plain, note: '', tags: [7, 8] },
    { ...plain, id: 2, note: '' },
  ])
  expect(moments.map(({ text }) => text)).toEqual(['meh+: reading, Mom & Dad', 'meh+'])
  expect(preview).toMatchObject({ entries: 2, notes: [] })
})

it('files are found by checksum, in any folder and with any extension', async () => {
  const assets = [
    { id: 12, checksum: 'F64A', type: 1, android_metadata: '{"Name":"sea.png","Orientation":0}' },
    { id: 13, checksum: 'b7', type: 2, android_metadata: '{' },
    { id: 14, checksum: 'c8', type: 1 },
  ]
  const { moments, preview } = await importEntries(
    [{ ...plain, assets: [12, 13, 14, 15] }],
    { 'assets/photos/2023/9/f64a': png, 'assets/audio/2023/9/b7.m4a': png },
    { assets },
  )
  expect(moments[0]?.files).toEqual([
    { file: 'assets/photos/2023/9/f64a', name: 'sea.png' },
    { file: 'assets/audio/2023/9/b7.m4a', name: undefined },
  ])
  expect(preview).toMatchObject({ media: 4, missingMedia: 2, notes: ['1 file has no name in the export.'] })
})

it('an entry without a day is left out by name; goals are counted', async () => {
  const { preview } = await importEntries([plain, { id: 2, note: 'When?' }, 7], {}, { goals: [{ id: 1 }] })
  expect(preview).toMatchObject({
    entries: 1,
    notes: expect.arrayContaining([
      '1 entry has no date that can be read and is left out: backup.daylio, entry 2.',
      '1 entry isn’t an object and is left out: backup.daylio, entry 3.',
      '1 goal isn’t imported.',
    ]),
  })
})

it('a table next to a backup imports no entry twice', async () => {
  const { moments } = await importEntries([plain], {
    'a.csv': Buffer.from(`${csvHeader}\n2023-11-19,,,10:45,good,,,Hi`),
  })
  expect(moments).toHaveLength(1)
})

it('a damaged backup is refused', async () => {
  await expect(planArchive({ 'backup.daylio': encodeBackup({ dayEntries: [plain] }).slice(0, -60) })).rejects.toThrow(
    'backup.daylio in this zip ends too early. Export it again.',
  )
})

it('the PIN is never passed on', async () => {
  const archive = await importEntries([plain, 'x', { note: 'no date' }], {}, { tags: 4711 })
  expect(JSON.stringify(archive)).not.toContain('4711')
})

it('the table has times of 12 and 24 hours, activities and known moods', async () => {
  const { kind, preview, moments } = await importTable(
    [
      `\ufeff${csvHeader}`,
      '2023-12-17,Dec 17,Sunday,6:50 pm,rad,walk | Mom & Dad,"A ""title""","two\nlines, and a comma"',
      '2023-12-17,17. Dez.,Sonntag,08:05,meh,"","",""',
      '2023-12-16,16 Dec,Saturday,12:30 a.m.,ecstatic,,,<b>bold</b>',
      '2023-12-15,15 Dec,Friday,soon,Awful,,,x',
      '2023-12-14,14 Dec,Thursday,08:00,fine,walk,,',
      'yesterday,,,08:00,good,,,lost',
    ].join('\r\n'),
  )
  expect(kind).toBe('daylio')
  expect(moments).toMatchObject([
    {
      occurredAt: Date.parse('2023-12-17T18:50:00+01:00'),
      mood: { score: 2, label: 'rad' },
      topics: ['walk', 'Mom & Dad'],
      title: 'A "title"',
      text: 'two\nlines, and a comma',
    },
    { occurredAt: Date.parse('2023-12-17T08:05:00+01:00'), mood: { score: 0, label: 'meh' }, text: 'meh' },
    { occurredAt: Date.parse('2023-12-16T00:30:00+01:00'), mood: null, text: '**bold**\n\n- Mood: ecstatic' },
    { occurredAt: Date.parse('2023-12-15T12:00:00+01:00'), mood: { score: -2, label: 'Awful' } },
    { mood: null, text: 'fine: walk', topics: ['walk'] },
  ])
  expect(preview?.notes).toEqual(
    expect.arrayContaining([
      '2 moods aren’t on Keeper’s scale; their names are in the text: ecstatic; fine.',
      '1 time couldn’t be read; noon is used: daylio_export.csv, row 5.',
      '1 entry has no date that can be read and is left out: daylio_export.csv, row 7.',
    ]),
  )
})

it.each([
  ['tabs', '\t', ''],
  ['semicolons', ';', ''],
  ['a column for scales', ',', 'scales'],
])('a table with %s is read', async (_, separator, column) => {
  const columns = csvHeader.split(',').toSpliced(6, 0, ...(column ? [column] : []))
  const row = ['2026-05-14', 'May 14', 'Thursday', '22:00', 'good', 'a | b', ...(column ? ['Sleep: 3'] : []), '', 'Hi']
  const { moments } = await importTable([columns, row].map((cells) => cells.join(separator)).join('\n'))
  expect(moments).toMatchObject([
    { topics: ['a', 'b'], mood: { score: 1 }, text: column ? 'Hi\n\n- Scales: Sleep: 3' : 'Hi' },
  ])
})

it('other tables and other files named .daylio are not taken for Daylio', async () => {
  expect((await planArchive({ 'a.csv': 'date,amount\n1,2', 'b.daylio': 'not base64 of JSON' })).kind).toBeUndefined()
})

it('long lists that aren’t needed don’t prevent reading', async () => {
  const { preview } = await importEntries(
    [plain],
    {},
    { goalEntries: Array.from({ length: 600 }, () => new Array(500).fill(0)) },
  )
  expect(preview).toMatchObject({ entries: 1, notes: [] })
})
