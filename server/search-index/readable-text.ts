import { toPlainText } from '#contract/plain-text.ts'
import { decodeCharacterReferences } from '#server/values/character-references.ts'

/** Markdown as the page shows it, including character references. */
export const toReadableText = (markdown: string): string => decodeCharacterReferences(toPlainText(markdown))
