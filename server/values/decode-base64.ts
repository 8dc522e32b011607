/** Decodes base64 of any length. Whitespace is skipped, and backslashes, since some encoders write "\/" for "/". */
export async function* decodeBase64(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let leftover = ''
  for await (const chunk of chunks) {
    const text = leftover + chunk.toString('latin1').replace(/[\s\\]/g, '')
    const completeLength = text.length - (text.length % 4)
    leftover = text.slice(completeLength)
    if (completeLength > 0) yield Buffer.from(text.slice(0, completeLength), 'base64')
  }
  if (leftover !== '') yield Buffer.from(leftover, 'base64')
}
