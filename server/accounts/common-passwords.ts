import { badField } from '#server/http/problem.ts'

let commonPasswords: Set<string> | undefined

export async function isCommonPassword(password: string): Promise<boolean> {
  if (!commonPasswords) {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    commonPasswords = new Set((dictionary as unknown as { 'passwords-common': string[] })['passwords-common'])
  }
  return commonPasswords.has(password.toLowerCase())
}

/** @throws Problem 400 naming the field */
export async function refuseCommonPassword(field: string, password: string): Promise<void> {
  if (await isCommonPassword(password))
    throw badField(field, 'This password is one of the most common ones. Choose another.')
}
