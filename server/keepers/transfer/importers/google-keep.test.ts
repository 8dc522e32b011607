import { beforeEach, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { createZip, importArchive, previewArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { keepTakeout } from '#tests/foreign-archives.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { readKeepText } from './google-keep.ts'

describe.each(engines)('notes of Google Keep, on %s', (engine) => {
  const { ben } = useTestApp(engine, ['ben'])
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ben)).id
  })

  it('lists, labels, files and times are read, the trash is not', async () => {
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
