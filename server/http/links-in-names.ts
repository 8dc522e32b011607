import { badField } from './problem.ts'

/** A dot, also as other scripts write it; mail programs and browsers read each as the dot of a host. */
const dot = '[.\\u3002\\uFF0E\\uFF61\\u2024]'
/** A dot inside a word that goes on with two letters or more, as before `com`. */
const hostDot = new RegExp(`(?<=[\\p{L}\\p{N}\\p{M}_-])${dot}(?=[\\p{L}\\p{M}]{2})`, 'gu')
/** `https://…`, `www.…` or a host with something behind it. A dotted word alone can be a name, such as Node.js. */
const webAddress = new RegExp(
  `:\\s?//|\\bwww${dot}[\\p{L}\\p{N}]|[\\p{L}\\p{N}\\p{M}_-]${dot}(?!(?:js|ts)\\b)[\\p{L}\\p{M}]{2,63}(?::\\d|[/?#]\\S)`,
  'iu',
)

/**
 * Refuses a web address in the name of a person or a domain, which is mailed to others. A name that stays as it was passes.
 * @throws Problem 400 naming the field
 */
export function refuseLinkInName(field: string, name: string | null | undefined, previous?: string | null): void {
  if (!name || name === previous || !webAddress.test(name.normalize('NFKC'))) return
  throw badField(field, 'A name can’t contain a web address. Leave it out.')
}

/** Text written by a person, so that no email program makes a link of it. */
export function withoutLinks(text: string): string {
  return text.replaceAll('://', ': //').replace(hostDot, '$& ')
}
