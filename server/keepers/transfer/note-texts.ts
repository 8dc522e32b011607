import { maxMediaLabel } from '#contract/keepers/media.ts'
import { maxMomentBodyLength, maxMomentFiles, maxMomentTopics } from '#contract/keepers/moments.ts'
import type { NoteText } from './import-notes.ts'

/** What importers leave out or change, in the same words for every format. */
export const noteTexts = {
  notAnObject: { one: "1 entry isn't an object and is left out.", many: "# entries aren't objects and are left out." },
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
  topic: { one: "1 tag couldn't be read.", many: "# tags couldn't be read." },
  modified: {
    one: "1 date of the last change couldn't be read.",
    many: "# dates of the last change couldn't be read.",
  },
  unscaledMood: {
    one: '1 mood has no place on a scale; its name is in the text.',
    many: '# moods have no place on a scale; their names are in the text.',
  },
  mood: { one: "1 mood couldn't be read.", many: "# moods couldn't be read." },
  place: { one: "1 place couldn't be read.", many: "# places couldn't be read." },
  position: {
    one: "1 place has coordinates that don't exist; only its name is imported.",
    many: "# places have coordinates that don't exist; only their names are imported.",
  },
  weather: { one: "1 weather value couldn't be read.", many: "# weather values couldn't be read." },
  assumedZone: {
    one: '1 entry names no time zone, so yours is used.',
    many: '# entries name no time zone, so yours is used.',
  },
  namelessFile: { one: '1 file has no name in the export.', many: '# files have no name in the export.' },
  emptyFile: { one: '1 file is empty and is left out.', many: '# files are empty and are left out.' },
  largeFile: {
    one: `1 file is larger than ${maxMediaLabel} and is left out.`,
    many: `# files are larger than ${maxMediaLabel} and are left out.`,
  },
} satisfies Record<string, NoteText>
