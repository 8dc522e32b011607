import { openPdf, type PDFPageProxy } from './pdf-engine.ts'

/** Stops after `maxCharacters` characters. */
export async function pdfText(bytes: Uint8Array, most: number): Promise<string> {
  const { pdf, close } = await openPdf(bytes)
  try {
    const pages: string[] = []
    let length = 0
    for (let number = 1; number <= pdf.numPages && length < most; number++) {
      const page = await pdf.getPage(number)
      const text = await textOfPage(page)
      page.cleanup()
      pages.push(text)
      length += text.length
    }
    return pages.join('\n')
  } finally {
    close()
  }
}

async function textOfPage(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}
