import { emailAddress } from '#contract/accounts/email-address.ts'

/** The addresses in what was typed or pasted: commas, semicolons, spaces and lines part them, `Ada <ada@…>` is one. */
export function emailsIn(text: string): string[] {
  return (
    text
      // Also matches names without an address, so that no part of them is looked at again.
      .replace(/[^,;\n<>]+(?:<([^<>\s]+)>)?|<([^<>\s]+)>/g, (whole, named?: string, bare?: string) => {
        const address = named ?? bare
        return address === undefined ? whole : ` ${address} `
      })
      .split(/[\s,;]+/)
      .filter(Boolean)
  )
}

/** Adds what is not there yet; an address is the same one whatever its case. */
export function withEmails(present: readonly string[], added: readonly string[]): string[] {
  const folded = new Set(present.map((email) => email.toLowerCase()))
  const fresh = added.filter((email) => {
    const isNew = !folded.has(email.toLowerCase())
    folded.add(email.toLowerCase())
    return isNew
  })
  return [...present, ...fresh]
}

export const mostEmails = 50

export function emailListProblem(email: string): string | undefined {
  return emailAddress.safeParse(email).success ? undefined : 'This is no e-mail address.'
}

/** What the server said of single addresses, as `{'emails.3': 'This person is a member already.'}`, by address. */
export function problemsByEmail(fields: Record<string, string>, sent: readonly string[]): Record<string, string> {
  const problems = Object.entries(fields).flatMap(([field, problem]) => {
    const index = /^emails\.(\d+)$/.exec(field)?.[1]
    const email = index === undefined ? undefined : sent[Number(index)]
    return email === undefined ? [] : [[email, problem] as const]
  })
  return Object.fromEntries(problems)
}
