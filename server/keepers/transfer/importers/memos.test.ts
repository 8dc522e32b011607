import { beforeEach, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { createZip, importArchive, png, previewArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { memosAnswers } from '#tests/foreign-archives.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('answers of the API of memos, on %s', (engine) => {
  const { ben } = useTestApp(engine, ['ben'])
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ben)).id
  })

  const list = async () => (await ben.call(moments.list, { params: { id: keeperId } })).data.items.toReversed()

  it('memos of several pages keep links, comments, places and files', async () => {
    const zip = await createZip(memosAnswers)
    const job = await importArchive(ben, zip, { keeperId })
    const [before, sea, comment] = await list()
    const address = (moment: { id: string } | undefined) => `/keeper/${keeperId}/moments?moment=${moment?.id}`
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
    expect(before).toMatchObject({
      body: 'Before. #walk',
      topics: [{ name: 'walk' }],
      occurredAt: '2023-01-15T10:30:00.000Z',
    })
    expect(sea).toMatchObject({
      body: `At the sea #sea/north, see [then](${address(before)}) and \`[x](/m/def2)\`.\n\n[far.png](https://files.example/far.png)`,
      topics: [{ name: 'sea/north' }],
      place: { name: 'Harbor', lat: 54.1, lng: 10.2 },
      media: [
        { name: 'gull.png', bytes: png.length },
        { name: 'gull.png', bytes: png.length + 1 },
      ],
      pinned: true,
    })
    expect(comment?.body).toBe(`Yes.\n\n[The memo this comments on](${address(sea)})`)
    const again = await previewArchive(ben, zip, `&keeperId=${keeperId}`)
    expect(again.preview).toMatchObject({ entries: 3, duplicates: 3 })
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
    const items = await list()
    expect(items.map(({ body }) => body).sort()).toEqual(['List', 'Old'])
    expect(items.find(({ body }) => body === 'Old')).toMatchObject({ pinned: true, media: [{ name: 'g.png' }] })
  })
})
