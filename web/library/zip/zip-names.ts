import { trimEndOf } from '#contract/trim-end-of.ts'
import { endingOf, endingOfFormat } from '../accept-file.ts'
import type { LibraryDocument } from '../documents.ts'

export const metadataName = 'documents.json'
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const longest = 120

/** Valid on every system, with an extension that matches the format. */
export function fileNameOf({ name, format }: Pick<LibraryDocument, 'name' | 'format'>): string {
  const spelled = name
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[/\\:*?"<>|]/g, '-')
    .replace(/^[.\s]+/, '')
  const plain = trimEndOf(spelled, /[.\s]/)
  const ending = endingOf(plain)
  const own = endingOfFormat[format]
  const hasOwn = ending === own || alike[format]?.includes(ending)
  const kept = hasOwn ? ending : own
  const stem = (hasOwn ? plain.slice(0, -(ending.length + 1)) : plain).trim() || 'document'
  const safe = reserved.test(stem) ? `_${stem}` : stem
  return `${[...safe].slice(0, longest).join('').trimEnd()}.${kept}`
}

const alike: Partial<Record<LibraryDocument['format'], string[]>> = {
  html: ['htm'],
  markdown: ['markdown', 'txt'],
  text: ['log', 'text'],
}

/** Unique (case-insensitive), in order, and never the metadata file's name. */
export function zipNames(documents: readonly Pick<LibraryDocument, 'name' | 'format'>[]): string[] {
  const taken = new Set([metadataName])
  return documents.map((document) => {
    const name = fileNameOf(document)
    const ending = `.${endingOf(name)}`
    const stem = name.slice(0, -ending.length)
    let unique = name
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${stem} (${n})${ending}`
    taken.add(unique.toLowerCase())
    return unique
  })
}
