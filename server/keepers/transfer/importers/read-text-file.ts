import type { ImportNotes, NoteText } from '../import-notes.ts'
import type { ZipReader } from '../zip-reader.ts'

/** Far more than a moment holds; the end of a longer text is left out and noted there. */
const maxTextBytes = 4 * 1024 * 1024

/** A text of one entry, in the encoding that its bytes show; one that can't be unpacked is noted and left out. */
export async function readTextFile(zip: ZipReader, name: string, notes: ImportNotes): Promise<string | undefined> {
  try {
    return decodeText(await zip.head(name, maxTextBytes))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    notes.add(damagedFile, name)
    return undefined
  }
}

/** The value of a JSON file; one that can't be parsed is noted and left out. */
export async function readJsonFile(zip: ZipReader, name: string, notes: ImportNotes): Promise<unknown> {
  const text = await readTextFile(zip, name, notes)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    notes.add(damagedFile, name)
    return undefined
  }
}

const damagedFile: NoteText = {
  one: '1 file is damaged and is left out.',
  many: '# files are damaged and are left out.',
}

/** Windows-1252 reads every sequence of bytes. */
function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    // Streaming accepts a character cut off at the limit.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
