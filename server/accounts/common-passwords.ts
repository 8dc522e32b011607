import { badField } from '#server/http/problem.ts'

let common: Set<string> | undefined

/** The bundled list is loaded on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  if (!common) {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    common = new Set((dictionary as unknown as { 'passwords-common': string[] })['passwords-common'])
  }
  return common.has(password.toLowerCase())
}

/** The only strength rule besides length is that a password isn't common. @throws Problem 400 naming the field */
export async function refuseCommonPassword(field: string, password: string): Promise<void> {
  if (await isCommonPassword(password))
    throw badField(field, 'This password is one of the most common ones. Choose another.')
}
