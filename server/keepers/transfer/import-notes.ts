import { maxMediaBytes, maxMediaLabel } from '#contract/keepers/media.ts'
import { maxMomentBodyLength, maxMomentFiles, maxMomentTopics } from '#contract/keepers/moments.ts'
import { limitNotes } from './import-plan.ts'
import type { ZipReader } from './zip-reader.ts'

/** Report sentences for one item and for several; # is replaced by the count. */
export interface NoteText {
  one: string
  many: string
}

const maxExamples = 3

/** Counts what an import leaves out or changes, one line per reason. */
export class ImportNotes {
  readonly #tallies = new Map<string, { text: NoteText; count: number; examples: string[] }>()

  /** @param example names the entry or file, such as “Journal.json, entry 17” */
  add(text: NoteText, example?: string, count = 1): void {
    const tally = this.#tallies.get(text.many) ?? { text, count: 0, examples: [] }
    this.#tallies.set(text.many, tally)
    tally.count += count
    if (example !== undefined && tally.examples.length < maxExamples && !tally.examples.includes(example))
      tally.examples.push(example)
  }

  addAll(other: ImportNotes): void {
    for (const { text, count, examples } of other.#tallies.values()) {
      for (const example of examples) this.add(text, example)
      this.add(text, undefined, count - examples.length)
    }
  }

  /** @param sentences appended at the end */
  toPreview(sentences: readonly string[] = []): ReturnType<typeof limitNotes> {
    return limitNotes([...[...this.#tallies.values()].map(formatNote), ...sentences])
  }
}

function formatNote({ text, count, examples }: { text: NoteText; count: number; examples: string[] }): string {
  const sentence = (count === 1 ? text.one : text.many).replace('#', count.toLocaleString('en-US'))
  if (examples.length === 0) return sentence
  const moreCount = count - examples.length
  const items = moreCount > 0 ? [...examples, `${moreCount.toLocaleString('en-US')} more`] : examples
  return `${sentence.replace(/\.$/, '')}: ${items.join('; ')}.`
}

/** Per entry of a Keeper archive: an export must be importable again. */
export const maxFilesPerEntry = 200

/** Texts about entries and values that importers leave out or change, the same for all formats. */
export const noteTexts = {
  notAnObject: { one: '1 entry isn’t an object and is left out.', many: '# entries aren’t objects and are left out.' },
  noDate: {
    one: '1 entry has no date that can be read and is left out.',
    many: '# entries have no date that can be read and are left out.',
  },
  empty: { one: '1 entry is empty and is left out.', many: '# entries are empty and are left out.' },
  longText: {
    one: `1 entry is longer than ${maxMomentBodyLength.toLocaleString('en-US')} characters; the end of its text is left out.`,
    many: `# entries are longer than ${maxMomentBodyLength.toLocaleString('en-US')} characters; the ends of their texts are left out.`,
  },
  manyFiles: {
    one: `1 entry has more than ${maxMomentFiles} files and continues in a second moment.`,
    many: `# entries have more than ${maxMomentFiles} files and continue in further moments.`,
  },
  manyTopics: {
    one: `1 entry has more than ${maxMomentTopics} tags; only its first ${maxMomentTopics} are imported.`,
    many: `# entries have more than ${maxMomentTopics} tags; only their first ${maxMomentTopics} are imported.`,
  },
  topic: { one: '1 tag couldn’t be read.', many: '# tags couldn’t be read.' },
  modified: {
    one: '1 date of the last change couldn’t be read.',
    many: '# dates of the last change couldn’t be read.',
  },
  unscaledMood: {
    one: '1 mood isn’t on Keeper’s scale; its name is in the text.',
    many: '# moods aren’t on Keeper’s scale; their names are in the text.',
  },
  mood: { one: '1 mood couldn’t be read.', many: '# moods couldn’t be read.' },
  place: { one: '1 place couldn’t be read.', many: '# places couldn’t be read.' },
  position: {
    one: '1 place has coordinates that don’t exist; only its name is imported.',
    many: '# places have coordinates that don’t exist; only their names are imported.',
  },
  weather: { one: '1 weather value couldn’t be read.', many: '# weather values couldn’t be read.' },
  assumedZone: {
    one: '1 entry names no time zone, so yours is used.',
    many: '# entries name no time zone, so yours is used.',
  },
  namelessFile: { one: '1 file has no name in the export.', many: '# files have no name in the export.' },
  unusedFile: {
    one: '1 file belongs to no entry and is left out.',
    many: '# files belong to no entry and are left out.',
  },
  trashed: { one: '1 note in the trash is left out.', many: '# notes in the trash are left out.' },
  emptyFile: { one: '1 file is empty and is left out.', many: '# files are empty and are left out.' },
  largeFile: {
    one: `1 file is larger than ${maxMediaLabel} and is left out.`,
    many: `# files are larger than ${maxMediaLabel} and are left out.`,
  },
  unknownKind: {
    one: '1 file is of a type that Keeper doesn’t store and is left out.',
    many: '# files are of types that Keeper doesn’t store and are left out.',
  },
  excessFile: {
    one: `1 file is left out, because its entry has more than ${maxFilesPerEntry}.`,
    many: `# files are left out, because their entries have more than ${maxFilesPerEntry}.`,
  },
  damagedFile: {
    one: '1 file is damaged and is left out.',
    many: '# files are damaged and are left out.',
  },
  longLine: {
    one: '1 title or name is too long; the part cut off was added to the start of its text.',
    many: '# titles or names are too long; the parts cut off were added to the start of their texts.',
  },
  longArchivedText: {
    one: '1 text is longer than 500,000 characters; its end is left out.',
    many: '# texts are longer than 500,000 characters; their ends are left out.',
  },
  largeEntry: {
    one: '1 entry is too large and is left out.',
    many: '# entries are too large and are left out.',
  },
  aiVisible: {
    one: '1 entry doesn’t say whether AI can read it, so AI can’t.',
    many: '# entries don’t say whether AI can read them, so AI can’t.',
  },
} satisfies Record<string, NoteText>

const fieldNotes: Partial<Record<string, NoteText>> = {
  aiVisible: noteTexts.aiVisible,
  moodScore: noteTexts.mood,
  moodLabel: noteTexts.mood,
  place: noteTexts.place,
  lat: noteTexts.position,
  lng: noteTexts.position,
  weather: noteTexts.weather,
  tempC: noteTexts.weather,
  condition: noteTexts.weather,
  topic: noteTexts.topic,
  topics: noteTexts.topic,
  mergedTopics: noteTexts.topic,
  media: noteTexts.namelessFile,
  files: noteTexts.namelessFile,
  updatedAt: noteTexts.modified,
}

/** The note for a single unusable value of a Keeper archive; the rest of its entry is imported. */
export const getFieldNote = (field: string): NoteText =>
  fieldNotes[field] ?? {
    one: `1 value of “${field}” couldn’t be read.`,
    many: `# values of “${field}” couldn’t be read.`,
  }

/** Why a file can't be imported. */
export function getFileProblem(zip: ZipReader, file: string): 'missingFile' | 'emptyFile' | 'largeFile' | undefined {
  const size = zip.getSize(file)
  if (size === undefined) return 'missingFile'
  if (size === 0) return 'emptyFile'
  return size > maxMediaBytes ? 'largeFile' : undefined
}

export function canImportFile(zip: ZipReader, { file }: { file: string }): boolean {
  return getFileProblem(zip, file) === undefined
}
