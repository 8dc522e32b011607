import { openPdf, type PDFPageProxy } from './pdf-engine.ts'

/** The PDF reader isn’t loaded; the text can be read once the server is reachable again. */
class PdfFilesMissing extends Error {
  override name = 'PdfFilesMissing'
}

/** The text of each page. @throws PdfFilesMissing if text could be missing */
export async function extractPdfPages(bytes: Uint8Array, maxCharacters: number): Promise<string[]> {
  const { pdf, lacksFiles, close } = await openPdf(bytes)
  try {
    const pages: string[] = []
    let length = 0
    for (let number = 1; number <= pdf.numPages && length < maxCharacters; number++) {
      const page = await pdf.getPage(number)
      const text = await extractPageText(page)
      page.cleanup()
      pages.push(text)
      length += text.length
    }
    if (lacksFiles()) throw new PdfFilesMissing('A character map of this PDF couldn’t be loaded.')
    return pages
  } finally {
    close()
  }
}

async function extractPageText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}
