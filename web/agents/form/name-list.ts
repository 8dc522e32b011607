import { trimEndOf } from '#contract/trim-end-of.ts'
/** 'a, b,, a' as ['a', 'b']. */
export function namesFrom(text: string): string[] {
  return [...new Set(text.split(/[,\n]/).map((name) => name.trim()))].filter((name) => name !== '')
}

/** Slugs separated by commas, spaces or lines, with or without @ or quotes. */
export function bundleFrom(text: string): string[] {
  const slugs = text.split(/[\s,;]+/).map((slug) => trimEndOf(slug.replace(/^[@"'`]+/, ''), /["'`]/).toLowerCase())
  return [...new Set(slugs)].filter((slug) => slug !== '')
}
