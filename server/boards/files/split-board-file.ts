import { badField, Problem } from '#server/http/problem.ts'
import { jsonTooDeep, maxJsonDepth } from '#server/http/request-body.ts'

const quote = 0x22
const backslash = 0x5c
const [comma, colon, openBrace, closeBrace, openBracket, closeBracket] = [0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d]
const maxKeyLength = 200

/** Streams each picture to `onPicture`, which must consume it, and returns the remaining JSON. @throws Problem 413, 400 */
export async function splitBoardFile(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onPicture: (id: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Buffer> {
  const scanner = new BoardFileScanner()
  const source = chunks[Symbol.asyncIterator]()
  const remaining: Buffer[] = []
  let remainingBytes = 0
  let chunk: Buffer = Buffer.alloc(0)
  const readChunk = async () => {
    const { done, value } = await source.next()
    if (!done) chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return !done
  }
  async function* readString(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = chunk.indexOf(quote)
      if (end < 0) yield chunk
      else {
        const last = chunk.subarray(0, end)
        chunk = chunk.subarray(end)
        yield last
        return
      }
      if (!(await readChunk()))
        throw badField('body', 'The file is incomplete. Upload it again, or export the board again.')
    }
  }
  try {
    while (chunk.length > 0 || (await readChunk())) {
      const { end, picture } = scanner.scan(chunk)
      remainingBytes += end
      if (remainingBytes > maxBytes)
        throw new Problem('too-large', {
          message: `A board can have at most ${Math.floor(maxBytes / 1024 / 1024)} MB without its pictures.`,
        })
      remaining.push(chunk.subarray(0, end))
      chunk = chunk.subarray(end)
      if (picture === undefined) continue
      await onPicture(picture, decodeBase64(readString()))
    }
  } finally {
    await source.return?.()
  }
  return Buffer.concat(remaining)
}

class BoardFileScanner {
  readonly #isObjectStack: boolean[] = []
  #inString = false
  #isEscaped = false
  #isKey = false
  #key: number[] = []
  readonly #path: [string, string] = ['', '']

  /** Returns the offset where the data of the next picture starts, with its id, or else the end of the chunk. */
  scan(chunk: Buffer): { end: number; picture?: string } {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] ?? 0
      if (this.#inString) this.#readStringByte(byte)
      else if (byte === quote) {
        this.#inString = true
        this.#key = []
        if (this.#isAtPicture()) return { end: index + 1, picture: this.#path[1] }
      } else this.#readPunctuation(byte)
    }
    return { end: chunk.length }
  }

  #isAtPicture(): boolean {
    return (
      this.#isObjectStack.length === 2 &&
      this.#isObjectStack[1] === true &&
      !this.#isKey &&
      this.#path[0] === 'pictures'
    )
  }

  #readStringByte(byte: number): void {
    if (this.#isKey && this.#isObjectStack.length <= 2 && this.#key.length <= maxKeyLength) this.#key.push(byte)
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) {
      this.#inString = false
      if (this.#isKey && this.#isObjectStack.length <= 2)
        this.#path[this.#isObjectStack.length === 1 ? 0 : 1] = parseKey(this.#key)
    }
  }

  #readPunctuation(byte: number): void {
    if (byte === colon) this.#isKey = false
    else if (byte === comma) this.#isKey = this.#isObjectStack.at(-1) === true
    else if (byte === openBrace || byte === openBracket) {
      this.#isKey = byte === openBrace
      if (this.#isObjectStack.push(this.#isKey) > maxJsonDepth) throw jsonTooDeep()
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#isObjectStack.pop()
      this.#isKey = false
    }
  }
}

function parseKey(text: readonly number[]): string {
  try {
    return JSON.parse(`"${Buffer.from(text).toString()}`)
  } catch {
    // A malformed key is reported when the remaining JSON is parsed.
    return ''
  }
}

async function* decodeBase64(base64: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let leftover = ''
  for await (const chunk of base64) {
    // Some encoders write "\/" for "/".
    const text = leftover + chunk.toString('latin1').replaceAll('\\', '')
    const completeLength = text.length - (text.length % 4)
    leftover = text.slice(completeLength)
    if (completeLength > 0) yield Buffer.from(text.slice(0, completeLength), 'base64')
  }
  if (leftover !== '') yield Buffer.from(leftover, 'base64')
}
