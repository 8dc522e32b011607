// pdf.js expects DOMMatrix when it is loaded, though nothing is drawn here.
Object.assign(globalThis, { DOMMatrix: class {} })

/** The text of a PDF, its pages, and how many images are painted on them. */
export async function readPdf(bytes: Buffer): Promise<{ text: string; pages: number; images: number }> {
  const { getDocument, OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const paintedImages = new Set<number>([
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageXObjectRepeat,
  ])
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  let text = ''
  let images = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    text += `${items.map((item) => ('str' in item ? item.str : '')).join(' ')}\n`
    const { fnArray } = await page.getOperatorList()
    images += fnArray.filter((operation) => paintedImages.has(operation)).length
  }
  return { text, pages: pdf.numPages, images }
}
