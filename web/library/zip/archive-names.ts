import { trimEndMatching } from '#contract/linear-text.ts'
import { documentFormats, getExtension } from '../accept-file.ts'
import type { LibraryDocument } from '../documents.ts'

export const metadataName = 'documents.json'
const reservedNamePattern = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const maxStemLength = 120
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
const invisibleCharacterPattern = /[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g
const forbiddenCharacterPattern = /[/\\:*?"<>|]/g

/** Valid on every system, with an extension that matches the format. */
export function getFileName({ name, format }: Pick<LibraryDocument, 'name' | 'format'>): string {
  const cleaned = name
    .normalize('NFC')
    .replace(invisibleCharacterPattern, '')
    .replace(forbiddenCharacterPattern, '-')
    .replace(/^[.\s]+/, '')
  const trimmed = trimEndMatching(cleaned, /[.\s]/)
  const extension = getExtension(trimmed)
  const { extensions } = documentFormats[format]
  const isFormatExtension = extensions.includes(extension) || (format === 'markdown' && extension === 'txt')
  const finalExtension = isFormatExtension ? extension : extensions[0]
  const stem = (isFormatExtension ? trimmed.slice(0, -(extension.length + 1)) : trimmed).trim() || 'document'
  const safeStem = reservedNamePattern.test(stem) ? `_${stem}` : stem
  return `${[...safeStem].slice(0, maxStemLength).join('').trimEnd()}.${finalExtension}`
}

/** Unique (case-insensitive), in order, and never the metadata file's name. */
export function getArchiveNames(documents: readonly Pick<LibraryDocument, 'name' | 'format'>[]): string[] {
  const usedNames = new Set([metadataName])
  return documents.map((document) => {
    const name = getFileName(document)
    const extension = `.${getExtension(name)}`
    const stem = name.slice(0, -extension.length)
    let uniqueName = name
    for (let number = 2; usedNames.has(uniqueName.toLowerCase()); number++)
      uniqueName = `${stem} (${number})${extension}`
    usedNames.add(uniqueName.toLowerCase())
    return uniqueName
  })
}
