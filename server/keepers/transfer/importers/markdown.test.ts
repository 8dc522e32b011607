import { beforeEach, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { createZip, exportKeeper, importArchive, png, previewArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { logseqGraph, obsidianNotes } from '#tests/foreign-archives.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('a folder of Markdown notes, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'])
  let keeperId: string
  beforeEach(async () => {
    await app.services.db.deleteFrom('keepers').execute()
    await app.services.db.deleteFrom('import_jobs').execute()
    keeperId = (await createTestKeeper(ben)).id
    await ben.call(moments.create, { params: { id: keeperId }, body: { body: 'Here.', timezone: 'America/Lima' } })
  })

  async function list(id = keeperId) {
    const { items } = (await ben.call(moments.list, { params: { id } })).data
    return items.filter(({ body }) => body !== 'Here.').toReversed()
  }

  async function importFiles(files: Record<string, string | Buffer>, mtime?: Date) {
    const job = await importArchive(ben, await createZip(files, mtime && { mtime }), { keeperId })
    return { kind: job.kind, preview: job.preview, items: await list() }
  }

  it('a vault of Obsidian becomes moments with their links and files', async () => {
    const { kind, preview, items } = await importFiles(obsidianNotes)
    const [person, trip, daily] = items
    const address = (id: string | undefined) => `/keeper/${keeperId}/moments?moment=${id}`
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
      body: `Met at the harbor. [Plan](${address(trip?.id)}) and \`[[Trip]] %%code%%\`.`,
      topics: [{ name: 'friend' }, { name: 'sea' }],
    })
    expect(trip).toMatchObject({
      title: 'The trip',
      localDate: '2024-10-01',
      occurredAt: '2024-10-01T12:15:00.000Z',
      mood: { score: 1, label: 'good' },
      place: { name: 'Harbor' },
      media: [{ name: 'sea map.png', alt: 'Map' }],
      body: `> **Plan**\n> Go.\n\n[x](https://sea.example/a.png)\n\n- gratitude: the light, and [Ben Moor](${address(person?.id)})`,
    })
    expect(daily).toMatchObject({
      title: null,
      localDate: '2024-11-03',
      occurredAt: '2024-11-03T17:00:00.000Z',
      topics: [{ name: 'sea/north' }],
      media: [{ name: 'gull.png', alt: null }],
      body: `At the sea with [Ben](${address(person?.id)}).\n\n[Trip > Plan](${address(trip?.id)})\n\nWind. #sea/north #2024`,
    })
    expect(JSON.stringify(items)).not.toContain('only for me')
  })

  it('importing again creates nothing, also after notes have moved', async () => {
    await importFiles(obsidianNotes)
    const { 'Trip.md': trip, ...others } = obsidianNotes
    const again = { ...others, 'Archive/2024/Trip.md': trip, 'New.md': '---\ndate: 2024-12-01\n---\nNew.' }
    const zip = await createZip(again)
    const { preview } = await previewArchive(ben, zip, `&keeperId=${keeperId}`)
    expect(preview).toMatchObject({ entries: 4, duplicates: 3 })
    await importArchive(ben, zip, { keeperId })
    expect(await list()).toHaveLength(4)
  })

  it('equal words under two names are two moments', async () => {
    const { items } = await importFiles({ '2024-01-01.md': 'Good day.', '2024-01-02.md': 'Good day.' })
    expect(items.map(({ localDate }) => localDate)).toEqual(['2024-01-01', '2024-01-02'])
    const again = await createZip({ '2024-01-02.md': 'Good day.', '2024-01-03.md': 'Good day.' })
    const { preview } = await previewArchive(ben, again, `&keeperId=${keeperId}`)
    expect(preview).toMatchObject({ entries: 2, duplicates: 1 })
  })

  const evidence: [name: string, text: string, expected: object][] = [
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

  it('time and title come from the first evidence', async () => {
    const files = evidence.map(([name, text], at) => [`${String(at).padStart(2, '0')}/${name}`, text] as const)
    const zip = await createZip(Object.fromEntries(files), { mtime: new Date('2001-01-01T00:00:00Z') })
    await importArchive(ben, zip, { keeperId })
    const items = await list()
    const rows = await app.services.db.selectFrom('moments').select(['id', 'source_id']).execute()
    for (const [at, [, , expected]] of evidence.entries()) {
      const id = rows.find(({ source_id }) => source_id?.startsWith(files[at]?.[0] ?? '?'))?.id
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
    const address = (moment: { id: string } | undefined) => `/keeper/${keeperId}/moments?moment=${moment?.id}`
    expect(third).toMatchObject({ title: null, localDate: '2024-11-03', media: [{ name: 'gull_1.png' }] })
    expect(third?.body).toBe('- At the sea\n\t- [x] swim\n\t- [ ] dry\n- \n  Wind.')
    expect(fourth?.body).toBe(
      `As [At the sea](${address(third)}) said, and [Nov 3rd, 2024](${address(third)}), [trips/north](${address(page)}).`,
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

  it('a repacked vault is the same, and an export of it has equal texts elsewhere', async () => {
    await importFiles(obsidianNotes)
    const repacked = Object.fromEntries(
      Object.entries(obsidianNotes).map(([name, content]) => [`My vault/${name}`, content]),
    )
    const junk = { '__MACOSX/My vault/._Trip.md': Buffer.from([0, 5, 22, 7]), 'My vault/.DS_Store': 'x' }
    const { preview } = await previewArchive(ben, await createZip({ ...repacked, ...junk }), `&keeperId=${keeperId}`)
    expect(preview).toMatchObject({ entries: 3, duplicates: 3 })
    const job = await importArchive(ben, await exportKeeper(ben, keeperId))
    const copies = await list(job.keeperId ?? '')
    const plain = (items: Awaited<ReturnType<typeof list>>) =>
      items.map(({ title, localDate, media }) => [title, localDate, media.length])
    expect(plain(copies)).toEqual(plain(await list()))
  })
})
