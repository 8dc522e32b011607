import { passwordLength } from '#contract/accounts/visitor-calls.ts'

export const passwordHelp = `At least ${passwordLength.min} characters.`

export function getEmailProblem(email = ''): string | undefined {
  if (email.trim() === '') return 'Enter your email.'
  return isEmailLike(email.trim()) ? undefined : 'Enter an email address, like name@example.com.'
}

function isEmailLike(email: string): boolean {
  const atIndex = email.indexOf('@', 1)
  return atIndex > 0 && atIndex < email.length - 1 && !/\s/.test(email)
}

export function getNewPasswordProblem(password = ''): string | undefined {
  if (password === '') return 'Choose a password.'
  if (password.length < passwordLength.min) return `Use at least ${passwordLength.min} characters.`
  return password.length > passwordLength.max ? `Use at most ${passwordLength.max} characters.` : undefined
}

export function getPasswordProblem(password = ''): string | undefined {
  return password === '' ? 'Enter your password.' : undefined
}
