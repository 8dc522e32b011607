import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { createZip, importArchive, png, previewArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

const common = { state: 'NORMAL', creator: 'users/1', visibility: 'PRIVATE', pinned: false }
const first = {
  memos: [
    {
      ...common,
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
    { ...common, name: 'memos/def2', createTime: '2023-01-15T10:30:00Z', content: 'Before. #walk', state: 'ARCHIVED' },
    { ...common, name: 'memos/bad', createTime: 'soon', content: 'When?' },
    7,
  ],
  nextPageToken: 'x',
}
const second = {
  memos: [{ ...common, name: 'memos/ghi3', createTime: '2024-03-01T00:00:00Z', content: 'Yes.', parent: 'memos/abc1' }],
}

describe.each(engines)('answers of the API of memos, on %s', (engine) => {
  let app: TestApp
  let ben: Actor
  let keeperId: string
  beforeAll(async () => {
    app = await createTestApp(engine)
    ben = await app.as('ben')
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ben)).id
  })

  const list = async () => (await ben.call(moments.list, { params: { id: keeperId } })).data.items.toReversed()

  it('memos of several pages keep links, comments, places and files', async () => {
    const zip = await createZip({
      'page-1.json': JSON.stringify(first),
      'page-2.json': JSON.stringify(second),
      'attachments/f1/gull.png': png,
      'attachments/f2_gull.png': Buffer.concat([png, Buffer.from('2')]),
    })
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
          "1 memo isn't an object and is left out: page-1.json, memo 4.",
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
