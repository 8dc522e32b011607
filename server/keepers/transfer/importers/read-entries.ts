import { type ImportNotes, type NoteText, noteTexts } from '../import-notes.ts'
import type { JsonKeys, JsonValue } from '../read-json.ts'
import { type ForeignObject, toObject } from './foreign-values.ts'
import type { ImportedEntry, ReadContext } from './importer.ts'

/** Reads values one by one, with their names for notes. A value for which `read` returns undefined is left out.
 * @param listLabel such as “data.json, entry”, to which the position is added */
export async function* mapJsonValues<Entry>(
  values: AsyncIterable<JsonValue>,
  listLabel: string,
  read: (value: unknown, label: string, keys: JsonKeys) => Entry | undefined,
): AsyncGenerator<Entry> {
  let position = 0
  for await (const { value, keys } of values) {
    position += 1
    const entry = read(value, `${listLabel} ${position}`, keys)
    if (entry) yield entry
  }
}

/** Notes the files that no entry has. */
export async function* noteUnusedFiles(
  entries: AsyncIterable<ImportedEntry>,
  names: Iterable<string>,
  notes: ImportNotes,
): AsyncGenerator<ImportedEntry> {
  const unused = new Set(names)
  for await (const entry of entries) {
    for (const { file } of entry.files ?? []) if (file !== undefined) unused.delete(file)
    yield entry
  }
  for (const name of unused) notes.add(noteTexts.unusedFile, name)
}

/** Notes each entry that isn't an object, or for which `read` returns undefined because it has no date. */
export function readEntries(
  values: AsyncIterable<JsonValue>,
  listLabel: string,
  { notes, texts = noteTexts }: Pick<ReadContext, 'notes'> & { texts?: Record<'notAnObject' | 'noDate', NoteText> },
  read: (entry: ForeignObject, label: string, keys: JsonKeys) => ImportedEntry | undefined,
): AsyncGenerator<ImportedEntry> {
  return mapJsonValues(values, listLabel, (value, label, keys) => {
    const object = toObject(value)
    const entry = object && read(object, label, keys)
    if (!entry) notes.add(object ? texts.noDate : texts.notAnObject, label)
    return entry
  })
}
