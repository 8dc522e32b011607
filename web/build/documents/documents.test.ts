import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '#server/app.ts'
import { createWebFiles } from '#server/http/web-files.ts'
import { createTestApp, type TestApp } from '#tests/test-app.ts'
import { getDocumentPath, servedDocuments } from './served-documents.ts'
import { renderDocuments, rewriteLinks } from './write-documents.ts'

const repository = join(import.meta.dirname, '../../..')
const files = renderDocuments(repository)
/** Programs read it whole. */
const maxLlmsBytes = 10_000
const maxBytes = 500_000

let testApp: TestApp
let app: App
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-documents-'))
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  testApp = await createTestApp('sqlite')
  app = createApp(testApp.services, createWebFiles(folder))
})
afterAll(async () => {
  await testApp.close()
  rmSync(folder, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) =>
  app.fetch(new Request(`http://localhost${path}`, { headers: { host: 'localhost', ...headers } }))
const listLinks = (markdown: string) =>
  [...markdown.replaceAll(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, url = '']) => url)
/** As GitHub and most renderers name headings. */
const listAnchors = (markdown: string) =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

describe('/llms.txt', () => {
  it('has the form that llmstxt.org describes', async () => {
    const response = await get('/llms.txt')
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const text = await response.text()
    expect(text).toMatch(/^# Keeper\n\n> [^\n]+\n\n/)
    const [head = '', ...sections] = text.split(/^## /m)
    expect(head.match(/^#/gm)).toHaveLength(1)
    expect(sections.at(-1)).toMatch(/^Optional\n/)
    for (const section of sections)
      for (const line of section.split('\n').slice(1).filter(Boolean))
        expect(line).toMatch(/^- \[[^\]]+\]\(\/[^)]+\): \S/)
    expect(Buffer.byteLength(text)).toBeLessThan(maxLlmsBytes)
  })

  it('links only pages that are served', async () => {
    const links = listLinks(files.get('/llms.txt') ?? '')
    expect(links).toEqual(expect.arrayContaining(['/docs/connecting-programs.md', '/api', '/api/openapi.json']))
    for (const link of links) expect({ link, status: (await get(link)).status }).toEqual({ link, status: 200 })
    expect(links.filter((link) => link.endsWith('.md'))).toEqual(servedDocuments.map(getDocumentPath))
  })

  it('is not served on other hosts', async () => {
    expect((await get('/llms.txt', { host: 'elsewhere.example.org' })).status).not.toBe(200)
  })
})

describe.each(servedDocuments.map((document) => [getDocumentPath(document), document] as const))('%s', (path) => {
  it('is Markdown, cached like other files', async () => {
    const response = await get(path, { 'accept-encoding': 'br' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('content-encoding')).toBe('br')
    const etag = response.headers.get('etag') ?? ''
    expect((await get(path, { 'accept-encoding': 'br', 'if-none-match': etag })).status).toBe(304)
    expect(Buffer.byteLength(files.get(path) ?? '')).toBeLessThan(maxBytes)
  })

  it('has links that work, and none into the repository', async () => {
    const text = files.get(path) ?? ''
    for (const link of listLinks(text).filter((url) => !/^https?:/.test(url))) {
      const { pathname, hash } = new URL(link, `http://localhost${path}`)
      expect({ link, status: (await get(pathname)).status }).toEqual({ link, status: 200 })
      if (hash) expect(listAnchors(files.get(pathname) ?? ''), link).toContain(hash.slice(1))
    }
  })

  it('has a title, and no secret', () => {
    const text = files.get(path) ?? ''
    expect(text).toMatch(/^#+ \S/)
    expect(text).not.toMatch(/keeper_pat_[\w-]{20,}|sk-[A-Za-z0-9]{20,}|-----BEGIN/)
  })
})

describe('rewriting links', () => {
  const rewrite = (text: string, source = 'docs/guides/admin.md') =>
    rewriteLinks(text, { source, title: '', description: '' })

  it('keeps links to served documents, also in tables, and only the text of others', () => {
    expect(rewrite('[run](../operating.md#backups), [code](../../server/app.ts), [away](https://example.org)')).toBe(
      '[run](../operating.md#backups), code, [away](https://example.org)',
    )
    expect(rewrite('| a | b |\n|---|---|\n| [`x`](../decisions/0001.md) | [y](my-keeper.md) |')).toBe(
      '| a | b |\n|---|---|\n| `x` | [y](my-keeper.md) |',
    )
  })

  it('leads links to the settings to their own document', () => {
    expect(rewrite('[s](../README.md#settings) and [r](../README.md)', 'docs/operating.md')).toBe(
      '[s](settings.md) and r',
    )
  })

  it('replaces pictures with their text and leaves code alone', () => {
    expect(rewrite('![The list](../images/a.png)\n\n`[x](y.md)`\n')).toBe('(Picture: The list)\n\n`[x](y.md)`\n')
  })
})
