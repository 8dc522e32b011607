import { badField } from '#server/http/problem.ts'

let common: Set<string> | undefined

/** Whether a password is on the bundled list of the most common ones; the list is read on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  if (!common) {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    common = new Set((dictionary as unknown as { 'passwords-common': string[] })['passwords-common'])
  }
  return common.has(password.toLowerCase())
}

/**
 * All that is asked of the strength of a password beside its length: a weak one is one that many use.
 * @throws Problem 400 naming the field
 */
export async function refuseCommonPassword(field: string, password: string): Promise<void> {
  if (await isCommonPassword(password))
    throw badField(field, 'This password is on the list of the most common ones. Choose another.')
}
