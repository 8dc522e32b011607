import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { badField } from '#server/http/problem.ts'
import type { Settings } from '#server/settings.ts'

const example = 'such as memories.example.com'
const hostName = /^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,}$/
const mostCharacters = 253

/**
 * The name of a host out of what somebody typed or pasted: lower case, ASCII, without scheme, path, port and dot at the end.
 * @throws Problem 400 for the field customDomain, with what to enter instead
 */
export function readHostName(text: string, settings: Pick<Settings, 'publicUrl' | 'host' | 'customDomains'>): string {
  const typed = text
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replace(/[/?#\\].*$/su, '')
    .replace(/:\d*$/, '')
    .replace(/[.。．｡]$/u, '')
  if (!typed) throw refused(`Enter a domain name, ${example}.`)
  if (typed.includes('@')) throw refused(`That is an e-mail address. Enter a domain name, ${example}.`)
  const name = domainToASCII(typed).toLowerCase()
  if (isIP(name) || isIP(typed.replace(/^\[|\]$/g, '')))
    throw refused(`That is an IP address. Enter a domain name, ${example}.`)
  if (name.length > mostCharacters) throw refused(`A domain name has at most ${mostCharacters} characters.`)
  if (!hostName.test(name))
    throw refused(`That is no domain name. Enter one with letters, digits, hyphens and dots, ${example}.`)
  if (isPublicSuffix(name))
    throw refused(`Anybody can have names below ${name}, so it is nobody’s own. Enter one below it.`)
  if (name.split('.').some(mixesScripts))
    throw refused(
      'This name mixes letters of several alphabets that look alike. Write each part of it in one alphabet.',
    )
  if (ofNoNetwork.test(name)) throw refused(`Nobody outside reaches ${name}. Enter a name of the internet, ${example}.`)
  const own = ownHosts(settings).find((host) => name === host || name.endsWith(`.${host}`))
  if (own) throw refused(`${own} is this server’s own address. Enter a domain name of yours, ${example}.`)
  return name
}

const ofNoNetwork = /\.(?:localhost|local|internal|invalid|onion|arpa|lan|home)$/

function refused(message: string) {
  return badField('customDomain', message)
}

function ownHosts({ publicUrl, host, customDomains }: Parameters<typeof readHostName>[1]): string[] {
  const names = [publicUrl && new URL(publicUrl).hostname, host, customDomains.edgeHost]
  return names.filter((name): name is string => typeof name === 'string' && isIP(name) === 0)
}

/** Second levels under which countries sell names, after the public suffix list; the few of another kind are named whole. */
const soldBelowCountries =
  /^(?:ac|co|com|edu|gob|gouv|gov|id|info|ltd|me|mil|muni|ne|net|nhs|nom|or|org|plc|sch)\.[a-z]{2}$/
const soldToAnybody = new Set(
  `github.io gitlab.io vercel.app netlify.app pages.dev workers.dev web.app firebaseapp.com herokuapp.com fly.dev
  onrender.com railway.app blogspot.com cloudfront.net azurewebsites.net s3.amazonaws.com appspot.com surge.sh
  duckdns.org ngrok.io ngrok-free.app trycloudflare.com nip.io sslip.io eu.org uk.com us.com de.com eu.com gb.net`.split(
    /\s+/,
  ),
)

/** How many labels of the name make the domain that somebody bought: two, below co.uk and its like three. */
export function registrableLabels(name: string): number {
  return isPublicSuffix(name.split('.').slice(-2).join('.')) ? 3 : 2
}

/** The domain as it was bought, where no CNAME may stand. */
export function isApex(name: string): boolean {
  return name.split('.').length === registrableLabels(name)
}

function isPublicSuffix(name: string): boolean {
  return soldBelowCountries.test(name) || soldToAnybody.has(name)
}

/** Writing systems that use several scripts together, as UTS 39 counts them; everything else is written in one. */
const usedTogether = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]
const scripts =
  `Latin Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Thai Georgian Hangul Hiragana Katakana Bopomofo
  Han`
    .split(/\s+/)
    .map((script) => ({ script, letter: new RegExp(`\\p{Script=${script}}`, 'u') }))
const ofNoScript = /[\p{Script=Common}\p{Script=Inherited}]/u

function mixesScripts(label: string): boolean {
  if (!label.startsWith('xn--')) return false
  const letters = [...domainToUnicode(label)].filter((letter) => !ofNoScript.test(letter))
  const used = new Set(letters.map((each) => scripts.find(({ letter }) => letter.test(each))?.script ?? 'another'))
  return used.size > 1 && !usedTogether.some((together) => [...used].every((script) => together.includes(script)))
}
