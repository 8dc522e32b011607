import type { TextRules } from './text-author.ts'

const entryPathPattern =
  /^\/keeper\/[\w-]{1,80}\/[\w-]{1,40}(?:\?[\w-]{1,40}=[\w-]{1,80}(?:&[\w-]{1,40}=[\w-]{1,80}){0,3})?$/

export const isEntryPath = (path: string) => entryPathPattern.test(path)

/**
 * Allows only absolute URLs and anchors in the same text, because `//host` and `/path` can mislead in untrusted text.
 */
export const isSafeAddress = (address: string, { appLinks }: TextRules) =>
  /^(https?:\/\/|mailto:|#[^#])/i.test(address) || (appLinks && isEntryPath(address))
