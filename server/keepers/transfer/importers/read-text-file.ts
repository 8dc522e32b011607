import type { ImportNotes, NoteText } from '../import-notes.ts'
import type { ZipReader } from '../zip-reader.ts'

/** Far more than a moment can hold. The remainder is left out, and the moment importer notes that. */
const maxTextBytes = 4 * 1024 * 1024

/** Reads a text file of an entry with the detected encoding. A file that can't be unpacked is left out, with a note. */
export async function readTextFile(zip: ZipReader, name: string, notes: ImportNotes): Promise<string | undefined> {
  try {
    return decodeText(await zip.head(name, maxTextBytes))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    notes.add(damagedFile, name)
    return undefined
  }
}

/** Parses a JSON file. A file that can't be parsed is left out, with a note. */
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

/** Windows-1252 can decode any bytes. */
function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    // Streaming mode tolerates a character cut off at the limit.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
