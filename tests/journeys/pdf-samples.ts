/** 400 × 300, gray: the left half white, the right half black. */
const jpeg2000 = Buffer.from(
  '/0//UQApAAAAAAGQAAABLAAAAAAAAAAAAAABkAAAASwAAAAAAAAAAAABBwEB/1IADAAAAAEABQQEAAH/XAATQEBISFBISFBISFBISFBISFD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAAeAAH/k90kNewNKqJbaMwQgICAgID/2Q==',
  'base64',
)

interface PdfObject {
  dictionary: string
  stream?: Buffer
}

/** Objects 1 and 2 are the catalog and the list of pages; `objects` begin at 3. */
function writePdf(objects: PdfObject[], pages: readonly number[]): Buffer {
  const all: PdfObject[] = [
    { dictionary: '/Type /Catalog /Pages 2 0 R' },
    { dictionary: `/Type /Pages /Count ${pages.length} /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}]` },
    ...objects,
  ]
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  for (const [index, { dictionary, stream }] of all.entries()) {
    const length = stream ? ` /Length ${stream.length}` : ''
    chunks.push(Buffer.from(`${index + 1} 0 obj\n<< ${dictionary}${length} >>\n`))
    if (stream) chunks.push(Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n'))
    chunks.push(Buffer.from('endobj\n'))
  }
  chunks.push(Buffer.from(`trailer\n<< /Root 1 0 R /Size ${all.length + 1} >>\n`))
  return Buffer.concat(chunks)
}

const createPage = (resources: string, contents: number) => ({
  dictionary: `/Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Resources << ${resources} >> /Contents ${contents} 0 R`,
})
const createContent = (operators: string) => ({ dictionary: '', stream: Buffer.from(operators) })
const drawPicture = createContent('q 400 0 0 300 0 0 cm /I1 Do Q')
const createPicture = (dictionary: string, stream: Buffer) => ({
  dictionary: `/Type /XObject /Subtype /Image /Width 400 /Height 300 /ColorSpace /DeviceGray /BitsPerComponent 8 ${dictionary}`,
  stream,
})

/** A scan compressed as JPEG 2000; `damaged` can't be decoded. */
export function createScanPdf({ damaged = false } = {}): Buffer {
  const bytes = damaged ? jpeg2000.subarray(0, 60) : jpeg2000
  const image = createPicture('/Filter /JPXDecode', bytes)
  return writePdf([createPage('/XObject << /I1 5 0 R >>', 4), drawPicture, image], [3])
}

/** Page 1 has a picture beyond the limit, page 2 one that is drawn. */
export function createMixedPdf(): Buffer {
  const huge = createPicture('/Filter /JPXDecode', jpeg2000)
  huge.dictionary = huge.dictionary.replace('/Width 400', '/Width 400000')
  return writePdf(
    [
      createPage('/XObject << /I1 5 0 R >>', 4),
      drawPicture,
      huge,
      createPage('/XObject << /I1 7 0 R >>', 4),
      createPicture('/Filter /JPXDecode', jpeg2000),
    ],
    [3, 6],
  )
}

/** Text in a character map of Adobe, in a font that isn't embedded. */
export function createJapanesePdf({ encoding = '90ms-RKSJ-H', text = '93fa967b8cea82cc8f91' } = {}): Buffer {
  return writePdf(
    [
      createPage('/Font << /F1 5 0 R >>', 4),
      createContent(`BT /F1 24 Tf 40 200 Td <${text}> Tj ET`),
      {
        dictionary: `/Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /${encoding} /DescendantFonts [6 0 R]`,
      },
      {
        dictionary:
          '/Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 7 0 R',
      },
      {
        dictionary:
          '/Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 723 /Descent -241 /CapHeight 709 /StemV 69',
      },
    ],
    [3],
  )
}
