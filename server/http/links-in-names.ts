import { badField } from './problem.ts'

/** A dot in any script; mail programs and browsers treat each as a dot of a host. */
const dot = '[.\\u3002\\uFF0E\\uFF61\\u2024]'
const hostDot = new RegExp(`(?<=[\\p{L}\\p{N}\\p{M}_-])${dot}(?=[\\p{L}\\p{M}]{2})`, 'gu')
/** `https://…`, `www.…` or a host with a path or port. A dotted word alone can be a name, such as Node.js. */
const webAddress = new RegExp(
  `:\\s?//|\\bwww${dot}[\\p{L}\\p{N}]|[\\p{L}\\p{N}\\p{M}_-]${dot}(?!(?:js|ts)\\b)[\\p{L}\\p{M}]{2,63}(?::\\d|[/?#]\\S)`,
  'iu',
)

/** Names are emailed to others. An unchanged name passes. @throws Problem 400 naming the field */
export function refuseLinkInName(field: string, name: string | null | undefined, previous?: string | null): void {
  if (!name || name === previous || !webAddress.test(name.normalize('NFKC'))) return
  throw badField(field, 'A name can’t contain a web address. Leave it out.')
}

export function defangLinks(text: string): string {
  return text.replaceAll('://', ': //').replace(hostDot, '$& ')
}
