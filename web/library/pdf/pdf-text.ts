import { openPdf, type PDFPageProxy } from './pdf-engine.ts'

export async function extractPdfText(bytes: Uint8Array, maxCharacters: number): Promise<string> {
  const { pdf, close } = await openPdf(bytes)
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
    return pages.join('\n')
  } finally {
    close()
  }
}

async function extractPageText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}
