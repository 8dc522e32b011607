import { trimEndMatching } from '#contract/linear-text.ts'

const maxBaseLength = 34

/** A key like `first_name` from a label, with a number if taken. */
export function createFreeKey(label: string, usedKeys: ReadonlySet<string>, fallback: string): string {
  const slug = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
  const base = trimEndMatching(slug, /_/).slice(0, maxBaseLength) || fallback
  for (let suffix = 1; ; suffix++) {
    const key = suffix === 1 ? base : `${base}_${suffix}`
    if (!usedKeys.has(key)) return key
  }
}
