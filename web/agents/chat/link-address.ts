import type { TextRules } from './text-author.ts'

const getEntryAddress =
  /^\/keeper\/[\w-]{1,80}\/[\w-]{1,40}(?:\?[\w-]{1,40}=[\w-]{1,80}(?:&[\w-]{1,40}=[\w-]{1,80}){0,3})?$/

export const isEntryAddress = (address: string) => getEntryAddress.test(address)

/** Absolute URLs and places in the same text only: `//host` and `/path` can mislead in untrusted text. */
export const isSafeAddress = (address: string, { appLinks }: TextRules) =>
  /^(https?:\/\/|mailto:|#[^#])/i.test(address) || (appLinks && isEntryAddress(address))
