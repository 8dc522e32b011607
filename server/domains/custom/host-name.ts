import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { getPublicHostName } from '#server/http/host-check.ts'
import { badField } from '#server/http/problem.ts'
import type { Settings } from '#server/settings/settings.ts'
import { stripBrackets } from '#server/values/strip-brackets.ts'

const exampleText = 'such as memories.example.com'
const hostNamePattern = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,}|xn--[a-z0-9-]{1,59})$/
const maxHostNameLength = 253
const urlScheme = /^[a-z][a-z\d+.-]*:\/\//i
const urlPath = /[/?#\\].*$/su
const port = /:\d*$/
const finalDot = /[.。．｡]$/u

/** Parses typed or pasted text into lower case ASCII. @throws Problem 400 for `customDomain`, with advice */
export function readHostName(text: string, settings: Pick<Settings, 'publicUrl' | 'host' | 'customDomains'>): string {
  const cleaned = text.trim().replace(urlScheme, '').replace(urlPath, '').replace(port, '').replace(finalDot, '')
  if (!cleaned) throw createHostNameProblem(`Enter a domain name, ${exampleText}.`)
  if (cleaned.includes('@'))
    throw createHostNameProblem(`That’s an email address. Enter a domain name, ${exampleText}.`)
  const name = domainToASCII(cleaned).toLowerCase()
  if (isIP(name) || isIP(stripBrackets(cleaned)))
    throw createHostNameProblem(`That’s an IP address. Enter a domain name, ${exampleText}.`)
  if (name.length > maxHostNameLength)
    throw createHostNameProblem(`A domain name can have at most ${maxHostNameLength} characters.`)
  if (!hostNamePattern.test(name))
    throw createHostNameProblem(`That isn’t a domain name. Use letters, digits, hyphens and dots, ${exampleText}.`)
  if (isPublicSuffix(name))
    throw createHostNameProblem(`Anyone can register names under ${name}. Enter a name under it.`)
  if (name.split('.').some(mixesScripts))
    throw createHostNameProblem(
      'This name mixes look-alike letters from different alphabets. Write each part in one alphabet.',
    )
  if (privateSuffix.test(name))
    throw createHostNameProblem(
      `${name} can’t be reached from the internet. Enter a public domain name, ${exampleText}.`,
    )
  const serverHost = listServerHosts(settings).find((host) => name === host || name.endsWith(`.${host}`))
  if (serverHost)
    throw createHostNameProblem(
      `${serverHost} is this server’s own address. Enter a domain name you own, ${exampleText}.`,
    )
  return name
}

const privateSuffix = /\.(?:localhost|local|internal|invalid|onion|arpa|lan|home)$/

function createHostNameProblem(message: string) {
  return badField('customDomain', message)
}

function listServerHosts({ publicUrl, host, customDomains }: Parameters<typeof readHostName>[1]): string[] {
  const names = [getPublicHostName({ publicUrl }), host, customDomains.edgeHost]
  return names.filter((name): name is string => typeof name === 'string' && isIP(name) === 0)
}

const countrySuffix = /^(?:ac|co|com|edu|gob|gouv|gov|id|info|ltd|me|mil|muni|ne|net|nhs|nom|or|org|plc|sch)\.[a-z]{2}$/
const sharedSuffixes = new Set(
  `github.io gitlab.io vercel.app netlify.app pages.dev workers.dev web.app firebaseapp.com herokuapp.com fly.dev
  onrender.com railway.app blogspot.com cloudfront.net azurewebsites.net s3.amazonaws.com appspot.com surge.sh
  duckdns.org ngrok.io ngrok-free.app trycloudflare.com nip.io sslip.io eu.org uk.com us.com de.com eu.com gb.net`.split(
    /\s+/,
  ),
)

export function countRegistrableLabels(name: string): number {
  return isPublicSuffix(name.split('.').slice(-2).join('.')) ? 3 : 2
}

export function isApex(name: string): boolean {
  return name.split('.').length === countRegistrableLabels(name)
}

function isPublicSuffix(name: string): boolean {
  return countrySuffix.test(name) || sharedSuffixes.has(name)
}

/** Scripts that may be mixed according to UTS 39; all other labels must use one script. */
const scriptCombinations = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]
const scripts =
  `Latin Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Thai Georgian Hangul Hiragana Katakana Bopomofo
  Han`
    .split(/\s+/)
    .map((script) => ({ script, letter: new RegExp(`\\p{Script=${script}}`, 'u') }))
const neutralCharacter = /[\p{Script=Common}\p{Script=Inherited}]/u

function mixesScripts(label: string): boolean {
  if (!label.startsWith('xn--')) return false
  const characters = [...domainToUnicode(label)].filter((letter) => !neutralCharacter.test(letter))
  const usedScripts = new Set(
    characters.map((character) => scripts.find(({ letter }) => letter.test(character))?.script ?? 'another'),
  )
  return (
    usedScripts.size > 1 &&
    !scriptCombinations.some((combination) => [...usedScripts].every((script) => combination.includes(script)))
  )
}
