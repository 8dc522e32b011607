import { trimEndMatching } from '#contract/linear-text.ts'

/** 'a, b,, a' as ['a', 'b']. */
export function parseNames(text: string): string[] {
  return [...new Set(text.split(/[,\n]/).map((name) => name.trim()))].filter((name) => name !== '')
}

/** Slugs separated by commas, spaces or lines, with or without @ or quotes. */
export function parseBundle(text: string): string[] {
  const slugs = text
    .split(/[\s,;]+/)
    .map((slug) => trimEndMatching(slug.replace(/^[@"'`]+/, ''), /["'`]/).toLowerCase())
  return [...new Set(slugs)].filter((slug) => slug !== '')
}
