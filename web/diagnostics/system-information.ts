import type { User } from '#contract/accounts/accounts.ts'
import type { JournalEntry } from '#web/api/api-journal.ts'
import type { ConsoleEntry } from './console-journal.ts'

export interface SystemInformation {
  version: string
  build: string
  user: string
  mode: string
  route: string
  theme: string
  browser: string
  calls: readonly JournalEntry[]
  errors: readonly ConsoleEntry[]
}

/** The version of the page, and the file whose name changes with every build. */
export function getServedVersion(page: Document = document): { version: string; build: string } {
  const version = page.querySelector<HTMLMetaElement>('meta[name="keeper-version"]')?.content
  const script = page.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
  return { version: version || 'unknown', build: /\/assets\/([\w.-]+)\.js/.exec(script)?.[1] ?? 'development' }
}

export function formatUser(user: User | null): string {
  return user ? `${user.name || user.nickname || 'No name'} (${user.id})` : 'No one is signed in'
}

/** The text of the copy button: no email addresses, no tokens. */
export function formatInformation(information: SystemInformation): string {
  const { calls, errors, ...details } = information
  return [
    ...Object.entries(details).map(([name, value]) => `${name}: ${value}`),
    '',
    'last API calls:',
    ...calls.map(formatCall),
    '',
    'last console errors:',
    ...(errors.length > 0 ? errors.map(({ at, text }) => `${formatCallTime(at)} ${text}`) : ['none']),
  ].join('\n')
}

function formatCall({ at, method, path, status, durationMs, requestId }: JournalEntry): string {
  const request = requestId ? ` ${requestId}` : ''
  return `${formatCallTime(at)} ${method} ${path} ${status ?? 'no answer'} ${durationMs} ms${request}`
}

function formatCallTime(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}
