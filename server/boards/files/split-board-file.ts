import { badField, Problem } from '#server/http/problem.ts'
import { deepest, nestsTooDeep } from '#server/http/request-body.ts'

const quote = 0x22
const backslash = 0x5c
const [comma, colon, openBrace, closeBrace, openBracket, closeBracket] = [0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d]
const longestKey = 200

/**
 * Reads the JSON of a board file as it comes. The text of each picture is decoded and handed over piece by piece, under
 * its id; all else, with empty texts in their place, is what is answered.
 * @param mostBytes of all else
 * @param take has to read what it is given to its end
 * @throws Problem 413, 400
 */
export async function splitBoardFile(
  pieces: AsyncIterable<Uint8Array>,
  mostBytes: number,
  take: (id: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Buffer> {
  const scanner = new Scanner()
  const source = pieces[Symbol.asyncIterator]()
  const rest: Buffer[] = []
  let kept = 0
  let piece: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { done, value } = await source.next()
    if (!done) piece = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return !done
  }
  /** Up to the end of the text that is begun; what stands behind it is left in `piece`. */
  async function* text(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = piece.indexOf(quote)
      if (end < 0) yield piece
      else {
        const last = piece.subarray(0, end)
        piece = piece.subarray(end)
        yield last
        return
      }
      if (!(await more())) throw badField('body', 'The file was cut off.')
    }
  }
  try {
    while (piece.length > 0 || (await more())) {
      const { end, picture } = scanner.scan(piece)
      kept += end
      if (kept > mostBytes)
        throw new Problem('too-large', {
          message: `A board holds at most ${Math.floor(mostBytes / 1024 / 1024)} MB without its pictures.`,
        })
      rest.push(piece.subarray(0, end))
      piece = piece.subarray(end)
      if (picture === undefined) continue
      await take(picture, decoded(text()))
    }
  } finally {
    await source.return?.()
  }
  return Buffer.concat(rest)
}

/** Follows JSON as far as it takes to know where the text of a picture begins. */
class Scanner {
  /** Of the containers that are open, from the outside: whether each is an object. */
  readonly #isObject: boolean[] = []
  #inText = false
  #isEscaped = false
  #isKey = false
  #key: number[] = []
  /** Names on the way: of the member of the file, and of the member of that. */
  readonly #names: [string, string] = ['', '']

  /** How far it is without pictures, and the id of the one that begins there: the quote that ends it comes next. */
  scan(piece: Buffer): { end: number; picture?: string } {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0
      if (this.#inText) this.#readText(byte)
      else if (byte === quote) {
        this.#inText = true
        this.#key = []
        if (this.#isAtPicture()) return { end: at + 1, picture: this.#names[1] }
      } else this.#readMark(byte)
    }
    return { end: piece.length }
  }

  #isAtPicture(): boolean {
    return this.#isObject.length === 2 && this.#isObject[1] === true && !this.#isKey && this.#names[0] === 'pictures'
  }

  #readText(byte: number): void {
    if (this.#isKey && this.#isObject.length <= 2 && this.#key.length <= longestKey) this.#key.push(byte)
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) {
      this.#inText = false
      if (this.#isKey && this.#isObject.length <= 2)
        this.#names[this.#isObject.length === 1 ? 0 : 1] = nameOf(this.#key)
    }
  }

  #readMark(byte: number): void {
    if (byte === colon) this.#isKey = false
    else if (byte === comma) this.#isKey = this.#isObject.at(-1) === true
    else if (byte === openBrace || byte === openBracket) {
      this.#isKey = byte === openBrace
      if (this.#isObject.push(this.#isKey) > deepest) throw nestsTooDeep()
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#isObject.pop()
      this.#isKey = false
    }
  }
}

/** @param text with the quote that ends it */
function nameOf(text: readonly number[]): string {
  try {
    return JSON.parse(`"${Buffer.from(text).toString()}`)
  } catch {
    // Whoever parses what is left says so.
    return ''
  }
}

async function* decoded(base64: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = ''
  for await (const piece of base64) {
    // Some write "\/" for "/".
    const text = left + piece.toString('latin1').replaceAll('\\', '')
    const whole = text.length - (text.length % 4)
    left = text.slice(whole)
    if (whole > 0) yield Buffer.from(text.slice(0, whole), 'base64')
  }
  if (left !== '') yield Buffer.from(left, 'base64')
}
