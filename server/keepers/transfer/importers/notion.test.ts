import { beforeEach, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { createZip, importArchive, png, previewArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { notionId, notionPages } from '#tests/foreign-archives.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { readNotionMarkdown } from './notion.ts'

const mtime = new Date('2025-01-01T00:00:00Z')

describe.each(engines)("Notion's export, on %s", (engine) => {
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
    const part = (from: number, to: number) =>
      createZip(
        Object.fromEntries(names.slice(from, to).map((name) => [`Export-1/${name}`, notionPages[name] ?? ''])),
        {
          mtime,
        },
      )
    const zip = await createZip({ 'Export-1-Part-1.zip': await part(0, 4), 'Export-1-Part-2.zip': await part(4, 9) })
    const { job, items } = await importZip(zip)
    const [long, sea] = ['A very long name that was cut', 'At the sea'].map((title) =>
      items.find((moment) => moment.title === title),
    )
    const address = (moment: { id: string } | undefined) => `/keeper/${keeperId}/moments?moment=${moment?.id}`
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
      body: `💡 Wind.\n\n[A very long na](${address(long)}) and table, [site](https://sea.example).\n\n- Who: Ben`,
    })
    expect(long).toMatchObject({
      occurredAt: mtime.toISOString(),
      body: `Note: this is text.\n\n[back](${address(sea)})`,
    })
    expect(items.find(({ title }) => title === null)).toMatchObject({
      occurredAt: '2024-11-03T06:15:00.000Z',
      body: '- Fällig: 5. Mai 2025',
    })
    const again = await previewArchive(ben, await createZip(notionPages), `&keeperId=${keeperId}`)
    expect(again.preview).toMatchObject({ entries: 3, duplicates: 3 })
  })

  it('the HTML export has the same content', async () => {
    const row = (kind: string, name: string, value: string) =>
      `<tr class="property-row property-row-${kind}"><th><span class="icon"></span>${name}</th><td>${value}</td></tr>`
    const properties = [
      row('created_time', 'Created', '<time>@November 3, 2024 7:15 AM</time>'),
      row('multi_select', 'Tags', '<span class="selected-value">sea</span><span class="selected-value">gull</span>'),
      row('checkbox', 'Swam', '<div class="checkbox checkbox-on"></div>'),
    ].join('')
    const body = [
      '<nav class="table_of_contents"><a href="#x">Wind</a></nav><h1>Wind</h1>',
      '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>swim</span></li></ul>',
      '<ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>dry</span></li></ul>',
      `<figure><a href="At%20the%20sea%20${notionId('b')}/gull.png"><img src="At%20the%20sea%20${notionId('b')}/gull.png"/></a></figure>`,
      `<p>To <a href="Other%20${notionId('c')}.html">the other</a><script>alert(1)</script></p>`,
    ].join('')
    const page = (title: string, table: string, content: string) =>
      `<html><body><article class="page sans"><header><h1 class="page-title">${title}</h1><table class="properties"><tbody>${table}</tbody></table></header><div class="page-body">${content}</div></article></body></html>`
    const { items } = await importZip(
      await createZip({
        'index.html': '<html></html>',
        [`At the sea ${notionId('b')}.html`]: page('At the sea', properties, body),
        [`Other ${notionId('c')}.html`]: page('Other', row('date', 'Day', 'May 2, 2023'), '<p>Words</p>'),
        [`At the sea ${notionId('b')}/gull.png`]: png,
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
    const zip = await createZip({ 'a.md': 'A', 'b.md': 'B', [`c ${notionId('c')}.md`]: 'C' })
    expect((await previewArchive(ben, zip)).kind).toBe('markdown')
  })
})

it('only a row of a database has properties', () => {
  const source = '# Title\n\nDate: 2024-11-03\nNote: two\nlines\n\nBody: x'
  expect(readNotionMarkdown(source, true)).toEqual({
    title: 'Title',
    properties: new Map([
      ['Date', '2024-11-03'],
      ['Note', 'two\nlines'],
    ]),
    body: 'Body: x',
  })
  expect(readNotionMarkdown(source, false)).toMatchObject({ properties: new Map(), body: source.slice(9) })
})
