import { emailAddress } from '#contract/accounts/email-address.ts'

/** Also matches names without an address, to avoid rescanning them. */
const nameOrAddressPattern = /[^,;\n<>]+(?:<([^<>\s]+)>)?|<([^<>\s]+)>/g

/** Splits typed or pasted text at commas, semicolons and whitespace; also accepts `Ada <ada@…>`. */
export function parseEmails(text: string): string[] {
  return text
    .replace(nameOrAddressPattern, (match, named?: string, bare?: string) => {
      const address = named ?? bare
      return address === undefined ? match : ` ${address} `
    })
    .split(/[\s,;]+/)
    .filter(Boolean)
}

export function mergeEmails(current: readonly string[], added: readonly string[]): string[] {
  const normalizedEmails = new Set(current.map((email) => email.toLowerCase()))
  const newEmails = added.filter((email) => {
    const isNew = !normalizedEmails.has(email.toLowerCase())
    normalizedEmails.add(email.toLowerCase())
    return isNew
  })
  return [...current, ...newEmails]
}

export const maxEmails = 50

export function checkEmailCount(count: number): string | undefined {
  if (count === 0) return 'Enter at least one email address.'
  return count > maxEmails ? `Invite at most ${maxEmails} people at a time. You entered ${count}.` : undefined
}

export function validateEmail(email: string): string | undefined {
  return emailAddress.safeParse(email).success ? undefined : 'This isn’t an email address.'
}

/** Maps field problems such as `emails.3` to their addresses. */
export function mapProblemsByEmail(fields: Record<string, string>, sent: readonly string[]): Record<string, string> {
  const problems = Object.entries(fields).flatMap(([field, problem]) => {
    const index = /^emails\.(\d+)$/.exec(field)?.[1]
    const email = index === undefined ? undefined : sent[Number(index)]
    return email === undefined ? [] : [[email, problem] as const]
  })
  return Object.fromEntries(problems)
}
