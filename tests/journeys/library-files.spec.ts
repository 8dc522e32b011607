import type { Locator, Page } from '@playwright/test'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { createJapanesePdf, createMixedPdf, createScanPdf } from './pdf-samples.ts'

const getCard = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const getSearchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search documents' })

async function uploadFiles(page: Page, files: Record<string, Buffer | { buffer: Buffer; mimeType: string }>) {
  await page.getByLabel('Choose documents').setInputFiles(
    Object.entries(files).map(([name, file]) => ({
      name,
      ...(Buffer.isBuffer(file) ? { buffer: file, mimeType: '' } : file),
    })),
  )
}
async function openLibraryDocument(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `View ${name}` }).click()
  return page.getByRole('dialog', { name })
}
const expectPageDrawn = (dialog: Locator, number: number) =>
  expect(dialog.getByRole('region', { name: `Page ${number}` })).toHaveAttribute('aria-busy', 'false')
/** Share of dark pixels in the left and right half of a page. */
const measureHalves = (dialog: Locator, number: number) =>
  dialog
    .getByRole('region', { name: `Page ${number}` })
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
      const dark = [0, 0]
      for (let index = 0; index < pixels.length; index += 4) {
        const half = (index / 4) % width < width / 2 ? 0 : 1
        if ((pixels[index] ?? 255) < 100) dark[half] = (dark[half] ?? 0) + 1
      }
      return dark.map((count) => Math.round((20 * count) / (width * height)) * 10)
    })

test('JPEG 2000 and Japanese PDF text are shown and found from our own address @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  const fetched: string[] = []
  page.on('request', (request) => {
    const { protocol } = new URL(request.url())
    if (protocol !== 'blob:' && protocol !== 'data:') fetched.push(request.url())
  })
  await uploadFiles(page, {
    'scan.pdf': createScanPdf(),
    'nihon.pdf': createJapanesePdf(),
    'broken.pdf': createScanPdf({ damaged: true }),
  })
  await expect(getCard(page, 'nihon.pdf')).toBeVisible()
  await getSearchBox(page).fill('日本')
  await expect(getCard(page, 'nihon.pdf').locator('mark')).toHaveText('日本')
  await expect(page.getByRole('article')).toHaveCount(1)
  await getSearchBox(page).fill('')

  const scan = await openLibraryDocument(page, 'scan.pdf')
  await expectPageDrawn(scan, 1)
  expect(await measureHalves(scan, 1)).toEqual([0, 100])
  await expect(scan.getByText('cannot be shown here')).toHaveCount(0)
  await page.keyboard.press('Escape')

  const brokenDocument = await openLibraryDocument(page, 'broken.pdf')
  await expectPageDrawn(brokenDocument, 1)
  await expect(brokenDocument.getByText('A picture on this page can’t be shown here.')).toBeVisible()
  await page.keyboard.press('Escape')

  const japanese = await openLibraryDocument(page, 'nihon.pdf')
  await expectPageDrawn(japanese, 1)
  await expect(japanese.getByText('日本語の書')).toBeAttached()
  const foreign = fetched.filter((url) => new URL(url).origin !== new URL(keeper.url).origin)
  expect(foreign).toEqual([])
  expect(fetched.some((url) => url.endsWith('/cmaps/90ms-RKSJ-H.bcmap'))).toBe(true)
})

test('a page names its missing picture, and the next page does not @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  await uploadFiles(page, { 'mixed.pdf': createMixedPdf() })
  const dialog = await openLibraryDocument(page, 'mixed.pdf')
  await expectPageDrawn(dialog, 1)
  await expect(dialog.getByText('A picture on this page can’t be shown here.')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Next page' }).click()
  await expectPageDrawn(dialog, 2)
  await expect(dialog.getByText('A picture on this page can’t be shown here.')).toHaveCount(1)
  expect(await measureHalves(dialog, 2)).toEqual([0, 100])
})

test('documents in old encodings and CSV dialects are shown right and found @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  const toBytes = (text: string) => Buffer.from(text, 'latin1')
  const notes =
    '{\\rtf1\\ansi\\ansicpg1252\\cocoartf2761\n{\\fonttbl\\f0\\fswiss\\fcharset0 Helvetica;}\n\\f0\\fs24 \\cf0 Alpha harbour\\\nBeta beacon\\\n\\\nGamma gull}'
  const russian =
    "{\\rtf1\\ansi\\ansicpg1251\\deff0{\\fonttbl{\\f0\\fnil\\fcharset204 Arial;}}\\f0 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2\\par}"
  const polish =
    "{\\rtf1\\ansi\\ansicpg1250\\deff0{\\fonttbl{\\f0\\fnil\\fcharset238 Arial;}}\\f0 Za\\'bf\\'f3\\'b3\\'e6 g\\'ea\\'9cl\\'b9\\par}"
  const meta = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'
  const spanish = '<p>Espa&ntilde;a, M&oacute;nica, &aacute;rbol, &Oslash;stersund, na&iuml;ve</p>'
  const csv = '\ufeffsep=;\r\nName;Größe\r\nÄpfel;"3;5"\r\n'
  await uploadFiles(page, {
    'notes.rtf': { buffer: toBytes(notes), mimeType: 'application/msword' },
    'russian.rtf': { buffer: toBytes(russian), mimeType: 'application/rtf' },
    'polish.rtf': { buffer: toBytes(polish), mimeType: '' },
    'russian.html': toBytes(`<html><head>${meta}</head><body><p>\xcf\xf0\xe8\xe2\xe5\xf2</p></body></html>`),
    'japanese.html': toBytes('<meta charset="shift_jis"><p>\x93\xfa\x96\x7b</p>'),
    'spanish.html': toBytes(spanish),
    'sizes.csv': { buffer: Buffer.from(csv), mimeType: 'application/vnd.ms-excel' },
    [`${'Größe'.normalize('NFD')}.txt`]: Buffer.from('Eine Bestätigung'.normalize('NFD')),
  })
  for (const [query, count] of [
    ['Beta beacon', 1],
    ['Привет', 2],
    ['Zażółć gęślą', 1],
    ['日本', 1],
    ['Østersund', 1],
    ['Größe', 2],
    ['Bestätigung', 1],
  ] as const) {
    await getSearchBox(page).fill(query)
    await expect(page.getByRole('article'), query).toHaveCount(count)
  }
  await getSearchBox(page).fill('')
  const rtf = await openLibraryDocument(page, 'notes.rtf')
  await expect(rtf.getByRole('document')).toHaveText('Alpha harbour\nBeta beacon\n\nGamma gull', { useInnerText: true })
  await page.keyboard.press('Escape')
  for (const [name, text] of [
    ['russian.rtf', 'Привет'],
    ['polish.rtf', 'Zażółć gęślą'],
  ] as const) {
    await expect((await openLibraryDocument(page, name)).getByRole('document')).toHaveText(text)
    await page.keyboard.press('Escape')
  }
  for (const [name, text] of [
    ['russian.html', 'Привет'],
    ['japanese.html', '日本'],
    ['spanish.html', 'España, Mónica, árbol, Østersund, naïve'],
  ] as const) {
    await openLibraryDocument(page, name)
    await expect(page.frameLocator('iframe').getByText(text)).toBeVisible()
    await page.keyboard.press('Escape')
  }
  const table = await openLibraryDocument(page, 'sizes.csv')
  await expect(table.getByRole('columnheader')).toHaveText(['Name', 'Größe'])
  await expect(table.getByRole('cell')).toHaveText(['Äpfel', '3;5'])
})

test('a refused file says what it is and what would work @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  await uploadFiles(page, {
    'letter.docx': Buffer.from('PK\x03\x04\x14\0', 'latin1'),
    'photo.pdf': Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'),
  })
  await expect(page.getByText('Unsupported file type. Please upload PDF, JSON, Markdown, or text files.')).toHaveCount(
    2,
  )
  await expect(page.getByText('This is a word processor document. Save it as PDF or Rich Text')).toBeVisible()
  await expect(page.getByText('This is a picture. Add it to a moment, or save it as PDF.')).toBeVisible()
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('PDF side files that were used once work offline @long', async ({ page, keeper, context, watch }) => {
    await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 30_000 })
    await uploadFiles(page, { 'nihon.pdf': createJapanesePdf(), 'scan.pdf': createScanPdf() })
    await expectPageDrawn(await openLibraryDocument(page, 'nihon.pdf'), 1)
    await page.keyboard.press('Escape')
    await expectPageDrawn(await openLibraryDocument(page, 'scan.pdf'), 1)
    await page.keyboard.press('Escape')
    watch.expectLine(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to |Unreachable/)
    await context.setOffline(true)
    const scan = await openLibraryDocument(page, 'scan.pdf')
    await expectPageDrawn(scan, 1)
    expect(await measureHalves(scan, 1)).toEqual([0, 100])
    await page.keyboard.press('Escape')
    await uploadFiles(page, { 'other.pdf': createJapanesePdf({ encoding: 'EUC-H', text: 'c6fccbdc' }) })
    const otherDocument = await openLibraryDocument(page, 'other.pdf')
    await expectPageDrawn(otherDocument, 1)
    await expect(otherDocument.getByText('Some letters on this page can’t be shown offline.')).toBeVisible()
    await page.keyboard.press('Escape')
    await getSearchBox(page).fill('日本')
    await expect(page.getByRole('article')).toHaveCount(1)
    await context.setOffline(false)
    await page.reload()
    await getSearchBox(page).fill('日本')
    await expect(page.getByRole('article')).toHaveCount(2)
  })
})
