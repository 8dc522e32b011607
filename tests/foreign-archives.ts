import type { ForeignImportKind } from '#contract/keepers/transfer.ts'
import { png } from './create-zip.ts'

export type ArchiveFiles = Record<string, string | Buffer>

export const obsidianNotes = {
  '.obsidian/app.json': '{"attachmentFolderPath":"Files"}',
  '.obsidian/daily-notes.json': '{"folder":"Daily","format":"D. MMMM YYYY"}',
  '.obsidian/templates.json': '{"folder":"Templates"}',
  'Templates/Daily.md': '# {{date}}',
  '.trash/Old.md': 'Gone.',
  'node_modules/a/readme.md': 'No note.',
  'Board.canvas': '{}',
  'Sketch.excalidraw.md': 'Drawing',
  'Daily/3. November 2024.md':
    'At the sea with [[Ben Moor|Ben]]. ![[gull.png|300]]\n\n![[Trip#Plan]]\n\n%%only for me%%Wind. #sea/north #2024',
  'People/Ben Moor.md':
    '---\ncreated: 2020-05-01T08:00:00+02:00\ntags: [friend, sea]\naliases: [Ben]\n---\n# Ben Moor\n\nMet at the harbor. [Plan](../Trip.md) and `[[Trip]] %%code%%`.',
  'Trip.md':
    '---\ndate: 2024-10-01\ntime: 07:15\ntitle: The trip\nmood: good\nlocation: Harbor\ngratitude: "the light, and [[Ben Moor]]"\ncssclasses: wide\n---\n> [!note]+ Plan\n> Go. ^plan\n\n![Map](Files/sea%20map.png)\n![gone](Files/gone.png)\n[x](https://sea.example/a.png)',
  'Files/gull.png': png,
  'Files/sea map.png': png,
}

const logseqBlock = '65f00000-1111-4222-8333-444455556666'
export const logseqGraph: ArchiveFiles = {
  'logseq/config.edn': '{;; :journal/page-title-format "MMM do, yyyy"\n :journal/page-title-format "dd-MM-yyyy"}',
  'logseq/bak/journals/2024_11_03.md': '- Older',
  'journals/2024_11_03.md': `- At the sea\n  id:: ${logseqBlock}\n  collapsed:: true\n\t- DONE swim\n\t- TODO dry\n- ![gull.png](../assets/gull_1.png){:height 30, :width 40}\n-\n- #+BEGIN_QUOTE\n  Wind.\n  #+END_QUOTE`,
  'journals/2024_11_04.md': `- As ((${logseqBlock})) said, and [[Nov 3rd, 2024]], [[trips/north]].`,
  'pages/trips___north.md': 'tags:: [[sea]], walk\ndate:: [[Nov 5th, 2024]]\nrating:: 5\n\n- {{embed [[Missing]]}}',
  'pages/old.org': '* Org',
  'assets/gull_1.png': png,
}

export const createNotionId = (digit: string) => digit.repeat(32)
export const notionPages: ArchiveFiles = {
  [`Journal ${createNotionId('a')}.csv`]: '\uFEFFName,Date,Tags\nAt the sea,"November 3, 2024 7:15 AM","sea, gull"\n',
  [`Journal ${createNotionId('a')}_all.csv`]: '\uFEFFName,Date,Tags\n',
  [`Journal ${createNotionId('a')}/At the sea ${createNotionId('b')}.md`]: `# At the sea\n\nDate: November 3, 2024 7:15 AM → November 4, 2024\nTags: sea, New York\nStimmung: good\nLast edited time: November 5, 2024 8:00 PM\nWho: Ben\n\n![gull.png](At%20the%20sea%20${createNotionId('b')}/gull%201.png)\n\n<aside>\n💡 Wind.\n\n</aside>\n\n[A very long na](../A%20very%20long%20name%20that%20${createNotionId('c')}.md) and [table](../Journal%20${createNotionId('a')}.csv), [site](https://sea.example).`,
  [`Journal ${createNotionId('a')}/At the sea ${createNotionId('b')}/gull 1.png`]: png,
  [`A very long name ${createNotionId('c')}.md`]: `# A very long name that was cut\n\nNote: this is text.\n\n[back](Journal%20${createNotionId('a')}/At%20the%20sea%20${createNotionId('b')}.md)`,
  [`Journal ${createNotionId('a')}/Untitled ${createNotionId('d')}.md`]:
    '# Untitled\n\nErstellt: 3. November 2024 07:15\nFällig: 5. Mai 2025\n',
}

const flags = { color: 'RED', isTrashed: false, isPinned: false, isArchived: false }
const toMicroseconds = (iso: string) => Date.parse(iso) * 1000
export const keepTakeout: ArchiveFiles = {
  'Takeout/Archiv_Übersicht.html': '<html></html>',
  'Takeout/Google Notizen/Labels.txt': 'sea\n',
  'Takeout/Google Notizen/Shopping.json': JSON.stringify({
    ...flags,
    isPinned: true,
    title: 'Shopping',
    listContent: [{ text: 'bread', isChecked: true }, { text: 'two\nlines', isChecked: false }, { text: '' }, 7],
    labels: [{ name: 'New York' }, { name: 'sea' }],
    userEditedTimestampUsec: toMicroseconds('2023-08-02T00:00:00Z'),
    createdTimestampUsec: toMicroseconds('2023-08-01T04:29:43.842Z'),
    sharees: [{ isOwner: true, type: 'WRITER', email: 'ida@sea.example' }],
  }),
  'Takeout/Google Notizen/2021-08-26T12_50_07.132+05_00.json': JSON.stringify({
    ...flags,
    isArchived: true,
    title: '',
    textContent: 'Wind.',
    userEditedTimestampUsec: toMicroseconds('2022-01-01T00:00:00Z'),
    attachments: [{ filePath: '16.1.jpeg', mimetype: 'image/jpeg' }, { filePath: 'gone.png' }, {}],
    annotations: [{ url: 'https://sea.example/a', title: 'The [sea]', source: 'WEBLINK' }],
  }),
  'Takeout/Google Notizen/16.1.jpg': png,
  'Takeout/Google Notizen/Old.json': JSON.stringify({
    ...flags,
    isTrashed: true,
    title: 'Old',
    textContent: 'Gone.',
  }),
  'Takeout/Google Notizen/Broken.json': '{"isTrashed":false,"textContent":"Half',
  'Takeout/Kalender/a.json': '{"entries":[]}',
}

const memoFields = { state: 'NORMAL', creator: 'users/1', visibility: 'PRIVATE', pinned: false }
const firstAnswer = {
  memos: [
    {
      ...memoFields,
      name: 'memos/abc1',
      createTime: '2024-01-15T10:30:00Z',
      updateTime: '2024-02-01T00:00:00Z',
      content: 'At the sea #sea/north, see [then](/memos/def2) and `[x](/m/def2)`.',
      tags: ['sea/north'],
      pinned: true,
      attachments: [
        { name: 'attachments/f1', filename: 'gull.png', type: 'image/png', size: '70', memo: 'memos/abc1' },
        { name: 'attachments/f2', filename: 'gull.png', type: 'image/png' },
        { name: 'attachments/f3', filename: 'far.png', externalLink: 'https://files.example/far.png' },
        { name: 'attachments/f4', filename: 'gone.png' },
      ],
      relations: [
        { memo: { name: 'memos/abc1' }, relatedMemo: { name: 'memos/def2', snippet: 'x' }, type: 'REFERENCE' },
        { memo: 'memos/ghi3', relatedMemo: 'memos/abc1', type: 'COMMENT' },
      ],
      location: { placeholder: 'Harbor', latitude: 54.1, longitude: 10.2 },
    },
    {
      ...memoFields,
      name: 'memos/def2',
      createTime: '2023-01-15T10:30:00Z',
      content: 'Before. #walk',
      state: 'ARCHIVED',
    },
    { ...memoFields, name: 'memos/bad', createTime: 'soon', content: 'When?' },
    7,
  ],
  nextPageToken: 'x',
}
const secondAnswer = {
  memos: [
    { ...memoFields, name: 'memos/ghi3', createTime: '2024-03-01T00:00:00Z', content: 'Yes.', parent: 'memos/abc1' },
  ],
}
export const memosResponses: ArchiveFiles = {
  'page-1.json': JSON.stringify(firstAnswer),
  'page-2.json': JSON.stringify(secondAnswer),
  'attachments/f1/gull.png': png,
  'attachments/f2_gull.png': Buffer.concat([png, Buffer.from('2')]),
}

const createJournalPage = (day: string, text: string) =>
  `<p><span><div class='pageContainer'><div class="pageHeader">${day}</div><div class="assetGrid"><div id="P1" class="gridItem assetType_photo"><img src="../Resources/P1.heic"></div></div><div class='title'></span><span>By the sea</span><span></div><div class='bodyText'></span></p><p class="p2">${text}</p>`

/** App-lock PIN in a Daylio backup; must never be stored or logged. */
export const daylioPin = '471147'

interface ForeignArchive {
  app: string
  kind: ForeignImportKind
  files: ArchiveFiles
  entries: number
}

/** A small export of each app with a file, a mood, a place or tags. */
export const foreignArchives: ForeignArchive[] = [
  {
    app: 'Apple Journal',
    kind: 'apple-journal',
    entries: 2,
    files: {
      'index.html': '<a href="Entries/a.html">',
      'Entries/2024-11-03.html': createJournalPage('Sunday, 3 November 2024', 'One'),
      'Entries/2024-11-04.html': createJournalPage('lundi 4 novembre 2024', 'Two'),
      'Resources/P1.heic': png,
    },
  },
  {
    app: 'Journiv',
    kind: 'journiv',
    entries: 1,
    files: {
      'data.json': JSON.stringify({
        export_version: '1.0',
        app_version: '1',
        user_email: `${daylioPin}@b.example`,
        journals: [
          {
            title: 'Travel',
            entries: [
              {
                title: 'A day',
                content: 'Hi *you*',
                entry_datetime_utc: '2026-01-02T22:30:00',
                tags: ['sea'],
                entry_timezone: 'Asia/Tokyo',
                location: 'Ueno',
                latitude: 35.7,
                longitude: 139.7,
                media: [{ filename: 'sea.png', file_path: 'e/m_sea.png' }],
              },
            ],
          },
        ],
      }),
      'media/e/m_sea.png': png,
    },
  },
  {
    app: 'Daylio',
    kind: 'daylio',
    entries: 2,
    files: {
      'backup.daylio': Buffer.from(
        JSON.stringify({
          pin: daylioPin,
          customMoods: [{ id: 1, custom_name: '', predefined_name_id: 1, mood_group_id: 1 }],
          tags: [{ id: 7, name: 'reading' }],
          assets: [{ id: 1, checksum: 'abc', type: 1 }],
          dayEntries: [
            {
              id: 1,
              year: 2023,
              month: 10,
              day: 19,
              hour: 10,
              minute: 45,
              datetime: 1,
              timeZoneOffset: -18_000_000,
              mood: 1,
              note: 'Hi<br>you',
              tags: [7],
              assets: [1],
            },
            {
              id: 2,
              year: 2023,
              month: 10,
              day: 20,
              hour: 1,
              minute: 0,
              datetime: 2,
              timeZoneOffset: 3_600_000,
              mood: 1,
              note: '',
              tags: [7],
              assets: [],
            },
          ],
        }),
      ).toString('base64'),
      'assets/photos/2023/11/abc': png,
    },
  },
  {
    app: 'Diarium',
    kind: 'diarium',
    entries: 2,
    files: {
      'Diarium.json': JSON.stringify([
        { date: '2010-10-26T15:47:53.4882800', heading: 'A day', html: '<p>Hi</p>', rating: 5, location: [40, -83] },
        { date: '2010-10-27T15:47:53', heading: '', html: '<p>Ho</p>', rating: 0 },
      ]),
      'media/2010-10-26_154753488/a.png': png,
    },
  },
  { app: 'Obsidian', kind: 'markdown', entries: 3, files: obsidianNotes },
  { app: 'Logseq', kind: 'markdown', entries: 3, files: logseqGraph },
  { app: 'Notion', kind: 'notion', entries: 3, files: notionPages },
  { app: 'Google Keep', kind: 'google-keep', entries: 2, files: keepTakeout },
  { app: 'memos', kind: 'memos', entries: 3, files: memosResponses },
]
