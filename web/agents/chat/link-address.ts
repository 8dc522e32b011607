import type { MarkdownRules } from './text-author.ts'

const entryPathPattern =
  /^\/keeper\/[\w-]{1,80}\/[\w-]{1,40}(?:\?[\w-]{1,40}=[\w-]{1,80}(?:&[\w-]{1,40}=[\w-]{1,80}){0,3})?$/

export const isEntryPath = (path: string) => entryPathPattern.test(path)

const absoluteOrAnchorPattern = /^(https?:\/\/|mailto:|#[^#])/i

/**
 * Allows absolute URLs, anchors in the same text and, with `appLinks`, links to keeper entries. Other `//host` and
 * `/path` links can mislead in untrusted text.
 */
export const isSafeAddress = (address: string, { appLinks }: MarkdownRules) =>
  absoluteOrAnchorPattern.test(address) || (appLinks && isEntryPath(address))
